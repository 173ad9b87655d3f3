#include "http/sandbox/events.hpp"

namespace usher::sandbox {

namespace {

/// How far back `webhook-out-of-order` dates the older event: less than receivers tolerate.
constexpr std::int64_t older_ms = 60'000;

std::vector<message> messages_of(const event& what) {
  switch (what.of.by) {
  case protocol::plain:
    return plain_messages(what);
  case protocol::stripe:
    return stripe_messages(what);
  case protocol::mercado_pago:
    return mercado_pago_messages(what);
  case protocol::paypal:
    return paypal_messages(what);
  }
  return {};
}

/// The same payment as if it had been declined, so long ago.
event failed_before(event what, std::int64_t ago_ms) {
  what.kind = event_kind::charge_declined;
  what.of.status = charge_status::declined;
  what.of.reason = "card_declined";
  what.at -= ago_ms;
  return what;
}

class writer {
public:
  void add(const event& what, const notice& how) {
    for (auto& each : messages_of(what)) {
      auto made = how;
      made.by = what.of.by;
      made.type = std::move(each.type);
      made.event_id = std::move(each.event_id);
      made.body = std::move(each.body);
      made.query = std::move(each.query);
      made.subject = std::move(each.subject);
      all_.push_back(std::move(made));
    }
  }
  void repeat() {
    const auto count = all_.size();
    for (std::size_t i = 0; i < count; ++i)
      all_.push_back(all_[i]);
  }
  std::vector<notice> take() { return std::move(all_); }

private:
  std::vector<notice> all_;
};

bool is_of_refund(event_kind kind) {
  return kind == event_kind::refund_pending || kind == event_kind::refund_done ||
         kind == event_kind::refund_refused;
}

} // namespace

std::vector<notice> notices_of(const event& what) {
  writer made;
  const auto by = is_of_refund(what.kind) ? rule::approve : what.of.rule.what;
  if (by == rule::no_webhook)
    return {};
  if (by == rule::webhook_bad_signature && what.kind == event_kind::charge_approved)
    made.add(failed_before(what, 0), {.forged = true});
  notice how;
  if (by == rule::webhook_late)
    how.wait_ms = what.of.rule.millis.value_or(millis_default);
  made.add(what, how);
  if (by == rule::webhook_twice)
    made.repeat();
  if (by == rule::webhook_out_of_order && what.kind == event_kind::charge_approved) {
    made.add(failed_before(what, 0), {});
    made.add(failed_before(what, older_ms), {.older_ms = older_ms});
  }
  return made.take();
}

} // namespace usher::sandbox

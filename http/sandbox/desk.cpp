#include "http/sandbox/desk.hpp"

#include <algorithm>
#include <iterator>

namespace usher::sandbox {

namespace {

constexpr std::string_view token_prefix = "rule:";

event refund_event(const ledger::paid_back& back, time_ms at) {
  auto kind = event_kind::refund_done;
  if (back.now.status == refund_status::pending)
    kind = event_kind::refund_pending;
  if (back.now.status == refund_status::refused)
    kind = event_kind::refund_refused;
  return {kind, back.of, back.now, at};
}

} // namespace

bool desk::queue_rules(const std::vector<fault>& next) {
  const std::lock_guard lock{mutex_};
  if (for_charges_.size() + for_refunds_.size() + next.size() > queued_rules_max)
    return false;
  for (const auto& each : next)
    (is_for_refunds(each.what) ? for_refunds_ : for_charges_).push_back(each);
  return true;
}

void desk::set_default(const fault& to) {
  const std::lock_guard lock{mutex_};
  default_ = to;
}

void desk::reset() {
  {
    const std::lock_guard lock{mutex_};
    for_charges_.clear();
    for_refunds_.clear();
    default_ = {};
  }
  office_.reset();
  book_.reset();
}

desk::named_rule desk::named(const call& by, const std::string& means) {
  if (by.rule)
    return by.rule;
  if (!means.starts_with(token_prefix))
    return std::optional<fault>{};
  const auto text = means.substr(token_prefix.size());
  if (const auto read = read_fault(text))
    return std::optional{*read};
  return "'" + text + "' is no rule; the rules are: " + rule_names();
}

std::optional<fault> desk::take(std::deque<fault>& from) {
  if (from.empty())
    return std::nullopt;
  const auto first = from.front();
  from.pop_front();
  return first;
}

fault desk::choose(const std::optional<fault>& named, std::int64_t amount_minor) {
  const std::lock_guard lock{mutex_};
  if (const auto queued = take(for_charges_))
    return *queued;
  if (named)
    return *named;
  const fault by_amount{.what = rule_for_amount(amount_minor)};
  return by_amount.what == rule::approve ? default_ : by_amount;
}

fault desk::choose_later(const std::optional<fault>& named, const charge& of) {
  return of.rule.what == rule::approve ? named.value_or(of.rule) : of.rule;
}

fault desk::choose_refund(const std::optional<fault>& named, const charge& of) {
  const std::lock_guard lock{mutex_};
  auto chosen = of.rule;
  if (const auto queued = take(for_refunds_))
    chosen = *queued;
  else if (named)
    return {as_for_refund(named->what), named->millis, named->always};
  else if (!is_for_refunds(chosen.what))
    chosen = default_;
  if (!is_for_refunds(chosen.what))
    return {};
  return {as_for_refund(chosen.what), chosen.millis, chosen.always};
}

delivery desk::run(const key_name& key, const fault& by, const std::function<moved()>& move,
                   const std::function<answer(unsigned)>& trouble) {
  delivery made;
  const bool struck = blow_of(by.what) != blow::none && (by.always || book_.strike(key));
  const bool before = struck && blow_of(by.what) == blow::before;
  if (!before) {
    auto done = move();
    made.what = std::move(done.what);
    for (const auto& each : done.events) {
      const bool first = by.what == rule::webhook_first && each.kind == event_kind::charge_approved;
      auto found = notices(each);
      auto& into = first ? made.before_answer : made.after_answer;
      std::move(found.begin(), found.end(), std::back_inserter(into));
    }
  }
  if (!struck)
    return made;
  switch (by.what) {
  case rule::timeout_before:
  case rule::timeout_after:
    made.how = manner::silence;
    break;
  case rule::reset_before:
  case rule::reset_after:
    made.how = manner::reset;
    break;
  case rule::delay:
    made.delay_ms = by.millis.value_or(millis_default);
    break;
  case rule::rate_limited:
    made.what = trouble(429);
    break;
  case rule::unauthorized:
    made.what = trouble(401);
    break;
  default:
    made.what = trouble(500);
  }
  return made;
}

charge desk::settle(const std::string& charge_id, const fault& by, time_ms at,
                    std::vector<event>& events) {
  auto to = charge_status::approved;
  auto kind = event_kind::charge_approved;
  std::string reason;
  if (by.what == rule::decline) {
    to = charge_status::declined;
    kind = event_kind::charge_declined;
    reason = "card_declined";
  }
  const auto known = book_.find_any(charge_id);
  if (by.what == rule::pending && known && !known->payer_agreed) {
    to = charge_status::pending;
    kind = event_kind::charge_pending;
  }
  auto settled = book_.settle(charge_id, to, reason, at);
  if (!settled.changed)
    return settled.now;
  auto told = settled.now;
  told.rule = by; // a later call of the payment may have named another one
  events.push_back({kind, std::move(told), {}, at});
  if (to == charge_status::pending && by.millis)
    office_.later(*by.millis, [this, charge_id, then = at + *by.millis] {
      resolve_charge(charge_id, true, then);
    });
  return settled.now;
}

ledger::paid_back desk::give_back(const key_name& key, refund wanted, const fault& by,
                                  std::vector<event>& events) {
  if (by.what == rule::decline) {
    wanted.status = refund_status::refused;
    wanted.reason = "refused";
  }
  if (by.what == rule::pending)
    wanted.status = refund_status::pending;
  const auto at = wanted.created_ms;
  auto back = book_.give_back(key, std::move(wanted));
  if (!back.changed)
    return back;
  events.push_back(refund_event(back, at));
  if (back.now.status == refund_status::pending && by.millis)
    office_.later(*by.millis, [this, id = back.now.id, then = at + *by.millis] {
      resolve_refund(id, true, then);
    });
  return back;
}

std::optional<charge> desk::resolve_charge(const std::string& id, bool approve, time_ms at) {
  const auto known = book_.find_any(id);
  if (!known || known->status != charge_status::pending)
    return std::nullopt;
  auto to = approve ? charge_status::approved : charge_status::declined;
  auto kind = approve ? event_kind::charge_approved : event_kind::charge_declined;
  if (approve && known->by == protocol::paypal) { // the money comes with the capture
    to = charge_status::created;
    kind = event_kind::payer_agreed;
  }
  const auto settled = book_.settle(known->id, to, approve ? "" : "authentication_failed", at);
  if (!settled.changed)
    return std::nullopt;
  send({kind, settled.now, {}, at});
  return settled.now;
}

std::optional<refund> desk::resolve_refund(const std::string& id, bool approve, time_ms at) {
  const auto back = book_.settle_refund(id, approve ? refund_status::done : refund_status::refused,
                                        approve ? "" : "failed");
  if (!back.changed)
    return std::nullopt;
  send(refund_event(back, at));
  return back.now;
}

std::vector<notice> desk::notices(event what) const {
  what.base = base_;
  return notices_of(what);
}

void desk::send(const event& what) {
  for (auto& each : notices(what))
    office_.post(std::move(each));
}

} // namespace usher::sandbox

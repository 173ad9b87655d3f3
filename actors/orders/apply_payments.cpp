#include "actors/basics/bug.hpp"
#include "actors/orders/apply_parts.hpp"

#include <algorithm>

namespace usher::orders::applying {

namespace {

std::size_t index_of(const order& it, const payment& which) {
  return static_cast<std::size_t>(&which - it.payments.data());
}

payment& must_have(order& it, const payment_id& id) {
  const auto found = std::ranges::find(it.payments, id, &payment::id);
  bug_unless(!id.is_none() && found != it.payments.end(), "an event names an unknown payment");
  return *found;
}

/// From PAYING (or what it was) back to PENDING.
void wait_again(state& desk, const order_id& id, order& it) {
  desk.order_deadlines.erase({it.paying_until, id});
  it.paying_until = 0;
  it.status = order_status::pending;
  desk.order_deadlines.emplace(it.until, id);
}

/// The order is over as `status`, by money that is on record. Old logs tell of money reported from
/// outside only here.
order& take_money(state& desk, const order_id& id, const std::string& gateway,
                  const std::string& reference, order_status status, time_ms at) {
  auto& it = applying::must_have(desk, id);
  bug_unless(!it.has_money(), "an order is paid twice");
  desk.order_deadlines.erase({it.status == order_status::paying ? it.paying_until : it.until, id});
  it.status = status;
  // The latest: an empty reference may have come twice.
  auto found =
      std::ranges::find_if(it.payments.rbegin(), it.payments.rend(), [&](const payment& p) {
        return p.outcome == payment_outcome::approved && p.gateway == gateway &&
               p.reference == reference;
      });
  if (found == it.payments.rend()) {
    it.payments.push_back({.id = {},
                           .gateway = gateway,
                           .method = {},
                           .reference = reference,
                           .outcome = payment_outcome::approved,
                           .at = at,
                           .amount_minor = it.total.amount_minor});
    found = it.payments.rbegin();
  }
  found->kept = true;
  record_money(desk, id, gateway, reference);
  return it;
}

} // namespace

void record_money(state& desk, const order_id& id, const std::string& gateway,
                  const std::string& reference) {
  if (reference.empty())
    return;
  desk.order_of_money.try_emplace(money_key(gateway, reference), id);
  std::erase_if(desk.kept_reports, [&](const kept_report& kept) {
    return kept.gateway == gateway && kept.reference == reference;
  });
}

namespace {

/// The gateway's answer tells whose money a report without an id was about.
void name_nameless(order& it, const event::payment_settled& e, const payment& attempt) {
  const auto* found =
      it.money_of(attempt.gateway, e.reference) == nullptr ? it.nameless(attempt.gateway) : nullptr;
  if (found == nullptr)
    return;
  auto& named = it.payments[index_of(it, *found)];
  for (auto& each : it.refunds) // also of what has begun to go back
    if (each.payment.is_none() && each.payment_reference.empty() && each.gateway == named.gateway) {
      each.gateway = attempt.gateway;
      each.payment_reference = e.reference;
    }
  named.gateway = attempt.gateway;
  named.reference = e.reference;
}

} // namespace

void apply_one(state& desk, const event::payment_started& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  bug_unless(it.status == order_status::pending,
             "a payment starts on an order that is not PENDING");
  bug_unless(it.find(e.payment) == nullptr, "a payment starts twice");
  it.status = order_status::paying;
  // Never before the order's own time: once it is voided the fan may pay in another way.
  it.paying_until = e.until == 0 ? 0 : std::max(e.until, it.until);
  it.payments.push_back({.id = e.payment,
                         .gateway = e.gateway,
                         .method = e.method,
                         .reference = {},
                         .outcome = std::nullopt,
                         .at = at,
                         .amount_minor = it.total.amount_minor,
                         .token = e.token,
                         .country = e.country,
                         .chosen = e.chosen,
                         .follows = e.follows,
                         .skipped = e.skipped,
                         .until = e.until});
  note(it, step_kind::payment_started, it.payments.size() - 1, at);
  desk.order_deadlines.erase({it.until, e.order});
  if (e.until != 0)
    desk.order_deadlines.emplace(it.paying_until, e.order);
  remember(desk, e.asked, e.order, {e.payment, {}}, at);
  desk.order_of[e.payment] = e.order;
  desk.unsettled.insert(e.order);
}

void apply_one(state& desk, const event::payment_settled& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  auto& attempt = must_have(it, e.payment);
  bug_unless(!attempt.outcome, "a payment is settled twice");
  if (e.known)
    name_nameless(it, e, attempt);
  attempt.outcome = e.outcome;
  attempt.reference = e.reference;
  attempt.reason = e.reason;
  attempt.known = e.known;
  attempt.amount_minor = e.amount_minor.value_or(attempt.amount_minor);
  attempt.token.clear(); // of no use any more
  note(it, step_kind::payment_settled, index_of(it, attempt), at,
       std::string{to_string(e.outcome)});
  // Approved: the order's own event follows in the same batch.
  if (it.status == order_status::paying && e.outcome != payment_outcome::approved)
    wait_again(desk, e.order, it);
  if (e.outcome == payment_outcome::approved)
    record_money(desk, e.order, attempt.gateway, e.reference);
  look_for_unsettled(desk, e.order, it);
}

void apply_one(state& desk, const event::payment_reported& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  if (e.payment.is_none()) {
    it.payments.push_back({.id = {},
                           .gateway = e.gateway,
                           .method = {},
                           .reference = e.reference,
                           .outcome = payment_outcome::approved,
                           .at = at,
                           .amount_minor = e.amount_minor});
    note(it, step_kind::payment_reported, it.payments.size() - 1, at);
  } else {
    auto& attempt = must_have(it, e.payment);
    bug_unless(attempt.outcome && attempt.outcome != payment_outcome::approved,
               "money is reported for an attempt that is open or has some");
    attempt.outcome = payment_outcome::approved;
    attempt.reference = e.reference;
    attempt.amount_minor = e.amount_minor;
    attempt.reason.clear();
    note(it, step_kind::payment_reported, index_of(it, attempt), at);
  }
  record_money(desk, e.order, e.gateway, e.reference);
  remember(desk, e.asked, e.order, {}, at);
}

void apply_one(state& desk, const event::report_kept& e, time_ms at) {
  while (!desk.kept_reports.empty() && desk.kept_reports.front().at + kept_report_life_ms <= at)
    desk.kept_reports.pop_front();
  desk.kept_reports.push_back({e.gateway, e.reference, e.order, e.hold_ref, e.amount, at});
}

void apply_one(state& desk, const event::order_paid& e, time_ms at) {
  auto& it = take_money(desk, e.order, e.gateway, e.reference, order_status::paid, at);
  note(it, step_kind::paid, 0, at);
  if (it.hold.is_none()) {
    desk.by_hold_ref[it.hold_ref] = e.order;
    return;
  }
  auto& its = applying::must_have(desk, it.hold);
  bug_unless(its.order == e.order && its.status != hold_status::sold, "a hold is sold twice");
  its.status = hold_status::sold;
  its.end.reset();
  desk.hold_deadlines.erase({its.until, it.hold});
}

void apply_one(state& desk, const event::order_refund_due& e, time_ms at) {
  auto& it = take_money(desk, e.order, e.gateway, e.reference, order_status::refund_due, at);
  note(it, step_kind::refund_due, 0, at);
}

} // namespace usher::orders::applying

#include "actors/basics/bug.hpp"
#include "actors/orders/apply_parts.hpp"

#include <algorithm>

namespace usher::orders::applying {

namespace {

refund& must_have(order& it, const refund_id& id) {
  const auto found = std::ranges::find(it.refunds, id, &refund::id);
  bug_unless(found != it.refunds.end(), "an event names an unknown refund");
  bug_unless(!found->outcome, "a refund goes on that is settled");
  return *found;
}

std::size_t index_of(const order& it, const refund& which) {
  return static_cast<std::size_t>(&which - it.refunds.data());
}

/// Every seat has gone back.
bool seats_are_back(const state& desk, const order& it) {
  if (it.hold.is_none())
    return true;
  return std::ranges::all_of(desk.holds.at(it.hold).seats, [&](const offered_seat& seat) {
    return std::ranges::any_of(it.refunds, [&](const refund& r) {
      return r.outcome == refund_outcome::done &&
             std::ranges::find(r.seats, seat.id) != r.seats.end();
    });
  });
}

/// What has gone back of the money that the order was paid with.
std::int64_t gone_back_minor(const order& it) {
  std::int64_t sum = 0;
  for (const auto& each : it.refunds)
    if (each.cause != refund_cause::surplus && each.outcome == refund_outcome::done)
      sum += each.amount_minor;
  return sum;
}

} // namespace

void apply_one(state& desk, const event::refund_started& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  bug_unless(it.find(e.refund) == nullptr, "a refund starts twice");
  it.refunds.push_back({.id = e.refund,
                        .payment = e.payment,
                        .gateway = e.gateway,
                        .payment_reference = e.reference,
                        .amount_minor = e.amount_minor,
                        .seats = e.seats,
                        .resell = e.resell,
                        .cause = e.cause,
                        .note = e.note,
                        .at = at,
                        .outcome = std::nullopt,
                        .attempt = 1,
                        .tries = 0,
                        .reference = {},
                        .reason = {}});
  note(it, step_kind::refund_started, it.refunds.size() - 1, at);
  remember(desk, e.asked, e.order, {{}, e.refund}, at);
  desk.unsettled.insert(e.order);
}

void apply_one(state& desk, const event::refund_tried& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  auto& which = must_have(it, e.refund);
  const bool as_before = which.tries > 0 && which.reason == e.reason;
  ++which.tries;
  if (e.outcome == payments::outcome::declined) {
    ++which.attempt;
    which.reference.clear();
  } else if (!e.reference.empty()) {
    which.reference = e.reference;
  }
  which.reason = e.reason;
  if (!as_before) // it may go on for long
    note(it, step_kind::refund_tried, index_of(it, which), at, e.reason);
}

void apply_one(state& desk, const event::refund_settled& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  auto& which = must_have(it, e.refund);
  which.outcome = e.outcome;
  which.reference = e.reference;
  which.reason = e.reason;
  note(it, step_kind::refund_settled, index_of(it, which), at, std::string{to_string(e.outcome)});
  if (e.outcome == refund_outcome::done && which.cause != refund_cause::surplus) {
    const auto* money = it.kept();
    bug_unless(money != nullptr, "money goes back that never came");
    const bool all = gone_back_minor(it) >= money->amount_minor;
    if (all && (it.status == order_status::refund_due || seats_are_back(desk, it)))
      it.status = order_status::refunded;
    else if (it.is_sold())
      it.status = order_status::partly_refunded;
  }
  remember(desk, e.asked, e.order, {{}, e.refund}, at);
  look_for_unsettled(desk, e.order, it);
}

void apply_one(state& desk, const event::order_seats_returned& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  auto& its = applying::must_have(desk, it.hold);
  bug_unless(it.has_money() && its.order == e.order && its.status == hold_status::sold,
             "seats are returned that were not sold");
  its.returned.insert(its.returned.end(), e.seats.begin(), e.seats.end());
  bug_unless(its.returned.size() <= its.seats.size(), "seats are returned twice");
  note(it, step_kind::seats_returned, 0, at);
}

void apply_one(state& desk, const event::tickets_issued& e, time_ms) {
  bug_unless(applying::must_have(desk, e.order).status == order_status::paid,
             "tickets are issued for an order that is not PAID");
}

void apply_one(state& desk, const event::ticket_used& e, time_ms at) {
  auto& it = applying::must_have(desk, e.order);
  bug_unless(std::ranges::find(it.used, e.seat, &used_ticket::seat) == it.used.end(),
             "a ticket is used twice");
  it.used.push_back({e.seat, at, e.gate});
  note(it, step_kind::ticket_used, it.used.size() - 1, at);
}

} // namespace usher::orders::applying

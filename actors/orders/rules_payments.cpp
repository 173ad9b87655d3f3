#include "actors/orders/rules_common.hpp"

#include <algorithm>

// Paying: attempts of ours, and money that others report.
namespace usher::orders {

namespace {

/// A show without a plan: has another order taken this one's reference since?
bool reference_is_taken(const state& desk, const order_id& id, const order& it, time_ms now) {
  if (!it.hold.is_none())
    return false;
  const auto& latest = desk.by_hold_ref.at(it.hold_ref);
  return latest != id && common::stands(desk.orders.at(latest), now);
}

/// Money came for an order that had none: PAID with its seats, or REFUND_DUE.
void take_money(proposal& wanted, const state& desk, const command::confirm& report,
                bool seats_lost) {
  const auto& it = desk.orders.at(report.order);
  const auto left =
      it.owner ? common::kept_until(desk, *it.owner, report.now, {{it.hold}, {report.order}}) : 0;
  const auto* held = it.hold.is_none() ? nullptr : &desk.holds.at(it.hold);

  if (seats_lost || reference_is_taken(desk, report.order, it, report.now)) {
    wanted.events.emplace_back(
        event::order_refund_due{report.order, report.gateway, report.reference});
    if (held != nullptr && held->status == hold_status::ordered) { // seats that nobody took yet
      wanted.events.emplace_back(event::hold_ended{it.hold, hold_end::expired});
      wanted.blocks = common::release_work({{it.hold, held}});
    }
    wanted.room = common::settle(it.owner, left, false, report.now);
    return;
  }
  wanted.events.emplace_back(event::order_paid{report.order, report.gateway, report.reference});
  if (held != nullptr)
    wanted.blocks = common::sell_work(it.hold, *held, report.order, report.now);
  wanted.room = common::settle(it.owner, left, true, report.now);
}

bool has_money(const order& it) {
  return it.status == order_status::paid || it.status == order_status::refund_due;
}

} // namespace

decision decide(const state& desk, const command::start_payment& asked) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  if (auto known = common::seen_before<order_id>(desk, asked.asked, asked.now, true)) {
    const auto* again = std::get_if<repeated>(&*known);
    const bool other_order = again != nullptr && std::get<order_id>(again->what) != asked.order;
    return other_order ? decision{rejection::key_reused} : *known;
  }
  const auto& it = found->second;
  switch (it.status) {
  case order_status::paid:
    return repeated{asked.order, std::nullopt};
  case order_status::expired:
  case order_status::cancelled:
  case order_status::refund_due:
    return rejection::order_over;
  case order_status::paying:
    return rejection::payment_running;
  case order_status::pending:
    break;
  }
  if (asked.now >= it.until)
    return rejection::order_over;

  proposal wanted; // the deadline stays, so there is nothing to tell the room
  wanted.events.emplace_back(
      event::payment_started{asked.order, asked.payment, asked.gateway, asked.method, asked.asked});
  return wanted;
}

decision decide(const state& desk, const command::settle_payment& asked, bool seats_lost) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  const auto& it = found->second;
  const auto attempt = std::ranges::find(it.payments, asked.payment, &payment::id);
  if (asked.payment.is_none() || attempt == it.payments.end())
    return rejection::unknown_order;
  if (attempt->outcome)
    return repeated{asked.order, asked.payment};

  proposal wanted;
  wanted.events.emplace_back(
      event::payment_settled{asked.order, asked.payment, asked.outcome, asked.reference});
  // Second money for an order that has some is only recorded: it stays visible in the payments.
  if (asked.outcome == payment_outcome::approved && !has_money(it))
    take_money(wanted, desk, {asked.order, attempt->gateway, asked.reference, asked.now},
               seats_lost);
  return wanted;
}

decision decide(const state& desk, const command::confirm& asked, bool seats_lost) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  if (has_money(found->second))
    return repeated{asked.order, std::nullopt};
  proposal wanted;
  take_money(wanted, desk, asked, seats_lost);
  return wanted;
}

} // namespace usher::orders

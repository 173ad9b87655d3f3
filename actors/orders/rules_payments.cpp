#include "actors/orders/rules_common.hpp"

#include <algorithm>

// Paying: attempts of ours, and money that others report.
namespace usher::orders {

namespace {

/// Money that came for an order.
struct arrival {
  order_id order;
  payment_id payment; ///< of an attempt of ours; else none
  std::string gateway;
  std::string reference;
  std::int64_t amount_minor = 0;
  refund_id refund;
  time_ms now = 0;
};

/// A show without a plan: has another order taken this one's reference since?
bool reference_is_taken(const state& desk, const order_id& id, const order& it, time_ms now) {
  if (!it.hold.is_none())
    return false;
  const auto& latest = desk.by_hold_ref.at(it.hold_ref);
  return latest != id && common::stands(desk.orders.at(latest), now);
}

event::refund_started refund_of(const arrival& money, refund_cause cause) {
  return {.order = money.order,
          .refund = money.refund,
          .payment = money.payment,
          .gateway = money.gateway,
          .reference = money.reference,
          .amount_minor = money.amount_minor,
          .cause = cause};
}

/// It goes back, from now on.
void give_back(proposal& wanted, const arrival& money, refund_cause cause) {
  wanted.events.emplace_back(refund_of(money, cause));
  if (money.amount_minor == 0) // no gateway gives nothing back
    wanted.events.emplace_back(event::refund_settled{
        money.order, money.refund, refund_outcome::done, std::string{free_reference}, {}, {}});
}

void owe(proposal& wanted, const state& desk, const arrival& money, time_ms left) {
  const auto& it = desk.orders.at(money.order);
  wanted.events.emplace_back(event::order_refund_due{money.order, money.gateway, money.reference});
  give_back(wanted, money, refund_cause::refund_due);
  const auto* held = it.hold.is_none() ? nullptr : &desk.holds.at(it.hold);
  if (held != nullptr && held->status == hold_status::ordered) { // seats that nobody took yet
    wanted.events.emplace_back(event::hold_ended{it.hold, hold_end::expired});
    wanted.blocks = common::release_work({{it.hold, held}});
  }
  wanted.room = common::settle(it.owner, left, false, money.now);
}

void sell(proposal& wanted, const state& desk, const arrival& money, time_ms left) {
  const auto& it = desk.orders.at(money.order);
  wanted.events.emplace_back(event::order_paid{money.order, money.gateway, money.reference});
  if (!it.hold.is_none()) {
    const auto& held = desk.holds.at(it.hold);
    event::tickets_issued tickets{money.order, {}};
    for (const auto& seat : held.seats)
      tickets.seats.push_back(seat.id);
    wanted.events.emplace_back(std::move(tickets));
    wanted.blocks = common::sell_work(it.hold, held, money.order, money.now);
  }
  wanted.room = common::settle(it.owner, left, true, money.now);
}

/// The money is on record by an event before these: PAID with its seats, REFUND_DUE, or surplus.
void take_money(proposal& wanted, const state& desk, const arrival& money, bool cannot_sell) {
  const auto& it = desk.orders.at(money.order);
  if (it.has_money()) {
    give_back(wanted, money, refund_cause::surplus);
    return;
  }
  const auto left =
      it.owner ? common::kept_until(desk, *it.owner, money.now, {{it.hold}, {money.order}}) : 0;
  const bool wrong_amount = money.amount_minor != it.total.amount_minor;
  if (cannot_sell || wrong_amount || reference_is_taken(desk, money.order, it, money.now))
    owe(wanted, desk, money, left);
  else
    sell(wanted, desk, money, left);
}

std::int64_t amount_of(const order& it, const std::optional<money>& told) {
  return told ? told->amount_minor : it.total.amount_minor;
}

/// The order waits for another way to pay, if there is time; the seats go back to the time they
/// had.
void wait_again(proposal& wanted, const state& desk, const order_id& id, const order& it,
                time_ms now) {
  if (now >= it.until) {
    wanted.events.emplace_back(event::order_expired{id});
    common::give_up(wanted, desk, id, it, hold_end::order_expired, now);
    return;
  }
  if (!it.hold.is_none() && desk.holds.at(it.hold).until_unpaid != 0) {
    const auto& held = desk.holds.at(it.hold);
    const auto generation = held.generation + 1;
    wanted.events.emplace_back(event::hold_changed{
        it.hold, generation, hold_change::payment_over, {}, {}, held.until_unpaid, std::nullopt});
    wanted.blocks = common::hold_work(it.hold, generation, held.seats, held.until_unpaid, now);
  }
  if (it.owner) {
    const auto left = common::kept_until(desk, *it.owner, now, {{it.hold}, {id}});
    wanted.room = common::settle(it.owner, std::max(left, it.until), false, now);
  }
}

bool may_go_elsewhere(const payment& attempt, const command::settle_payment& asked) {
  return asked.next && !attempt.chosen &&
         (asked.outcome == payment_outcome::failed || asked.outcome == payment_outcome::not_sent) &&
         (attempt.until == 0 || asked.now < attempt.until);
}

/// An open attempt that took no money.
void settle_without(proposal& wanted, const state& desk, const order& it, const payment& attempt,
                    const command::settle_payment& asked) {
  wanted.events.emplace_back(event::payment_settled{asked.order, asked.payment, asked.outcome,
                                                    asked.reference, asked.reason, false});
  if (it.status != order_status::paying)
    return;
  if (!may_go_elsewhere(attempt, asked))
    return wait_again(wanted, desk, asked.order, it, asked.now);
  wanted.events.emplace_back(event::payment_started{.order = asked.order,
                                                    .payment = asked.next->payment,
                                                    .gateway = asked.next->gateway,
                                                    .method = attempt.method,
                                                    .asked = std::nullopt,
                                                    .token = {}, // is one gateway's
                                                    .country = attempt.country,
                                                    .chosen = false,
                                                    .follows = asked.payment,
                                                    .skipped = asked.next->skipped,
                                                    .until = attempt.until});
}

template <class Command>
event::payment_started started(const Command& asked) {
  return {.order = asked.order,
          .payment = asked.payment,
          .gateway = asked.gateway,
          .method = asked.method,
          .asked = asked.asked,
          .token = asked.token,
          .country = asked.country,
          .chosen = asked.chosen,
          .follows = {},
          .skipped = asked.skipped,
          .until = asked.now + asked.give_up_ms};
}

/// An earlier call with the key, if it was about this order.
std::optional<decision> paid_before(const state& desk, const command::start_payment& asked) {
  auto known = common::seen_before<order_id>(desk, asked.asked, asked.now, true);
  if (!known)
    return std::nullopt;
  const auto* again = std::get_if<repeated>(&*known);
  const bool other_order = again != nullptr && std::get<order_id>(again->what) != asked.order;
  return other_order ? decision{rejection::key_reused} : *known;
}

} // namespace

decision decide(const state& desk, const command::start_payment& asked) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  if (auto known = paid_before(desk, asked))
    return *known;
  const auto& it = found->second;
  switch (it.status) {
  case order_status::paid:
  case order_status::partly_refunded:
    return repeated{asked.order, std::nullopt};
  case order_status::expired:
  case order_status::cancelled:
  case order_status::refund_due:
  case order_status::refunded:
    return rejection::order_over;
  case order_status::paying:
    return rejection::payment_running;
  case order_status::pending:
    break;
  }
  if (asked.now >= it.until)
    return rejection::order_over;
  if (asked.gateway.empty())
    return rejection::no_gateway;
  if (it.payments.size() >= payments_max)
    return rejection::too_many_payments;

  const auto attempt = started(asked);
  proposal wanted;
  wanted.events.emplace_back(attempt);
  if (!it.hold.is_none()) {
    const auto& held = desk.holds.at(it.hold);
    const auto until = std::max(held.until, attempt.until);
    const auto generation = held.generation + 1;
    wanted.events.emplace_back(event::hold_changed{
        it.hold, generation, hold_change::kept_for_payment, {}, {}, until, std::nullopt});
    wanted.blocks = common::hold_work(it.hold, generation, held.seats, until, asked.now);
  }
  if (it.owner) {
    const auto kept = common::kept_until(desk, *it.owner, asked.now);
    wanted.room = common::settle(it.owner, std::max(kept, attempt.until), false, asked.now);
  }
  return wanted;
}

decision decide(const state& desk, const command::take_payment& asked) {
  if (auto known = common::seen_before<order_id>(desk, asked.asked, asked.now, true))
    return *known;
  if (asked.gateway.empty())
    return rejection::no_gateway;
  proposal wanted;
  wanted.events.emplace_back(event::order_placed{.order = asked.order,
                                                 .owner = std::nullopt,
                                                 .hold = {},
                                                 .hold_ref = asked.reference,
                                                 .total = asked.amount,
                                                 .until = asked.now + asked.give_up_ms,
                                                 .customer = {},
                                                 .asked = std::nullopt,
                                                 .box_office = false});
  wanted.events.emplace_back(started(asked));
  return wanted;
}

decision decide(const state& desk, const command::settle_payment& asked, bool seats_lost) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  const auto& it = found->second;
  const auto* attempt = it.find(asked.payment);
  if (attempt == nullptr)
    return rejection::unknown_order;
  if (asked.amount && asked.amount->currency != it.total.currency)
    return rejection::amount_differs; // nothing here can tell how much that is

  const bool approved = asked.outcome == payment_outcome::approved;
  if (!asked.gateway.empty() && asked.gateway != attempt->gateway) {
    // One gateway cannot speak for another: what it says can only be about money of its own.
    if (!approved)
      return repeated{asked.order, asked.payment};
    return decide(desk,
                  command::confirm{asked.order, asked.gateway, asked.reference, asked.now,
                                   asked.amount, std::nullopt, asked.refund},
                  seats_lost);
  }

  proposal wanted;
  if (!approved) {
    if (attempt->outcome) // a late failure undoes nothing
      return repeated{asked.order, asked.payment};
    settle_without(wanted, desk, it, *attempt, asked);
    return wanted;
  }
  const auto* on_record = it.money_of(attempt->gateway, asked.reference);
  if (attempt->outcome && (attempt->outcome == payment_outcome::approved || on_record != nullptr))
    return repeated{asked.order, asked.payment};

  const arrival money{
      asked.order,  asked.payment, attempt->gateway, asked.reference, amount_of(it, asked.amount),
      asked.refund, asked.now};
  if (attempt->outcome) { // it had been settled without money
    wanted.events.emplace_back(event::payment_reported{
        asked.order, asked.payment, attempt->gateway, asked.reference, money.amount_minor, {}});
  } else {
    const bool known = on_record != nullptr || it.nameless(attempt->gateway) != nullptr;
    event::payment_settled settled{.order = asked.order,
                                   .payment = asked.payment,
                                   .outcome = asked.outcome,
                                   .reference = asked.reference,
                                   .reason = {},
                                   .known = known,
                                   .amount_minor = std::nullopt};
    if (money.amount_minor != it.total.amount_minor)
      settled.amount_minor = money.amount_minor;
    wanted.events.emplace_back(std::move(settled));
    if (known)
      return wanted;
  }
  take_money(wanted, desk, money, seats_lost || it.status == order_status::cancelled);
  return wanted;
}

decision decide(const state& desk, const command::confirm& asked, bool seats_lost) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  if (auto known = common::seen_before<order_id>(desk, asked.asked, asked.now))
    return *known;
  const auto& it = found->second;
  const bool says_nothing_new = it.has_money() && asked.reference.empty();
  if (says_nothing_new || it.money_of(asked.gateway, asked.reference) != nullptr)
    return repeated{asked.order, std::nullopt};
  if (asked.amount && asked.amount->currency != it.total.currency)
    return rejection::amount_differs;
  if (it.payments.size() >= 2 * payments_max)
    return rejection::too_many_payments;

  proposal wanted;
  const arrival money{
      asked.order,  {},       asked.gateway, asked.reference, amount_of(it, asked.amount),
      asked.refund, asked.now};
  wanted.events.emplace_back(event::payment_reported{
      asked.order, {}, asked.gateway, asked.reference, money.amount_minor, asked.asked});
  take_money(wanted, desk, money, seats_lost);
  return wanted;
}

namespace {

/// The order that a report is about, if it is there.
std::optional<order_id> order_for(const state& desk, const order_id& order,
                                  const std::string& hold_ref) {
  if (!order.is_none())
    return desk.orders.contains(order) ? std::optional{order} : std::nullopt;
  const auto found = desk.by_hold_ref.find(hold_ref);
  return found == desk.by_hold_ref.end() ? std::nullopt : std::optional{found->second};
}

} // namespace

decision decide(const state& desk, const command::keep_report& asked, bool seats_lost) {
  if (const auto known = desk.order_of_money.find(money_key(asked.gateway, asked.reference));
      known != desk.order_of_money.end()) // an old report again
    return repeated{known->second, std::nullopt};
  if (const auto order = order_for(desk, asked.order, asked.hold_ref))
    return decide(desk,
                  command::confirm{*order, asked.gateway, asked.reference, asked.now, asked.amount,
                                   std::nullopt, asked.refund},
                  seats_lost);
  const bool kept = std::ranges::any_of(desk.kept_reports, [&](const kept_report& one) {
    return one.gateway == asked.gateway && one.reference == asked.reference;
  });
  proposal wanted;
  if (kept)
    return wanted;
  const auto waiting = std::ranges::count_if(desk.kept_reports, [&](const kept_report& one) {
    return asked.now < one.at + kept_report_life_ms;
  });
  if (static_cast<std::size_t>(waiting) >= kept_reports_max)
    return rejection::too_many_reports;
  wanted.events.emplace_back(event::report_kept{asked.gateway, asked.reference, asked.order,
                                                asked.hold_ref, asked.amount});
  return wanted;
}

std::vector<command::confirm> due_reports(const state& desk) {
  std::vector<command::confirm> due;
  for (const auto& kept : desk.kept_reports)
    if (const auto order = order_for(desk, kept.order, kept.hold_ref))
      due.push_back({*order, kept.gateway, kept.reference, 0, kept.amount, std::nullopt, {}});
  return due;
}

} // namespace usher::orders

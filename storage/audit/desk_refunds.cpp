// Money that goes back, the seats that come back with it or without, and tickets.

#include "storage/audit/desk_judge.hpp"
#include "storage/audit/names.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage::audit {

namespace event = orders::event;
using orders::refund_cause;
using orders::refund_outcome;

namespace {

/// Null if the hold of a paid order does not have it, or not any more.
promised_seat* sold_seat(hold& its, const seat_id& id) {
  const auto found = std::ranges::find_if(
      its.seats, [&](const promised_seat& one) { return one.where.second == id && !one.returned; });
  return found == its.seats.end() ? nullptr : &*found;
}

bool has(const hold* its, const seat_id& id) {
  return its != nullptr && std::ranges::any_of(its->seats, [&](const promised_seat& one) {
           return one.where.second == id;
         });
}

/// The money that a refund names: the latest, if the gateway has no name for it.
money_in* money_of(order& it, const event::refund_started& e) {
  const auto found = std::ranges::find_if(it.came.rbegin(), it.came.rend(), [&](const money_in& m) {
    return m.payment == e.payment && m.gateway == e.gateway && m.reference == e.reference;
  });
  return found == it.came.rend() ? nullptr : &*found;
}

/// Has every seat gone back with a refund?
bool seats_are_back(const order& it, const hold* its) {
  return its == nullptr || std::ranges::all_of(its->seats, [&](const promised_seat& seat) {
           return std::ranges::any_of(it.refunds, [&](const auto& one) {
             const auto& what = one.second;
             return what.outcome == refund_outcome::done &&
                    std::ranges::find(what.seats, seat.where.second) != what.seats.end();
           });
         });
}

/// Does a refund that is done with this batch put the seat back on sale?
bool comes_back(const order& it, const seat_id& id, position_t batch) {
  return std::ranges::any_of(it.refunds, [&](const auto& one) {
    const auto& what = one.second;
    return what.outcome == refund_outcome::done && what.settled_in == batch && what.resell &&
           std::ranges::find(what.seats, id) != what.seats.end();
  });
}

} // namespace

// ---- refunds

std::string desk_judge::not_startable(const event::refund_started& e, const order& it,
                                      const money_in* money) const {
  if (it.refunds.contains(e.refund))
    return "which started before";
  if (money == nullptr)
    return "of money that never came";
  if (e.amount_minor < 0 || (e.amount_minor == 0 && e.seats.empty() && money->amount_minor != 0))
    return "of nothing";
  const bool first = money->going_back_minor == 0;
  switch (e.cause) {
  case refund_cause::asked:
    return money->is_kept && it.is_sold() ? "" : "as asked for, of money that sold nothing";
  case refund_cause::refund_due:
    return money->is_kept && it.is == order_state::refund_due && first
               ? ""
               : "as due, of money that is not, or not any more";
  case refund_cause::surplus:
    return !money->is_kept && it.has_money() && first ? "" : "as surplus, of money that is none";
  }
  return "";
}

void desk_judge::judge_seats(const event::refund_started& e, const order& it) const {
  const auto* its = hold_of(it);
  for (const auto& id : e.seats)
    if (!has(its, id) || it.gives_back(id) || std::ranges::count(e.seats, id) > 1)
      return report(fault::refund_seats_wrong, named(e.refund) + " is for seat " + id + ", which " +
                                                   named(e.order) +
                                                   " does not have, or gave back before.");
}

void desk_judge::take(const event::refund_started& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  auto* money = money_of(*it, e);
  const auto why = not_startable(e, *it, money);
  if (!why.empty())
    report(fault::refund_started_wrongly,
           named(e.refund) + " of " + named(e.order) + " started " + why + ".");
  if (money == nullptr || it->refunds.contains(e.refund))
    return;
  if (e.cause != refund_cause::asked)
    together_.fulfil(e.cause == refund_cause::surplus ? duty::surplus : duty::refund, id_, e.order);
  judge_seats(e, *it);
  money->going_back_minor += e.amount_minor;
  if (why.empty() && money->going_back_minor > money->amount_minor)
    report(fault::refund_too_large,
           "Of " + std::to_string(money->amount_minor) + " that came for " + named(e.order) + ", " +
               std::to_string(money->going_back_minor) + " (minor units) go back.");
  it->refunds.emplace(e.refund, refund{.of = static_cast<std::size_t>(money - it->came.data()),
                                       .amount_minor = e.amount_minor,
                                       .seats = e.seats,
                                       .resell = e.resell,
                                       .cause = e.cause,
                                       .outcome = std::nullopt});
  together_.money_moved(id_, e.order, *it, here_);
}

/// One that goes on; null, and reported, if there is none or it is settled.
refund* desk_judge::find(order& it, const order_id& which, const refund_id& id) {
  const auto found = it.refunds.find(id);
  if (found == it.refunds.end()) {
    report(fault::refund_unknown, named(id) + " of " + named(which) + " never started.");
    return nullptr;
  }
  if (!found->second.outcome)
    return &found->second;
  report(fault::refund_settled_twice,
         named(id) + " of " + named(which) + " goes on, and was settled before.");
  return nullptr;
}

void desk_judge::take(const event::refund_tried& e) {
  if (auto* it = find(e.order))
    find(*it, e.order, e.refund);
}

void desk_judge::take(const event::refund_settled& e) {
  auto* it = find(e.order);
  auto* what = it == nullptr ? nullptr : find(*it, e.order, e.refund);
  if (what == nullptr)
    return;
  what->outcome = e.outcome;
  what->settled_in = here_.batch();
  auto& money = it->came[what->of];
  if (e.outcome == refund_outcome::refused) {
    if (what->cause != refund_cause::asked)
      report(fault::refund_refused_wrongly, named(e.refund) + " of " + named(e.order) +
                                                " is refused, and its money sold nothing.");
    money.going_back_minor -= what->amount_minor;
    return;
  }
  money.gone_back_minor += what->amount_minor;
  if (!money.is_kept)
    return;
  const bool all_money = money.gone_back_minor >= money.amount_minor;
  if (all_money && (it->is == order_state::refund_due || seats_are_back(*it, hold_of(*it))))
    it->is = order_state::refunded;
  else if (it->is == order_state::paid)
    it->is = order_state::partly_refunded;
}

// ---- seats that come back

void desk_judge::take(const event::order_seats_returned& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  if (!it->is_sold() && it->is != order_state::refunded) {
    report(fault::return_not_allowed,
           named(e.order) + " returns seats and is " + std::string{to_string(it->is)} + ".");
    return;
  }
  const auto its = show_.holds.find(it->hold);
  std::vector<seat_place> back;
  for (const auto& id : e.seats) {
    auto* seat = its == show_.holds.end() ? nullptr : sold_seat(its->second, id);
    if (seat == nullptr) {
      report(fault::return_not_allowed,
             named(e.order) + " returns seat " + id + " and does not have it, or not any more.");
      continue;
    }
    if (!here_.by_operator() && !comes_back(*it, id, here_.batch()))
      report(fault::return_not_allowed,
             named(e.order) + " returns seat " + id +
                 ", not by an operator, and no refund that gives it back is done with that.");
    seat->returned = true;
    back.push_back(seat->where);
  }
  together_.order_seats_returned(id_, e.order, back, here_);
}

// ---- tickets

void desk_judge::take(const event::tickets_issued& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  const auto* its = hold_of(*it);
  std::multiset<seat_id> has;
  for (const auto& seat : its == nullptr ? std::vector<promised_seat>{} : its->seats)
    has.insert(seat.where.second);
  const bool with_payment = together_.is_paid(id_, e.order);
  const bool exactly = has == std::multiset<seat_id>{e.seats.begin(), e.seats.end()};
  if (!with_payment || !exactly || its == nullptr || it->has_tickets)
    report(fault::tickets_wrong, "Tickets of " + named(e.order) +
                                     " are issued that are not exactly its seats, or not with its "
                                     "payment, or again.");
  it->has_tickets = true;
  together_.fulfil(duty::tickets, id_, e.order);
}

void desk_judge::take(const event::ticket_used& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  const auto its = show_.holds.find(it->hold);
  const bool is_its = its != show_.holds.end() && sold_seat(its->second, e.seat) != nullptr;
  if (!it->is_sold() || !is_its || it->gives_back(e.seat))
    report(fault::ticket_used_wrongly,
           "A ticket of " + named(e.order) + " for seat " + e.seat +
               " was used, and the order is not paid, or does not have the seat any more.");
  else if (it->used.contains(e.seat))
    report(fault::ticket_used_wrongly,
           "A ticket of " + named(e.order) + " for seat " + e.seat + " was used before.");
  it->used.insert(e.seat);
}

} // namespace usher::storage::audit

// Orders, their payments, and the seats that come back of them.

#include "storage/audit/desk_judge.hpp"
#include "storage/audit/names.hpp"
#include "storage/audit/seats_audit.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage::audit {

namespace event = orders::event;
using orders::payment_outcome;

namespace {

/// Null if the hold of a paid order does not have it, or not any more.
promised_seat* sold_seat(hold& its, const seat_id& id) {
  const auto found = std::ranges::find_if(
      its.seats, [&](const promised_seat& one) { return one.where.second == id && !one.returned; });
  return found == its.seats.end() ? nullptr : &*found;
}

} // namespace

order* desk_judge::find(const order_id& which) {
  const auto found = show_.orders.find(which);
  if (found != show_.orders.end())
    return &found->second;
  report(fault::order_unknown, named(which) + " was never placed.");
  return nullptr;
}

const hold* desk_judge::hold_of(const order& it) const {
  const auto its = show_.holds.find(it.hold);
  return its == show_.holds.end() ? nullptr : &its->second;
}

// ---- placing

void desk_judge::take(const event::order_placed& e) {
  if (show_.orders.contains(e.order))
    report(fault::order_placed_twice, named(e.order) + " was placed before.");
  judge_who(named(e.order) + " was placed", e.box_office, e.owner, fault::order_without_admission);
  if (!e.hold.is_none())
    judge_hold_of(e);
  order fresh;
  fresh.owner = e.owner;
  fresh.hold = e.hold;
  fresh.hold_ref = e.hold_ref;
  fresh.total = e.total;
  fresh.until = e.until;
  if (e.hold.is_none())
    show_.orders_of_ref[e.hold_ref].push_back(e.order);
  show_.orders[e.order] = std::move(fresh);
}

void desk_judge::judge_hold_of(const event::order_placed& e) {
  const auto found = show_.holds.find(e.hold);
  const auto wrong = [&](const std::string& why) {
    report(fault::order_without_hold, named(e.order) + " is for " + named(e.hold) + ", " + why);
  };
  if (found == show_.holds.end()) {
    wrong("which is not there or has ended.");
    return;
  }
  auto& it = found->second;
  if (!it.order.is_none())
    wrong("which has an order already.");
  else if (at() >= it.until)
    wrong("which was over at " + time_text(it.until) + ".");
  else if (it.owner && it.owner != e.owner)
    wrong("which is another admission's.");
  else if (it.box_office && !e.box_office)
    wrong("which is the box office's.");
  if (const auto total = it.total(); total != e.total)
    report(fault::order_total_wrong,
           named(e.order) + " costs " + std::to_string(e.total.amount_minor) + " " +
               e.total.currency + ", its seats " + std::to_string(total.amount_minor) + " " +
               total.currency + " (minor units).");
  it.order = e.order;
}

// ---- payments

void desk_judge::take(const event::payment_started& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  if (it->is != order_state::pending || at() >= it->until || it->attempts.contains(e.payment))
    report(fault::payment_not_allowed, "A payment of " + named(e.order) + " started, which is " +
                                           std::string{to_string(it->is)} + " until " +
                                           time_text(it->until) + ".");
  it->attempts.try_emplace(e.payment, false);
  if (it->is == order_state::pending)
    it->is = order_state::paying;
}

void desk_judge::take(const event::payment_settled& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  const auto attempt = it->attempts.find(e.payment);
  if (attempt == it->attempts.end()) {
    report(fault::payment_unknown,
           "A payment of " + named(e.order) + " is settled that never started.");
    return;
  }
  if (std::exchange(attempt->second, true))
    report(fault::payment_settled_twice,
           "A payment of " + named(e.order) + " is settled that was settled before.");
  if (e.outcome == payment_outcome::approved && !it->has_money())
    together_.money_came(id_, e.order, here_);
  else if (e.outcome != payment_outcome::approved && it->is == order_state::paying)
    it->is = order_state::pending;
}

void desk_judge::judge_first_money(const order_id& which, const order& it) const {
  if (it.has_money())
    report(fault::order_paid_twice, named(which) + " has money and is paid again.");
}

void desk_judge::take(const event::order_paid& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_first_money(e.order, *it);
  it->is = order_state::paid;
  if (const auto its = show_.holds.find(it->hold); its != show_.holds.end())
    its->second.sold = true;
  together_.order_paid(id_, e.order, *it, hold_of(*it), here_);
}

void desk_judge::take(const event::order_refund_due& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_first_money(e.order, *it);
  if (!is_lost(e.order, *it))
    report(fault::refund_not_due,
           named(e.order) + " is REFUND_DUE, but everything it was for could be had.");
  it->is = order_state::refund_due;
  together_.refund_due(id_, e.order);
}

/// A seat of the hold was not free, or another order has the seller's reference.
bool desk_judge::is_lost(const order_id& which, const order& it) const {
  if (it.hold.is_none()) {
    const auto& rivals = show_.orders_of_ref.at(it.hold_ref);
    return std::ranges::any_of(rivals, [&](const order_id& rival) {
      const auto& other = show_.orders.at(rival);
      return rival != which && (other.has_money() || other.is_open(at()));
    });
  }
  const auto* its = hold_of(it);
  if (its == nullptr)
    return true; // reported when the order was placed
  return std::ranges::any_of(its->seats, [&](const promised_seat& seat) {
    const auto found = show_.blocks.find(seat.where.first);
    return found == show_.blocks.end() ||
           is_in_the_way(found->second, seat.where.second, it.hold, at());
  });
}

// ---- ends

void desk_judge::judge_pending(const order_id& which, const order& it,
                               const std::string& what) const {
  if (it.is != order_state::pending)
    report(fault::order_ended_wrongly,
           named(which) + " " + what + " while " + std::string{to_string(it.is)} + ".");
}

void desk_judge::take(const event::order_expired& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_pending(e.order, *it, "expired");
  if (at() < it->until)
    report(fault::order_expired_early,
           named(e.order) + " expired and lasts until " + time_text(it->until) + ".");
  it->is = order_state::expired;
}

void desk_judge::take(const event::order_cancelled& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  judge_pending(e.order, *it, "was cancelled");
  it->is = order_state::cancelled;
}

void desk_judge::take(const event::order_seats_returned& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  if (it->is != order_state::paid) {
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
    seat->returned = true;
    back.push_back(seat->where);
  }
  together_.order_seats_returned(id_, e.order, back, here_);
}

} // namespace usher::storage::audit

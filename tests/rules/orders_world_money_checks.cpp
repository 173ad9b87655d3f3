#include "tests/rules/orders_world.hpp"

#include <algorithm>

namespace usher::test {

namespace {

using orders::order_status;
using orders::refund_cause;
using orders::refund_outcome;

bool is_money(const orders::payment& one) {
  return one.outcome == orders::payment_outcome::approved && !one.known;
}

bool belongs_to(const orders::refund& back, const orders::payment& money) {
  return back.payment == money.id && back.gateway == money.gateway &&
         back.payment_reference == money.reference;
}

/// Money in = sold + given back + owed; no payment gives back more than came with it.
std::string fault_of_sums(const orders::order& it) {
  std::int64_t in = 0;
  std::int64_t back = 0; // done, or on its way
  for (const auto& one : it.payments)
    in += is_money(one) ? one.amount_minor : 0;
  for (const auto& one : it.refunds)
    back += one.outcome != refund_outcome::refused ? one.amount_minor : 0;
  std::int64_t of_each = 0;
  for (const auto& one : it.payments) {
    if (!is_money(one))
      continue;
    std::int64_t its = 0;
    for (const auto& refund : it.refunds)
      if (refund.outcome != refund_outcome::refused && belongs_to(refund, one))
        its += refund.amount_minor;
    if (its > one.amount_minor)
      return "a payment gives back more than came with it";
    of_each += its;
  }
  if (of_each != back)
    return "a refund belongs to no money";
  const auto* kept = it.kept();
  std::int64_t sold = 0;
  if (it.is_sold()) {
    sold = kept->amount_minor;
    for (const auto& one : it.refunds)
      if (one.cause == refund_cause::asked && one.outcome != refund_outcome::refused)
        sold -= one.amount_minor;
  }
  return in == sold + back ? "" : "money is kept without a sale, or given back without money";
}

/// One payment is kept; every other one goes back whole, once, as surplus.
std::string fault_of_kept(const orders::order& it) {
  const auto came = std::ranges::count_if(it.payments, is_money);
  const auto kept = std::ranges::count_if(it.payments, &orders::payment::kept);
  if ((came > 0) != it.has_money())
    return "money without a sale or a refund, or the other way round";
  if (kept != (came > 0 ? 1 : 0))
    return "not exactly one payment is kept";
  for (const auto& one : it.payments) {
    const auto surplus = std::ranges::count_if(it.refunds, [&](const orders::refund& r) {
      return r.cause == refund_cause::surplus && belongs_to(r, one) &&
             r.amount_minor == one.amount_minor;
    });
    if (is_money(one) && surplus != (one.kept ? 0 : 1))
      return "a second payment is not given back once";
  }
  return "";
}

std::string fault_of_status(const world& here, const orders::order& it) {
  std::int64_t done = 0;
  bool some = false;
  std::set<seat_id> seats;
  for (const auto& one : it.refunds)
    if (one.cause != refund_cause::surplus && one.outcome == refund_outcome::done) {
      some = true;
      done += one.amount_minor;
      seats.insert(one.seats.begin(), one.seats.end());
    }
  const bool all = it.status == order_status::refunded;
  if (some != (it.status == order_status::partly_refunded || all))
    return "money went back and the order does not say so, or the other way round";
  const auto& hold = here.desk.holds.at(it.hold);
  const bool nothing_left =
      some && done == it.kept()->amount_minor &&
      (hold.status != orders::hold_status::sold || seats.size() == hold.seats.size());
  return all == nothing_left ? "" : "REFUNDED with something left, or the other way round";
}

bool has_something_open(const orders::order& it) {
  return std::ranges::any_of(it.payments, [](const auto& one) { return !one.outcome; }) ||
         std::ranges::any_of(it.refunds, [](const auto& one) { return !one.outcome; });
}

/// While it is not known whether an attempt charged, nobody else gets the seats; and not for
/// longer.
std::string fault_of_time(const world& here, const orders::order& it) {
  const auto& hold = here.desk.holds.at(it.hold);
  const auto own = here.own_until.at(it.hold);
  if (it.status == order_status::pending && hold.until != own)
    return "a hold that nobody pays has another time than its own";
  if (it.status == order_status::paying && hold.until != std::max(own, it.paying_until))
    return "a hold that is being paid ends before the attempt, or long after it";
  const auto open = std::ranges::count_if(it.payments, [](const auto& p) { return !p.outcome; });
  if (open > 1 || (it.status == order_status::paying && open != 1) ||
      (it.status == order_status::pending && open != 0))
    return "an order has not the attempts that its state says";
  return "";
}

} // namespace

std::string fault_of_money(const world& here) {
  std::set<order_id> unsettled;
  for (const auto& [id, it] : here.desk.orders) {
    if (has_something_open(it))
      unsettled.insert(id);
    for (const auto& fault :
         {fault_of_kept(it), fault_of_sums(it), fault_of_status(here, it), fault_of_time(here, it)})
      if (!fault.empty())
        return fault;
    for (const auto& kept : here.desk.kept_reports)
      if (it.money_of(kept.gateway, kept.reference) != nullptr)
        return "a report is kept that was used";
  }
  return unsettled == here.desk.unsettled ? "" : "what is unsettled is not exact";
}

} // namespace usher::test

#include "actors/orders/state.hpp"

#include <algorithm>

namespace usher::orders {

std::int64_t hold::total_minor() const {
  std::int64_t total = 0;
  for (const auto& seat : seats)
    total += seat.price_minor;
  return total;
}

bool hold::has(const seat_id& seat) const {
  return std::ranges::find(seats, seat, &offered_seat::id) != seats.end();
}

std::string money_key(const std::string& gateway, const std::string& reference) {
  return gateway + '\n' + reference;
}

namespace {

template <class Each, class Fits>
const Each* first(const std::vector<Each>& all, Fits fits) {
  const auto found = std::ranges::find_if(all, fits);
  return found == all.end() ? nullptr : &*found;
}

} // namespace

const payment* order::find(const payment_id& which) const {
  return first(payments, [&](const payment& p) { return !which.is_none() && p.id == which; });
}

const refund* order::find(const refund_id& which) const {
  return first(refunds, [&](const refund& r) { return r.id == which; });
}

const payment* order::money_of(const std::string& gateway, const std::string& reference) const {
  return first(payments, [&](const payment& p) {
    return !reference.empty() && p.outcome == payment_outcome::approved && p.gateway == gateway &&
           p.reference == reference;
  });
}

const payment* order::nameless(const std::string& gateway) const {
  return first(payments, [&](const payment& p) {
    return p.id.is_none() && p.reference.empty() && p.outcome == payment_outcome::approved &&
           (p.gateway == gateway || p.gateway == reported_gateway);
  });
}

const payment* order::kept() const {
  return first(payments, [](const payment& p) { return p.kept; });
}

const payment& order::last_after(const payment& head) const {
  const auto* last = &head;
  for (const auto& each : payments) // in order, so one pass finds the whole chain
    if (!each.id.is_none() && each.follows == last->id && !last->id.is_none())
      last = &each;
  return *last;
}

std::int64_t order::refundable_minor(const payment& money) const {
  auto left = money.amount_minor;
  for (const auto& each : refunds)
    if (each.outcome != refund_outcome::refused && each.gateway == money.gateway &&
        each.payment_reference == money.reference && each.payment == money.id)
      left -= each.amount_minor;
  return left;
}

bool order::has_money() const {
  return is_sold() || status == order_status::refund_due || status == order_status::refunded;
}

bool order::is_sold() const {
  return status == order_status::paid || status == order_status::partly_refunded;
}

bool order::gives_back(const seat_id& seat) const {
  return std::ranges::any_of(refunds, [&](const refund& r) {
    return r.outcome != refund_outcome::refused &&
           std::ranges::find(r.seats, seat) != r.seats.end();
  });
}

} // namespace usher::orders

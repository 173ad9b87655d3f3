#include "actors/orders/rules_common.hpp"

#include <algorithm>
#include <map>

namespace usher::orders {

namespace common {

bool may_use(const hold& it, const std::optional<slot_t>& who, bool box_office) {
  if (it.box_office)
    return box_office;
  return !it.owner || it.owner == who;
}

std::optional<rejection> not_changeable(const hold& it, time_ms now) {
  switch (it.status) {
  case hold_status::live:
    return now < it.until ? std::nullopt : std::optional{rejection::hold_expired};
  case hold_status::ordered:
    return rejection::hold_has_order;
  case hold_status::sold:
    return rejection::hold_ended;
  case hold_status::ended:
    break;
  }
  return it.end == hold_end::expired || it.end == hold_end::order_expired ? rejection::hold_expired
                                                                          : rejection::hold_ended;
}

bool is_open(const order& it, time_ms now) {
  return it.status == order_status::paying ||
         (it.status == order_status::pending && now < it.until);
}

bool stands(const order& it, time_ms now) {
  return is_open(it, now) || (it.has_money() && it.status != order_status::refunded);
}

time_ms deadline(const order& it) {
  return it.status == order_status::paying ? std::max(it.paying_until, it.until) : it.until;
}

bool has_seats(const state& desk, const hold& it, time_ms now) {
  switch (it.status) {
  case hold_status::live:
    return now < it.until;
  case hold_status::ordered:
    return now < it.until || is_open(desk.orders.at(it.order), now);
  case hold_status::sold:
    return true;
  case hold_status::ended:
    return false;
  }
  return false;
}

std::size_t seats_left(const hold& it) {
  return it.seats.size() - it.returned.size();
}

namespace {

/// Seats that somebody (an admission, a customer) has at `now`, in holds, orders and sales.
template <class Table, class Somebody>
std::size_t seats_of(const state& desk, const Table& holds_of, const Somebody& who, time_ms now) {
  std::size_t total = 0;
  if (const auto its = holds_of.find(who); its != holds_of.end())
    for (const auto& id : its->second)
      if (const auto& it = desk.holds.at(id); has_seats(desk, it, now))
        total += seats_left(it);
  return total;
}

template <class Id>
bool among(const std::vector<Id>& ids, const Id& id) {
  return std::ranges::find(ids, id) != ids.end();
}

} // namespace

std::optional<rejection> too_many(const state& desk, const seat_limits& who, const hold* of,
                                  std::size_t more, time_ms now) {
  std::size_t has = 0;
  if (who.owner)
    has = seats_of(desk, desk.holds_of, *who.owner, now);
  else if (of != nullptr)
    has = of->seats.size();
  if (has + more > who.max_seats)
    return rejection::too_many_seats;
  if (who.max_seats_per_customer && !who.customer.is_none() &&
      seats_of(desk, desk.holds_of_customer, who.customer, now) + more >
          *who.max_seats_per_customer)
    return rejection::too_many_for_customer;
  return std::nullopt;
}

time_ms kept_until(const state& desk, slot_t owner, time_ms now, const without& but) {
  time_ms latest = 0;
  if (const auto its = desk.holds_of.find(owner); its != desk.holds_of.end())
    for (const auto& id : its->second) {
      const auto& it = desk.holds.at(id);
      if (!among(but.holds, id) && it.status == hold_status::live && now < it.until)
        latest = std::max(latest, it.until);
    }
  if (const auto its = desk.orders_of.find(owner); its != desk.orders_of.end())
    for (const auto& id : its->second) {
      const auto& it = desk.orders.at(id);
      if (!among(but.orders, id) && is_open(it, now))
        latest = std::max(latest, deadline(it));
    }
  return latest;
}

room_work settle(const std::optional<slot_t>& owner, time_ms busy_until, bool paid, time_ms now) {
  if (!owner)
    return std::monostate{};
  return waiting_room::command::settle{*owner, busy_until, paid, now};
}

room_work enter(const state& desk, const std::optional<slot_t>& owner, time_ms until, time_ms now,
                const without& but) {
  const auto kept = owner ? kept_until(desk, *owner, now, but) : 0;
  return waiting_room::command::enter{owner, std::max(until, kept), now};
}

std::vector<block_work> hold_work(const hold_id& id, std::uint32_t generation,
                                  const std::vector<offered_seat>& seats, time_ms until,
                                  time_ms now) {
  std::vector<block_work> work;
  for (auto& [block, its] : by_block(seats))
    work.push_back({block, seating::command::hold{id, std::move(its), until, now, generation}});
  return work;
}

std::vector<block_work> sell_work(const hold_id& id, const hold& it, const order_id& order,
                                  time_ms now) {
  std::vector<block_work> work;
  for (auto& [block, its] : by_block(it.seats))
    work.push_back({block, seating::command::sell{id, order, std::move(its), now, it.generation}});
  return work;
}

std::vector<block_work> release_work(const std::vector<std::pair<hold_id, const hold*>>& holds) {
  std::map<block_id, std::vector<seating::command::part>> parts_in;
  for (const auto& [id, it] : holds)
    for (auto& [block, seats] : by_block(it->seats))
      parts_in[block].push_back({id, it->generation, std::move(seats)});
  std::vector<block_work> work;
  for (auto& [block, parts] : parts_in)
    work.push_back({block, seating::command::release{std::move(parts)}});
  return work;
}

hold_end end_of(const hold& it, hold_end wanted, time_ms now) {
  return now < it.until ? wanted : hold_end::expired;
}

} // namespace common
} // namespace usher::orders

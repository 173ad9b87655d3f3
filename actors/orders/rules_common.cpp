#include "actors/orders/rules_common.hpp"

#include <algorithm>
#include <map>

namespace usher::orders {

std::int64_t hold::total_minor() const {
  std::int64_t total = 0;
  for (const auto& seat : seats)
    total += seat.price_minor;
  return total;
}

namespace common {

bool may_use(const hold& it, const std::optional<slot_t>& who) {
  return !it.owner || it.owner == who;
}

bool is_open(const order& it, time_ms now) {
  return it.status == order_status::paying ||
         (it.status == order_status::pending && now < it.until);
}

bool stands(const order& it, time_ms now) {
  return is_open(it, now) || it.status == order_status::paid ||
         it.status == order_status::refund_due;
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

time_ms kept_until(const state& desk, slot_t owner, time_ms now, const hold_id& but_hold,
                   const order_id& but_order) {
  time_ms latest = 0;
  if (const auto its = desk.holds_of.find(owner); its != desk.holds_of.end())
    for (const auto& id : its->second) {
      const auto& it = desk.holds.at(id);
      if (id != but_hold && it.status == hold_status::live && now < it.until)
        latest = std::max(latest, it.until);
    }
  if (const auto its = desk.orders_of.find(owner); its != desk.orders_of.end())
    for (const auto& id : its->second) {
      const auto& it = desk.orders.at(id);
      if (id != but_order && is_open(it, now))
        latest = std::max(latest, it.until);
    }
  return latest;
}

room_work settle(const std::optional<slot_t>& owner, time_ms busy_until, bool paid, time_ms now) {
  if (!owner)
    return std::monostate{};
  return waiting_room::command::settle{*owner, busy_until, paid, now};
}

room_work enter(const state& desk, const std::optional<slot_t>& owner, time_ms until, time_ms now,
                const hold_id& but_hold) {
  const auto kept = owner ? kept_until(desk, *owner, now, but_hold) : 0;
  return waiting_room::command::enter{owner, std::max(until, kept), now};
}

std::vector<std::pair<block_id, std::vector<seat_id>>>
by_block(const std::vector<offered_seat>& seats) {
  std::map<block_id, std::vector<seat_id>> grouped;
  for (const auto& seat : seats)
    grouped[seat.block].push_back(seat.id);
  return {grouped.begin(), grouped.end()};
}

std::vector<block_work> release_work(const std::vector<std::pair<hold_id, const hold*>>& holds) {
  std::map<block_id, std::vector<hold_id>> holds_in;
  for (const auto& [id, it] : holds)
    for (const auto& [block, seats] : by_block(it->seats))
      holds_in[block].push_back(id);
  std::vector<block_work> work;
  for (auto& [block, ids] : holds_in)
    work.push_back({block, seating::command::release{std::move(ids)}});
  return work;
}

hold_end end_of(const hold& it, hold_end wanted, time_ms now) {
  return now < it.until ? wanted : hold_end::expired;
}

} // namespace common
} // namespace usher::orders

#pragma once

#include "tests/storage/audit_script.hpp"

// More lines for logs made by hand: what becomes of holds and seats. All holds have their seats in
// block A. Times say how many milliseconds after the start.
namespace usher::storage::test {

using orders::hold_change;
using orders::hold_end;

inline line by_operator(line one) {
  one.what.cause.who = "operator:desk";
  return one;
}
inline batch_lines all_by_operator(batch_lines all) {
  for (auto& one : all)
    one = by_operator(std::move(one));
  return all;
}

/// The admission is kept.
inline line kept(time_ms later, slot_t slot, time_ms busy_until, bool spent = false) {
  return queue(later, room_event::admission_kept{slot, start_ms + busy_until, spent});
}

// ---- changes of a hold

inline desk_event::hold_changed changed(std::uint8_t hold, std::uint32_t generation,
                                        hold_change what, time_ms until) {
  return {hold_no(hold), generation, what, {}, {}, start_ms + until, {}};
}
inline desk_event::hold_changed added(std::uint8_t hold, std::uint32_t generation,
                                      const std::vector<seat_id>& seats, time_ms until) {
  auto e = changed(hold, generation, hold_change::added, until);
  e.added = placed(hold, {}, seats, 0).seats;
  return e;
}
inline desk_event::hold_changed reduced(std::uint8_t hold, std::uint32_t generation,
                                        hold_change what, std::vector<seat_id> seats,
                                        time_ms until) {
  auto e = changed(hold, generation, what, until);
  e.removed = std::move(seats);
  return e;
}
inline seat_event::seats_held held_as(std::uint8_t hold, std::uint32_t generation,
                                      std::vector<seat_id> seats, time_ms until) {
  return {hold_no(hold), std::move(seats), start_ms + until, generation};
}
inline seat_event::seats_released given_back(std::uint8_t hold, std::uint32_t generation,
                                             std::vector<seat_id> seats) {
  return {hold_no(hold), std::move(seats), generation};
}
inline desk_event::hold_ended hold_over(std::uint8_t hold, hold_end reason) {
  return {hold_no(hold), reason};
}

/// `seats`: all it has.
inline batch_lines extending(std::uint8_t hold, std::uint32_t generation,
                             const std::vector<seat_id>& seats, time_ms later, time_ms until) {
  return {desk(later, changed(hold, generation, hold_change::extended, until)),
          block(later, held_as(hold, generation, seats, until))};
}
inline batch_lines adding(std::uint8_t hold, std::uint32_t generation,
                          const std::vector<seat_id>& seats, time_ms later, time_ms until) {
  return {desk(later, added(hold, generation, seats, until)),
          block(later, held_as(hold, generation, seats, until))};
}
inline batch_lines releasing(std::uint8_t hold, std::uint32_t generation,
                             const std::vector<seat_id>& seats, time_ms later, time_ms until) {
  return {desk(later, reduced(hold, generation, hold_change::released, seats, until)),
          block(later, given_back(hold, generation - 1, seats))};
}

// ---- what operators do

inline line blocking(std::vector<seat_id> seats, time_ms later) {
  return by_operator(block(later, seat_event::seats_blocked{std::move(seats), "camera"}));
}
inline line unblocking(std::vector<seat_id> seats, time_ms later) {
  return by_operator(block(later, seat_event::seats_unblocked{std::move(seats)}));
}
inline desk_event::hold_placed placed_there(std::uint8_t hold, const std::vector<seat_id>& seats,
                                            time_ms later) {
  auto e = placed(hold, {}, seats, later);
  e.box_office = true;
  return e;
}
inline desk_event::order_placed ordered_there(std::uint8_t order, std::uint8_t hold,
                                              std::int64_t seats, time_ms later) {
  auto e = ordered(order, {}, hold, seats, later);
  e.box_office = true;
  return e;
}
inline seat_event::seats_sold sold_to(std::uint8_t order, std::uint8_t hold,
                                      std::vector<seat_id> seats, std::uint32_t generation = 1) {
  return {hold_no(hold), order_no(order), std::move(seats), generation};
}
/// Sold over the counter, without having been held.
inline batch_lines counter_sale(std::uint8_t order, std::uint8_t hold,
                                const std::vector<seat_id>& seats, time_ms later) {
  return all_by_operator(batch_lines{
      desk(later, placed_there(hold, seats, later)),
      desk(later, ordered_there(order, hold, static_cast<std::int64_t>(seats.size()), later)),
      desk(later, paid(order)), block(later, sold_to(order, hold, seats))});
}
inline desk_event::order_seats_returned returned(std::uint8_t order, std::vector<seat_id> seats) {
  return {order_no(order), std::move(seats), "refund-1"};
}
inline seat_event::seats_returned back_from(std::uint8_t order, std::vector<seat_id> seats) {
  return {order_no(order), std::move(seats)};
}
inline batch_lines returning(std::uint8_t order, const std::vector<seat_id>& seats, time_ms later) {
  return all_by_operator(
      batch_lines{desk(later, returned(order, seats)), block(later, back_from(order, seats))});
}

// ---- fan 0 and a sale

/// Fan 0 holds, orders them, and a payment runs.
inline script paying() {
  return beginning() + script{holding(1, 0, {"A-1", "A-2"}, 2000),
                              {desk(3000, ordered(1, 0, 1, 2, 3000))},
                              {desk(4000, started(1, 1))}};
}
inline script pending() {
  auto all = paying();
  all.pop_back();
  return all;
}
inline script sold() {
  return paying() + script{{desk(5000, settled(1, 1, orders::payment_outcome::approved)),
                            desk(5000, paid(1)), block(5000, sold_to(1, 1, {"A-1", "A-2"}))}};
}

} // namespace usher::storage::test

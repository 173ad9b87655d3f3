#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"

#include <variant>
#include <vector>

// What can have happened to the seats of one block. Subject in the log: `block/<show>/<block>`.
namespace usher::seating::event {

/// The seats this block has from now on, in the plan's order. Seats that stay keep their state.
struct block_planned {
  std::vector<seat_id> seats;
  bool operator==(const block_planned&) const = default;
};

/// AVAILABLE (or held by a hold whose time had come) -> HELD, until `until` exactly.
struct seats_held {
  hold_id hold;
  std::vector<seat_id> seats;
  time_ms until = 0;
  bool operator==(const seats_held&) const = default;
};

/// HELD by this hold -> AVAILABLE.
struct seats_released {
  hold_id hold;
  std::vector<seat_id> seats;
  bool operator==(const seats_released&) const = default;
};

/// HELD by this hold, or free -> SOLD.
struct seats_sold {
  hold_id hold;
  order_id order;
  std::vector<seat_id> seats;
  bool operator==(const seats_sold&) const = default;
};

} // namespace usher::seating::event

namespace usher::seating {

using any_event =
    std::variant<event::block_planned, event::seats_held, event::seats_released, event::seats_sold>;

} // namespace usher::seating

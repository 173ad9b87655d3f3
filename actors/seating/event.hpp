#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

// What can have happened to the seats of one block. Subject in the log: `block/<show>/<block>`.
namespace usher::seating::event {

/// The seats this block has from now on, in the plan's order. Seats that stay keep their state.
struct block_planned {
  std::vector<seat_id> seats;
  bool operator==(const block_planned&) const = default;
};

/// AVAILABLE (or held by a hold whose time had come, or by an earlier generation of the same hold)
/// -> HELD, until `until` exactly.
struct seats_held {
  hold_id hold;
  std::vector<seat_id> seats;
  time_ms until = 0;
  std::uint32_t generation = 1; ///< of the hold: 1 as placed, one more with each change of it
  bool operator==(const seats_held&) const = default;
};

/// HELD by this hold, in this generation or an earlier one -> AVAILABLE.
struct seats_released {
  hold_id hold;
  std::vector<seat_id> seats;
  std::uint32_t generation = 1;
  bool operator==(const seats_released&) const = default;
};

/// HELD by this hold, or free -> SOLD.
struct seats_sold {
  hold_id hold;
  order_id order;
  std::vector<seat_id> seats;
  std::uint32_t generation = 1; ///< of the hold
  bool operator==(const seats_sold&) const = default;
};

/// Free -> BLOCKED: not for sale until unblocked.
struct seats_blocked {
  std::vector<seat_id> seats;
  std::string note; ///< the operator's words, or empty
  bool operator==(const seats_blocked&) const = default;
};

/// BLOCKED -> AVAILABLE.
struct seats_unblocked {
  std::vector<seat_id> seats;
  bool operator==(const seats_unblocked&) const = default;
};

/// SOLD to this order, which was refunded -> AVAILABLE.
struct seats_returned {
  order_id order;
  std::vector<seat_id> seats;
  bool operator==(const seats_returned&) const = default;
};

} // namespace usher::seating::event

namespace usher::seating {

using any_event =
    std::variant<event::block_planned, event::seats_held, event::seats_released, event::seats_sold,
                 event::seats_blocked, event::seats_unblocked, event::seats_returned>;

} // namespace usher::seating

#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace usher::seating {

struct available {
  bool operator==(const available&) const = default;
};

/// Over at `now >= until`: then the seat is as good as available, though it still says who had it.
struct held {
  hold_id hold;
  time_ms until = 0;
  std::uint32_t generation = 1;
  bool operator==(const held&) const = default;
};

struct sold {
  order_id order;
  bool operator==(const sold&) const = default;
};

/// Off sale, by an operator.
struct blocked {
  bool operator==(const blocked&) const = default;
};

using seat_state = std::variant<available, held, sold, blocked>;

struct seat {
  seat_id id;
  seat_state is;
  bool operator==(const seat&) const = default;
};

struct counts {
  std::size_t available = 0;
  std::size_t held = 0;
  std::size_t sold = 0;
  std::size_t blocked = 0;
  bool operator==(const counts&) const = default;
};

/// The whole state of one block: the fold of its events.
struct state {
  state() = default; ///< keeps it from being an aggregate, which CAF would construct wrongly

  std::vector<seat> seats; ///< in the plan's order
  std::unordered_map<seat_id, std::size_t> index_of;

  /// Index of the seat, if the block has it.
  [[nodiscard]] std::optional<std::size_t> find(const seat_id& id) const;

  /// Seats by what they are at `now`; a hold that is over counts as available. Visits every seat.
  [[nodiscard]] counts count(time_ms now) const;

  bool operator==(const state&) const = default;
};

} // namespace usher::seating

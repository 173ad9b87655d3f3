#pragma once

#include "actors/shows/event.hpp"

#include <map>
#include <vector>

namespace usher::shows {

struct show {
  show_number number = 0;
  description what;
  bool operator==(const show&) const = default;
};

/// The whole state of the directory: the fold of its events.
struct state {
  std::map<show_id, show> shows;
  std::vector<show_id> by_number; ///< index: show_number

  bool operator==(const state&) const = default;
};

/// The ids of a block's seats, in the plan's order. An area's places are `floor:1`, `floor:2`, …:
/// no seat of a plan has such a name.
[[nodiscard]] std::vector<seat_id> seats_of(const block& which);

} // namespace usher::shows

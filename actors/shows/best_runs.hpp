#pragma once

#include "actors/shows/best_available.hpp"

#include <compare>
#include <cstdint>
#include <optional>

// The parts of the search for the best seats; see best_available.hpp for what they mean.
namespace usher::shows::best {

/// What is bad about a choice; the less, the better. Losses of seats in different runs add up.
struct loss {
  std::int64_t alone = 0;
  std::int64_t groups = 0;
  std::int64_t surplus = 0;
  std::int64_t orphans = 0;
  std::int64_t distance = 0;

  auto operator<=>(const loss&) const = default;
  loss& operator+=(const loss& other);
};

/// Neighbours all of which may be chosen, as many as there are side by side. With no accessible
/// seats asked for, none is in a run, and one that is free may be at its end.
struct run {
  std::uint32_t first = 0; ///< seat
  std::uint32_t count = 0;
  bool accessible = false; ///< has such a seat
  bool open_left = false;  ///< beyond the first seat is a free one that may not be chosen
  bool open_right = false;
};

/// Some neighbours of a run.
struct window {
  loss cost;
  std::uint32_t first = 0; ///< seat
  std::uint32_t count = 0;

  auto operator<=>(const window&) const = default;
};

/// The window of `count` seats, at least `accessible` of them accessible, with the least loss; the
/// first of equals. None if the run has no such.
[[nodiscard]] std::optional<window> best_window(const seat_chart& chart, const run& where,
                                                std::uint32_t count, std::uint32_t accessible,
                                                bool avoid_orphans);

} // namespace usher::shows::best

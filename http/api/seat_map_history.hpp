#pragma once

#include "http/api/seat_map_snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace usher::http {

/// Names a map of a show: of a later one it is greater. Milliseconds of the clock when the map was
/// built, or a little more where two would have the same; so of maps before a restart it is
/// smaller.
using seat_map_version = std::uint64_t;

/// What the last maps of a show changed, one after the other. Cheap to copy: the changes are
/// shared. Pure.
class seat_history {
public:
  static constexpr std::size_t maps_max = 120;
  /// Seats in all of them together: with twelve bytes each, less than a megabyte for a show.
  static constexpr std::size_t changes_max = 65'536;

  /// The map that is no longer the newest, and how that one differs from it.
  void add(seat_map_version older, std::vector<seat_change> changes);

  /// Is it one of the maps before the newest that are still remembered?
  [[nodiscard]] bool knows(seat_map_version version) const;

  /// The seats that changed after that map, which is known: each once, with what it was then,
  /// though it may be the same again. In the plan's order.
  [[nodiscard]] std::vector<seat_change> since(seat_map_version version) const;

private:
  struct step {
    seat_map_version from = 0;
    std::vector<seat_change> changes;
  };

  std::vector<std::shared_ptr<const step>> steps_; ///< the oldest first
  std::size_t changes_ = 0;                        ///< in all steps
};

} // namespace usher::http

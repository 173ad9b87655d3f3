#pragma once

#include "actors/shows/best_runs.hpp"

#include <cstdint>
#include <vector>

namespace usher::shows::best {

/// What one run can give to a party that is split.
struct portion {
  loss cost;
  std::uint32_t run = 0; ///< which one
  std::uint32_t seats = 0;
  std::uint32_t accessible = 0; ///< at most as many as the ask wants; what is beyond is surplus
  std::vector<std::uint32_t> chosen;
};

/// From a run with accessible seats: the best portion of each size and each number of accessible
/// seats that the run can give, of one group or several.
/// With no accessible seats several groups are never better than one, as moving them together
/// leaves fewer groups and nobody alone who was not; here they may be, as they can be the only way
/// to enough accessible seats.
[[nodiscard]] std::vector<portion> portions_of(const seat_chart& chart, const run& where,
                                               const best_ask& ask);

} // namespace usher::shows::best

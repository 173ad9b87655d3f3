#pragma once

#include "actors/shows/best_runs.hpp"

#include <cstdint>
#include <vector>

namespace usher::shows::best {

/// The seats with the least loss for a party that has no room in any one of these runs; empty if
/// there are too few seats. The runs are all that may be chosen from.
[[nodiscard]] std::vector<std::uint32_t> split(const seat_chart& chart,
                                               const std::vector<run>& runs, const best_ask& ask);

} // namespace usher::shows::best

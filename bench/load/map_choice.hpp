#pragma once

#include "bench/load/hall.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace usher::load {

/// Up to `quantity` seats that the map shows as free: from a place on that `chance` (0 to below 1)
/// picks among all free ones, in the order of the map. Fewer at the end of a block, none if none
/// is free.
[[nodiscard]] std::vector<seat_number> choose_on_map(std::string_view map_json,
                                                     std::size_t quantity, double chance);

} // namespace usher::load

#pragma once

#include "bench/load/seat_ledger.hpp"
#include "bench/load/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher::load {

/// Does a whole seat map, asked for when nobody has bought or held anything for longer than maps
/// are kept, say what the fans were told? Nothing, or the first fault. `now` is when it was asked
/// for.
[[nodiscard]] std::optional<std::string> fault_in_map(std::string_view map_json,
                                                      const seat_ledger& told, time_ns now);

} // namespace usher::load

#pragma once

#include "http/api/seat_map_history.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// A seat map as it is sent. Ids are written as they are: a plan allows letters, digits, '-', '_'
// and '.' only. Pure.
namespace usher::http {

/// Which map, and of when.
struct seat_map_stamp {
  seat_map_version version = 0;
  time_ms as_of = 0;
};

/// All seats; says `"full":true`.
[[nodiscard]] std::string whole_map_json(const seat_snapshot& seats, seat_map_stamp stamp);

/// The seats that changed, with their blocks' counts, and all categories; says `"since"`. The
/// changes stand in the plan's order.
[[nodiscard]] std::string changed_map_json(const seat_snapshot& seats, seat_map_stamp stamp,
                                           seat_map_version since,
                                           std::span<const seat_change> changes);

/// Server-Sent Events, each of at most stream_turn_bytes_max: what does not fit in one is said in
/// parts, of which only the last has an id, so that nobody resumes after half a block.
using seat_events = std::vector<std::string>;

/// `event: seats`: all of one block.
[[nodiscard]] seat_events whole_block_events(const seat_snapshot& seats, seat_map_stamp stamp,
                                             std::uint32_t block);

/// `event: changes`: the seats of one block that changed. Other blocks' changes are passed over;
/// none of this one: no event.
[[nodiscard]] seat_events changed_block_events(const seat_snapshot& seats, seat_map_stamp stamp,
                                               seat_map_version since, std::uint32_t block,
                                               std::span<const seat_change> changes);

} // namespace usher::http

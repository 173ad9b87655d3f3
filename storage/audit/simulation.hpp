#pragma once

#include "storage/audit/crowd.hpp"

#include <cstdint>
#include <optional>
#include <vector>

// An opening as it would have gone under other settings. The same log and the same changes give
// the same answer: no randomness, whole numbers, the time of the log. Shares no code with the room.
namespace usher::storage::audit {

/// A limit that may be lifted.
struct new_limit {
  std::optional<std::uint32_t> most; ///< none: no limit
};

/// What is other than logged, from the beginning to the end.
struct changes {
  std::optional<std::uint64_t> admit_per_second_micro;
  std::optional<new_limit> max_active;
  std::optional<new_limit> max_per_tick;
  std::optional<duration_ms> admission_ttl_ms;
};

struct simulated {
  std::vector<time_ms> admitted; ///< by fan, for the first time; 0: never
  by_minute sold_by_minute;
  std::uint64_t sold = 0;
  std::uint64_t active_most = 0;
  std::uint64_t holds_refused = 0; ///< wanted seats, and not so many were left
  std::optional<time_ms> sold_out_at;
  bool went_on = false; ///< it was not over after simulated_max_ms
};

/// Nothing is simulated beyond so long after the opening.
inline constexpr duration_ms simulated_max_ms = 30LL * 24 * 60 * 60 * 1000;

/// Goes on until everybody was admitted or has gone, or nothing can be sold any more, also where
/// the log ends earlier. What it assumes:
///
/// - Fans come, leave, are promoted and fall silent at the time of the log. Nobody comes after it.
/// - Operators open, pause and change the settings at the time of the log.
/// - Who was admitted in the log does the same again, counted from the admission: holds, buys,
///   leaves. An admission that lasted to its end lasts as long as the settings say.
/// - Who was not does what those did who were, one after the other and over again.
/// - Who wants more seats than are left buys none and stays as long.
/// - Seats that were sold over the counter, taken off sale or returned are so at the time of the
///   log.
[[nodiscard]] simulated simulate(const crowd& of, const changes& other);

} // namespace usher::storage::audit

#pragma once

#include "actors/basics/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace usher::waiting_room {

/// Most named priority tiers of a room.
inline constexpr std::size_t tiers_max = 8;

/// Longest time before opens_at at which fans may come in.
inline constexpr duration_ms prequeue_max_ms = 4LL * 60 * 60 * 1000;

/// Where the public random value of a draw comes from. Committed together with the seed, so that
/// nobody picks the value afterwards.
struct beacon_source {
  std::string name;  ///< e.g. `drand quicknet`
  std::string round; ///< which of its values
  bool operator==(const beacon_source&) const = default;
};

/// What an operator sets. Every field has the default of the HTTP API.
struct settings {
  std::uint64_t admit_per_second_micro = 20'000'000; ///< fans per second, in millionths
  std::optional<std::uint32_t> max_active = 5000;    ///< hard limit of admissions; none: no limit
  std::optional<std::uint32_t> max_per_tick; ///< most admissions in one tick; none: no limit
  duration_ms tick_ms = 1000;                ///< time between two admission ticks
  duration_ms admission_ttl_ms = 300'000;    ///< from being admitted to the deadline
  std::uint32_t max_queue = 5'000'000;       ///< most fans waiting at once
  /// An admission not heard of for so long ends, unless a hold or an order keeps it; none: off.
  std::optional<duration_ms> idle_timeout_ms;
  /// The admission lasts its whole time: a purchase or silence does not end it.
  bool fixed_length = false;
  std::optional<time_ms> opens_at;       ///< opens by itself, with the draw
  duration_ms prequeue_ms = 0;           ///< how long before opens_at fans may come in
  duration_ms absent_after_ms = 180'000; ///< not heard of for so long: passed over at the front
  duration_ms claim_ttl_ms = 1'800'000;  ///< how long the place is kept after that
  /// Within this time an expired admission may come back near the front, once; none: never.
  std::optional<duration_ms> reentry_grace_ms;
  bool proof_of_work = false;     ///< a join without a trusted key has to solve a challenge
  std::vector<std::string> tiers; ///< priority tiers of access codes, the first goes first
  std::optional<beacon_source> beacon;

  bool operator==(const settings&) const = default;
};

} // namespace usher::waiting_room

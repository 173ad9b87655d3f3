#pragma once

#include "actors/basics/time.hpp"

#include <array>
#include <cstdint>

// When a delivery that failed is tried again.
namespace usher::storage::outbox {

/// Before the second try, the third and so on; then the last for ever, so that nothing is skipped.
inline constexpr std::array<duration_ms, 9> retry_waits_ms{5'000,      300'000,    1'800'000,
                                                           7'200'000,  18'000'000, 36'000'000,
                                                           50'400'000, 72'000'000, 86'400'000};

/// Added to a wait at most, in percent of it: not all come back at the same second.
inline constexpr int jitter_percent = 10;

/// How long after the n-th failure in a row (from 1); `random` is any number, evenly spread.
[[nodiscard]] duration_ms retry_wait_ms(std::uint32_t failures, std::uint64_t random);

} // namespace usher::storage::outbox

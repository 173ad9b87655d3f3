#pragma once

#include <chrono>
#include <cstdint>

namespace usher::load {

/// Nanoseconds since the run began, on the monotonic clock.
using time_ns = std::int64_t;

inline constexpr time_ns microsecond_ns = 1'000;
inline constexpr time_ns millisecond_ns = 1'000'000;
inline constexpr time_ns second_ns = 1'000'000'000;

/// The clock of one run. Copies tell the same time; thread-safe.
class run_clock {
public:
  [[nodiscard]] time_ns now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                began_)
        .count();
  }

private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

[[nodiscard]] constexpr double seconds(time_ns time) {
  return static_cast<double>(time) / static_cast<double>(second_ns);
}

} // namespace usher::load

#pragma once

#include "actors/basics/time.hpp"

#include <atomic>
#include <chrono>

namespace usher {

/// The one source of `now` for commands. Never runs backwards. Thread-safe.
class clock {
public:
  virtual ~clock() = default;
  [[nodiscard]] virtual time_ms now() const = 0;
};

/// Wall time at the start, then the monotonic clock: a wall clock that jumps while the process runs
/// moves no deadline. `not_before` is called once after recovery with the log's last time, so that
/// a wall clock set back between two runs does not turn time back either.
class process_clock : public clock {
public:
  [[nodiscard]] time_ms now() const override {
    using namespace std::chrono;
    const auto elapsed = duration_cast<milliseconds>(steady_clock::now() - started_).count();
    return base_ms_.load(std::memory_order_relaxed) + elapsed;
  }

  void not_before(time_ms earliest) {
    const auto behind = earliest - now();
    if (behind > 0)
      base_ms_.fetch_add(behind, std::memory_order_relaxed);
  }

private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::atomic<time_ms> base_ms_{std::chrono::duration_cast<std::chrono::milliseconds>(
                                    std::chrono::system_clock::now().time_since_epoch())
                                    .count()};
};

/// For tests: time is what they say.
class manual_clock : public clock {
public:
  explicit manual_clock(time_ms start) : now_ms_{start} {}
  [[nodiscard]] time_ms now() const override { return now_ms_.load(); }
  void advance(duration_ms by) { now_ms_ += by; }

private:
  std::atomic<time_ms> now_ms_;
};

} // namespace usher

#pragma once

#include "bench/load/histogram.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace usher::load {

struct live_counts {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t wrong = 0;
  std::uint64_t shed = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t waiting = 0; ///< due, and without a connection yet
};

/// How far the threads are, for whoever watches; and whether they are to stop. Thread-safe.
class progress_board {
public:
  explicit progress_board(std::size_t threads) : of_(threads) {}

  /// Of one thread, a few times a second. Takes what is in `recent`, and leaves it empty.
  void publish(std::size_t thread, const live_counts& now, histogram& recent);

  struct view {
    live_counts counts;
    histogram recent; ///< latencies since the last look
  };
  [[nodiscard]] view look();

  void stop() { stop_ = true; }
  [[nodiscard]] bool is_stopped() const { return stop_.load(std::memory_order_relaxed); }

private:
  std::mutex lock_;
  std::vector<live_counts> of_;
  histogram recent_;
  std::atomic<bool> stop_{false};
};

} // namespace usher::load

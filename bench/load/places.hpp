#pragma once

#include "bench/load/fans.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Whether the queue is one: first come, first served, as far as anybody outside can tell. Joins
// that were under way at the same time may come in any order; one that was answered before another
// was sent is ahead of it.
namespace usher::load {

/// Where a fan who waits was told to stand, and when the join was sent and answered.
struct place {
  std::uint32_t position = 0;
  moment sent = 0;
  moment answered = 0;
};

/// Of all who wait, told while nobody was let in: the positions are 1 to their number, each once,
/// and in the order of arrival. Nothing, or the first fault. Sorts them.
[[nodiscard]] std::optional<std::string> fault_in_line(std::vector<place>& all);

/// Watches that nobody overtakes while fans are let in. Thread-safe.
class turnstile {
public:
  /// To be taken when a poll is sent, and given to `overtaken` with its answer.
  [[nodiscard]] moment latest_admitted() const { return latest_.load(std::memory_order_acquire); }

  /// An answer said that this fan is admitted.
  void admitted(const fan& who);

  /// An answer said that this fan still waits. Was somebody seen to be admitted, before the
  /// question was sent, who had joined after this fan had a place?
  [[nodiscard]] static bool overtaken(const fan& who, moment latest_admitted) {
    return latest_admitted > who.join_answered;
  }

private:
  std::atomic<moment> latest_{0}; ///< when the last to join of those admitted sent the join
};

} // namespace usher::load

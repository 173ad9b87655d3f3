#pragma once

#include "actors/basics/time.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace usher::waiting_room {

/// How many fans a second were admitted of late, counted per second of event time. One writer, any
/// number of readers. A second in which the writer is counting may be seen before or after.
class admission_meter {
public:
  static constexpr std::int64_t window_s = 60;
  static constexpr std::int64_t least_s = 5; ///< before that there is nothing to measure

  void start(time_ms at); ///< forgets what was before: the room opened
  /// A queue forms. What was admitted while nobody waited tells how many came, not how fast it
  /// goes.
  void queue_forms(time_ms at);
  void count(std::uint32_t fans, time_ms at);

  /// Fans per second in millionths over the last minute's whole seconds, or those since the queue
  /// formed.
  /// None: nobody was admitted in it, or it is too early to say.
  [[nodiscard]] std::optional<std::uint64_t> per_second_micro(time_ms now) const;

private:
  /// What a snapshot keeps of it: actors/runtime/snapshot/.
  template <class Io>
  friend void snapshot_fields(Io& io, admission_meter& meter);

  // Each holds its second (40 bits) and its count (24 bits), so that one load reads both.
  std::array<std::atomic<std::uint64_t>, 64> buckets_{};
  std::atomic<std::int64_t> started_s_{0};
};

} // namespace usher::waiting_room

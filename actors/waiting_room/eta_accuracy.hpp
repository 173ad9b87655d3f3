#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace usher::waiting_room {

/// How right the estimates were that fans got when they joined: of every 64th fan, the wait that
/// was promised against the wait that came. One writer; the counts are read by any thread.
class eta_accuracy {
public:
  /// Upper bounds of actual wait ÷ promised wait, in hundredths; the last bucket is all above.
  static constexpr std::array<std::uint32_t, 8> bounds_percent{25, 50, 75, 90, 110, 150, 200, 400};

  static constexpr slot_t sampled_every = 64;

  /// Writer only.
  void promise(slot_t slot, std::uint32_t seconds, time_ms at);
  void kept(slot_t slot, time_ms at); ///< admitted
  void forget(slot_t slot);           ///< ended without being admitted
  void forget_all();

  /// Waits by ratio; one more than bounds_percent.
  [[nodiscard]] std::uint64_t count(std::size_t bucket) const {
    return counts_[bucket].load(std::memory_order_relaxed);
  }
  [[nodiscard]] double sum_of_ratios() const;

private:
  /// What a snapshot keeps of it: actors/runtime/snapshot/.
  template <class Io>
  friend void snapshot_fields(Io& io, eta_accuracy& accuracy);

  static constexpr std::size_t promises_max = 65'536;

  struct promised {
    time_ms at = 0;
    std::uint32_t seconds = 0;
  };
  std::unordered_map<slot_t, promised> open_; ///< the writer's own
  std::array<std::atomic<std::uint64_t>, bounds_percent.size() + 1> counts_{};
  std::atomic<std::uint64_t> ratio_sum_percent_{0};
};

} // namespace usher::waiting_room

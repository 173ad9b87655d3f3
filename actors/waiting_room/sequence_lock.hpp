#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace usher::waiting_room {

/// One writer, any number of readers that never write: a reader looks again if the writer was at
/// work meanwhile. The data must be atomics that the writer stores with release and readers load
/// with acquire; that orders them with the counter without fences.
class sequence_lock {
public:
  /// Writer only. `change` should be short: readers wait for it.
  template <class Change>
  void write(Change&& change) {
    const auto before = sequence_.load(std::memory_order_relaxed);
    sequence_.store(before + 1, std::memory_order_relaxed); // before all of the change's releases
    change();
    sequence_.store(before + 2, std::memory_order_release);
  }

  /// What `look` returned from one moment between two writes. `look` may run several times, and may
  /// see a mixture the times before; it must stay within bounds whatever it sees.
  template <class Look>
  [[nodiscard]] auto read(Look&& look) const {
    for (unsigned tries = 1;; ++tries) {
      const auto before = sequence_.load(std::memory_order_acquire);
      if (before % 2 == 0) {
        auto seen = look();
        if (sequence_.load(std::memory_order_relaxed) == before) // after all of look's acquires
          return seen;
      }
      if (tries % 64 == 0)
        std::this_thread::yield(); // the writer may have lost its processor
    }
  }

private:
  std::atomic<std::uint64_t> sequence_{0}; ///< odd: the writer is at work
};

} // namespace usher::waiting_room

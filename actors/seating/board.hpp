#pragma once

#include "actors/basics/time.hpp"
#include "actors/seating/event.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace usher::seating {

/// What a seat map shows of a seat. A hold whose time has come is `held` until an event returns it.
enum class shown : std::uint8_t { available, held, sold, blocked };

/// What a seat map shows of a block, together.
struct tally {
  std::uint32_t available = 0;
  std::uint32_t held = 0;
  std::uint32_t sold = 0;
  std::uint32_t blocked = 0;
  bool operator==(const tally&) const = default;
};

/// The read side of one block, for displays: only the block's actor is the truth. One thread calls
/// `publish`, in the order of the log and after the events are durable; any thread may call the
/// rest at any time. At most 2^16 - 1 seats a
/// block.
class board {
public:
  /// The seats of one version of the plan. The ids never change; the states do while this version
  /// is the current one, each seat for itself.
  class view {
  public:
    explicit view(std::vector<seat_id> seats);

    [[nodiscard]] const std::vector<seat_id>& ids() const { return ids_; }

    /// State of the seat with this index in ids().
    [[nodiscard]] shown at(std::size_t index) const {
      const auto is = states_[index].load(std::memory_order_acquire);
      return is < 0 ? static_cast<shown>(-is - 1) : shown::held;
    }

    /// Is it free to take at `now`, as far as this board knows? Also a seat whose hold is over and
    /// was not swept yet.
    [[nodiscard]] bool is_free(std::size_t index, time_ms now) const {
      const auto is = states_[index].load(std::memory_order_acquire);
      return is < 0 ? static_cast<shown>(-is - 1) == shown::available : now >= is;
    }

  private:
    friend class board;
    template <class Io>
    friend void snapshot_fields(Io& io, board& whole);
    std::vector<seat_id> ids_;
    /// Until when it is held; or, if it is not, -1 less the number of what it is.
    std::unique_ptr<std::atomic<time_ms>[]> states_;
  };

  board();

  void publish(const any_event& happened, time_ms at);

  /// The current seats; never null. Stays readable (and stale) after a later plan.
  [[nodiscard]] std::shared_ptr<const view> seats() const {
    return *current_.load(std::memory_order_acquire);
  }

  /// Counts that belong together: at every moment they sum to the seats of one plan.
  [[nodiscard]] tally count() const;

  /// Grows with each publish. What is read after reading the version is at least as new as it.
  [[nodiscard]] std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

  /// Time of the last published event; 0 before the first.
  [[nodiscard]] time_ms as_of_ms() const { return as_of_ms_.load(std::memory_order_acquire); }

private:
  /// What a snapshot keeps of it: actors/runtime/snapshot/.
  template <class Io>
  friend void snapshot_fields(Io& io, board& whole);

  void replan(const std::vector<seat_id>& seats);
  void show(const std::vector<seat_id>& seats, shown what, time_ms until = 0);
  void store(const tally& counted);

  std::unordered_map<seat_id, std::size_t> index_of_; ///< the writer's own
  /// Every version of the plan there was, so that a reader may always take the one it found; plans
  /// change a few times in a show's life. (std::atomic<std::shared_ptr> of libstdc++ 12 has a data
  /// race between load and store.)
  std::deque<std::shared_ptr<view>> views_;
  std::atomic<const std::shared_ptr<view>*> current_;
  std::atomic<std::uint64_t> packed_tally_{0};
  std::atomic<time_ms> as_of_ms_{0};
  std::atomic<std::uint64_t> version_{0};
};

} // namespace usher::seating

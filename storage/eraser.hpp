#pragma once

#include "storage/erasure.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace usher::storage {

/// What erasing one person came to.
struct erased_customer {
  std::size_t orders = 0;
  std::size_t keys_destroyed = 0; ///< those that were destroyed before do not count
  std::size_t remaining = 0;      ///< see personal_fields
};

/// Erases customers of a running server, one at a time, on a thread of its own: finding what is
/// theirs reads the whole log. Orders that are placed meanwhile may be missed.
class eraser {
public:
  using outcome = std::variant<erased_customer, failure>;
  using on_done = std::function<void(const outcome&)>;

  /// How many may wait, besides the one that is under way.
  static constexpr std::size_t waiting_max = 16;

  /// Both outlive it.
  eraser(const event_log& log, personal_data& data);
  /// Gives up what is under way; those that wait are not done and not told.
  ~eraser();
  eraser(const eraser&) = delete;
  eraser& operator=(const eraser&) = delete;

  /// `name` is the same for the same target: whoever asks for one that waits or is under way gets
  /// its outcome. `done` is called on the eraser's thread, once the keys are destroyed for good.
  /// Any thread; false: too many wait.
  [[nodiscard]] bool ask(const std::string& name, erasure_target target, on_done done);

private:
  struct job {
    std::string name;
    erasure_target target;
    std::vector<on_done> done;
  };

  void run();
  [[nodiscard]] outcome erase(const erasure_target& target);

  const event_log& log_;
  personal_data& data_;
  std::atomic<bool> stop_{false};
  std::mutex guard_;
  std::condition_variable wake_;
  std::deque<job> jobs_; ///< under guard_; the first is under way
  std::thread thread_;
};

} // namespace usher::storage

#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_set>

namespace usher::gateways {

/// The calls that were begun lately, by their keys; the oldest are forgotten. From any thread.
class seen_lately {
public:
  static constexpr std::size_t kept_max = 65'536;

  /// Notes it. True if it was noted before.
  [[nodiscard]] bool again(const std::string& key) {
    const std::lock_guard lock{mutex_};
    if (!keys_.insert(key).second)
      return true;
    order_.push_back(key);
    if (order_.size() > kept_max) {
      keys_.erase(order_.front());
      order_.pop_front();
    }
    return false;
  }

private:
  std::mutex mutex_;
  std::unordered_set<std::string> keys_;
  std::deque<std::string> order_;
};

} // namespace usher::gateways

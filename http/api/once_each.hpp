#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace usher::http {

/// Values by key, each made once, when it is first asked for; who asks for the same meanwhile
/// waits, who asks for another does not. Keeps at most `kept_max` of them, those of the greatest
/// keys: what is not kept is made again. Thread-safe.
template <class Key, class Value>
class once_each {
public:
  explicit once_each(std::size_t kept_max) : kept_max_{kept_max} {}

  /// `make()` gives a shared_ptr to the value, always the same value for this key.
  template <class Make>
  std::shared_ptr<const Value> get(const Key& key, Make make) {
    const auto its = slot_of(key);
    std::call_once(its->once, [&] { its->value = make(); });
    return its->value;
  }

private:
  struct slot {
    std::once_flag once;
    std::shared_ptr<const Value> value;
  };

  std::shared_ptr<slot> slot_of(const Key& key) {
    const std::lock_guard lock{mutex_};
    auto& place = slots_[key];
    if (!place)
      place = std::make_shared<slot>();
    auto found = place;
    if (slots_.size() > kept_max_)
      slots_.erase(slots_.begin());
    return found;
  }

  std::size_t kept_max_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<slot>> slots_;
};

} // namespace usher::http

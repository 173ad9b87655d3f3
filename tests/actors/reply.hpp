#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace usher::testing {

/// What a call was answered with, if it was. Copies share the answer.
template <class T>
class reply {
public:
  /// Give this to the call as its `done`.
  [[nodiscard]] std::function<void(T)> taker() const {
    return [got = got_](T what) { got->push_back(std::move(what)); };
  }

  [[nodiscard]] bool came() const { return !got_->empty(); }
  [[nodiscard]] std::size_t times() const { return got_->size(); }

  [[nodiscard]] const T& get() const {
    if (got_->size() != 1)
      throw std::logic_error("answered " + std::to_string(got_->size()) + " times, not once");
    return got_->front();
  }

private:
  std::shared_ptr<std::vector<T>> got_ = std::make_shared<std::vector<T>>();
};

} // namespace usher::testing

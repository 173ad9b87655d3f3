#pragma once

#include "tests/gateways/scripted_server.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace usher::test {

/// A webhook as it came.
using received = seen_request;

/// Takes webhooks on a free port of 127.0.0.1 and answers 200, or what it is told to.
class receiver {
public:
  [[nodiscard]] std::string url() const { return server_.url() + "/v1/webhooks"; }

  /// For the next ones, one each.
  void answer_next(const std::vector<int>& statuses) {
    const std::lock_guard lock{mutex_};
    answers_.insert(answers_.end(), statuses.begin(), statuses.end());
  }

  /// Waits until so many came, and gives them all; throws after twenty seconds.
  std::vector<received> wait_for(std::size_t count) {
    std::unique_lock lock{mutex_};
    if (!came_.wait_for(lock, std::chrono::seconds{20}, [&] { return all_.size() >= count; }))
      throw std::runtime_error{"only " + std::to_string(all_.size()) + " webhooks came"};
    return all_;
  }

  [[nodiscard]] std::size_t count() const {
    const std::lock_guard lock{mutex_};
    return all_.size();
  }

private:
  reaction take(const received& got) {
    const std::lock_guard lock{mutex_};
    int status = 200;
    if (!answers_.empty()) {
      status = answers_.front();
      answers_.pop_front();
    }
    all_.push_back(got);
    came_.notify_all();
    auto answer = json_answer(status, "");
    answer.what = reaction::kind::close;
    return answer;
  }

  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::vector<received> all_;
  std::deque<int> answers_;
  scripted_server server_{[this](const seen_request& got) { return take(got); }}; // ends first
};

} // namespace usher::test

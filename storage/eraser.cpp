#include "storage/eraser.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage {

eraser::eraser(const event_log& log, personal_data& data)
    : log_{log}, data_{data}, thread_{[this] { run(); }} {}

eraser::~eraser() {
  {
    const std::lock_guard lock{guard_};
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool eraser::ask(const std::string& name, erasure_target target, on_done done) {
  {
    const std::lock_guard lock{guard_};
    const auto same = std::ranges::find(jobs_, name, &job::name);
    if (same != jobs_.end()) {
      same->done.push_back(std::move(done));
      return true;
    }
    if (jobs_.size() > waiting_max)
      return false;
    jobs_.push_back({name, std::move(target), {std::move(done)}});
  }
  wake_.notify_one();
  return true;
}

void eraser::run() {
  std::unique_lock lock{guard_};
  while (true) {
    wake_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (stop_)
      return;
    const auto target = jobs_.front().target;
    lock.unlock();
    const auto came = erase(target);
    lock.lock();
    const auto finished = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    for (const auto& done : finished.done)
      done(came);
    lock.lock();
  }
}

eraser::outcome eraser::erase(const erasure_target& target) {
  const auto found = find_personal_fields(log_, target, data_.opener(), stop_);
  if (const auto* failed = std::get_if<failure>(&found))
    return *failed;
  const auto& theirs = std::get<personal_fields>(found);
  const auto destroyed = data_.keys().destroy(theirs.keys);
  if (const auto* failed = std::get_if<failure>(&destroyed))
    return *failed;
  return erased_customer{theirs.orders, std::get<std::size_t>(destroyed), theirs.remaining};
}

} // namespace usher::storage

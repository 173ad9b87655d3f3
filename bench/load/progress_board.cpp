#include "bench/load/progress_board.hpp"

#include <utility>

namespace usher::load {

void progress_board::publish(std::size_t thread, const live_counts& now, histogram& recent) {
  const std::scoped_lock hold_on{lock_};
  of_[thread] = now;
  recent_.merge(recent);
  recent.clear();
}

progress_board::view progress_board::look() {
  const std::scoped_lock hold_on{lock_};
  view seen;
  for (const auto& each : of_) {
    seen.counts.sent += each.sent;
    seen.counts.answered += each.answered;
    seen.counts.wrong += each.wrong;
    seen.counts.shed += each.shed;
    seen.counts.in_flight += each.in_flight;
    seen.counts.waiting += each.waiting;
  }
  seen.recent = std::exchange(recent_, {});
  return seen;
}

} // namespace usher::load

#include "actors/payments/board.hpp"

#include <algorithm>
#include <utility>

namespace usher::payments {

void gateway_board::publish(const any_event& happened, time_ms at) {
  const std::lock_guard lock{mutex_};
  apply(seen_.breaker, happened, at);
}

void gateway_board::note(gateway_activity now) {
  const std::lock_guard lock{mutex_};
  seen_.now = std::move(now);
}

bool gateway_board::may_call(time_ms now) const {
  const std::lock_guard lock{mutex_};
  switch (seen_.breaker.is) {
  case breaker_status::closed:
    return true;
  case breaker_status::open:
    return now >= seen_.breaker.until;
  case breaker_status::half_open:
    return trials_left(seen_.now.trials, seen_.now.good_trials, now) > 0;
  }
  return false;
}

gateway_view gateway_board::snapshot() const {
  const std::lock_guard lock{mutex_};
  return seen_;
}

} // namespace usher::payments

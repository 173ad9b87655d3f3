#pragma once

#include "actors/payments/event.hpp"

namespace usher::payments {

/// What the log tells of a gateway's breaker: the fold of its events. What it counts is in no
/// event; see breaker.hpp.
struct breaker_state {
  breaker_state() =
      default; ///< keeps it from being an aggregate, which CAF would construct wrongly

  breaker_status is = breaker_status::closed;
  time_ms until = 0;      ///< while OPEN: when trials may begin
  time_ms changed_at = 0; ///< 0: never

  bool operator==(const breaker_state&) const = default;
};

/// Stops the process on an event that does not go on from this state.
void apply(breaker_state& state, const any_event& happened, time_ms at);

} // namespace usher::payments

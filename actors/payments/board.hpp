#pragma once

#include "actors/payments/breaker.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace usher::payments {

/// What a gateway did since the process started.
struct gateway_counts {
  std::uint64_t calls = 0;    ///< made: charges, voids and refunds
  std::uint64_t approved = 0; ///< answers, as the provider gave them
  std::uint64_t declined = 0;
  std::uint64_t failures = 0;           ///< as the breaker judges
  std::uint64_t slow = 0;               ///< took longer than `slow_call_ms`
  std::uint64_t refused_by_breaker = 0; ///< not made
  std::uint64_t refused_as_too_many = 0;
  bool operator==(const gateway_counts&) const = default;
};

/// The part that is as it is at the moment, and in no event.
struct gateway_activity {
  gateway_counts counts;
  std::size_t in_flight = 0;
  std::size_t in_line = 0;         ///< calls that wait until fewer are in flight
  std::size_t window_calls = 0;    ///< of CLOSED: the last calls, at most breaker_window
  std::size_t window_failures = 0; ///< among them
  std::size_t good_trials = 0;     ///< of HALF_OPEN
  std::vector<permit> trials{};    ///< of HALF_OPEN: under way
  std::string last_error{};        ///< empty: none
  time_ms last_error_at = 0;
};

struct gateway_view {
  std::string gateway;
  breaker_state breaker; ///< as the log has it
  gateway_activity now;
};

/// The read side of one gateway. Its actor calls `note`, the journal calls `publish` when an event
/// is durable; any thread may call the rest at any time.
class gateway_board {
public:
  /// As the log tells.
  explicit gateway_board(std::string gateway, const breaker_state& recorded = {})
      : seen_{std::move(gateway), recorded, {}} {}

  void publish(const any_event& happened, time_ms at);
  void note(gateway_activity now);

  /// Would a call be let through? Only the actor knows for sure: it may refuse a moment later.
  [[nodiscard]] bool may_call(time_ms now) const;

  /// For GET /v1/gateways.
  [[nodiscard]] gateway_view snapshot() const;

private:
  mutable std::mutex mutex_;
  gateway_view seen_;
};

} // namespace usher::payments

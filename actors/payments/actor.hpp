#pragma once

#include "actors/journal/actor.hpp"
#include "actors/payments/board.hpp"
#include "actors/payments/calls.hpp"
#include "actors/runtime/clock.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace usher::payments {

/// The provider has answered a call; sent by whatever thread it answers on.
struct answered {
  std::uint64_t permit = 0; ///< number
  result answer;
  time_ms at = 0; ///< when it came
};

} // namespace usher::payments

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::payments::answered)

namespace usher::payments {

using lease_atom = caf::atom_constant<caf::atom("lease")>;

/// One actor per gateway: makes the calls that its circuit breaker lets through, and judges them.
/// Every call is answered once, without waiting for the log: what a call did stands in the asker's
/// events, and a change of the breaker that a crash loses is found out again.
using actor = caf::typed_actor<caf::reacts_to<call_ptr>, caf::reacts_to<answered>,
                               caf::reacts_to<lease_atom>>;

/// Calls of one gateway at a time. Beyond, a call stands in line.
inline constexpr std::size_t in_flight_max_default = 256;

/// Calls in line: twice as many as choose seats at once in a large sale. Beyond, a call is
/// `not_sent` with too_many_calls_reason.
inline constexpr std::size_t in_line_max_default = 10'000;

/// Who stood in line for so long is `not_sent` too: money that is asked for later than that
/// surprises, and another gateway may be free.
inline constexpr duration_ms in_line_limit_ms = 20'000;

/// What an actor starts with. `provider` and `clock` outlive it, and the clock every call of the
/// provider: its answers are stamped on whatever thread they come.
struct gateway_seed {
  payments::provider* provider = nullptr;
  breaker_state recorded; ///< as the log tells
  breaker_settings set;
  const usher::clock* clock = nullptr;
  journal::actor journal;
  std::shared_ptr<gateway_board> board; ///< made with `recorded`
  std::string subject;                  ///< `gateway/<NAME>`
  std::size_t in_flight_max = in_flight_max_default;
  std::size_t in_line_max = in_line_max_default;
};

struct actor_state {
  static constexpr const char* name = "gateway";
  explicit actor_state() = default;

  struct running {
    call_ptr asked;
    payments::permit permit;
    time_ms since = 0;
  };

  gateway_seed seed;
  std::string gateway;
  payments::breaker breaker;
  struct waiting {
    call_ptr asked;
    time_ms since = 0;
  };

  std::map<std::uint64_t, running> in_flight; ///< by number of the permit: the oldest first
  std::deque<waiting> line;                   ///< empty unless in_flight is full
  gateway_activity activity;
  bool lease_armed = false;
};

actor::behavior_type gateway_actor(actor::stateful_pointer<actor_state> self,
                                   std::shared_ptr<gateway_seed> seed);

} // namespace usher::payments

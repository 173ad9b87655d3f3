#pragma once

#include "actors/orders/board.hpp"
#include "actors/orders/calls.hpp"
#include "actors/orders/state.hpp"
#include "actors/payments/switchboard.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace usher::orders {

/// A gateway answered about an attempt.
struct charged {
  order_id order;
  payment_id payment;
  bool voiding = false; ///< it was asked to void it
  payments::result result;
};

/// A gateway answered about a refund.
struct refunded {
  order_id order;
  refund_id refund;
  payments::result result;
};

/// It is time to ask again about this attempt or refund.
struct ask_again {
  order_id order;
  id128 what;
};

} // namespace usher::orders

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::orders::charged)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::orders::refunded)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::orders::ask_again)

namespace usher::orders {

/// How answers and timers come back to the desk.
using gateway_port =
    caf::typed_actor<caf::reacts_to<charged>, caf::reacts_to<refunded>, caf::reacts_to<ask_again>>;

/// An outcome that stays unknown is asked for after 1, 2, 4, … seconds, at most 60.
inline constexpr duration_ms ask_again_first_ms = 1'000;
inline constexpr duration_ms ask_again_most_ms = 60'000;

/// A gateway that was not asked after all, because its breaker was open or it had too many calls
/// under way, is tried again after at most this long: about as soon as a breaker lets somebody try.
inline constexpr duration_ms ask_refused_most_ms = 8'000;

/// A refund that was not done is tried after 2, 4, 8, … seconds, at most an hour.
inline constexpr duration_ms refund_again_first_ms = 2'000;
inline constexpr duration_ms refund_again_most_ms = 3'600'000;

/// A refund that was tried so often in vain, or whose gateway is not there, is stuck: a metric.
inline constexpr std::uint32_t refund_stuck_tries = 5;

/// An outcome that is known, as it is recorded.
[[nodiscard]] payment_outcome recorded(payments::outcome what, bool voiding);

/// What events mean to gateways, once they are durable.
struct gateway_work {
  std::vector<order_id> orders; ///< that have something new for a gateway to do, or to stop
  std::vector<id128> begun;     ///< attempts and refunds
};
[[nodiscard]] gateway_work for_gateways(const std::vector<any_event>& events);

/// The attempt whose outcome the caller wants to hear: the one it began, or the one after.
[[nodiscard]] std::optional<payment_id> attempt_to_wait_for(const any_command& what,
                                                            const answer& outcome);

/// What one desk has under way at gateways: asks, and asks again until it is known. Decides nothing
/// about orders. Lives in the desk's actor; not thread-safe.
class gateway_calls {
public:
  using send_later = std::function<void(duration_ms, ask_again)>;

  gateway_calls(const state& desk, std::shared_ptr<const payments::switchboard> lines,
                show_number show, duration_ms limit_ms, gateway_port self, send_later later)
      : desk_{&desk},
        lines_{std::move(lines)},
        show_{show},
        limit_ms_{limit_ms},
        self_{std::move(self)},
        later_{std::move(later)} {}

  /// Puts into a command what only we know: the time, fresh ids, the gateway to be asked.
  void complete(any_command& what, time_ms now) const;

  /// Where an attempt that could not charge goes next.
  [[nodiscard]] std::optional<command::next_attempt> next_after(const command::settle_payment& what,
                                                                time_ms now) const;

  /// These have begun, durably: from now on gateways may be asked about them. The desk runs ahead
  /// of the log, and a gateway that paid something back on account of what a crash undid would be
  /// asked to do it again.
  void may_ask_about(const std::vector<id128>& begun);

  /// Asks about everything of this order that is open, durable, and not being asked about already,
  /// nor (unless in a hurry) waiting to be. An attempt of an order that does not wait for it any
  /// more is voided.
  void go_on(const order_id& id, time_ms now, bool hurry = false);

  /// As after a restart: nobody knows whether the gateway has heard of what is open.
  void resume(time_ms now);

  /// The answer came. What it proves: nothing (unknown) if an attempt that may have charged before
  /// could only not be reached this time. If it proves something nobody asks again: it is to be
  /// recorded, then `forget` it.
  [[nodiscard]] payments::result learn(const charged& got);
  void learn(const refunded& got);

  /// It is not settled: ask again later.
  void wait(const charged& got);
  void ring(const ask_again& what, time_ms now);

  /// The answer about a refund is recorded: ask again later, or go on with the next.
  void recorded(const order_id& id, const refund_id& refund, time_ms now);

  /// It is settled.
  void forget(const id128& what) { under_way_.erase(what); }

  /// Where the fan of this order goes on with an attempt that is open; empty: nowhere.
  [[nodiscard]] std::string action_url(const order& it) const;

  void count(desk_board& into) const;

private:
  struct progress {
    bool durable = false; ///< the event that began it
    bool in_flight = false;
    bool waiting = false;   ///< a timer will ring
    bool uncertain = false; ///< it may have charged already
    bool refused = false;   ///< the last call was not made
    unsigned asked = 0;
    std::string reference{};
    std::string action_url{};
  };

  template <class Command>
  void route(Command& pay, const money& amount, time_ms now) const;
  [[nodiscard]] payments::route way_for(const payments::route_question& asked, time_ms now) const {
    return lines_ ? lines_->route_for(asked, now) : payments::route{};
  }
  void ask(const order_id& id, const order& it, const payment& attempt, time_ms now);
  void ask(const order_id& id, const order& it, const refund& what);

  const state* desk_;
  std::shared_ptr<const payments::switchboard> lines_;
  show_number show_;
  duration_ms limit_ms_;
  gateway_port self_;
  send_later later_;
  std::unordered_map<id128, progress, id_hash> under_way_; ///< by payment or refund
};

} // namespace usher::orders

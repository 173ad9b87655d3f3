#pragma once

#include "actors/orders/command.hpp"
#include "actors/orders/state.hpp"
#include "storage/record.hpp"

#include <caf/allowed_unsafe_message_type.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

// What the edge sends to a sales desk, and what comes back.
namespace usher::orders {

struct hold_view {
  hold_id id;
  orders::hold hold;
};

struct order_view {
  order_id id;
  orders::order order;
  std::vector<offered_seat> seats; ///< of its hold; empty for a show without a plan
  std::vector<seat_id> returned{}; ///< those of them that are back on sale
  bool withdrawn = false;          ///< it was cancelled because an operator took its seats off sale
  std::string action_url{};        ///< where the fan goes on with the attempt that is open, if told
};

/// Seats that an operator took off sale or put back on it, and who lost some by that.
struct seats_view {
  std::vector<seat_id> seats;
  std::vector<hold_id> holds;
};

/// Done, with nothing to show (leave).
struct nothing {};

using result = std::variant<nothing, hold_view, order_view, seats_view, rejection, seating::refusal,
                            waiting_room::rejection>;

struct answer {
  orders::result result;
  bool repeated = false;                  ///< it existed: nothing was done
  std::optional<payment_id> payment = {}; ///< the attempt that a repeated pay call is about
  std::optional<refund_id> refund = {};   ///< that a refund call is about
};

/// `now` in the command is set by the desk. `done` is called once, from any thread, when everything
/// it tells of is durable; it must not block.
struct call {
  any_command what;
  storage::cause cause;
  std::function<void(answer)> done;
  unsigned tries = 0; ///< the desk's own
};
using call_ptr = std::shared_ptr<call>;

/// Read one thing as it is, once durable. An unknown id gives the matching rejection.
struct lookup {
  std::variant<hold_id, order_id> what;
  std::function<void(answer)> done;
};
using lookup_ptr = std::shared_ptr<lookup>;

} // namespace usher::orders

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::orders::call_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::orders::lookup_ptr)

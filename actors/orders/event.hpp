#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/money.hpp"
#include "actors/basics/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// What can have happened at the sales desk of one show: its holds and its orders.
// Subject in the log: `desk/<show>`. The seats themselves are the blocks' business.
namespace usher::orders {

/// A seat as it was offered when it was held: the price does not change under a hold.
struct offered_seat {
  seat_id id;
  block_id block;
  std::string category;
  std::int64_t price_minor = 0;
  bool operator==(const offered_seat&) const = default;
};

/// The names are stored: append, never rename.
enum class hold_end : std::uint8_t {
  released,
  expired,
  admission_ended,
  order_expired,
  cancelled,
  withdrawn, ///< an operator took the seats off sale
};
enum class hold_change : std::uint8_t {
  extended,
  added,
  released,  ///< by whoever has it
  withdrawn, ///< by an operator, who took the seats off sale
};
enum class payment_outcome : std::uint8_t { approved, declined, failed };

[[nodiscard]] std::string_view to_string(hold_end reason);
[[nodiscard]] std::optional<hold_end> hold_end_of(std::string_view name);
[[nodiscard]] std::string_view to_string(hold_change what);
[[nodiscard]] std::optional<hold_change> hold_change_of(std::string_view name);
[[nodiscard]] std::string_view to_string(payment_outcome outcome);
[[nodiscard]] std::optional<payment_outcome> payment_outcome_of(std::string_view name);

/// Who asked first, so that asking again finds the same thing: the key with its scope, and a hash
/// of the canonical body. None: the call had no key. A key that is none: the hold takes its place.
struct idempotency {
  request_key key;
  id128 fingerprint;
  bool operator==(const idempotency&) const = default;
};

namespace event {

struct hold_placed {
  hold_id hold;
  std::optional<slot_t> owner; ///< the admission; none while the room is OFF
  std::vector<offered_seat> seats;
  std::string currency;
  time_ms until = 0;
  std::optional<idempotency> asked;
  identity customer{}; ///< who the admission belongs to, where that is known: for limits a customer
  bool box_office = false; ///< by the seller's own staff, who need no admission
  bool operator==(const hold_placed&) const = default;
};

/// A hold that is live is another from now on; its generation tells which. Seats that stay keep
/// their price.
struct hold_changed {
  hold_id hold;
  std::uint32_t generation = 2; ///< one more than before
  hold_change what = hold_change::extended;
  std::vector<offered_seat> added; ///< if `added`
  std::vector<seat_id> removed;    ///< if `released` or `withdrawn`; never all it has
  time_ms until = 0;               ///< later than before if `extended`, else as before
  std::optional<idempotency> asked;
  bool operator==(const hold_changed&) const = default;
};

/// The hold is over without a sale.
struct hold_ended {
  hold_id hold;
  hold_end reason = hold_end::released;
  bool operator==(const hold_ended&) const = default;
};

struct order_placed {
  order_id order;
  std::optional<slot_t> owner;
  hold_id hold;         ///< none for a show without a plan
  std::string hold_ref; ///< the seller's own reference, for a show without a plan
  money total;
  time_ms until = 0;    ///< payment deadline
  std::string customer; ///< sealed personal data; opaque bytes here
  std::optional<idempotency> asked;
  bool box_office = false; ///< by the seller's own staff, who need no admission
  bool operator==(const order_placed&) const = default;
};

/// A payment attempt, durable before the gateway is called.
struct payment_started {
  order_id order;
  payment_id payment;
  std::string gateway;
  std::string method;
  std::optional<idempotency> asked;
  bool operator==(const payment_started&) const = default;
};

struct payment_settled {
  order_id order;
  payment_id payment;
  payment_outcome outcome = payment_outcome::approved;
  std::string reference; ///< the gateway's own id of the payment; may be empty unless approved
  bool operator==(const payment_settled&) const = default;
};

/// PAID. In the same batch as the blocks' seats_sold.
struct order_paid {
  order_id order;
  std::string gateway;
  std::string reference; ///< the gateway's id of the payment that paid it
  bool operator==(const order_paid&) const = default;
};

/// Money came, the seats are gone.
struct order_refund_due {
  order_id order;
  std::string gateway;
  std::string reference;
  bool operator==(const order_refund_due&) const = default;
};

struct order_expired {
  order_id order;
  bool operator==(const order_expired&) const = default;
};

struct order_cancelled {
  order_id order;
  bool operator==(const order_cancelled&) const = default;
};

/// Seats of a paid order, refunded outside, are back on sale. In the same batch as the blocks'
/// seats_returned.
struct order_seats_returned {
  order_id order;
  std::vector<seat_id> seats;
  std::string reference; ///< the operator's, of the refund
  bool operator==(const order_seats_returned&) const = default;
};

} // namespace event

using any_event = std::variant<event::hold_placed, event::hold_changed, event::hold_ended,
                               event::order_placed, event::payment_started, event::payment_settled,
                               event::order_paid, event::order_refund_due, event::order_expired,
                               event::order_cancelled, event::order_seats_returned>;

} // namespace usher::orders

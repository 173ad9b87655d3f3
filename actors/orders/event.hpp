#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/money.hpp"
#include "actors/basics/time.hpp"
#include "actors/payments/provider.hpp"
#include "actors/payments/router.hpp"

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
  released,         ///< by whoever has it
  withdrawn,        ///< by an operator, who took the seats off sale
  kept_for_payment, ///< longer, while it is not known whether an attempt took the money
  payment_over,     ///< it took none: back to the time before
};
enum class payment_outcome : std::uint8_t {
  approved,
  declined, ///< the gateway said no
  failed,   ///< the gateway could not, and has not charged
  not_sent, ///< the gateway was not reached, or not asked
  voided,   ///< made sure at the gateway that it never charges
};
/// Why money goes back.
enum class refund_cause : std::uint8_t {
  asked,      ///< by an operator or a service
  refund_due, ///< it came when there was nothing (any more) to sell for it, or not the right amount
  surplus,    ///< the order had its money already
};
enum class refund_outcome : std::uint8_t { done, refused };

[[nodiscard]] std::string_view to_string(hold_end reason);
[[nodiscard]] std::optional<hold_end> hold_end_of(std::string_view name);
[[nodiscard]] std::string_view to_string(hold_change what);
[[nodiscard]] std::optional<hold_change> hold_change_of(std::string_view name);
[[nodiscard]] std::string_view to_string(payment_outcome outcome);
[[nodiscard]] std::optional<payment_outcome> payment_outcome_of(std::string_view name);
[[nodiscard]] std::string_view to_string(refund_cause why);
[[nodiscard]] std::optional<refund_cause> refund_cause_of(std::string_view name);
[[nodiscard]] std::string_view to_string(refund_outcome outcome);
[[nodiscard]] std::optional<refund_outcome> refund_outcome_of(std::string_view name);

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
  std::string token{};   ///< sealed, or empty: the gateway's name of the fan's means of payment
  std::string country{}; ///< ISO 3166-1 alpha-2, or empty
  bool chosen = false;   ///< the fan chose the gateway: no other is tried
  payment_id follows{};  ///< the attempt that could not charge, which this one comes after
  std::vector<payments::passed_over> skipped{}; ///< gateways that came first and could not be asked
  time_ms until = 0; ///< after that it is voided, and the seats are not kept; 0: never (older logs)
  bool operator==(const payment_started&) const = default;
};

/// What became of an attempt. Approved: order_paid or order_refund_due follows, or refund_started
/// if the order has its money already; nothing if `known`.
struct payment_settled {
  order_id order;
  payment_id payment;
  payment_outcome outcome = payment_outcome::approved;
  std::string reference; ///< the gateway's own id of the payment; may be empty unless approved
  std::string reason{};  ///< for people, unless approved
  bool known = false;    ///< this money was reported before, from outside
  std::optional<std::int64_t> amount_minor{}; ///< if the gateway tells another one than asked for
  bool operator==(const payment_settled&) const = default;
};

/// Money that came otherwise than by the answer to an open attempt: told by a service or a webhook.
/// What follows is as for payment_settled.
struct payment_reported {
  order_id order;
  payment_id payment; ///< of an attempt that had been settled without money; else none
  std::string gateway;
  std::string reference;
  std::int64_t amount_minor = 0; ///< in the order's currency
  std::optional<idempotency> asked{};
  bool operator==(const payment_reported&) const = default;
};

/// Money that a gateway reported for an order that is not there yet.
struct report_kept {
  std::string gateway;
  std::string reference;
  order_id order{};       ///< either the order
  std::string hold_ref{}; ///< or, for a show without a plan, the seller's own reference
  money amount;
  bool operator==(const report_kept&) const = default;
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
  std::optional<idempotency> asked{};
  bool operator==(const order_cancelled&) const = default;
};

/// Seats of a paid order are back on sale. In the same batch as the blocks' seats_returned.
struct order_seats_returned {
  order_id order;
  std::vector<seat_id> seats;
  std::string reference; ///< of the refund
  bool operator==(const order_seats_returned&) const = default;
};

/// Money is to go back. Durable before the gateway is asked, which goes on until it is settled.
struct refund_started {
  order_id order;
  refund_id refund;
  payment_id payment;    ///< whose money; none if it was reported from outside
  std::string gateway;   ///< where the money came
  std::string reference; ///< the gateway's id of that payment
  std::int64_t amount_minor = 0;
  std::vector<seat_id> seats{}; ///< that are given back for it; their tickets are void
  bool resell = false;          ///< they go back on sale when it is done
  refund_cause cause = refund_cause::asked;
  std::string note{}; ///< whoever asked for it may say why
  std::optional<idempotency> asked{};
  bool operator==(const refund_started&) const = default;
};

/// The gateway was asked and the money has not gone back yet, or perhaps has. It is asked again: as
/// a new attempt after it declined, else as the same, so that nothing goes back twice.
struct refund_tried {
  order_id order;
  refund_id refund;
  payments::outcome outcome = payments::outcome::unknown; ///< not `approved`
  std::string reference{}; ///< the gateway's id of the refund, if it told one
  std::string reason{};
  bool operator==(const refund_tried&) const = default;
};

/// REFUNDED or PARTLY_REFUNDED, unless it was surplus. `refused`: it will not be done.
struct refund_settled {
  order_id order;
  refund_id refund;
  refund_outcome outcome = refund_outcome::done;
  std::string reference{}; ///< the gateway's id of the refund, or of how it was done outside
  std::string reason{};    ///< if refused
  std::optional<idempotency> asked{}; ///< of the call that said it was done outside
  bool operator==(const refund_settled&) const = default;
};

/// One ticket a seat. In the batch of order_paid.
struct tickets_issued {
  order_id order;
  std::vector<seat_id> seats;
  bool operator==(const tickets_issued&) const = default;
};

/// Somebody went in with it.
struct ticket_used {
  order_id order;
  seat_id seat;
  std::string gate{}; ///< where, as the one who looked calls it
  bool operator==(const ticket_used&) const = default;
};

} // namespace event

using any_event =
    std::variant<event::hold_placed, event::hold_changed, event::hold_ended, event::order_placed,
                 event::payment_started, event::payment_settled, event::payment_reported,
                 event::report_kept, event::order_paid, event::order_refund_due,
                 event::order_expired, event::order_cancelled, event::order_seats_returned,
                 event::refund_started, event::refund_tried, event::refund_settled,
                 event::tickets_issued, event::ticket_used>;

} // namespace usher::orders

#pragma once

#include "actors/orders/event.hpp"
#include "actors/seating/command.hpp"
#include "actors/waiting_room/command.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

// What may be asked of the sales desk, what a decision asks of the blocks and of the waiting room,
// and how it says no.
namespace usher::orders {

/// A seat and its block, as the plan has it.
struct seat_in_block {
  seat_id id;
  block_id block;
};

enum class rejection : std::uint8_t {
  unknown_hold,
  not_the_owner,         ///< the hold or the seats belong to another admission
  hold_expired,          ///< order: the hold's time has come
  hold_ended,            ///< the hold was released, or sold
  hold_has_order,        ///< the hold already has an order (order again; release while it has one)
  too_many_seats,        ///< more than max_seats over all holds and orders of the admission
  not_admitted,          ///< only_repeat, and it is none
  too_many_for_customer, ///< more than max_seats_per_customer over all the customer's places
  key_reused,            ///< same idempotency key, another body
  amount_differs,        ///< the client's total is not ours
  amount_missing,        ///< a show without a plan: the amount has to be given
  unknown_order,
  order_over,        ///< pay or cancel: the order is expired, cancelled, or being refunded
  order_paid,        ///< cancel: the order is paid
  payment_running,   ///< pay with another key, or cancel, while an attempt's outcome is unknown
  seat_not_in_hold,  ///< release of a single seat that the hold does not have
  order_not_paid,    ///< return: the order is not paid
  seat_not_sold,     ///< return: the order does not have that seat (any more)
  key_in_use,        ///< a call with the same key is being decided
  no_gateway,        ///< pay: no gateway takes this, or none can be asked now
  too_many_payments, ///< pay: the order has had payments_max attempts
  too_many_refunds,
  refund_too_large, ///< more than is left of what was paid
  refund_running,   ///< all of it is on its way back already
  already_refunded, ///< all of it has gone back
  ticket_void,      ///< the order is not paid, or the seat was given back
  ticket_was_used,
  too_many_reports, ///< kept_reports_max reports of money wait for their orders
  unknown_refund,   ///< there is none of this id under way
};

[[nodiscard]] std::string_view to_string(rejection reason);

namespace command {

struct place_hold {
  hold_id hold; ///< a fresh random id
  std::optional<slot_t> owner;
  std::vector<offered_seat> seats; ///< 1..max_seats, each once
  std::string currency;
  duration_ms ttl_ms = 300'000;
  std::uint32_t max_seats = 4;
  std::optional<idempotency> asked;
  time_ms now = 0;
  identity customer{};                                   ///< none: unknown
  std::optional<std::uint32_t> max_seats_per_customer{}; ///< over all places; none: no limit
  bool only_repeat = false; ///< the ticket does not admit: answer what was done, do nothing new
  bool box_office = false;  ///< by the seller's own staff: no admission, no limit of seats
};

/// A live hold lasts `ttl_ms` from now, but never longer than `max_life_ms` from when it was
/// placed. Asked at that end it stays as it is.
struct extend_hold {
  hold_id hold;
  std::optional<slot_t> owner;
  duration_ms ttl_ms = 300'000;
  duration_ms max_life_ms = 600'000;
  std::optional<idempotency> asked;
  time_ms now = 0;
  bool box_office = false;
};

/// All of these seats, too, until the hold's own end, or none: then it stays as it is. Those that
/// it has already are no fault.
struct add_seats {
  hold_id hold;
  std::optional<slot_t> owner;
  std::vector<offered_seat> seats; ///< 1..max_seats, each once
  std::uint32_t max_seats = 4;
  std::optional<std::uint32_t> max_seats_per_customer{};
  std::optional<idempotency> asked;
  time_ms now = 0;
  bool only_repeat = false; ///< as in place_hold
  bool box_office = false;
};

/// Gives one seat of a live hold back; with the last one the hold ends.
struct release_seat {
  hold_id hold;
  std::optional<slot_t> owner;
  seat_id seat;
  time_ms now = 0;
  bool box_office = false;
};

struct release_hold {
  hold_id hold;
  std::optional<slot_t> owner;
  time_ms now = 0;
  bool box_office = false;
};

/// The fan gives the admission (or the place) back; holds without an order end with it.
struct leave {
  slot_t owner = 0;
  time_ms now = 0;
  std::optional<std::string> revoked{}; ///< set: an operator takes it away, for this reason
};

struct place_order {
  order_id order; ///< a fresh random id
  std::optional<slot_t> owner;
  hold_id hold;                             ///< none for a show without a plan
  std::string hold_ref;                     ///< for a show without a plan
  std::string currency;                     ///< the show's
  std::optional<std::int64_t> amount_minor; ///< the client's total, if it gave one
  duration_ms payment_window_ms = 240'000;
  std::string customer; ///< sealed
  /// None on the drop-in path: there the hold takes the key's place.
  std::optional<idempotency> asked;
  time_ms now = 0;
  bool box_office = false;
};

/// The box office sells free seats over the counter: held, ordered, paid and sold in one step.
struct sell_seats {
  hold_id hold;   ///< a fresh random id
  order_id order; ///< a fresh random id
  std::vector<offered_seat> seats;
  std::string currency;
  std::optional<std::int64_t> amount_minor; ///< what was taken, if it is to be checked
  std::string customer;                     ///< sealed, or empty
  std::string gateway;                      ///< how it was paid, e.g. BOX_OFFICE
  std::string reference;                    ///< the till's, or empty
  std::optional<idempotency> asked;
  time_ms now = 0;
  bool only_repeat = false; ///< as in place_hold
};

/// Takes seats off sale, all or none. Held ones only with `force`: a live hold loses them (and ends
/// with the last one), an order that waits for money is cancelled with its whole hold. One that is
/// being paid keeps them.
struct block_seats {
  std::vector<seat_in_block> seats;
  bool force = false;
  std::string note;
  time_ms now = 0;
};

/// Puts seats back on sale, all or none.
struct unblock_seats {
  std::vector<seat_in_block> seats;
  time_ms now = 0;
};

/// Sold seats of a paid order go back on sale: the money was given back outside.
struct return_seats {
  order_id order;
  std::vector<seat_id> seats; ///< empty: all it has
  std::string reference;      ///< of the refund
  time_ms now = 0;
};

/// Begins an attempt; the seats stay held until its outcome is known, at most `give_up_ms`.
struct start_payment {
  order_id order;
  payment_id payment;  ///< a fresh random id
  std::string gateway; ///< empty: there is none that can be asked
  std::string method;
  std::optional<idempotency> asked;
  time_ms now = 0;
  std::string token{}; ///< sealed, or empty
  std::string country{};
  bool chosen = false; ///< the fan chose the gateway
  std::vector<payments::passed_over> skipped{};
  duration_ms give_up_ms = 600'000;
};

/// Money without a show and without seats: an order of its own, with its first attempt.
struct take_payment {
  order_id order;     ///< a fresh random id
  payment_id payment; ///< likewise
  money amount;
  std::string reference; ///< of the order: unique
  std::string gateway;   ///< as in start_payment
  std::string method;
  std::optional<idempotency> asked;
  time_ms now = 0;
  std::string token{};
  std::string country{};
  bool chosen = false;
  std::vector<payments::passed_over> skipped{};
  duration_ms give_up_ms = 600'000;
};

/// The gateway to be tried if this one could not charge.
struct next_attempt {
  payment_id payment; ///< a fresh random id
  std::string gateway;
  std::vector<payments::passed_over> skipped{};
};

/// What the gateway said of an attempt of ours, by its answer or by a webhook.
struct settle_payment {
  order_id order; ///< none: of the payment
  payment_id payment;
  payment_outcome outcome = payment_outcome::approved;
  std::string reference;
  time_ms now = 0;
  std::string reason{};
  std::optional<next_attempt> next{}; ///< only for `failed` and `not_sent`
  std::optional<money> amount{};      ///< as the gateway tells it; none: what was asked for
  refund_id refund{};                 ///< a fresh random id, for money that has to go back
  std::string gateway{};              ///< that tells it; empty: the attempt's own
};

/// A service reports that the money came (an outcome from outside).
struct confirm {
  order_id order;
  std::string gateway;
  std::string reference;
  time_ms now = 0;
  std::optional<money> amount{}; ///< none: the order's total
  std::optional<idempotency> asked{};
  refund_id refund{}; ///< as in settle_payment
};

/// A gateway's webhook tells of money for an order that is not known by its id, or for a reference
/// of the seller's. If the order is there it is a `confirm`, else it is kept.
struct keep_report {
  order_id order;       ///< either this
  std::string hold_ref; ///< or this
  std::string gateway;
  std::string reference;
  money amount;
  time_ms now = 0;
  refund_id refund{};
};

struct cancel {
  order_id order;
  time_ms now = 0;
  std::optional<idempotency> asked{};
};

/// Gives money back: all that is left, or for some seats, or an amount. With `done_outside` it has
/// gone back in another way, and is only recorded. That may also settle one that is under way: the
/// one of that id, or of a REFUND_DUE order the one that is due.
struct refund {
  order_id order;
  refund_id refund;                         ///< a fresh random id
  std::vector<seat_id> seats;               ///< empty: by amount, or all
  std::optional<std::int64_t> amount_minor; ///< none: the seats' prices, or all that is left
  bool resell = true;                       ///< the seats go back on sale
  std::optional<std::string> done_outside;  ///< how: a reference
  std::string note;
  std::optional<idempotency> asked;
  time_ms now = 0;
  refund_id settles{}; ///< none, or the refund under way that was done outside
};

/// What the gateway said of a refund.
struct settle_refund {
  order_id order;
  refund_id refund;
  payments::outcome outcome = payments::outcome::approved;
  std::string reference;
  std::string reason;
  time_ms now = 0;
};

/// REFUND_DUE since before refunds were done by themselves: begins one.
struct begin_due_refund {
  order_id order;
  refund_id refund; ///< a fresh random id
  time_ms now = 0;
};

/// Somebody shows a ticket at the door.
struct use_ticket {
  order_id order;
  seat_id seat;
  std::string gate;
  bool mark = true; ///< false: only look
  time_ms now = 0;
};

} // namespace command

using any_command =
    std::variant<command::place_hold, command::extend_hold, command::add_seats,
                 command::release_seat, command::release_hold, command::leave, command::place_order,
                 command::sell_seats, command::block_seats, command::unblock_seats,
                 command::return_seats, command::start_payment, command::take_payment,
                 command::settle_payment, command::confirm, command::keep_report, command::cancel,
                 command::refund, command::settle_refund, command::begin_due_refund,
                 command::use_ticket>;

/// Something to do in one block, before the events may stand.
struct block_work {
  block_id block;
  seating::any_command command;
};

/// What the waiting room has to agree to (enter) or is told (settle, leave).
using room_work =
    std::variant<std::monostate, waiting_room::command::enter, waiting_room::command::settle,
                 waiting_room::command::settle_all, waiting_room::command::leave>;

/// Events that stand if every block and then the room agree; all of it becomes one batch.
/// `blocks` is sorted by block id, one entry a block.
struct proposal {
  std::vector<any_event> events;
  std::vector<block_work> blocks;
  room_work room;
};

/// The thing exists already: nothing happens, the answer is how it is now.
struct repeated {
  std::variant<hold_id, order_id> what;
  std::optional<payment_id> payment; ///< start_payment: the attempt of the same key
  std::optional<refund_id> refund{}; ///< refund: likewise
};

using decision = std::variant<proposal, repeated, rejection>;

} // namespace usher::orders

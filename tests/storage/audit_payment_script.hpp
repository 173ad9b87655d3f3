#pragma once

#include "tests/storage/audit_desk_script.hpp"

// More lines for logs made by hand: payments that keep their seats, refunds, tickets. An attempt
// lasts ten minutes. Order 1 is fan 0's, for A-1 and A-2 (hold 1), unless a line says otherwise.
namespace usher::storage::test {

using orders::payment_outcome;
using orders::refund_cause;
using orders::refund_outcome;

inline constexpr duration_ms attempt_ms = 600'000;
inline constexpr std::int64_t both_minor = 2 * price_minor;

inline refund_id refund_no(std::uint8_t number) {
  refund_id id;
  id.bytes[0] = id.bytes[15] = number;
  return id;
}

// ---- attempts

inline desk_event::payment_started attempt(std::uint8_t order, std::uint8_t payment,
                                           time_ms later) {
  auto e = started(order, payment);
  e.until = start_ms + later + attempt_ms;
  return e;
}
/// `until`: when the first of them is given up.
inline desk_event::payment_started next_attempt(std::uint8_t order, std::uint8_t payment,
                                                std::uint8_t follows, time_ms until) {
  auto e = started(order, payment);
  e.gateway = "STRIPE";
  e.follows = payment_no(follows);
  e.until = start_ms + until;
  return e;
}
inline batch_lines keeping(std::uint8_t hold, std::uint32_t generation,
                           const std::vector<seat_id>& seats, time_ms later, time_ms until) {
  return {desk(later, changed(hold, generation, hold_change::kept_for_payment, until)),
          block(later, held_as(hold, generation, seats, until))};
}
inline batch_lines no_longer(std::uint8_t hold, std::uint32_t generation,
                             const std::vector<seat_id>& seats, time_ms later, time_ms until) {
  return {desk(later, changed(hold, generation, hold_change::payment_over, until)),
          block(later, held_as(hold, generation, seats, until))};
}
/// As it is decided: with its seats.
inline batch_lines starting(std::uint8_t payment, std::uint32_t generation, time_ms later) {
  return batch_lines{desk(later, attempt(1, payment, later))} +
         keeping(1, generation, {"A-1", "A-2"}, later, later + attempt_ms);
}
/// Order 1 waits again: its hold lasts until 302 s.
inline batch_lines settling(std::uint8_t payment, payment_outcome how, std::uint32_t generation,
                            time_ms later) {
  return batch_lines{desk(later, settled(1, payment, how))} +
         no_longer(1, generation, {"A-1", "A-2"}, later, 302'000);
}
inline desk_event::payment_settled approved(std::uint8_t order, std::uint8_t payment,
                                            const std::string& reference = "ref") {
  return {order_no(order), payment_no(payment), payment_outcome::approved, reference};
}

// ---- money, and what the order becomes

/// From outside, unless it is of an attempt.
inline desk_event::payment_reported reported(std::uint8_t order, const std::string& reference,
                                             std::int64_t amount = both_minor,
                                             std::uint8_t payment = 0) {
  return {order_no(order), payment == 0 ? payment_id{} : payment_no(payment), "SANDBOX", reference,
          amount};
}
inline desk_event::report_kept report(std::uint8_t order, const std::string& reference) {
  return {"SANDBOX", reference, order_no(order), "", {price_minor, "BRL"}};
}
inline desk_event::tickets_issued tickets(std::uint8_t order, std::vector<seat_id> seats) {
  return {order_no(order), std::move(seats)};
}
inline desk_event::order_refund_due due(std::uint8_t order, const std::string& reference = "ref") {
  return {order_no(order), "SANDBOX", reference};
}
/// Order 1 is PAID by money that is on record.
inline batch_lines selling(std::uint32_t generation, time_ms later,
                           const std::string& reference = "ref",
                           const std::string& gateway = "SANDBOX") {
  return {desk(later, desk_event::order_paid{order_no(1), gateway, reference}),
          desk(later, tickets(1, {"A-1", "A-2"})),
          block(later, sold_to(1, 1, {"A-1", "A-2"}, generation))};
}
inline batch_lines cancelling(std::uint32_t generation, time_ms later) {
  return {desk(later, desk_event::order_cancelled{order_no(1), {}}),
          desk(later, hold_over(1, hold_end::cancelled)),
          block(later, given_back(1, generation, {"A-1", "A-2"}))};
}
inline batch_lines expiring(std::uint32_t generation, time_ms later) {
  return {desk(later, desk_event::order_expired{order_no(1)}),
          desk(later, hold_over(1, hold_end::order_expired)),
          block(later, given_back(1, generation, {"A-1", "A-2"}))};
}

// ---- refunds

/// Of the money of order 1 that the gateway calls so; `payment`: 0 if it was reported from outside.
inline desk_event::refund_started going_back(std::uint8_t refund, std::uint8_t payment,
                                             const std::string& reference, std::int64_t amount,
                                             refund_cause cause, std::vector<seat_id> seats = {}) {
  desk_event::refund_started e;
  e.order = order_no(1);
  e.refund = refund_no(refund);
  e.payment = payment == 0 ? payment_id{} : payment_no(payment);
  e.gateway = "SANDBOX";
  e.reference = reference;
  e.amount_minor = amount;
  e.resell = !seats.empty();
  e.seats = std::move(seats);
  e.cause = cause;
  return e;
}
/// Of the money that `sold_now` took.
inline desk_event::refund_started asked_back(std::uint8_t refund, std::int64_t amount,
                                             std::vector<seat_id> seats = {}) {
  return going_back(refund, 1, "ref", amount, refund_cause::asked, std::move(seats));
}
inline desk_event::refund_tried tried(std::uint8_t refund,
                                      payments::outcome how = payments::outcome::unknown) {
  return {order_no(1), refund_no(refund), how, "", "no answer"};
}
inline desk_event::refund_settled went_back(std::uint8_t refund,
                                            refund_outcome how = refund_outcome::done) {
  return {order_no(1), refund_no(refund), how, "re", ""};
}
inline desk_event::ticket_used used(std::uint8_t order, const seat_id& seat) {
  return {order_no(order), seat, "north"};
}

// ---- fan 0 and a sale

/// An attempt of order 1 runs from 4 s to 604 s; generation 2 of the hold lasts as long.
inline script paying_now() {
  return pending() + script{starting(1, 2, 4000)};
}
/// It was approved at 5 s.
inline script sold_now() {
  return paying_now() + script{batch_lines{desk(5000, approved(1, 1))} + selling(2, 5000)};
}
/// Fan 0 gave up at 5 s, and the attempt goes on.
inline script cancelled_now() {
  return paying_now() + script{cancelling(2, 5000)};
}

} // namespace usher::storage::test

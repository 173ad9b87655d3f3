#include "actors/orders/command.hpp"
#include "actors/orders/state.hpp"

namespace usher::orders {

std::string_view to_string(hold_end reason) {
  switch (reason) {
  case hold_end::released:
    return "released";
  case hold_end::expired:
    return "expired";
  case hold_end::admission_ended:
    return "admission_ended";
  case hold_end::order_expired:
    return "order_expired";
  case hold_end::cancelled:
    return "cancelled";
  case hold_end::withdrawn:
    return "withdrawn";
  }
  return "?";
}

std::optional<hold_end> hold_end_of(std::string_view name) {
  for (const auto value : {hold_end::released, hold_end::expired, hold_end::admission_ended,
                           hold_end::order_expired, hold_end::cancelled, hold_end::withdrawn})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

std::string_view to_string(hold_change what) {
  switch (what) {
  case hold_change::extended:
    return "extended";
  case hold_change::added:
    return "added";
  case hold_change::released:
    return "released";
  case hold_change::withdrawn:
    return "withdrawn";
  case hold_change::kept_for_payment:
    return "kept_for_payment";
  case hold_change::payment_over:
    return "payment_over";
  }
  return "?";
}

std::optional<hold_change> hold_change_of(std::string_view name) {
  for (const auto value :
       {hold_change::extended, hold_change::added, hold_change::released, hold_change::withdrawn,
        hold_change::kept_for_payment, hold_change::payment_over})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

std::string_view to_string(payment_outcome outcome) {
  switch (outcome) {
  case payment_outcome::approved:
    return "approved";
  case payment_outcome::declined:
    return "declined";
  case payment_outcome::failed:
    return "failed";
  case payment_outcome::not_sent:
    return "not_sent";
  case payment_outcome::voided:
    return "voided";
  }
  return "?";
}

std::optional<payment_outcome> payment_outcome_of(std::string_view name) {
  for (const auto value :
       {payment_outcome::approved, payment_outcome::declined, payment_outcome::failed,
        payment_outcome::not_sent, payment_outcome::voided})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

std::string_view to_string(refund_cause why) {
  switch (why) {
  case refund_cause::asked:
    return "asked";
  case refund_cause::refund_due:
    return "refund_due";
  case refund_cause::surplus:
    return "surplus";
  }
  return "?";
}

std::optional<refund_cause> refund_cause_of(std::string_view name) {
  for (const auto value : {refund_cause::asked, refund_cause::refund_due, refund_cause::surplus})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

std::string_view to_string(refund_outcome outcome) {
  return outcome == refund_outcome::done ? "done" : "refused";
}

std::optional<refund_outcome> refund_outcome_of(std::string_view name) {
  for (const auto value : {refund_outcome::done, refund_outcome::refused})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

std::string_view to_string(order_status status) {
  switch (status) {
  case order_status::pending:
    return "PENDING";
  case order_status::paying:
    return "PAYING";
  case order_status::paid:
    return "PAID";
  case order_status::expired:
    return "EXPIRED";
  case order_status::cancelled:
    return "CANCELLED";
  case order_status::refund_due:
    return "REFUND_DUE";
  case order_status::partly_refunded:
    return "PARTLY_REFUNDED";
  case order_status::refunded:
    return "REFUNDED";
  }
  return "?";
}

std::string_view to_string(rejection reason) {
  switch (reason) {
  case rejection::unknown_hold:
    return "unknown-hold";
  case rejection::not_the_owner:
    return "not-the-owner";
  case rejection::hold_expired:
    return "hold-expired";
  case rejection::hold_ended:
    return "hold-ended";
  case rejection::hold_has_order:
    return "hold-has-order";
  case rejection::not_admitted:
    return "not-admitted";
  case rejection::too_many_for_customer:
    return "too-many-for-customer";
  case rejection::too_many_seats:
    return "too-many-seats";
  case rejection::key_reused:
    return "idempotency-key-reused";
  case rejection::amount_differs:
    return "amount-differs";
  case rejection::amount_missing:
    return "amount-missing";
  case rejection::unknown_order:
    return "unknown-order";
  case rejection::order_over:
    return "order-over";
  case rejection::order_paid:
    return "order-paid";
  case rejection::payment_running:
    return "payment-running";
  case rejection::seat_not_in_hold:
    return "seat-not-in-hold";
  case rejection::order_not_paid:
    return "order-not-paid";
  case rejection::seat_not_sold:
    return "seat-not-sold";
  case rejection::key_in_use:
    return "idempotency-key-in-use";
  case rejection::no_gateway:
    return "no-gateway";
  case rejection::too_many_payments:
    return "too-many-payments";
  case rejection::too_many_refunds:
    return "too-many-refunds";
  case rejection::refund_too_large:
    return "refund-too-large";
  case rejection::refund_running:
    return "refund-running";
  case rejection::already_refunded:
    return "already-refunded";
  case rejection::ticket_void:
    return "ticket-void";
  case rejection::ticket_was_used:
    return "ticket-used";
  case rejection::unknown_refund:
    return "unknown-refund";
  case rejection::too_many_reports:
    return "too-many-reports";
  }
  return "?";
}

} // namespace usher::orders

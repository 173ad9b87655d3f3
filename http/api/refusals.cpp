#include "actors/basics/reference.hpp"
#include "http/api/routes.hpp"

namespace usher::http {

namespace {

struct wording {
  unsigned status;
  std::string_view code;
  std::string_view detail;
};

wording wording_of(orders::rejection no) {
  using enum orders::rejection;
  switch (no) {
  case unknown_hold:
    return {404, "unknown-hold", "There is no such hold."};
  case not_the_owner:
    return {403, "not-the-owner", "This belongs to another admission."};
  case hold_expired:
    return {409, "hold-expired", "The hold's time is over. Hold seats again."};
  case hold_ended:
    return {409, "hold-ended", "The hold was given back or used. Hold seats again."};
  case hold_has_order:
    return {409, "hold-has-order", "There is an order for this hold already."};
  case not_admitted: // answered with where to join
    break;
  case too_many_for_customer:
    return {409, "too-many-for-customer",
            "That would be more seats than one customer may have in this show, over all places and "
            "orders."};
  case too_many_seats:
    return {409, "too-many-seats",
            "That would be more seats than one admission may have. Release some first."};
  case key_reused:
    return {422, "idempotency-key-reused",
            "This Idempotency-Key was used for another request. Use a new one."};
  case amount_differs:
    return {409, "amount-differs",
            "The amount is not the total of this order. Leave it out, or "
            "look at the hold's total."};
  case amount_missing:
    return {400, "invalid-request", "amount: is missing; this show keeps its prices elsewhere."};
  case unknown_order:
    return {404, "unknown-order", "There is no such order."};
  case order_over:
    return {409, "order-over", "The order has ended: it cannot be paid or cancelled any more."};
  case order_paid:
    return {409, "order-paid", "The order is paid; it can only be refunded."};
  case seat_not_in_hold:
    return {404, "seat-not-in-hold", "The hold does not have that seat."};
  case order_not_paid:
    return {409, "order-not-paid", "The order is not paid: there is nothing to give back."};
  case seat_not_sold:
    return {409, "seat-not-sold", "The order does not have these seats, or not any more."};
  case key_in_use:
    return {409, "idempotency-key-in-use",
            "A call with this Idempotency-Key is running. Ask again in a moment."};
  case no_gateway:
    return {503, "no-gateway",
            "No gateway can take this payment now. Nothing was charged; try again in a moment, or "
            "another way to pay."};
  case too_many_payments:
    return {409, "too-many-payments", "The order has had too many attempts to pay."};
  case too_many_refunds:
    return {409, "too-many-refunds", "The order has had too many refunds."};
  case refund_too_large:
    return {409, "refund-too-large", "That is more than is left of what was paid, or nothing."};
  case refund_running:
    return {409, "refund-running", "All that was paid is on its way back already."};
  case already_refunded:
    return {409, "already-refunded", "All that was paid has been given back."};
  case unknown_refund:
    return {404, "unknown-refund", "The order has no refund of this id under way."};
  case ticket_void:
    return {410, "ticket-void",
            "The ticket does not count (any more): the order is not paid, or the seat was given "
            "back."};
  case ticket_was_used:
    return {409, "ticket-used", "Somebody has gone in with this ticket."};
  case too_many_reports:
    return {503, "too-many-reports",
            "Too many reports of money wait for orders that have not come. Send it again later."};
  case payment_running:
    return {409, "payment-running",
            "A payment of this order is being checked. Look at the order again in a moment."};
  }
  return {500, "internal", "The desk gave no answer."};
}

} // namespace

response refusal_of(orders::rejection no) {
  const auto words = wording_of(no);
  const bool later = no == orders::rejection::no_gateway ||
                     no == orders::rejection::too_many_reports ||
                     no == orders::rejection::key_in_use;
  return problem_response(words.status, words.code, words.detail,
                          later ? "Retry-After: 5\r\n" : "");
}

ordered_json unavailable_json(const seating::refusal& seats) {
  auto list = ordered_json::array();
  for (const auto& each : seats)
    list.push_back({{"seat", each.seat}, {"reason", seating::to_string(each.reason)}});
  return list;
}

ordered_json unavailable_json(const seating::refusal& seats, const shows::show_entry& show) {
  auto list = unavailable_json(seats);
  for (std::size_t i = 0; i < seats.size(); ++i) {
    if (!seats[i].hold.is_none())
      list[i]["hold"] = write_reference("hold", show.number, seats[i].hold);
    if (!seats[i].order.is_none())
      list[i]["order"] = write_reference("order", show.number, seats[i].order);
  }
  return list;
}

response refusal_of(const orders::result& no, const shows::show_entry& show, bool drop_in) {
  if (const auto* seats = std::get_if<seating::refusal>(&no))
    return problem_response(409, "seat-unavailable",
                            seats->empty()
                                ? "No free seats match what you ask for. Ask for fewer, for other "
                                  "ones, or allow them to be split."
                                : "Not all of these seats can be had; none was taken for you.",
                            "", ordered_json{{"unavailable", unavailable_json(*seats)}});
  if (std::holds_alternative<waiting_room::rejection>(no))
    return not_admitted(show, drop_in);
  if (const auto* why = std::get_if<orders::rejection>(&no)) {
    if (*why == orders::rejection::not_admitted)
      return not_admitted(show, drop_in);
    return refusal_of(*why);
  }
  return problem_response(500, "internal", "The desk gave no answer.");
}

} // namespace usher::http

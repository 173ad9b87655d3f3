#include "http/api/reference.hpp"
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
    return {409, "order-not-paid", "Only seats of a paid order can be returned to sale."};
  case seat_not_sold:
    return {409, "seat-not-sold", "The order does not have these seats, or not any more."};
  case payment_running:
    return {409, "payment-running",
            "A payment of this order is being checked. Look at the order again in a moment."};
  }
  return {500, "internal", "The desk gave no answer."};
}

} // namespace

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
    const auto words = wording_of(*why);
    return problem_response(words.status, words.code, words.detail);
  }
  return problem_response(500, "internal", "The desk gave no answer.");
}

} // namespace usher::http

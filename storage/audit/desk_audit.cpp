#include "storage/audit/desk_audit.hpp"

#include "storage/audit/desk_judge.hpp"
#include "storage/audit/names.hpp"
#include "storage/audit/room_audit.hpp"

#include <algorithm>

namespace usher::storage::audit {

money hold::total() const {
  money sum{0, currency};
  for (const auto& seat : seats)
    sum.amount_minor += seat.price_minor;
  return sum;
}

std::size_t hold::seats_left() const {
  return static_cast<std::size_t>(std::ranges::count(seats, false, &promised_seat::returned));
}

bool order::gives_back(const seat_id& seat) const {
  return std::ranges::any_of(refunds, [&](const auto& one) {
    return one.second.outcome != orders::refund_outcome::refused &&
           std::ranges::find(one.second.seats, seat) != one.second.seats.end();
  });
}

std::string_view to_string(order_state state) {
  switch (state) {
  case order_state::pending:
    return "PENDING";
  case order_state::paying:
    return "PAYING";
  case order_state::paid:
    return "PAID";
  case order_state::refund_due:
    return "REFUND_DUE";
  case order_state::expired:
    return "EXPIRED";
  case order_state::cancelled:
    return "CANCELLED";
  case order_state::partly_refunded:
    return "PARTLY_REFUNDED";
  case order_state::refunded:
    return "REFUNDED";
  }
  return "?";
}

std::string desk_judge::named(const hold_id& hold) const {
  return reference_text("hold", show_.number, hold);
}

std::string desk_judge::named(const order_id& order) const {
  return reference_text("order", show_.number, order);
}

std::string desk_judge::named(const payment_id& payment) const {
  return reference_text("payment", show_.number, payment);
}

std::string desk_judge::named(const refund_id& refund) const {
  return reference_text("refund", show_.number, refund);
}

void desk_judge::expect(duty what, const order_id& which, fault broken, std::string sentence) {
  together_.expect(what, id_, which, here_, broken, std::move(sentence));
}

const order* desk_judge::order_of(const hold& it) const {
  const auto found = show_.orders.find(it.order);
  return it.order.is_none() || found == show_.orders.end() ? nullptr : &found->second;
}

void desk_judge::judge_who(const std::string& what, bool box_office, std::optional<slot_t> owner,
                           fault without_admission) const {
  if (box_office) {
    if (!here_.by_operator())
      report(fault::box_office_by_other, what + " at the box office, and not by an operator.");
    return;
  }
  if (is_cashier())
    return; // asks nobody for an admission
  if (const auto why = no_admission(show_.room, owner, at()); !why.empty())
    report(without_admission, what + ", but " + why + ".");
}

void take(show& where, const show_id& id, const orders::any_event& happened, batch_audit& together,
          const spot& here) {
  desk_judge desk{where, id, together, here};
  const bool of_a_hold = std::holds_alternative<orders::event::hold_placed>(happened) ||
                         std::holds_alternative<orders::event::hold_changed>(happened) ||
                         std::holds_alternative<orders::event::hold_ended>(happened);
  if (id.empty() && of_a_hold)
    here.report(fault::event_misplaced, "The cashier has no holds.");
  else
    std::visit([&](const auto& e) { desk.take(e); }, happened);
}

} // namespace usher::storage::audit

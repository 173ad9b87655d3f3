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
  }
  return "?";
}

std::string desk_judge::named(const hold_id& hold) const {
  return reference_text("hold", show_.number, hold);
}

std::string desk_judge::named(const order_id& order) const {
  return reference_text("order", show_.number, order);
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
  if (const auto why = no_admission(show_.room, owner, at()); !why.empty())
    report(without_admission, what + ", but " + why + ".");
}

void take(show& where, const show_id& id, const orders::any_event& happened, batch_audit& together,
          const spot& here) {
  desk_judge desk{where, id, together, here};
  std::visit([&](const auto& e) { desk.take(e); }, happened);
}

} // namespace usher::storage::audit

#include "storage/audit/describe.hpp"

#include "storage/audit/names.hpp"

namespace usher::storage::audit {

namespace {

template <class Items, class Text>
std::string list(const Items& items, Text text) {
  constexpr std::size_t shown_max = 20;
  std::string all;
  for (std::size_t i = 0; i < items.size() && i < shown_max; ++i)
    all += (i == 0 ? "" : ", ") + text(items[i]);
  if (items.size() > shown_max)
    all += " and " + std::to_string(items.size() - shown_max) + " more";
  return all;
}

std::string seats(const std::vector<seat_id>& ids) {
  return list(ids, [](const seat_id& id) { return id; });
}
std::string slots(const std::vector<slot_t>& all) {
  return (all.size() == 1 ? "ticket " : "tickets ") +
         list(all, [](slot_t slot) { return std::to_string(slot); });
}
std::string price(const money& value) {
  return std::to_string(value.amount_minor) + " " + value.currency + " (minor units)";
}
std::string owner_text(const std::optional<slot_t>& owner) {
  return owner ? "ticket " + std::to_string(*owner) : "nobody's ticket (room off)";
}

class teller {
public:
  explicit teller(show_number show) : show_{show} {}

  template <class... Event>
  std::string operator()(const std::variant<Event...>& any) const {
    return std::visit([this](const auto& e) { return tell(e); }, any);
  }

private:
  std::string hold(const hold_id& id) const { return reference_text("hold", show_, id); }
  std::string order(const order_id& id) const { return reference_text("order", show_, id); }

  std::string tell(const waiting_room::event::room_configured& e) const {
    return "room set to " + std::to_string(e.to.admit_per_second_micro) +
           " millionths of a fan a second, tick " + std::to_string(e.to.tick_ms) + " ms";
  }
  std::string tell(const waiting_room::event::room_opened&) const { return "room opened"; }
  std::string tell(const waiting_room::event::room_closed&) const {
    return "room closed: every live ticket ended";
  }
  std::string tell(const waiting_room::event::fans_joined& e) const {
    return std::to_string(e.nonces.size()) + " joined, from ticket " + std::to_string(e.first) +
           " on";
  }
  std::string tell(const waiting_room::event::fan_identified& e) const {
    return "ticket " + std::to_string(e.slot) + " has another identity, too";
  }
  std::string tell(const waiting_room::event::fans_admitted& e) const {
    return slots(e.slots) + " admitted until " + time_text(e.until);
  }
  std::string tell(const waiting_room::event::admission_kept& e) const {
    return "admission of ticket " + std::to_string(e.slot) +
           (e.busy_until == 0 ? " kept by nothing more"
                              : " kept until " + time_text(e.busy_until)) +
           (e.spent ? ", an order is paid" : "");
  }
  std::string tell(const waiting_room::event::tickets_ended& e) const {
    return slots(e.slots) + " ended: " + std::string{to_string(e.reason)};
  }
  std::string tell(const seating::event::block_planned& e) const {
    return "block planned with " + std::to_string(e.seats.size()) + " seats";
  }
  std::string tell(const seating::event::seats_held& e) const {
    return seats(e.seats) + " held for " + hold(e.hold) + " until " + time_text(e.until);
  }
  std::string tell(const seating::event::seats_released& e) const {
    return seats(e.seats) + " given back by " + hold(e.hold);
  }
  std::string tell(const seating::event::seats_sold& e) const {
    return seats(e.seats) + " sold to " + order(e.order);
  }
  std::string tell(const orders::event::hold_placed& e) const {
    return hold(e.hold) + " placed by " + owner_text(e.owner) + ": " +
           list(e.seats, [](const orders::offered_seat& seat) { return seat.id; }) + " until " +
           time_text(e.until);
  }
  std::string tell(const orders::event::hold_ended& e) const {
    return hold(e.hold) + " ended: " + std::string{to_string(e.reason)};
  }
  std::string tell(const orders::event::order_placed& e) const {
    return order(e.order) + " placed by " + owner_text(e.owner) + " for " +
           (e.hold.is_none() ? "the seller's " + e.hold_ref : hold(e.hold)) + ", " +
           price(e.total) + ", to be paid until " + time_text(e.until);
  }
  std::string tell(const orders::event::payment_started& e) const {
    return "payment " + reference_text("payment", show_, e.payment) + " of " + order(e.order) +
           " started: " + e.gateway + ", " + e.method;
  }
  std::string tell(const orders::event::payment_settled& e) const {
    return "payment " + reference_text("payment", show_, e.payment) + " of " + order(e.order) +
           " " + std::string{to_string(e.outcome)} +
           (e.reference.empty() ? "" : ", reference " + e.reference);
  }
  std::string tell(const orders::event::order_paid& e) const {
    return order(e.order) + " PAID: " + e.gateway + ", reference " + e.reference;
  }
  std::string tell(const orders::event::order_refund_due& e) const {
    return order(e.order) + " REFUND_DUE: " + e.gateway + ", reference " + e.reference;
  }
  std::string tell(const orders::event::order_expired& e) const {
    return order(e.order) + " EXPIRED";
  }
  std::string tell(const orders::event::order_cancelled& e) const {
    return order(e.order) + " CANCELLED";
  }
  std::string tell(const shows::event::show_created& e) const {
    return "show " + e.id + " created as number " + std::to_string(e.number);
  }
  std::string tell(const shows::event::show_changed& e) const {
    return "show number " + std::to_string(e.number) + " changed";
  }
  std::string tell(const access::event::key_created& e) const {
    return "key " + e.id + " created: " + std::string{to_string(e.role)};
  }

  show_number show_;
};

} // namespace

std::string describe(const any_fact& what, show_number show) {
  return std::visit(teller{show}, what);
}

} // namespace usher::storage::audit

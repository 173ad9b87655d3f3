#include "storage/audit/describe.hpp"

#include "storage/audit/describe_room.hpp"
#include "storage/audit/lists.hpp"
#include "storage/audit/names.hpp"

namespace usher::storage::audit {

namespace {

std::string seats(const std::vector<seat_id>& ids) {
  return list_text(ids, [](const seat_id& id) { return id; });
}
std::string price(const money& value) {
  return std::to_string(value.amount_minor) + " " + value.currency + " (minor units)";
}
std::string offered(const std::vector<orders::offered_seat>& all) {
  return list_text(all, [](const orders::offered_seat& seat) { return seat.id; });
}
std::string with_reference(const std::string& reference) {
  return reference.empty() ? "" : ", reference " + reference;
}
std::string because(const std::string& reason) {
  return reason.empty() ? "" : ": " + reason;
}
std::string owner_text(const std::optional<slot_t>& owner, bool box_office) {
  if (box_office)
    return "the box office";
  return owner ? "ticket " + std::to_string(*owner) : "nobody's ticket (room off)";
}

class teller {
public:
  explicit teller(show_number show) : show_{show} {}

  std::string operator()(const waiting_room::any_event& any) const {
    return describe_room(any, show_);
  }
  template <class... Event>
  std::string operator()(const std::variant<Event...>& any) const {
    return std::visit([this](const auto& e) { return tell(e); }, any);
  }

private:
  std::string hold(const hold_id& id) const { return reference_text("hold", show_, id); }
  std::string order(const order_id& id) const { return reference_text("order", show_, id); }
  std::string payment(const payment_id& id) const { return reference_text("payment", show_, id); }
  std::string refund(const refund_id& id) const { return reference_text("refund", show_, id); }

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
  std::string tell(const seating::event::seats_blocked& e) const {
    return seats(e.seats) + " taken off sale" + because(e.note);
  }
  std::string tell(const seating::event::seats_unblocked& e) const {
    return seats(e.seats) + " put back on sale";
  }
  std::string tell(const seating::event::seats_returned& e) const {
    return seats(e.seats) + " of " + order(e.order) + " put back on sale";
  }
  std::string tell(const orders::event::hold_placed& e) const {
    return hold(e.hold) + " placed by " + owner_text(e.owner, e.box_office) + ": " +
           offered(e.seats) + " until " + time_text(e.until);
  }
  std::string tell(const orders::event::hold_changed& e) const {
    const auto which = hold(e.hold) + ", generation " + std::to_string(e.generation) + ", ";
    switch (e.what) {
    case orders::hold_change::extended:
      return which + "extended until " + time_text(e.until);
    case orders::hold_change::added:
      return which + "has " + offered(e.added) + " too";
    case orders::hold_change::released:
      return which + "gave " + seats(e.removed) + " back";
    case orders::hold_change::withdrawn:
      return which + "lost " + seats(e.removed) + " to an operator";
    case orders::hold_change::kept_for_payment:
      return which + "kept until " + time_text(e.until) + " while it is being paid";
    case orders::hold_change::payment_over:
      return which + "lasts until " + time_text(e.until) + " again: no money came";
    }
    return which;
  }
  std::string tell(const orders::event::hold_ended& e) const {
    return hold(e.hold) + " ended: " + std::string{to_string(e.reason)};
  }
  std::string tell(const orders::event::order_placed& e) const {
    return order(e.order) + " placed by " + owner_text(e.owner, e.box_office) + " for " +
           (e.hold.is_none() ? "the seller's " + e.hold_ref : hold(e.hold)) + ", " +
           price(e.total) + ", to be paid until " + time_text(e.until);
  }
  std::string tell(const orders::event::payment_started& e) const {
    auto text =
        payment(e.payment) + " of " + order(e.order) + " started: " + e.gateway + ", " + e.method;
    if (e.chosen)
      text += ", as the fan chose";
    if (!e.follows.is_none())
      text += ", after " + payment(e.follows) + " could not charge";
    if (!e.skipped.empty())
      text += ", passed over: " + list_text(e.skipped, [](const payments::passed_over& one) {
                return one.gateway + " (" + one.why + ")";
              });
    return e.until == 0 ? text : text + ", given up at " + time_text(e.until);
  }
  std::string tell(const orders::event::payment_settled& e) const {
    return payment(e.payment) + " of " + order(e.order) + " " + std::string{to_string(e.outcome)} +
           with_reference(e.reference) + because(e.reason) +
           (e.amount_minor ? ", " + std::to_string(*e.amount_minor) + " (minor units)" : "") +
           (e.known ? ", money that was reported before" : "");
  }
  std::string tell(const orders::event::payment_reported& e) const {
    return "money of " + order(e.order) + " reported: " + std::to_string(e.amount_minor) +
           " (minor units), " + e.gateway + with_reference(e.reference) +
           (e.payment.is_none() ? "" : ", of " + payment(e.payment) + " after all");
  }
  std::string tell(const orders::event::report_kept& e) const {
    return "money reported for " +
           (e.order.is_none() ? "the seller's " + e.hold_ref : order(e.order)) +
           ", which is not there yet: " + price(e.amount) + ", " + e.gateway +
           with_reference(e.reference);
  }
  std::string tell(const orders::event::order_paid& e) const {
    return order(e.order) + " PAID: " + e.gateway + with_reference(e.reference);
  }
  std::string tell(const orders::event::order_refund_due& e) const {
    return order(e.order) + " REFUND_DUE: " + e.gateway + with_reference(e.reference);
  }
  std::string tell(const orders::event::order_expired& e) const {
    return order(e.order) + " EXPIRED";
  }
  std::string tell(const orders::event::order_cancelled& e) const {
    return order(e.order) + " CANCELLED";
  }
  std::string tell(const orders::event::order_seats_returned& e) const {
    return order(e.order) + " returned " + seats(e.seats) + with_reference(e.reference);
  }
  std::string tell(const orders::event::refund_started& e) const {
    return refund(e.refund) + " of " + order(e.order) + " started (" +
           std::string{to_string(e.cause)} + "): " + std::to_string(e.amount_minor) +
           " (minor units) of " +
           (e.payment.is_none() ? "the money that was reported" : payment(e.payment)) + ", " +
           e.gateway + with_reference(e.reference) +
           (e.seats.empty() ? "" : ", for " + seats(e.seats)) +
           (e.resell ? ", to be sold again" : "") + because(e.note);
  }
  std::string tell(const orders::event::refund_tried& e) const {
    return refund(e.refund) + " of " + order(e.order) +
           " tried in vain: " + std::string{to_string(e.outcome)} + with_reference(e.reference) +
           because(e.reason);
  }
  std::string tell(const orders::event::refund_settled& e) const {
    return refund(e.refund) + " of " + order(e.order) + " " + std::string{to_string(e.outcome)} +
           with_reference(e.reference) + because(e.reason);
  }
  std::string tell(const orders::event::tickets_issued& e) const {
    return "tickets of " + order(e.order) + " issued for " + seats(e.seats);
  }
  std::string tell(const orders::event::ticket_used& e) const {
    return "ticket of " + order(e.order) + " for " + e.seat + " used" +
           (e.gate.empty() ? "" : " at " + e.gate);
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
  std::string tell(const payments::event::breaker_changed& e) const {
    auto text = "breaker of " + e.gateway + " " + std::string{to_string(e.from)} + " -> " +
                std::string{to_string(e.to)};
    if (e.to != payments::breaker_status::half_open)
      text += ", " + std::to_string(e.failures) + " of " + std::to_string(e.calls) + " failed";
    if (e.to == payments::breaker_status::open)
      text += ", until " + time_text(e.until);
    return text + because(e.why);
  }

  show_number show_;
};

} // namespace

std::string describe(const any_fact& what, show_number show) {
  return std::visit(teller{show}, what);
}

} // namespace usher::storage::audit

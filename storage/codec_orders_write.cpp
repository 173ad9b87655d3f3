#include "storage/codec_parts.hpp"

// Writing; codec_orders.cpp reads.
namespace usher::storage {

namespace {

namespace event = orders::event;

json seat_maps(const std::vector<orders::offered_seat>& seats) {
  auto all = json::array();
  for (const auto& seat : seats)
    all.push_back(json::object({{"id", seat.id},
                                {"block", seat.block},
                                {"category", seat.category},
                                {"priceMinor", seat.price_minor}}));
  return all;
}

json money_map(const money& value) {
  return json::object({{"amountMinor", value.amount_minor}, {"currency", value.currency}});
}

void put_asked(json& map, const std::optional<orders::idempotency>& asked) {
  if (asked)
    map["asked"] = json::object(
        {{"key", byte_string(asked->key)}, {"fingerprint", byte_string(asked->fingerprint)}});
}

/// An id that is left out where it is none.
void put_id(json& map, const char* name, const id128& id) {
  if (!id.is_none())
    map[name] = byte_string(id);
}

encoded write(const event::hold_placed& e) {
  auto map = json::object({{"hold", byte_string(e.hold)},
                           {"seats", seat_maps(e.seats)},
                           {"currency", e.currency},
                           {"until", e.until},
                           {"boxOffice", e.box_office}});
  if (e.owner)
    map["owner"] = *e.owner;
  put_id(map, "customer", e.customer);
  put_asked(map, e.asked);
  return pack("hold_placed", map);
}

encoded write(const event::hold_changed& e) {
  auto map = json::object({{"hold", byte_string(e.hold)},
                           {"generation", e.generation},
                           {"what", orders::to_string(e.what)},
                           {"added", seat_maps(e.added)},
                           {"removed", e.removed},
                           {"until", e.until}});
  put_asked(map, e.asked);
  return pack("hold_changed", map);
}

encoded write(const event::hold_ended& e) {
  return pack("hold_ended", json::object({{"hold", byte_string(e.hold)},
                                          {"reason", orders::to_string(e.reason)}}));
}

encoded write(const event::order_placed& e) {
  auto map = json::object({{"order", byte_string(e.order)},
                           {"holdRef", e.hold_ref},
                           {"total", money_map(e.total)},
                           {"until", e.until},
                           {"customer", byte_string(e.customer)},
                           {"boxOffice", e.box_office}});
  if (e.owner)
    map["owner"] = *e.owner;
  put_id(map, "hold", e.hold);
  put_asked(map, e.asked);
  return pack("order_placed", map);
}

encoded write(const event::payment_started& e) {
  auto skipped = json::array();
  for (const auto& [gateway, why] : e.skipped)
    skipped.push_back(json::object({{"gateway", gateway}, {"why", why}}));
  auto map = json::object({{"order", byte_string(e.order)},
                           {"payment", byte_string(e.payment)},
                           {"gateway", e.gateway},
                           {"method", e.method},
                           {"token", byte_string(e.token)},
                           {"country", e.country},
                           {"chosen", e.chosen},
                           {"skipped", std::move(skipped)},
                           {"until", e.until}});
  put_id(map, "follows", e.follows);
  put_asked(map, e.asked);
  return pack("payment_started", map);
}

encoded write(const event::payment_settled& e) {
  auto map = json::object({{"order", byte_string(e.order)},
                           {"payment", byte_string(e.payment)},
                           {"outcome", orders::to_string(e.outcome)},
                           {"reference", e.reference},
                           {"reason", e.reason},
                           {"known", e.known}});
  if (e.amount_minor)
    map["amountMinor"] = *e.amount_minor;
  return pack("payment_settled", map);
}

encoded write(const event::payment_reported& e) {
  auto map = json::object({{"order", byte_string(e.order)},
                           {"gateway", e.gateway},
                           {"reference", e.reference},
                           {"amountMinor", e.amount_minor}});
  put_id(map, "payment", e.payment);
  put_asked(map, e.asked);
  return pack("payment_reported", map);
}

encoded write(const event::report_kept& e) {
  auto map = json::object({{"gateway", e.gateway},
                           {"reference", e.reference},
                           {"holdRef", e.hold_ref},
                           {"amount", money_map(e.amount)}});
  put_id(map, "order", e.order);
  return pack("report_kept", map);
}

/// order_paid and order_refund_due: the payment that did it.
template <class Event>
json paid_map(const Event& e) {
  return json::object(
      {{"order", byte_string(e.order)}, {"gateway", e.gateway}, {"reference", e.reference}});
}

encoded write(const event::order_paid& e) {
  return pack("order_paid", paid_map(e));
}

encoded write(const event::order_refund_due& e) {
  return pack("order_refund_due", paid_map(e));
}

encoded write(const event::order_expired& e) {
  return pack("order_expired", json::object({{"order", byte_string(e.order)}}));
}

encoded write(const event::order_cancelled& e) {
  auto map = json::object({{"order", byte_string(e.order)}});
  put_asked(map, e.asked);
  return pack("order_cancelled", map);
}

encoded write(const event::order_seats_returned& e) {
  return pack("order_seats_returned", json::object({{"order", byte_string(e.order)},
                                                    {"seats", e.seats},
                                                    {"reference", e.reference}}));
}

encoded write(const event::refund_started& e) {
  auto map = json::object({{"order", byte_string(e.order)},
                           {"refund", byte_string(e.refund)},
                           {"gateway", e.gateway},
                           {"reference", e.reference},
                           {"amountMinor", e.amount_minor},
                           {"seats", e.seats},
                           {"resell", e.resell},
                           {"cause", orders::to_string(e.cause)},
                           {"note", e.note}});
  put_id(map, "payment", e.payment);
  put_asked(map, e.asked);
  return pack("refund_started", map);
}

encoded write(const event::refund_tried& e) {
  return pack("refund_tried", json::object({{"order", byte_string(e.order)},
                                            {"refund", byte_string(e.refund)},
                                            {"outcome", payments::to_string(e.outcome)},
                                            {"reference", e.reference},
                                            {"reason", e.reason}}));
}

encoded write(const event::refund_settled& e) {
  auto map = json::object({{"order", byte_string(e.order)},
                           {"refund", byte_string(e.refund)},
                           {"outcome", orders::to_string(e.outcome)},
                           {"reference", e.reference},
                           {"reason", e.reason}});
  put_asked(map, e.asked);
  return pack("refund_settled", map);
}

encoded write(const event::tickets_issued& e) {
  return pack("tickets_issued",
              json::object({{"order", byte_string(e.order)}, {"seats", e.seats}}));
}

encoded write(const event::ticket_used& e) {
  return pack("ticket_used",
              json::object({{"order", byte_string(e.order)}, {"seat", e.seat}, {"gate", e.gate}}));
}

} // namespace

encoded encode(const orders::any_event& happened) {
  return std::visit([](const auto& e) { return write(e); }, happened);
}

} // namespace usher::storage

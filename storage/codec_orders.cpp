#include "storage/codec_parts.hpp"

#include "actors/basics/overloaded.hpp"

#include <array>

namespace usher::storage {

namespace {

namespace event = orders::event;
using orders::any_event;

json seat_maps(const std::vector<orders::offered_seat>& seats) {
  auto all = json::array();
  for (const auto& seat : seats)
    all.push_back(json::object({{"id", seat.id},
                                {"block", seat.block},
                                {"category", seat.category},
                                {"priceMinor", seat.price_minor}}));
  return all;
}

orders::offered_seat read_seat(fields& in) {
  return {.id = in.text("id"),
          .block = in.text("block"),
          .category = in.text("category"),
          .price_minor = in.i64("priceMinor")};
}

void put_asked(json& map, const std::optional<orders::idempotency>& asked) {
  if (asked)
    map["asked"] = json::object(
        {{"key", byte_string(asked->key)}, {"fingerprint", byte_string(asked->fingerprint)}});
}

std::optional<orders::idempotency> read_asked(fields& in) {
  return in.optional_map("asked", [](fields& asked) {
    return orders::idempotency{.key = asked.id<request_key>("key"),
                               .fingerprint = asked.id<id128>("fingerprint")};
  });
}

json hold_placed_map(const event::hold_placed& e) {
  auto map = json::object({{"hold", byte_string(e.hold)},
                           {"seats", seat_maps(e.seats)},
                           {"currency", e.currency},
                           {"until", e.until},
                           {"boxOffice", e.box_office}});
  if (e.owner)
    map["owner"] = *e.owner;
  if (!e.customer.is_none())
    map["customer"] = byte_string(e.customer);
  put_asked(map, e.asked);
  return map;
}

any_event read_hold_placed(fields& in) {
  return event::hold_placed{.hold = in.id<hold_id>("hold"),
                            .owner = in.optional_u32("owner"),
                            .seats = in.maps("seats", read_seat),
                            .currency = in.text("currency"),
                            .until = in.i64("until"),
                            .asked = read_asked(in),
                            .customer = in.optional_id<identity>("customer"),
                            .box_office = in.flag("boxOffice")};
}

json hold_changed_map(const event::hold_changed& e) {
  auto map = json::object({{"hold", byte_string(e.hold)},
                           {"generation", e.generation},
                           {"what", orders::to_string(e.what)},
                           {"added", seat_maps(e.added)},
                           {"removed", e.removed},
                           {"until", e.until}});
  put_asked(map, e.asked);
  return map;
}

any_event read_hold_changed(fields& in) {
  return event::hold_changed{.hold = in.id<hold_id>("hold"),
                             .generation = in.u32("generation"),
                             .what = in.name_of("what", orders::hold_change_of),
                             .added = in.maps("added", read_seat),
                             .removed = in.texts("removed"),
                             .until = in.i64("until"),
                             .asked = read_asked(in)};
}

any_event read_hold_ended(fields& in) {
  return event::hold_ended{.hold = in.id<hold_id>("hold"),
                           .reason = in.name_of("reason", orders::hold_end_of)};
}

json order_placed_map(const event::order_placed& e) {
  auto map = json::object({{"order", byte_string(e.order)},
                           {"holdRef", e.hold_ref},
                           {"total", json::object({{"amountMinor", e.total.amount_minor},
                                                   {"currency", e.total.currency}})},
                           {"until", e.until},
                           {"customer", byte_string(e.customer)},
                           {"boxOffice", e.box_office}});
  if (e.owner)
    map["owner"] = *e.owner;
  if (!e.hold.is_none())
    map["hold"] = byte_string(e.hold);
  put_asked(map, e.asked);
  return map;
}

money read_money_map(fields& in) {
  return {.amount_minor = in.i64("amountMinor"), .currency = in.text("currency")};
}

any_event read_order_placed(fields& in) {
  return event::order_placed{.order = in.id<order_id>("order"),
                             .owner = in.optional_u32("owner"),
                             .hold = in.optional_id<hold_id>("hold"),
                             .hold_ref = in.text("holdRef"),
                             .total = in.map("total", read_money_map),
                             .until = in.i64("until"),
                             .customer = in.bytes("customer"),
                             .asked = read_asked(in),
                             .box_office = in.flag("boxOffice")};
}

json payment_started_map(const event::payment_started& e) {
  auto map = json::object({{"order", byte_string(e.order)},
                           {"payment", byte_string(e.payment)},
                           {"gateway", e.gateway},
                           {"method", e.method}});
  put_asked(map, e.asked);
  return map;
}

any_event read_payment_started(fields& in) {
  return event::payment_started{.order = in.id<order_id>("order"),
                                .payment = in.id<payment_id>("payment"),
                                .gateway = in.text("gateway"),
                                .method = in.text("method"),
                                .asked = read_asked(in)};
}

json payment_settled_map(const event::payment_settled& e) {
  return json::object({{"order", byte_string(e.order)},
                       {"payment", byte_string(e.payment)},
                       {"outcome", orders::to_string(e.outcome)},
                       {"reference", e.reference}});
}

any_event read_payment_settled(fields& in) {
  return event::payment_settled{.order = in.id<order_id>("order"),
                                .payment = in.id<payment_id>("payment"),
                                .outcome = in.name_of("outcome", orders::payment_outcome_of),
                                .reference = in.text("reference")};
}

/// order_paid and order_refund_due: the payment that did it.
template <class Event>
json paid_map(const Event& e) {
  return json::object(
      {{"order", byte_string(e.order)}, {"gateway", e.gateway}, {"reference", e.reference}});
}

template <class Event>
any_event read_paid(fields& in) {
  return Event{.order = in.id<order_id>("order"),
               .gateway = in.text("gateway"),
               .reference = in.text("reference")};
}

any_event read_order_seats_returned(fields& in) {
  return event::order_seats_returned{.order = in.id<order_id>("order"),
                                     .seats = in.texts("seats"),
                                     .reference = in.text("reference")};
}

json order_map(const order_id& order) {
  return json::object({{"order", byte_string(order)}});
}

template <class Event>
any_event read_order(fields& in) {
  return Event{.order = in.id<order_id>("order")};
}

constexpr std::array<event_reader<any_event>, 11> readers{{
    {"hold_placed", read_hold_placed},
    {"hold_changed", read_hold_changed},
    {"hold_ended", read_hold_ended},
    {"order_placed", read_order_placed},
    {"payment_started", read_payment_started},
    {"payment_settled", read_payment_settled},
    {"order_paid", read_paid<event::order_paid>},
    {"order_refund_due", read_paid<event::order_refund_due>},
    {"order_expired", read_order<event::order_expired>},
    {"order_cancelled", read_order<event::order_cancelled>},
    {"order_seats_returned", read_order_seats_returned},
}};

} // namespace

encoded encode(const any_event& happened) {
  return std::visit(
      overloaded{
          [](const event::hold_placed& e) { return pack("hold_placed", hold_placed_map(e)); },
          [](const event::hold_changed& e) { return pack("hold_changed", hold_changed_map(e)); },
          [](const event::hold_ended& e) {
            return pack("hold_ended", json::object({{"hold", byte_string(e.hold)},
                                                    {"reason", orders::to_string(e.reason)}}));
          },
          [](const event::order_placed& e) { return pack("order_placed", order_placed_map(e)); },
          [](const event::payment_started& e) {
            return pack("payment_started", payment_started_map(e));
          },
          [](const event::payment_settled& e) {
            return pack("payment_settled", payment_settled_map(e));
          },
          [](const event::order_paid& e) { return pack("order_paid", paid_map(e)); },
          [](const event::order_refund_due& e) { return pack("order_refund_due", paid_map(e)); },
          [](const event::order_expired& e) { return pack("order_expired", order_map(e.order)); },
          [](const event::order_cancelled& e) {
            return pack("order_cancelled", order_map(e.order));
          },
          [](const event::order_seats_returned& e) {
            return pack("order_seats_returned", json::object({{"order", byte_string(e.order)},
                                                              {"seats", e.seats},
                                                              {"reference", e.reference}}));
          },
      },
      happened);
}

std::variant<any_event, failure> decode_orders(std::string_view type, std::uint32_t schema,
                                               std::string_view data) {
  return decode_with<any_event>(readers, aggregate::orders, type, schema, data);
}

} // namespace usher::storage

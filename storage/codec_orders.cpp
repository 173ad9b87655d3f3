#include "storage/codec_parts.hpp"

#include <array>

// Reading; codec_orders_write.cpp writes.
namespace usher::storage {

namespace {

namespace event = orders::event;
using orders::any_event;

orders::offered_seat read_seat(fields& in) {
  return {.id = in.text("id"),
          .block = in.text("block"),
          .category = in.text("category"),
          .price_minor = in.i64("priceMinor")};
}

std::optional<orders::idempotency> read_asked(fields& in) {
  return in.optional_map("asked", [](fields& asked) {
    return orders::idempotency{.key = asked.id<request_key>("key"),
                               .fingerprint = asked.id<id128>("fingerprint")};
  });
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

payments::passed_over read_passed_over(fields& in) {
  return {.gateway = in.text("gateway"), .why = in.text("why")};
}

any_event read_payment_started(fields& in) {
  return event::payment_started{.order = in.id<order_id>("order"),
                                .payment = in.id<payment_id>("payment"),
                                .gateway = in.text("gateway"),
                                .method = in.text("method"),
                                .asked = read_asked(in),
                                .token = in.bytes("token"),
                                .country = in.text("country"),
                                .chosen = in.flag("chosen"),
                                .follows = in.optional_id<payment_id>("follows"),
                                .skipped = in.maps("skipped", read_passed_over),
                                .until = in.i64("until")};
}

any_event read_payment_settled(fields& in) {
  return event::payment_settled{.order = in.id<order_id>("order"),
                                .payment = in.id<payment_id>("payment"),
                                .outcome = in.name_of("outcome", orders::payment_outcome_of),
                                .reference = in.text("reference"),
                                .reason = in.text("reason"),
                                .known = in.flag("known"),
                                .amount_minor = in.optional_i64("amountMinor")};
}

any_event read_payment_reported(fields& in) {
  return event::payment_reported{.order = in.id<order_id>("order"),
                                 .payment = in.optional_id<payment_id>("payment"),
                                 .gateway = in.text("gateway"),
                                 .reference = in.text("reference"),
                                 .amount_minor = in.i64("amountMinor"),
                                 .asked = read_asked(in)};
}

any_event read_report_kept(fields& in) {
  return event::report_kept{.gateway = in.text("gateway"),
                            .reference = in.text("reference"),
                            .order = in.optional_id<order_id>("order"),
                            .hold_ref = in.text("holdRef"),
                            .amount = in.map("amount", read_money_map)};
}

/// order_paid and order_refund_due: the payment that did it.
template <class Event>
any_event read_paid(fields& in) {
  return Event{.order = in.id<order_id>("order"),
               .gateway = in.text("gateway"),
               .reference = in.text("reference")};
}

any_event read_order_expired(fields& in) {
  return event::order_expired{.order = in.id<order_id>("order")};
}

any_event read_order_cancelled(fields& in) {
  return event::order_cancelled{.order = in.id<order_id>("order"), .asked = read_asked(in)};
}

any_event read_order_seats_returned(fields& in) {
  return event::order_seats_returned{.order = in.id<order_id>("order"),
                                     .seats = in.texts("seats"),
                                     .reference = in.text("reference")};
}

any_event read_refund_started(fields& in) {
  return event::refund_started{.order = in.id<order_id>("order"),
                               .refund = in.id<refund_id>("refund"),
                               .payment = in.optional_id<payment_id>("payment"),
                               .gateway = in.text("gateway"),
                               .reference = in.text("reference"),
                               .amount_minor = in.i64("amountMinor"),
                               .seats = in.texts("seats"),
                               .resell = in.flag("resell"),
                               .cause = in.name_of("cause", orders::refund_cause_of),
                               .note = in.text("note"),
                               .asked = read_asked(in)};
}

any_event read_refund_tried(fields& in) {
  return event::refund_tried{.order = in.id<order_id>("order"),
                             .refund = in.id<refund_id>("refund"),
                             .outcome = in.name_of("outcome", payments::outcome_of),
                             .reference = in.text("reference"),
                             .reason = in.text("reason")};
}

any_event read_refund_settled(fields& in) {
  return event::refund_settled{.order = in.id<order_id>("order"),
                               .refund = in.id<refund_id>("refund"),
                               .outcome = in.name_of("outcome", orders::refund_outcome_of),
                               .reference = in.text("reference"),
                               .reason = in.text("reason"),
                               .asked = read_asked(in)};
}

any_event read_tickets_issued(fields& in) {
  return event::tickets_issued{.order = in.id<order_id>("order"), .seats = in.texts("seats")};
}

any_event read_ticket_used(fields& in) {
  return event::ticket_used{
      .order = in.id<order_id>("order"), .seat = in.text("seat"), .gate = in.text("gate")};
}

constexpr std::array<event_reader<any_event>, 18> readers{{
    {"hold_placed", read_hold_placed},
    {"hold_changed", read_hold_changed},
    {"hold_ended", read_hold_ended},
    {"order_placed", read_order_placed},
    {"payment_started", read_payment_started},
    {"payment_settled", read_payment_settled},
    {"payment_reported", read_payment_reported},
    {"report_kept", read_report_kept},
    {"order_paid", read_paid<event::order_paid>},
    {"order_refund_due", read_paid<event::order_refund_due>},
    {"order_expired", read_order_expired},
    {"order_cancelled", read_order_cancelled},
    {"order_seats_returned", read_order_seats_returned},
    {"refund_started", read_refund_started},
    {"refund_tried", read_refund_tried},
    {"refund_settled", read_refund_settled},
    {"tickets_issued", read_tickets_issued},
    {"ticket_used", read_ticket_used},
}};

} // namespace

std::variant<any_event, failure> decode_orders(std::string_view type, std::uint32_t schema,
                                               std::string_view data) {
  return decode_with<any_event>(readers, aggregate::orders, type, schema, data);
}

} // namespace usher::storage

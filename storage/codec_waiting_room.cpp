#include "storage/codec_columns.hpp"
#include "storage/codec_parts.hpp"
#include "storage/codec_room_settings.hpp"

#include <algorithm>
#include <array>
#include <limits>

// Reading; codec_waiting_room_write.cpp writes.
namespace usher::storage {

namespace {

namespace event = waiting_room::event;
using waiting_room::any_event;
using waiting_room::bytes32;

bytes32 read_bytes32(fields& in, const char* name) {
  bytes32 value{};
  in.fixed_bytes(name, value);
  return value;
}

template <class Event>
any_event read_nothing(fields&) {
  return Event{};
}

any_event read_room_configured(fields& in) {
  return event::room_configured{.to = in.map("to", read_settings),
                                .was = in.optional_map("was", read_settings)};
}

any_event read_room_scheduled(fields& in) {
  return event::room_scheduled{.commitment = read_bytes32(in, "commitment")};
}

any_event read_beacon_given(fields& in) {
  return event::beacon_given{.value = in.text("value")};
}

any_event read_places_drawn(fields& in) {
  return event::places_drawn{.seed = read_bytes32(in, "seed"),
                             .beacon = in.text("beacon"),
                             .order = u32_column(in, "order")};
}

any_event read_stock_changed(fields& in) {
  return event::stock_changed{.left = in.name_of("left", waiting_room::stock_of)};
}

any_event read_fans_joined(fields& in) {
  event::fans_joined e;
  e.first = in.u32("first");
  e.nonces = u64_column(in, "nonces");
  if (e.nonces.size() > std::numeric_limits<slot_t>::max() - e.first)
    in.wrong("nonces", "a column that ends before the slots do");
  const as_many nonces{e.nonces.size(), "nonces"};
  e.customers = optional_identity_column(in, "customers", nonces);
  e.keys = optional_identity_column(in, "keys", nonces);
  e.codes = optional_identity_column(in, "codes", nonces);
  e.tiers = optional_u8_column(in, "tiers", nonces);
  return e;
}

any_event read_fan_identified(fields& in) {
  return event::fan_identified{
      .slot = in.u32("slot"), .who = in.id<identity>("who"), .customer = in.flag("customer")};
}

any_event read_fan_promoted(fields& in) {
  event::fan_promoted e;
  e.slot = in.u32("slot");
  const auto tier = in.u32("tier");
  if (tier > std::numeric_limits<std::uint8_t>::max())
    in.wrong("tier", "the number of a tier, below 256");
  e.tier = static_cast<std::uint8_t>(tier);
  e.code = in.id<identity>("code");
  return e;
}

/// Of fans_passed_over and fans_returned.
template <class Event>
any_event read_seen(fields& in) {
  Event e{.slots = in.u32s("slots"), .seen = in.i64s("seen")};
  if (e.seen.size() != e.slots.size())
    in.wrong("seen", "an array of as many entries as `slots`");
  return e;
}

any_event read_fan_reentered(fields& in) {
  return event::fan_reentered{.slot = in.u32("slot")};
}

any_event read_fans_admitted(fields& in) {
  event::fans_admitted e{.slots = in.u32s("slots"),
                         .until = in.i64("until"),
                         .credit_left_micro = in.u64("creditLeftMicro"),
                         .who = {}};
  e.who = optional_identity_column(in, "who", {e.slots.size(), "slots"});
  return e;
}

any_event read_admission_kept(fields& in) {
  return event::admission_kept{
      .slot = in.u32("slot"), .busy_until = in.i64("busyUntil"), .spent = in.flag("spent")};
}

any_event read_tickets_ended(fields& in) {
  return event::tickets_ended{.reason = in.name_of("reason", waiting_room::end_reason_of),
                              .slots = in.u32s("slots")};
}

any_event read_ticket_revoked(fields& in) {
  return event::ticket_revoked{.slot = in.u32("slot"), .note = in.text("note")};
}

any_event read_codes_added(fields& in) {
  return event::codes_added{.batch = in.text("batch"),
                            .tier = in.text("tier"),
                            .single_use = in.flag("singleUse"),
                            .valid_from = in.optional_i64("validFrom"),
                            .valid_until = in.optional_i64("validUntil"),
                            .codes = identity_column(in, "codes")};
}

any_event read_message_set(fields& in) {
  return event::message_set{.texts = in.maps("texts", [](fields& one) {
    auto language = one.text("language");
    return std::pair{std::move(language), one.text("text")};
  })};
}

any_event read_wish_set(fields& in) {
  const auto wanted = [](fields& wish) {
    return waiting_room::wish{.category = wish.text("category"),
                              .block = wish.text("block"),
                              .quantity = wish.u32("quantity"),
                              .accessible = wish.u32("accessible"),
                              .price_max_minor = wish.optional_i64("priceMaxMinor")};
  };
  return event::wish_set{.slot = in.u32("slot"), .wanted = in.optional_map("wanted", wanted)};
}

any_event read_wish_answered(fields& in) {
  return event::wish_answered{
      .slot = in.u32("slot"), .hold = in.optional_id<hold_id>("hold"), .reason = in.text("reason")};
}

constexpr std::array readers{
    event_reader<any_event>{"room_configured", read_room_configured},
    event_reader<any_event>{"room_scheduled", read_room_scheduled},
    event_reader<any_event>{"room_unscheduled", read_nothing<event::room_unscheduled>},
    event_reader<any_event>{"prequeue_opened", read_nothing<event::prequeue_opened>},
    event_reader<any_event>{"beacon_given", read_beacon_given},
    event_reader<any_event>{"places_drawn", read_places_drawn},
    event_reader<any_event>{"room_opened", read_nothing<event::room_opened>},
    event_reader<any_event>{"room_put_on_standby", read_nothing<event::room_put_on_standby>},
    event_reader<any_event>{"room_paused", read_nothing<event::room_paused>},
    event_reader<any_event>{"room_resumed", read_nothing<event::room_resumed>},
    event_reader<any_event>{"stock_changed", read_stock_changed},
    event_reader<any_event>{"room_closed", read_nothing<event::room_closed>},
    event_reader<any_event>{"fans_joined", read_fans_joined},
    event_reader<any_event>{"fan_identified", read_fan_identified},
    event_reader<any_event>{"fan_promoted", read_fan_promoted},
    event_reader<any_event>{"fans_passed_over", read_seen<event::fans_passed_over>},
    event_reader<any_event>{"fans_returned", read_seen<event::fans_returned>},
    event_reader<any_event>{"fan_reentered", read_fan_reentered},
    event_reader<any_event>{"fans_admitted", read_fans_admitted},
    event_reader<any_event>{"admission_kept", read_admission_kept},
    event_reader<any_event>{"tickets_ended", read_tickets_ended},
    event_reader<any_event>{"ticket_revoked", read_ticket_revoked},
    event_reader<any_event>{"codes_added", read_codes_added},
    event_reader<any_event>{"message_set", read_message_set},
    event_reader<any_event>{"wish_set", read_wish_set},
    event_reader<any_event>{"wish_answered", read_wish_answered},
};
static_assert(readers.size() == std::variant_size_v<any_event>);

} // namespace

std::variant<any_event, failure> decode_waiting_room(std::string_view type, std::uint32_t schema,
                                                     std::string_view data) {
  return decode_with<any_event>(readers, aggregate::waiting_room, type, schema, data);
}

} // namespace usher::storage

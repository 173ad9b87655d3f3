#include "storage/codec_parts.hpp"

#include "actors/basics/overloaded.hpp"

#include <array>

namespace usher::storage {

namespace {

namespace event = seating::event;
using seating::any_event;

constexpr std::array<event_reader<any_event>, 7> readers{{
    {"block_planned",
     [](fields& in) -> any_event { return event::block_planned{.seats = in.texts("seats")}; }},
    {"seats_held",
     [](fields& in) -> any_event {
       return event::seats_held{.hold = in.id<hold_id>("hold"),
                                .seats = in.texts("seats"),
                                .until = in.i64("until"),
                                .generation = in.u32("generation")};
     }},
    {"seats_released",
     [](fields& in) -> any_event {
       return event::seats_released{.hold = in.id<hold_id>("hold"),
                                    .seats = in.texts("seats"),
                                    .generation = in.u32("generation")};
     }},
    {"seats_sold",
     [](fields& in) -> any_event {
       return event::seats_sold{.hold = in.optional_id<hold_id>("hold"),
                                .order = in.id<order_id>("order"),
                                .seats = in.texts("seats"),
                                .generation = in.u32("generation")};
     }},
    {"seats_blocked",
     [](fields& in) -> any_event {
       return event::seats_blocked{.seats = in.texts("seats"), .note = in.text("note")};
     }},
    {"seats_unblocked",
     [](fields& in) -> any_event { return event::seats_unblocked{.seats = in.texts("seats")}; }},
    {"seats_returned",
     [](fields& in) -> any_event {
       return event::seats_returned{.order = in.id<order_id>("order"), .seats = in.texts("seats")};
     }},
}};

json seats_sold_map(const event::seats_sold& e) {
  auto map = json::object(
      {{"order", byte_string(e.order)}, {"seats", e.seats}, {"generation", e.generation}});
  if (!e.hold.is_none())
    map["hold"] = byte_string(e.hold);
  return map;
}

} // namespace

encoded encode(const any_event& happened) {
  return std::visit(
      overloaded{
          [](const event::block_planned& e) {
            return pack("block_planned", json::object({{"seats", e.seats}}));
          },
          [](const event::seats_held& e) {
            return pack("seats_held", json::object({{"hold", byte_string(e.hold)},
                                                    {"seats", e.seats},
                                                    {"until", e.until},
                                                    {"generation", e.generation}}));
          },
          [](const event::seats_released& e) {
            return pack("seats_released", json::object({{"hold", byte_string(e.hold)},
                                                        {"seats", e.seats},
                                                        {"generation", e.generation}}));
          },
          [](const event::seats_sold& e) { return pack("seats_sold", seats_sold_map(e)); },
          [](const event::seats_blocked& e) {
            return pack("seats_blocked", json::object({{"seats", e.seats}, {"note", e.note}}));
          },
          [](const event::seats_unblocked& e) {
            return pack("seats_unblocked", json::object({{"seats", e.seats}}));
          },
          [](const event::seats_returned& e) {
            return pack("seats_returned",
                        json::object({{"order", byte_string(e.order)}, {"seats", e.seats}}));
          },
      },
      happened);
}

std::variant<any_event, failure> decode_seating(std::string_view type, std::uint32_t schema,
                                                std::string_view data) {
  return decode_with<any_event>(readers, aggregate::seating, type, schema, data);
}

} // namespace usher::storage

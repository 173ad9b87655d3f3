#include "storage/codec_parts.hpp"

#include "actors/basics/overloaded.hpp"

#include <array>

namespace usher::storage {

namespace {

namespace event = seating::event;
using seating::any_event;

constexpr std::array<event_reader<any_event>, 4> readers{{
    {"block_planned",
     [](fields& in) -> any_event { return event::block_planned{.seats = in.texts("seats")}; }},
    {"seats_held",
     [](fields& in) -> any_event {
       return event::seats_held{
           .hold = in.id<hold_id>("hold"), .seats = in.texts("seats"), .until = in.i64("until")};
     }},
    {"seats_released",
     [](fields& in) -> any_event {
       return event::seats_released{.hold = in.id<hold_id>("hold"), .seats = in.texts("seats")};
     }},
    {"seats_sold",
     [](fields& in) -> any_event {
       return event::seats_sold{.hold = in.optional_id<hold_id>("hold"),
                                .order = in.id<order_id>("order"),
                                .seats = in.texts("seats")};
     }},
}};

json seats_sold_map(const event::seats_sold& e) {
  auto map = json::object({{"order", byte_string(e.order)}, {"seats", e.seats}});
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
                                                    {"until", e.until}}));
          },
          [](const event::seats_released& e) {
            return pack("seats_released",
                        json::object({{"hold", byte_string(e.hold)}, {"seats", e.seats}}));
          },
          [](const event::seats_sold& e) { return pack("seats_sold", seats_sold_map(e)); },
      },
      happened);
}

std::variant<any_event, failure> decode_seating(std::string_view type, std::uint32_t schema,
                                                std::string_view data) {
  return decode_with<any_event>(readers, aggregate::seating, type, schema, data);
}

} // namespace usher::storage

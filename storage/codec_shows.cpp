#include "storage/codec_parts.hpp"

#include "actors/basics/overloaded.hpp"

#include <array>

namespace usher::storage {

namespace {

namespace event = shows::event;
using shows::any_event;

json point_map(const shows::point& at) {
  return json::object({{"x", at.x}, {"y", at.y}});
}

shows::point read_point(fields& in) {
  return {.x = in.number("x"), .y = in.number("y")};
}

json seat_map(const shows::planned_seat& seat) {
  auto map = json::object({{"id", seat.id}, {"accessible", seat.accessible}});
  if (seat.at)
    map["at"] = point_map(*seat.at);
  return map;
}

shows::planned_seat read_seat(fields& in) {
  return {.id = in.text("id"),
          .at = in.optional_map("at", read_point),
          .accessible = in.flag("accessible")};
}

json block_map(const shows::block& block) {
  auto rows = json::array();
  for (const auto& row : block.rows) {
    auto seats = json::array();
    for (const auto& seat : row.seats)
      seats.push_back(seat_map(seat));
    rows.push_back(json::object({{"id", row.id}, {"seats", std::move(seats)}}));
  }
  auto map =
      json::object({{"id", block.id}, {"category", block.category}, {"rows", std::move(rows)}});
  if (block.capacity > 0)
    map["capacity"] = block.capacity;
  return map;
}

shows::row read_row(fields& in) {
  return {.id = in.text("id"), .seats = in.maps("seats", read_seat)};
}

shows::block read_block(fields& in) {
  return {.id = in.text("id"),
          .category = in.text("category"),
          .rows = in.maps("rows", read_row),
          .capacity = in.optional_u32("capacity").value_or(0)};
}

json plan_map(const shows::plan& plan) {
  auto categories = json::array();
  for (const auto& category : plan.categories)
    categories.push_back(json::object(
        {{"id", category.id}, {"name", category.name}, {"priceMinor", category.price_minor}}));
  auto blocks = json::array();
  for (const auto& block : plan.blocks)
    blocks.push_back(block_map(block));
  auto map = json::object({{"categories", std::move(categories)}, {"blocks", std::move(blocks)}});
  if (plan.focal_point)
    map["focalPoint"] = point_map(*plan.focal_point);
  return map;
}

shows::category read_category(fields& in) {
  return {.id = in.text("id"), .name = in.text("name"), .price_minor = in.i64("priceMinor")};
}

shows::plan read_plan(fields& in) {
  return {.focal_point = in.optional_map("focalPoint", read_point),
          .categories = in.maps("categories", read_category),
          .blocks = in.maps("blocks", read_block)};
}

json holds_map(const shows::hold_settings& holds) {
  auto map = json::object({{"ttlMs", holds.ttl_ms},
                           {"paymentWindowMs", holds.payment_window_ms},
                           {"maxSeats", holds.max_seats},
                           {"maxLifeMs", holds.max_life_ms},
                           {"avoidOrphans", holds.avoid_orphans}});
  if (holds.max_seats_per_customer)
    map["maxSeatsPerCustomer"] = *holds.max_seats_per_customer;
  return map;
}

json description_map(const shows::description& what) {
  auto map = json::object({{"title", what.title},
                           {"startsAt", what.starts_at},
                           {"currency", what.currency},
                           {"holds", holds_map(what.holds)},
                           {"admittedUrl", what.admitted_url}});
  if (what.plan)
    map["plan"] = plan_map(*what.plan);
  return map;
}

shows::hold_settings read_holds(fields& in) {
  return {.ttl_ms = in.i64("ttlMs"),
          .payment_window_ms = in.i64("paymentWindowMs"),
          .max_seats = in.u32("maxSeats"),
          .max_seats_per_customer = in.optional_u32("maxSeatsPerCustomer"),
          .max_life_ms = in.i64("maxLifeMs"),
          .avoid_orphans = in.flag("avoidOrphans")};
}

shows::description read_description(fields& in) {
  return {.title = in.text("title"),
          .starts_at = in.text("startsAt"),
          .currency = in.text("currency"),
          .plan = in.optional_map("plan", read_plan),
          .holds = in.map("holds", read_holds),
          .admitted_url = in.text("admittedUrl")};
}

constexpr std::array<event_reader<any_event>, 2> readers{{
    {"show_created",
     [](fields& in) -> any_event {
       return event::show_created{.number = in.u32("number"),
                                  .id = in.text("id"),
                                  .what = in.map("what", read_description)};
     }},
    {"show_changed",
     [](fields& in) -> any_event {
       return event::show_changed{.number = in.u32("number"),
                                  .what = in.map("what", read_description)};
     }},
}};

} // namespace

encoded encode(const any_event& happened) {
  return std::visit(
      overloaded{
          [](const event::show_created& e) {
            return pack("show_created", json::object({{"number", e.number},
                                                      {"id", e.id},
                                                      {"what", description_map(e.what)}}));
          },
          [](const event::show_changed& e) {
            return pack("show_changed",
                        json::object({{"number", e.number}, {"what", description_map(e.what)}}));
          },
      },
      happened);
}

std::variant<any_event, failure> decode_shows(std::string_view type, std::uint32_t schema,
                                              std::string_view data) {
  return decode_with<any_event>(readers, aggregate::shows, type, schema, data);
}

} // namespace usher::storage

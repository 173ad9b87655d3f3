#include "http/plans/plan_json.hpp"

#include "http/plans/naming.hpp"

namespace usher::plans {

namespace {

using http::fields;
using http::ordered_json;

std::optional<shows::point> read_point(fields& from) {
  const auto x = from.number("x", -1e6, 1e6);
  const auto y = from.number("y", -1e6, 1e6);
  if (from.has("x") != from.has("y"))
    from.add_fault(from.has("x") ? "y" : "x", "is missing: x and y go together");
  return x && y ? std::optional{shows::point{*x, *y}} : std::nullopt;
}

shows::point read_focal_point(fields& from) {
  from.refuse_others({"x", "y"});
  if (!from.has("x") && !from.has("y"))
    from.require("x");
  return read_point(from).value_or(shows::point{});
}

shows::category read_category(fields& from) {
  from.refuse_others({"id", "name", "price"});
  from.require("id");
  from.require("price");
  shows::category made;
  made.id = from.text("id").value_or("");
  made.name = from.text("name").value_or(made.id);
  made.price_minor = from.integer("price", 0, 1'000'000'000'000).value_or(0);
  return made;
}

shows::planned_seat read_seat(fields& from) {
  from.refuse_others({"id", "x", "y", "accessible"});
  from.require("id");
  shows::planned_seat made;
  made.id = from.text("id").value_or("");
  made.at = read_point(from);
  made.accessible = from.boolean("accessible").value_or(false);
  return made;
}

/// Of a row that only counts its seats.
seat_id seat_id_of(const std::string& row, std::int64_t number) {
  return row + "-" + std::to_string(number);
}

/// `seats` counts those of the plan so far. Far too many are not even made: a row is a few bytes,
/// its seats are megabytes.
shows::row read_row(fields& from, std::size_t& seats) {
  from.refuse_others({"id", "count", "seats"});
  from.require("id");
  shows::row made;
  made.id = from.text("id").value_or("");
  if (from.has("count") == from.has("seats"))
    from.add_fault("count", "expected either count or seats");
  const auto most = static_cast<std::int64_t>(shows::seats_per_block_max);
  const auto count = from.integer("count", 1, most).value_or(0);
  if (made.id.size() <= shows::id_length_max &&
      seat_id_of(made.id, count).size() > shows::id_length_max)
    from.add_fault("id", "is too long for the ids of its seats, such as " +
                             in_quotes(seat_id_of(made.id, count)));
  for (std::int64_t n = 1; n <= count && seats <= shows::seats_per_show_max; ++n, ++seats)
    made.seats.push_back({seat_id_of(made.id, n), std::nullopt, false});
  from.each_object("seats", [&](fields& seat) { made.seats.push_back(read_seat(seat)); });
  return made;
}

shows::block read_block(fields& from, std::size_t& seats) {
  from.refuse_others({"id", "category", "rows", "capacity"});
  from.require("id");
  from.require("category");
  shows::block made;
  made.id = from.text("id").value_or("");
  made.category = from.text("category").value_or("");
  if (from.has("rows") && from.has("capacity"))
    from.add_fault("capacity", "expected either rows or capacity");
  const auto most = static_cast<std::int64_t>(shows::seats_per_block_max);
  made.capacity = static_cast<std::uint32_t>(from.integer("capacity", 1, most).value_or(0));
  from.each_object("rows", [&](fields& row) { made.rows.push_back(read_row(row, seats)); });
  return made;
}

bool is_counted(const shows::row& which) {
  for (std::size_t i = 0; i < which.seats.size(); ++i) {
    const auto& seat = which.seats[i];
    if (seat.at || seat.accessible ||
        seat.id != seat_id_of(which.id, static_cast<std::int64_t>(i + 1)))
      return false;
  }
  return true;
}

ordered_json seat_json(const shows::planned_seat& which) {
  ordered_json made{{"id", which.id}};
  if (which.at) {
    made["x"] = which.at->x;
    made["y"] = which.at->y;
  }
  if (which.accessible)
    made["accessible"] = true;
  return made;
}

ordered_json row_json(const shows::row& which) {
  if (is_counted(which))
    return {{"id", which.id}, {"count", which.seats.size()}};
  auto seats = ordered_json::array();
  for (const auto& seat : which.seats)
    seats.push_back(seat_json(seat));
  return {{"id", which.id}, {"seats", std::move(seats)}};
}

ordered_json block_json(const shows::block& which) {
  ordered_json made{{"id", which.id}, {"category", which.category}};
  if (which.capacity > 0) {
    made["capacity"] = which.capacity;
    return made;
  }
  made["rows"] = ordered_json::array();
  for (const auto& row : which.rows)
    made["rows"].push_back(row_json(row));
  return made;
}

} // namespace

shows::plan read_plan(fields& from) {
  from.refuse_others({"focalPoint", "categories", "blocks"});
  from.require("categories");
  from.require("blocks");
  shows::plan made;
  from.object("focalPoint", [&](fields& inside) { made.focal_point = read_focal_point(inside); });
  std::size_t seats = 0;
  from.each_object("categories",
                   [&](fields& one) { made.categories.push_back(read_category(one)); });
  from.each_object("blocks", [&](fields& one) { made.blocks.push_back(read_block(one, seats)); });
  if (seats > shows::seats_per_show_max)
    from.add_fault("blocks", "expected at most " + std::to_string(shows::seats_per_show_max) +
                                 " seats in all");
  return made;
}

ordered_json plan_json(const shows::plan& what) {
  auto made = ordered_json::object();
  if (what.focal_point)
    made["focalPoint"] = {{"x", what.focal_point->x}, {"y", what.focal_point->y}};
  made["categories"] = ordered_json::array();
  for (const auto& each : what.categories)
    made["categories"].push_back(
        {{"id", each.id}, {"name", each.name}, {"price", each.price_minor}});
  made["blocks"] = ordered_json::array();
  for (const auto& each : what.blocks)
    made["blocks"].push_back(block_json(each));
  return made;
}

} // namespace usher::plans

#include "http/plans/foreign_json.hpp"
#include "http/plans/formats.hpp"

namespace usher::plans {

namespace {

using http::fields;
using shows::point;

point sum(const point& one, const point& other) {
  return {one.x + other.x, one.y + other.y};
}

/// Zones and rows move what is in them.
point offset_in(fields& from) {
  return point_in(from, "position").value_or(point{});
}

void read_seat(fields& from, const point& origin, draft::handle row, draft& into) {
  const auto guid = label_in(from, "seat_guid");
  draft::named_seat made{.name = {guid}, .category = category_in(from, "category", into)};
  if (given(from, "position") == nullptr)
    from.require("position");
  if (const auto at = point_in(from, "position"))
    made.at = sum(origin, *at);
  made.place = from.where();
  into.add_seat(row, std::move(made));
}

void read_zone(fields& from, std::size_t number, draft& into) {
  auto label = label_in(from, "name");
  if (label.empty())
    label = label_in(from, "zone_id");
  if (label.empty())
    label = "zone-" + std::to_string(number);
  const auto origin = offset_in(from);
  const auto block = into.add_block(label, from.where());
  each_in(from, "rows", [&](fields& row) {
    const auto row_origin = sum(origin, offset_in(row));
    const auto handle = into.add_row(block, label_in(row, "row_number"), row.where());
    each_in(row, "seats", [&](fields& seat) { read_seat(seat, row_origin, handle, into); });
  });
}

} // namespace

const vocabulary& pretix_words() {
  static const vocabulary words{".", "name", "row_number", "seat_guid", "position"};
  return words;
}

surroundings read_pretix(const json& document, draft& into, std::vector<shows::fault>& faults) {
  fields from{document, faults, {}, faults_kept_max};
  from.require("categories");
  from.require("zones");
  each_in(from, "categories", [&](fields& one) {
    const auto name = label_in(one, "name");
    into.add_category(name, name, one.path_of("name"));
  });
  std::size_t zones = 0;
  std::size_t areas = 0;
  each_in(from, "zones", [&](fields& one) {
    read_zone(one, ++zones, into);
    each_in(one, "areas", [&](fields&) { ++areas; });
  });
  if (areas > 0)
    into.add_note(std::to_string(areas) +
                  " drawn areas (stages, bars, texts) have no places: left out");
  return {};
}

} // namespace usher::plans

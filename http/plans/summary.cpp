#include "http/plans/import_plan.hpp"

#include "http/plans/naming.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

namespace usher::plans {

namespace {

constexpr std::size_t mapped_listed_max = 10; ///< of each kind

struct totals {
  std::size_t rows = 0;
  std::size_t seats = 0;
  std::size_t accessible = 0;
};

totals totals_of(const shows::block& which) {
  totals made;
  for (const auto& row : which.rows) {
    ++made.rows;
    made.seats += row.seats.size();
    for (const auto& seat : row.seats)
      made.accessible += seat.accessible ? 1 : 0;
  }
  return made;
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string seats_text(const totals& what) {
  auto made = counted(what.seats, "seat");
  if (what.accessible > 0)
    made += " (" + std::to_string(what.accessible) + " accessible)";
  return made;
}

void write_blocks(std::ostream& to, const shows::plan& what) {
  to << "blocks\n";
  for (const auto& each : what.blocks) {
    to << "  " << each.id << ": " << each.category << ", ";
    if (each.capacity > 0)
      to << "area of " << counted(each.capacity, "place") << "\n";
    else
      to << counted(each.rows.size(), "row") << ", " << seats_text(totals_of(each)) << "\n";
  }
}

struct extent {
  shows::point least;
  shows::point most;
  std::size_t seats = 0; ///< those with coordinates
};

extent extent_of(const shows::plan& what) {
  extent made;
  for (const auto& block : what.blocks)
    for (const auto& row : block.rows)
      for (const auto& seat : row.seats) {
        if (!seat.at)
          continue;
        if (made.seats++ == 0)
          made.least = made.most = *seat.at;
        made.least = {std::min(made.least.x, seat.at->x), std::min(made.least.y, seat.at->y)};
        made.most = {std::max(made.most.x, seat.at->x), std::max(made.most.y, seat.at->y)};
      }
  return made;
}

void write_places(std::ostream& to, const shows::plan& what) {
  const auto found = extent_of(what);
  if (found.seats > 0)
    to << "coordinates of " << counted(found.seats, "seat") << ": x " << found.least.x << " to "
       << found.most.x << ", y " << found.least.y << " to " << found.most.y << "\n";
  else
    to << "no coordinates\n";
  if (what.focal_point)
    to << "focal point: " << what.focal_point->x << ", " << what.focal_point->y << "\n";
  else
    to << "no focal point: the middle of the front is taken\n";
}

void write_mapped(std::ostream& to, const std::vector<mapping>& mapped, mapping::kind kind,
                  const char* name) {
  std::size_t count = 0;
  for (const auto& each : mapped)
    if (each.of == kind && ++count <= mapped_listed_max)
      to << "  " << name << " " << in_quotes(each.label) << " -> " << each.id << "\n";
  if (count > mapped_listed_max)
    to << "  and " << counted(count - mapped_listed_max, name) << " more\n";
}

} // namespace

std::string counts_of(const shows::plan& what) {
  totals all;
  std::size_t areas = 0;
  std::size_t places = 0;
  for (const auto& each : what.blocks) {
    const auto one = totals_of(each);
    all = {all.rows + one.rows, all.seats + one.seats, all.accessible + one.accessible};
    areas += each.capacity > 0 ? 1 : 0;
    places += each.capacity;
  }
  auto made = counted(what.blocks.size() - areas, "block") + ", " + counted(all.rows, "row") +
              ", " + seats_text(all);
  if (areas > 0)
    made += ", " + counted(areas, "area") + " with " + counted(places, "place");
  return made;
}

void write_summary(std::ostream& to, const imported& what) {
  std::ostringstream text;
  text.precision(10);
  text << "format: " << to_string(what.as) << "\n" << counts_of(what.plan) << "\ncategories\n";
  for (const auto& each : what.plan.categories)
    text << "  " << each.id << ": " << in_quotes(each.name) << ", price " << each.price_minor
         << " in minor units\n";
  write_blocks(text, what.plan);
  write_places(text, what.plan);
  if (!what.mapped.empty())
    text << "ids that are not the label as it stands\n";
  write_mapped(text, what.mapped, mapping::kind::category, "category");
  write_mapped(text, what.mapped, mapping::kind::block, "block");
  write_mapped(text, what.mapped, mapping::kind::row, "row");
  write_mapped(text, what.mapped, mapping::kind::seat, "seat");
  for (const auto& each : what.notes)
    text << "note: " << each << "\n";
  to << text.str();
}

} // namespace usher::plans

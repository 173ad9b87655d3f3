#include "http/plans/foreign_json.hpp"
#include "http/plans/formats.hpp"
#include "http/plans/naming.hpp"

#include <set>

namespace usher::plans {

namespace {

using http::fields;
using shows::point;

/// The block of rows that are in no section.
const std::string no_section = "main";

/// What is inherited by what is inside: a section gives its rows the category, label and origin.
struct surrounding_section {
  std::string label; ///< empty: none
  std::optional<draft::handle> category;
  bool has_category = false;          ///< it was said, though perhaps wrongly
  std::optional<draft::handle> block; ///< of a section with rows
  point origin;
};

std::size_t count_in(const fields& from, std::string_view name) {
  const auto* list = given(from, name);
  return list != nullptr && list->is_array() ? list->size() : 0;
}

class chart_reader {
public:
  explicit chart_reader(draft& into) : into_{into} {}

  surroundings read(fields& from) {
    from.require("categories");
    object_in(from, "categories",
              [&](fields& all) { each_in(all, "list", [&](fields& one) { read_category(one); }); });
    if (given(from, "subChartFloors") == nullptr)
      from.require("subChart");
    each_in(from, "subChartFloors", [&](fields& floor) { read_floor(floor); });
    object_in(from, "subChart", [&](fields& floor) { read_floor(floor); });
    if (!found_.focal_point)
      take_zone_focal_point(from);
    if (const auto* scale = given(from, "sectionScaleFactor"); scale != nullptr && *scale != 100)
      into_.add_note("sectionScaleFactor is " + scale->dump() +
                     ": coordinates within sections are taken as if it were 100");
    return found_;
  }

private:
  void read_category(fields& from) {
    const auto key = label_in(from, "key");
    const auto label = label_in(from, "label");
    const auto handle = into_.add_category(key, label.empty() ? key : label, from.path_of("key"));
    if (flag_in(from, "accessible"))
      accessible_.insert(handle);
  }

  void read_floor(fields& from) {
    const auto focal_point = point_in(from, "focalPoint");
    if (!found_.focal_point)
      found_.focal_point = focal_point;
    else if (focal_point)
      into_.add_note(from.where() + ".focalPoint is a second one: left out");
    read_inside(from, {});
    each_in(from, "sections", [&](fields& section) { read_section(section); });
  }

  /// Rows and areas of a floor or of a section.
  void read_inside(fields& from, const surrounding_section& around) {
    each_in(from, "rows", [&](fields& row) { read_row(row, around); });
    each_in(from, "generalAdmissionAreas", [&](fields& area) { read_area(area, around); });
    for (const auto* kind : {"tables", "booths"})
      each_in(from, kind, [&](fields& one) {
        one.add_fault("label",
                      std::string{kind == std::string_view{"tables"} ? "table " : "booth "} +
                          in_quotes(label_in(one, "label")) + " is not supported");
      });
  }

  void read_section(fields& from) {
    surrounding_section around;
    around.label = label_in(from, "label");
    around.origin = point_in(from, "topLeft").value_or(point{});
    around.has_category = given(from, "categoryKey") != nullptr;
    if (around.has_category)
      around.category = category_in(from, "categoryKey", into_);
    from.require("subChart");
    object_in(from, "subChart", [&](fields& inside) {
      const bool only_areas =
          count_in(inside, "rows") == 0 && count_in(inside, "generalAdmissionAreas") > 0;
      if (!only_areas)
        around.block = into_.add_block(around.label, from.where());
      read_inside(inside, around);
    });
  }

  /// Rows outside of sections may still say what section they are in.
  draft::handle block_of(const fields& row, const surrounding_section& around) {
    if (around.block)
      return *around.block;
    auto label = label_in(row, "sectionLabel");
    if (label.empty())
      label = no_section;
    const auto found = loose_blocks_.find(label);
    if (found != loose_blocks_.end())
      return found->second;
    return loose_blocks_[label] = into_.add_block(label, row.where());
  }

  void read_row(fields& from, const surrounding_section& around) {
    auto here = around;
    if (here.label.empty())
      here.label = label_in(from, "sectionLabel");
    if (given(from, "categoryKey") != nullptr) {
      here.category = category_in(from, "categoryKey", into_);
      here.has_category = true;
    }
    const auto label = label_in(from, "label");
    const auto row = into_.add_row(block_of(from, around), label, from.where());
    each_in(from, "seats", [&](fields& seat) { read_seat(seat, here, label, row); });
  }

  void read_seat(fields& from, const surrounding_section& around, const std::string& row_label,
                 draft::handle row) {
    const auto label = label_in(from, "label");
    draft::named_seat made{.name = {row_label, label}, .category = category_for(from, around)};
    if (!around.label.empty())
      made.name.insert(made.name.begin(), around.label);
    made.at = point_of(from);
    if (made.at)
      made.at = point{made.at->x + around.origin.x, made.at->y + around.origin.y};
    made.accessible = flag_in(from, "accessible");
    made.accessible |= flag_in(from, "categoryAccessible");
    made.accessible |= made.category && accessible_.contains(*made.category);
    made.place = from.where();
    into_.add_seat(row, std::move(made));
  }

  std::optional<draft::handle> category_for(fields& from, const surrounding_section& around) {
    if (around.has_category && given(from, "categoryKey") == nullptr)
      return around.category;
    return category_in(from, "categoryKey", into_);
  }

  void read_area(fields& from, const surrounding_section& around) {
    auto label = label_in(from, "label");
    if (!label.empty() && !around.label.empty())
      label = around.label + "-" + label;
    if (flag_in(from, "bookAsAWhole"))
      from.add_fault("bookAsAWhole", "an area that is booked as a whole is not supported");
    from.require("capacity");
    const auto capacity = from.integer("capacity", 1, 1'000'000'000);
    const auto category = category_for(from, around);
    if (capacity)
      into_.add_area(label, category, static_cast<std::uint32_t>(*capacity), from.where());
  }

  void take_zone_focal_point(fields& from) {
    std::vector<point> all;
    object_in(from, "zones", [&](fields& zones) {
      each_in(zones, "list", [&](fields& zone) {
        if (const auto one = point_in(zone, "focalPoint"))
          all.push_back(*one);
      });
    });
    if (all.size() == 1)
      found_.focal_point = all.front();
    else if (all.size() > 1)
      into_.add_note("each zone has a focal point of its own: none is taken, give --focal-point");
  }

  draft& into_;
  surroundings found_;
  std::set<draft::handle> accessible_; ///< categories
  std::map<std::string, draft::handle> loose_blocks_;
};

} // namespace

const vocabulary& seatsio_words() {
  static const vocabulary words{".", "label", "label", "label", "x"};
  return words;
}

surroundings read_seatsio(const json& document, draft& into, std::vector<shows::fault>& faults) {
  fields from{document, faults, {}, faults_kept_max};
  return chart_reader{into}.read(from);
}

} // namespace usher::plans

#include "actors/shows/seat_chart.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <tuple>

namespace usher::shows {

namespace {

constexpr double aisle_factor = 1.75;
constexpr double steps_per_unit = 1e6;

double length(const point& from, const point& to) {
  return std::hypot(to.x - from.x, to.y - from.y);
}

template <class Visitor>
void for_each_row(const plan& what, Visitor visit) {
  for (const auto& block : what.blocks)
    for (const auto& row : block.rows)
      visit(row);
}

bool has_all_coordinates(const plan& what) {
  bool all = true;
  for_each_row(what, [&](const row& one) {
    for (const auto& seat : one.seats)
      all = all && seat.at.has_value();
  });
  return all;
}

/// Where everything is, seat by seat through the plan.
struct layout {
  std::vector<point> places;
  point focal_point;
};

layout drawn_anew(const plan& what) {
  layout made;
  double y = 0;
  for_each_row(what, [&](const row& one) {
    y += 1;
    const double middle = (static_cast<double>(one.seats.size()) - 1) / 2;
    for (std::size_t i = 0; i < one.seats.size(); ++i)
      made.places.push_back({static_cast<double>(i) - middle, y});
  });
  return made;
}

point middle_of_front(const std::vector<point>& places) {
  if (places.empty())
    return {};
  const auto [left, right] =
      std::minmax_element(places.begin(), places.end(),
                          [](const point& one, const point& other) { return one.x < other.x; });
  const auto front =
      std::min_element(places.begin(), places.end(),
                       [](const point& one, const point& other) { return one.y < other.y; });
  return {(left->x + right->x) / 2, front->y};
}

layout layout_of(const plan& what) {
  if (!has_all_coordinates(what))
    return drawn_anew(what);
  layout made;
  for_each_row(what, [&](const row& one) {
    for (const auto& seat : one.seats)
      made.places.push_back(*seat.at);
  });
  made.focal_point = what.focal_point.value_or(middle_of_front(made.places));
  return made;
}

/// The widest gap between two seats of this row that is no aisle.
double gap_max(const point* places, std::size_t count) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < count; ++i)
    gaps.push_back(length(places[i - 1], places[i]));
  if (gaps.empty())
    return 0;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>((gaps.size() - 1) / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  // Most seats in one spot: such coordinates tell nothing of aisles.
  return *middle > 0 ? *middle * aisle_factor : std::numeric_limits<double>::infinity();
}

} // namespace

seat_chart::seat_chart(const plan& what) {
  const auto drawn = layout_of(what);
  for (const auto& place : drawn.places)
    distances_.push_back(std::llround(length(place, drawn.focal_point) * steps_per_unit));
  for (const auto& block : what.blocks) {
    add_block(what, block);
    for (const auto& row : block.rows)
      add_row(row, drawn.places);
  }
  std::sort(stretches_.begin(), stretches_.end(), [](const stretch& one, const stretch& other) {
    return std::tie(one.nearest, one.first) < std::tie(other.nearest, other.first);
  });
}

void seat_chart::add_block(const plan& what, const block& which) {
  const auto priced = std::find_if(what.categories.begin(), what.categories.end(),
                                   [&](const category& one) { return one.id == which.category; });
  assert(priced != what.categories.end() && "a plan without faults has every category");
  blocks_.push_back(
      {which.id, which.category, priced->price_minor, {}, static_cast<std::uint32_t>(ids_.size())});
}

void seat_chart::add_row(const row& which, const std::vector<point>& places) {
  const auto row_first = ids_.size();
  const double gap = gap_max(places.data() + row_first, which.seats.size());
  const auto block_index = static_cast<std::uint32_t>(blocks_.size() - 1);
  const auto row_index = static_cast<std::uint32_t>(blocks_.back().rows.size());
  blocks_.back().rows.push_back(which.id);
  for (const auto& seat : which.seats) {
    const auto index = static_cast<std::uint32_t>(ids_.size());
    const auto distance = distances_[index];
    if (index == row_first || length(places[index - 1], places[index]) > gap)
      stretches_.push_back({block_index, row_index, index, 0, distance});
    ++stretches_.back().count;
    stretches_.back().nearest = std::min(stretches_.back().nearest, distance);
    ids_.push_back(seat.id);
    accessible_.push_back(seat.accessible ? 1 : 0);
  }
}

} // namespace usher::shows

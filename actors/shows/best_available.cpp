#include "actors/shows/best_available.hpp"

#include "actors/shows/best_runs.hpp"
#include "actors/shows/best_split.hpp"

#include <algorithm>
#include <numeric>

namespace usher::shows {

namespace {

/// The rows of a block that the ask allows, as indexes: `first` up to but without `end`.
struct row_range {
  std::size_t first = 0;
  std::size_t end = 0;
};

row_range rows_asked(const std::vector<std::string>& rows, const best_ask& ask) {
  const auto from =
      ask.row_from.empty() ? rows.begin() : std::find(rows.begin(), rows.end(), ask.row_from);
  const auto to =
      ask.row_to.empty() ? rows.rbegin() : std::find(rows.rbegin(), rows.rend(), ask.row_to);
  if (from == rows.end() || to == rows.rend())
    return {};
  return {static_cast<std::size_t>(from - rows.begin()),
          static_cast<std::size_t>(to.base() - rows.begin())};
}

bool is_asked(const seat_chart::block_entry& block, const best_ask& ask) {
  return (ask.block.empty() || ask.block == block.id) &&
         (!ask.price_max_minor || block.price_minor <= *ask.price_max_minor) &&
         (ask.categories.empty() || std::find(ask.categories.begin(), ask.categories.end(),
                                              block.category) != ask.categories.end());
}

/// One search. Keeps the runs it came by: if no row has room for all, they are all there are.
class search {
public:
  search(const seat_chart& chart, const seat_is_free& is_free, const best_ask& ask)
      : chart_{chart}, is_free_{is_free}, ask_{ask} {
    for (const auto& block : chart.blocks())
      allowed_.push_back(is_asked(block, ask) ? rows_asked(block.rows, ask) : row_range{});
  }

  std::vector<std::uint32_t> seats() {
    const auto found = in_one_row();
    if (!found)
      return ask_.may_split ? best::split(chart_, runs_, ask_) : std::vector<std::uint32_t>{};
    std::vector<std::uint32_t> chosen(found->count);
    std::iota(chosen.begin(), chosen.end(), found->first);
    return chosen;
  }

private:
  [[nodiscard]] std::optional<best::window> in_one_row() {
    std::optional<best::window> found;
    for (const auto& stretch : chart_.stretches()) {
      // Nothing is better but what is nearer, and from here on nothing is nearer.
      if (found && found->cost.surplus == 0 && found->cost.orphans == 0 &&
          stretch.nearest * ask_.quantity > found->cost.distance)
        break;
      const auto& rows = allowed_[stretch.block];
      if (stretch.row < rows.first || stretch.row >= rows.end)
        continue;
      for (auto next = add_runs(stretch); next < runs_.size(); ++next)
        if (const auto other = best_window(chart_, runs_[next], ask_.quantity, ask_.accessible,
                                           ask_.avoid_orphans);
            other && (!found || *other < *found))
          found = other;
    }
    return found;
  }

  /// Gives the index of the first one added.
  std::size_t add_runs(const seat_chart::stretch& where) {
    const auto before = runs_.size();
    const auto block_first = chart_.blocks()[where.block].first_seat;
    bool was_free = false;
    bool was_usable = false;
    for (auto seat = where.first; seat < where.first + where.count; ++seat) {
      const bool accessible = chart_.is_accessible(seat);
      const bool free = is_free_(where.block, seat - block_first);
      const bool usable = free && (ask_.accessible > 0 || !accessible);
      if (usable && !was_usable)
        runs_.push_back({seat, 0, false, was_free, false});
      if (usable) {
        ++runs_.back().count;
        runs_.back().accessible |= accessible;
      } else if (was_usable) {
        runs_.back().open_right = free;
      }
      was_free = free;
      was_usable = usable;
    }
    return before;
  }

  const seat_chart& chart_;
  const seat_is_free& is_free_;
  const best_ask& ask_;
  std::vector<row_range> allowed_; ///< as the chart's blocks
  std::vector<best::run> runs_;
};

} // namespace

std::optional<std::vector<seat_id>>
best_available(const seat_chart& chart, const seat_is_free& is_free, const best_ask& ask) {
  if (ask.quantity == 0 || ask.quantity > best_quantity_max ||
      ask.accessible > std::min(ask.quantity, best_accessible_max))
    return std::nullopt;
  const auto chosen = search{chart, is_free, ask}.seats();
  if (chosen.empty())
    return std::nullopt;
  std::vector<seat_id> ids;
  ids.reserve(chosen.size());
  for (const auto seat : chosen)
    ids.push_back(chart.id(seat));
  return ids;
}

} // namespace usher::shows

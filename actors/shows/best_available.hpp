#pragma once

#include "actors/shows/seat_chart.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// The best seats that are free. Pure: the chart, which seats are free and the ask decide.
//
// Of all choices of `quantity` free seats that the ask allows, the answer is the one with the least
// score. A score is compared number by number, in this order:
//
//   1. alone     how many people have nobody of the party beside them
//   2. groups    how many groups the party is in
//   3. surplus   accessible seats taken beyond those asked for
//   4. orphans   seats newly left alone; left out if the ask does not avoid them
//   5. distance  sum of the seats' distances to the focal point (see seat_chart)
//   6. first     for one group only: its first seat, in the plan's order
//
// A group is a longest possible sequence of chosen seats each the neighbour of the next. So whole
// parties in one row come before all else, then what leaves no seat alone, then what is nearest;
// and a party is split only where no row has room for it, into few groups, nobody alone where that
// can be avoided. Of splits with equal scores it is always the same one for the same input.
//
// An orphan is a free seat, not chosen and not accessible, beside a chosen one and with no
// neighbour left that is free and not chosen. A free accessible seat counts as such a neighbour for
// everybody, but never as an orphan: one who needs it may well be alone there.
//
// Accessible seats are only for those who ask: with `accessible` 0 none is chosen; otherwise at
// least so many.
//
// The answer is exact: no other choice has a lower score, also where the party is split.
namespace usher::shows {

inline constexpr std::uint32_t best_quantity_max = 100;
inline constexpr std::uint32_t best_accessible_max = 10;

struct best_ask {
  std::uint32_t quantity = 1;
  std::vector<std::string> categories; ///< ids; empty: any
  block_id block;                      ///< empty: any
  /// Rows from this one to that one in the plan's order, both included; empty: from the first, to
  /// the last. A block that has no row of a given name is left out.
  std::string row_from;
  std::string row_to;
  std::optional<std::int64_t> price_max_minor; ///< of each seat
  std::uint32_t accessible = 0;                ///< how many of the seats must be accessible
  bool avoid_orphans = true;
  bool may_split = true; ///< false: one row or nothing
};

/// Is the seat with this index in this block (the index in plan.blocks, and in the block's seats in
/// the plan's order) free? Asked at most once of each seat in a search, so it may read what
/// changes meanwhile; the answer is then only as good as what it read.
using seat_is_free = std::function<bool(std::uint32_t block, std::uint32_t seat)>;

/// The best seats, in the plan's order; none if no choice fits, also for a quantity of 0 or beyond
/// the limits above, or an `accessible` greater than the quantity.
/// Looks at few seats while much is free near the focal point, at each allowed one at most once.
/// With 60,000 seats and a quantity of 4 that is far below a millisecond, about one if every party
/// must be split; up to some tens of milliseconds for a quantity of 100 (see bench/).
[[nodiscard]] std::optional<std::vector<seat_id>>
best_available(const seat_chart& chart, const seat_is_free& is_free, const best_ask& ask);

} // namespace usher::shows

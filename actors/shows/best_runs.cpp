#include "actors/shows/best_runs.hpp"

namespace usher::shows::best {

namespace {

/// Does a gap of so many seats between the window and the run's end leave a seat alone?
bool leaves_orphan(const seat_chart& chart, std::uint32_t gap, std::uint32_t end_seat, bool open) {
  return gap == 1 && !open && !chart.is_accessible(end_seat);
}

std::int64_t orphans_of(const seat_chart& chart, const run& where, std::uint32_t first,
                        std::uint32_t count) {
  const auto last = where.first + where.count - 1;
  return (leaves_orphan(chart, first - where.first, where.first, where.open_left) ? 1 : 0) +
         (leaves_orphan(chart, last + 1 - first - count, last, where.open_right) ? 1 : 0);
}

} // namespace

loss& loss::operator+=(const loss& other) {
  alone += other.alone;
  groups += other.groups;
  surplus += other.surplus;
  orphans += other.orphans;
  distance += other.distance;
  return *this;
}

std::optional<window> best_window(const seat_chart& chart, const run& where, std::uint32_t count,
                                  std::uint32_t accessible, bool avoid_orphans) {
  std::optional<window> best;
  std::int64_t distance = 0;
  std::int64_t surplus = -std::int64_t{accessible};
  for (std::uint32_t seat = where.first; seat < where.first + where.count; ++seat) {
    distance += chart.distance(seat);
    surplus += chart.is_accessible(seat) ? 1 : 0;
    if (seat + 1 < where.first + count)
      continue;
    const auto first = seat + 1 - count;
    if (surplus >= 0) {
      const auto orphans = avoid_orphans ? orphans_of(chart, where, first, count) : 0;
      const window found{{count == 1, 1, surplus, orphans, distance}, first, count};
      if (!best || found < *best)
        best = found;
    }
    distance -= chart.distance(first);
    surplus -= chart.is_accessible(first) ? 1 : 0;
  }
  return best;
}

} // namespace usher::shows::best

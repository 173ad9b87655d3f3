#include "actors/shows/best_portions.hpp"

#include <algorithm>
#include <optional>

namespace usher::shows::best {

namespace {

/// How a walk along the run stands after a seat.
enum stance : std::size_t {
  at_start,
  apart,      ///< not chosen, nor is the one before it
  gap_of_one, ///< not chosen, and before it is a chosen seat or the run's end
  single,     ///< chosen, the first of its group
  several,    ///< chosen, with others
  stance_count
};

struct step {
  std::uint32_t seat = 0;
  std::int32_t before = -1; ///< index of the step before this; -1: none
};

/// The best way to choose so many seats up to here.
struct way {
  loss cost;
  std::int32_t last = -1; ///< index of its last step; -1: none
};

/// Visits the run's seats in order and keeps, for each stance, number of seats and number of
/// accessible ones, the best way there.
class walk {
public:
  walk(const seat_chart& chart, const run& where, const best_ask& ask)
      : chart_{chart},
        ask_{ask},
        seats_max_{std::min(ask.quantity, where.count)},
        ways_(stance_count * (seats_max_ + 1) * (ask.accessible + 1)) {
    ways_[at(at_start, 0, 0)] = way{};
    for (auto seat = where.first; seat < where.first + where.count; ++seat)
      visit(seat);
    end(where.first + where.count - 1);
  }

  [[nodiscard]] std::vector<portion> portions() const {
    std::vector<portion> found;
    for (std::uint32_t seats = 1; seats <= seats_max_; ++seats)
      for (std::uint32_t accessible = 0; accessible <= ask_.accessible; ++accessible)
        if (const auto* best = best_way(seats, accessible))
          found.push_back({best->cost, 0, seats, accessible, chosen(*best)});
    return found;
  }

private:
  [[nodiscard]] std::size_t at(std::size_t how, std::uint32_t seats,
                               std::uint32_t accessible) const {
    return (how * (seats_max_ + 1) + seats) * (ask_.accessible + 1) + accessible;
  }

  void visit(std::uint32_t seat) {
    std::vector<std::optional<way>> before(ways_.size());
    before.swap(ways_);
    for (std::size_t how = at_start; how < stance_count; ++how)
      for (std::uint32_t seats = 0; seats <= seats_max_; ++seats)
        for (std::uint32_t accessible = 0; accessible <= ask_.accessible; ++accessible)
          if (const auto& from = before[at(how, seats, accessible)]) {
            leave(how, seats, accessible, *from);
            if (seats < seats_max_)
              take(seat, how, seats, accessible, *from);
          }
  }

  void leave(std::size_t how, std::uint32_t seats, std::uint32_t accessible, const way& from) {
    const bool was_apart = how == apart || how == gap_of_one;
    auto& there = ways_[at(was_apart ? apart : gap_of_one, seats, accessible)];
    if (!there || from.cost < there->cost)
      there = from;
  }

  void take(std::uint32_t seat, std::size_t how, std::uint32_t seats, std::uint32_t accessible,
            const way& from) {
    auto cost = from.cost;
    const bool joins = how == single || how == several;
    cost.groups += joins ? 0 : 1;
    cost.alone += how == single ? -1 : joins ? 0 : 1;
    cost.orphans += how == gap_of_one ? orphan(seat - 1) : 0;
    cost.distance += chart_.distance(seat);
    if (chart_.is_accessible(seat) && accessible++ == ask_.accessible) {
      accessible = ask_.accessible;
      ++cost.surplus;
    }
    auto& there = ways_[at(joins ? several : single, seats + 1, accessible)];
    if (there && !(cost < there->cost))
      return;
    steps_.push_back({seat, from.last});
    there = way{cost, static_cast<std::int32_t>(steps_.size()) - 1};
  }

  /// Beyond the run's end is nothing free, so a gap of one there is alone too.
  void end(std::uint32_t last) {
    for (std::uint32_t seats = 1; seats <= seats_max_; ++seats)
      for (std::uint32_t accessible = 0; accessible <= ask_.accessible; ++accessible)
        if (auto& left = ways_[at(gap_of_one, seats, accessible)])
          left->cost.orphans += orphan(last);
  }

  [[nodiscard]] std::int64_t orphan(std::uint32_t seat) const {
    return ask_.avoid_orphans && !chart_.is_accessible(seat) ? 1 : 0;
  }

  [[nodiscard]] const way* best_way(std::uint32_t seats, std::uint32_t accessible) const {
    const way* best = nullptr;
    for (std::size_t how = at_start; how < stance_count; ++how)
      if (const auto& found = ways_[at(how, seats, accessible)];
          found && (best == nullptr || found->cost < best->cost))
        best = &*found;
    return best;
  }

  [[nodiscard]] std::vector<std::uint32_t> chosen(const way& found) const {
    std::vector<std::uint32_t> seats;
    for (auto index = found.last; index >= 0;) {
      const auto& one = steps_[static_cast<std::size_t>(index)];
      seats.push_back(one.seat);
      index = one.before;
    }
    return seats;
  }

  const seat_chart& chart_;
  const best_ask& ask_;
  const std::uint32_t seats_max_;
  std::vector<std::optional<way>> ways_;
  std::vector<step> steps_;
};

} // namespace

std::vector<portion> portions_of(const seat_chart& chart, const run& where, const best_ask& ask) {
  return walk{chart, where, ask}.portions();
}

} // namespace usher::shows::best

#include "actors/shows/best_split.hpp"

#include "actors/shows/best_portions.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>

namespace usher::shows::best {

namespace {

/// The portions worth combining. Of portions with equal numbers of seats, `quantity - seats + 1`
/// are enough: the rest of the party is in at most `quantity - seats` other runs, so one of them is
/// to be had, and no worse than any that is not listed.
class shortlist {
public:
  explicit shortlist(const best_ask& ask)
      : ask_{ask}, lists_((std::size_t{ask.quantity} + 1) * (ask.accessible + 1)) {}

  [[nodiscard]] bool wants(std::uint32_t seats, std::uint32_t accessible, const loss& cost) const {
    const auto& list = lists_[at(seats, accessible)];
    return list.size() <= ask_.quantity - seats || cost < list.back().cost;
  }

  void add(portion one) {
    if (!wants(one.seats, one.accessible, one.cost))
      return;
    auto& list = lists_[at(one.seats, one.accessible)];
    const auto place = std::upper_bound(
        list.begin(), list.end(), one,
        [](const portion& left, const portion& right) { return left.cost < right.cost; });
    const auto seats = one.seats;
    list.insert(place, std::move(one));
    if (list.size() > ask_.quantity - seats + 1)
      list.pop_back();
  }

  /// All of them, those of one run together.
  [[nodiscard]] std::vector<portion> take() {
    std::vector<portion> all;
    for (auto& list : lists_)
      std::move(list.begin(), list.end(), std::back_inserter(all));
    std::stable_sort(all.begin(), all.end(), [](const portion& left, const portion& right) {
      return left.run < right.run;
    });
    return all;
  }

private:
  [[nodiscard]] std::size_t at(std::uint32_t seats, std::uint32_t accessible) const {
    return std::size_t{seats} * (ask_.accessible + 1) + accessible;
  }

  const best_ask& ask_;
  std::vector<std::vector<portion>> lists_;
};

void offer(shortlist& to, const seat_chart& chart, const std::vector<run>& runs,
           std::uint32_t index, const best_ask& ask) {
  const auto& where = runs[index];
  if (where.accessible) {
    for (auto& one : portions_of(chart, where, ask)) {
      one.run = index;
      to.add(std::move(one));
    }
    return;
  }
  for (std::uint32_t seats = 1; seats <= std::min(where.count, ask.quantity); ++seats) {
    const auto found = best_window(chart, where, seats, 0, ask.avoid_orphans);
    if (!to.wants(seats, 0, found->cost))
      continue;
    portion one{found->cost, index, seats, 0, std::vector<std::uint32_t>(seats)};
    std::iota(one.chosen.begin(), one.chosen.end(), found->first);
    to.add(std::move(one));
  }
}

/// Combines portions, at most one of each run, into the party with the least loss. Keeps the best
/// way to each number of seats and of accessible ones; runs come one after the other.
class combination {
public:
  combination(const std::vector<portion>& from, const best_ask& ask)
      : from_{from}, ask_{ask}, ways_((std::size_t{ask.quantity} + 1) * (ask.accessible + 1)) {
    ways_[at(0, 0)] = way{};
    for (std::size_t first = 0; first < from.size();) {
      auto end = first + 1;
      while (end < from.size() && from[end].run == from[first].run)
        ++end;
      add_run(first, end);
      first = end;
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> chosen() const {
    std::vector<std::uint32_t> seats;
    const auto& found = ways_[at(ask_.quantity, ask_.accessible)];
    for (auto index = found ? found->last : -1; index >= 0;) {
      const auto& one = steps_[static_cast<std::size_t>(index)];
      const auto& part = from_[one.portion].chosen;
      seats.insert(seats.end(), part.begin(), part.end());
      index = one.before;
    }
    std::sort(seats.begin(), seats.end());
    return seats;
  }

private:
  struct step {
    std::size_t portion = 0;
    std::int32_t before = -1; ///< index of the step before this; -1: none
  };
  struct way {
    loss cost;
    std::int32_t last = -1; ///< index of its last step; -1: none
  };

  [[nodiscard]] std::size_t at(std::uint32_t seats, std::uint32_t accessible) const {
    return std::size_t{seats} * (ask_.accessible + 1) + accessible;
  }

  /// From many seats to few, so that what this run adds is not built upon by itself.
  void add_run(std::size_t first, std::size_t end) {
    for (std::uint32_t seats = ask_.quantity; seats-- > 0;)
      for (std::uint32_t accessible = 0; accessible <= ask_.accessible; ++accessible)
        if (const auto from = ways_[at(seats, accessible)])
          for (auto index = first; index < end; ++index)
            if (from_[index].seats <= ask_.quantity - seats)
              add(index, seats, accessible, *from);
  }

  void add(std::size_t index, std::uint32_t seats, std::uint32_t accessible, const way& from) {
    const auto& part = from_[index];
    const auto together = std::min(accessible + part.accessible, ask_.accessible);
    auto cost = from.cost;
    cost += part.cost;
    cost.surplus += accessible + part.accessible - together;
    auto& there = ways_[at(seats + part.seats, together)];
    if (there && !(cost < there->cost))
      return;
    steps_.push_back({index, from.last});
    there = way{cost, static_cast<std::int32_t>(steps_.size()) - 1};
  }

  const std::vector<portion>& from_;
  const best_ask& ask_;
  std::vector<std::optional<way>> ways_;
  std::vector<step> steps_;
};

} // namespace

std::vector<std::uint32_t> split(const seat_chart& chart, const std::vector<run>& runs,
                                 const best_ask& ask) {
  shortlist worth{ask};
  for (std::uint32_t index = 0; index < runs.size(); ++index)
    offer(worth, chart, runs, index, ask);
  const auto portions = worth.take();
  return combination{portions, ask}.chosen();
}

} // namespace usher::shows::best

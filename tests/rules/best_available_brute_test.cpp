// The best seats of small random plans, beside a search that tries every choice. It is written
// straight from the score that best_available.hpp promises and shares no code with the search, not
// even the geometry. A failure prints its plan; the seed at the head repeats the whole run.
//
// That the comparison bites is proven twice: by answers that are wrong on purpose, which must be
// caught here, and by hand: each of these made the comparison fail while it was in the code:
// orphans forgotten, the surplus forgotten, accessible seats counted as orphans, the early end of
// the scan one step too early, a shortlist of one, and single people not counted as alone.
#include "actors/shows/best_available.hpp"
#include "tests/actors/random_source.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <sstream>

namespace {

using namespace usher::shows;

constexpr int rounds = 10'000;
constexpr int seats_max = 13;

/// A seat as the brute force sees it; `left` and `right` are neighbours, by index.
struct spot {
  std::string id;
  int left = -1;
  int right = -1;
  bool free = false;
  bool accessible = false;
  bool asked = false; ///< block, row, category and price are as asked
  std::int64_t distance = 0;
};

struct world {
  plan where;
  std::vector<std::vector<bool>> free; ///< block, seat
  best_ask ask;
};

using score = std::array<std::int64_t, 6>;
using answer = std::optional<std::vector<std::string>>;
using searcher = std::function<answer(const world&)>;

// --- every choice ----------------------------------------------------------------------------

std::int64_t far(const point& a, const point& b) {
  return std::llround(std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)) * 1e6);
}

std::vector<std::vector<point>> points_of(const plan& where, point& focal) {
  std::vector<std::vector<point>> rows;
  bool complete = true;
  double left = std::numeric_limits<double>::max();
  double right = std::numeric_limits<double>::lowest();
  double front = std::numeric_limits<double>::max();
  for (const auto& block : where.blocks)
    for (const auto& row : block.rows) {
      rows.emplace_back();
      for (const auto& seat : row.seats) {
        complete = complete && seat.at;
        const auto at = seat.at.value_or(point{});
        rows.back().push_back(at);
        left = std::min(left, at.x);
        right = std::max(right, at.x);
        front = std::min(front, at.y);
      }
    }
  focal = where.focal_point ? *where.focal_point : point{(left + right) / 2, front};
  if (complete)
    return rows;
  focal = {0, 0};
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t s = 0; s < rows[r].size(); ++s)
      rows[r][s] = {static_cast<double>(s) - static_cast<double>(rows[r].size() - 1) / 2,
                    static_cast<double>(r + 1)};
  return rows;
}

bool within(const block& which, std::size_t row, const best_ask& ask) {
  bool from = ask.row_from.empty();
  bool to = ask.row_to.empty();
  for (std::size_t r = 0; r < which.rows.size(); ++r) {
    from = from || (r <= row && which.rows[r].id == ask.row_from);
    to = to || (r >= row && which.rows[r].id == ask.row_to);
  }
  return from && to;
}

bool is_asked(const plan& where, const block& which, std::size_t row, const best_ask& ask) {
  std::int64_t price = -1;
  for (const auto& one : where.categories)
    if (one.id == which.category)
      price = one.price_minor;
  const auto& wanted = ask.categories;
  return within(which, row, ask) && (ask.block.empty() || which.id == ask.block) &&
         (!ask.price_max_minor || price <= *ask.price_max_minor) &&
         (wanted.empty() || std::count(wanted.begin(), wanted.end(), which.category) > 0);
}

void make_neighbours(std::vector<spot>& spots, std::size_t first, const std::vector<point>& row) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < row.size(); ++i)
    gaps.push_back(
        std::sqrt(std::pow(row[i].x - row[i - 1].x, 2) + std::pow(row[i].y - row[i - 1].y, 2)));
  auto sorted = gaps;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < gaps.size(); ++i)
    if (gaps[i] <= 1.75 * sorted[(sorted.size() - 1) / 2]) {
      spots[first + i].right = static_cast<int>(first + i + 1);
      spots[first + i + 1].left = static_cast<int>(first + i);
    }
}

std::vector<spot> spots_of(const world& it) {
  point focal;
  const auto points = points_of(it.where, focal);
  std::vector<spot> spots;
  std::size_t row_number = 0;
  for (std::size_t b = 0; b < it.where.blocks.size(); ++b) {
    const auto& block = it.where.blocks[b];
    std::size_t in_block = 0;
    for (std::size_t r = 0; r < block.rows.size(); ++r, ++row_number) {
      const auto first = spots.size();
      for (std::size_t s = 0; s < block.rows[r].seats.size(); ++s) {
        const auto& seat = block.rows[r].seats[s];
        spots.push_back({seat.id, -1, -1, it.free[b][in_block++], seat.accessible,
                         is_asked(it.where, block, r, it.ask), far(points[row_number][s], focal)});
      }
      make_neighbours(spots, first, points[row_number]);
    }
  }
  return spots;
}

/// None if the ask does not allow this choice (a bit for each spot).
std::optional<score> score_of(const std::vector<spot>& spots, std::uint32_t chosen,
                              const best_ask& ask) {
  const auto is_chosen = [&](int seat) { return seat >= 0 && (chosen >> seat & 1U) != 0; };
  const auto is_left = [&](int seat) {
    return seat >= 0 && spots[static_cast<std::size_t>(seat)].free && !is_chosen(seat);
  };
  std::int64_t alone = 0, groups = 0, accessible = 0, orphans = 0, distance = 0, first = -1;
  for (int i = 0; i < static_cast<int>(spots.size()); ++i) {
    const auto& seat = spots[static_cast<std::size_t>(i)];
    if (is_chosen(i)) {
      if (!seat.free || !seat.asked || (seat.accessible && ask.accessible == 0))
        return std::nullopt;
      first = first < 0 ? i : first;
      groups += is_chosen(seat.left) ? 0 : 1;
      alone += is_chosen(seat.left) || is_chosen(seat.right) ? 0 : 1;
      accessible += seat.accessible ? 1 : 0;
      distance += seat.distance;
    } else if (seat.free && !seat.accessible && (is_chosen(seat.left) || is_chosen(seat.right)) &&
               !is_left(seat.left) && !is_left(seat.right)) {
      ++orphans;
    }
  }
  if (accessible < ask.accessible || (groups > 1 && !ask.may_split))
    return std::nullopt;
  return score{alone,
               groups,
               accessible - ask.accessible,
               ask.avoid_orphans ? orphans : 0,
               distance,
               groups == 1 ? first : 0};
}

std::optional<score> least_score(const std::vector<spot>& spots, const best_ask& ask) {
  std::optional<score> least;
  for (std::uint32_t chosen = 1; chosen < 1U << spots.size(); ++chosen)
    if (static_cast<std::uint32_t>(std::popcount(chosen)) == ask.quantity)
      if (const auto found = score_of(spots, chosen, ask); found && (!least || *found < *least))
        least = found;
  return least;
}

/// Says what is wrong with the answer; empty if nothing is.
std::string fault_in(const world& it, const answer& given) {
  const auto spots = spots_of(it);
  const auto least = least_score(spots, it.ask);
  if (!given || !least)
    return given.has_value() == least.has_value() ? ""
           : given                                ? "seats where none fit"
                                                  : "none where there are seats";
  std::uint32_t chosen = 0;
  std::size_t position = 0;
  for (std::size_t i = 0; i < spots.size() && position < given->size(); ++i)
    if (spots[i].id == (*given)[position]) {
      chosen |= 1U << i;
      ++position;
    }
  if (position != given->size() || position != it.ask.quantity)
    return "not so many seats of the plan, in its order";
  const auto reached = score_of(spots, chosen, it.ask);
  if (!reached)
    return "seats that were not to be had";
  return *reached == *least ? "" : "a choice that is not the best";
}

// --- random worlds ---------------------------------------------------------------------------

class maker {
public:
  explicit maker(std::uint64_t seed) : dice_{seed} {}

  world make() {
    world it;
    const bool drawn = chance(80);
    accessible_percent_ = pick({0, 0, 15, 40, 80});
    left_ = seats_max;
    it.where.categories = {{"x", "", 10}, {"y", "", 20}};
    if (chance(70))
      it.where.focal_point = point{double(roll(0, 120)), double(roll(-30, 60))};
    const int blocks = roll(1, 3);
    for (int b = 0; b < blocks && left_ > 0; ++b)
      it.where.blocks.push_back(make_block(b, drawn));
    const int free_percent = pick({50, 75, 90, 100});
    for (const auto& block : it.where.blocks) {
      it.free.emplace_back();
      for (const auto& row : block.rows)
        for (std::size_t s = 0; s < row.seats.size(); ++s)
          it.free.back().push_back(chance(free_percent));
    }
    it.ask = make_ask();
    return it;
  }

private:
  int roll(int from, int to) {
    return from + static_cast<int>(dice_.below(static_cast<std::uint64_t>(to - from + 1)));
  }
  bool chance(int percent) { return roll(1, 100) <= percent; }
  int pick(const std::vector<int>& from) {
    return from[static_cast<std::size_t>(roll(0, static_cast<int>(from.size()) - 1))];
  }

  block make_block(int number, bool drawn) {
    block made{"b" + std::to_string(number), chance(50) ? "x" : "y", {}};
    const int rows = roll(1, 3);
    for (int r = 0; r < rows && left_ > 0; ++r)
      made.rows.push_back(make_row(r, drawn));
    return made;
  }

  row make_row(int number, bool drawn) {
    row made{"r" + std::to_string(number), {}};
    const int seats = roll(1, std::min(left_, chance(30) ? 10 : 5));
    left_ -= seats;
    double x = roll(0, 6) * 10;
    const double y = roll(0, 5) * 12;
    for (int s = 0; s < seats; ++s) {
      std::optional<point> at;
      if (drawn || chance(50))
        at = point{x, y};
      made.seats.push_back({"s" + std::to_string(next_seat_++), at, chance(accessible_percent_)});
      x += pick({20, 20, 20, 20, 24, 34, 36, 60});
    }
    return made;
  }

  best_ask make_ask() {
    best_ask ask;
    ask.quantity = static_cast<std::uint32_t>(roll(1, chance(50) ? 4 : 8));
    if (accessible_percent_ > 0 && chance(60))
      ask.accessible = static_cast<std::uint32_t>(roll(0, 3));
    ask.avoid_orphans = chance(85);
    ask.may_split = chance(85);
    if (chance(10))
      ask.price_max_minor = pick({9, 10, 19, 20});
    if (chance(10))
      ask.categories = {chance(50) ? "x" : "y"};
    if (chance(10))
      ask.block = "b" + std::to_string(roll(0, 2));
    if (chance(10))
      ask.row_from = "r" + std::to_string(roll(0, 2));
    if (chance(10))
      ask.row_to = "r" + std::to_string(roll(0, 2));
    return ask;
  }

  usher::testing::random_source dice_;
  int accessible_percent_ = 0;
  int left_ = 0;
  int next_seat_ = 0;
};

std::string told(const world& it) {
  std::ostringstream out;
  for (const auto& one : spots_of(it))
    out << one.id << (one.free ? " free" : "") << (one.accessible ? " accessible" : "")
        << (one.asked ? "" : " not asked for") << ' ' << one.distance
        << (one.right < 0 ? "\n" : " - ");
  out << "quantity " << it.ask.quantity << ", accessible " << it.ask.accessible
      << (it.ask.avoid_orphans ? ", avoids orphans" : "")
      << (it.ask.may_split ? ", may split" : "");
  return out.str();
}

answer search(const world& it, const best_ask& ask) {
  const auto is_free = [&](std::uint32_t block, std::uint32_t seat) -> bool {
    return it.free.at(block).at(seat);
  };
  return best_available(seat_chart{it.where}, is_free, ask);
}

answer as_it_is(const world& it) {
  return search(it, it.ask);
}

/// In how many of so many worlds this searcher is caught.
int caught(const searcher& suspect, int worlds) {
  maker worlds_of{1};
  int found = 0;
  for (int i = 0; i < worlds; ++i) {
    const auto it = worlds_of.make();
    found += fault_in(it, suspect(it)).empty() ? 0 : 1;
  }
  return found;
}

} // namespace

BOOST_AUTO_TEST_CASE(no_choice_is_better) {
  const auto first = usher::testing::seed_of_run();
  std::cout << "USHER_SEED=" << first << std::endl;
  maker worlds{first};
  int whole = 0, split = 0, none = 0;
  for (int i = 0; i < rounds; ++i) {
    const auto it = worlds.make();
    const auto given = as_it_is(it);
    const auto fault = fault_in(it, given);
    std::string names;
    for (const auto& id : given.value_or(std::vector<std::string>{}))
      names += " " + id;
    BOOST_REQUIRE_MESSAGE(fault.empty(), fault << ": world " << i << " of seed " << first << "\n"
                                               << told(it) << "\ngiven:" << names);
    auto whole_only = it.ask;
    whole_only.may_split = false;
    ++(!given ? none : search(it, whole_only) ? whole : split);
  }
  // Each kind of answer was there, often enough to mean something.
  std::cout << whole << " whole, " << split << " split, " << none << " none" << std::endl;
  BOOST_TEST(std::min({whole, split, none}) > rounds / 20);
}

BOOST_AUTO_TEST_CASE(wrong_answers_are_caught) {
  const auto with = [](void (*change)(best_ask&)) {
    return [change](const world& it) {
      auto ask = it.ask;
      change(ask);
      return search(it, ask);
    };
  };
  const std::vector<std::pair<std::string, searcher>> suspects{
      {"forgets orphans", with([](best_ask& ask) { ask.avoid_orphans = false; })},
      {"fears orphans", with([](best_ask& ask) { ask.avoid_orphans = true; })},
      {"never splits", with([](best_ask& ask) { ask.may_split = false; })},
      {"always splits", with([](best_ask& ask) { ask.may_split = true; })},
      {"gives accessible seats away", with([](best_ask& ask) { ask.accessible = 1; })},
      {"forgets who needs them", with([](best_ask& ask) { ask.accessible = 0; })},
      {"forgets the price", with([](best_ask& ask) { ask.price_max_minor.reset(); })},
      {"forgets the rows", with([](best_ask& ask) { ask.row_from = ask.row_to = ""; })},
      {"gives one seat less", with([](best_ask& ask) { ask.quantity -= ask.quantity > 1; })},
      {"forgets where everybody wants to be",
       [](const world& it) {
         auto elsewhere = it;
         elsewhere.where.focal_point = point{-500, 900};
         return search(elsewhere, it.ask);
       }},
  };
  for (const auto& [name, suspect] : suspects)
    BOOST_TEST(caught(suspect, 1000) > 0, name);
  BOOST_TEST(caught(as_it_is, 1000) == 0);
}

#include "bench/load/scenario.hpp"

#include "bench/load/play.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace usher::load {

namespace {

struct staged {
  scenario what;
  void (*play)(stage_play&);
  bool seat_for_each = false; ///< as many seats as fans
};

using enum knob;

const std::array stages{
    staged{{"journey",
            "Fans read the page, join, wait, look at the seat map, choose seats, order and pay.",
            {fans, arrivals, admits, seats, seconds, watching},
            {.fans = 1'000,
             .arrivals_per_second = 50,
             .admits_per_second = 60,
             .seats = 2'500,
             .seconds = 300}},
           play_journey},
    staged{{"flash-crowd",
            "Everybody joins at once, one in a hundred watches, and the house sells to the last "
            "seat; then every place is checked.",
            {fans, arrivals, admits, seats, seconds, watching},
            {.fans = 200'000,
             .admits_per_second = 500,
             .seats = 20'000,
             .seconds = 900,
             .watching = 0.01,
             .connections = 1'000}},
           play_flash_crowd},
    staged{{"steady",
            "Ten thousand fans come at 55 a second and buy: event page p95 within 200 ms, order "
            "p95 within 2 s.",
            {fans, arrivals, admits, seconds},
            {.fans = 10'000, .arrivals_per_second = 55, .admits_per_second = 100, .seconds = 600}},
           play_steady,
           true},
    staged{{"entry",
            "Thirty thousand fans come within 145 seconds, are let in and buy, without one error.",
            {fans, admits, seconds},
            {.fans = 30'000, .admits_per_second = 400, .seconds = 145}},
           play_entry,
           true},
    staged{{"seat-rush",
            "Fans who are let in already ask for seats by their names, all at once.",
            {fans, arrivals, seats, wish},
            {.fans = 5'000, .admits_per_second = 100'000, .seats = 5'000, .seconds = 300}},
           play_seat_rush},
    staged{{"poll-storm",
            "Fans who wait ask where they stand, over and over, while nobody is let in.",
            {fans, seconds, polls},
            {.fans = 100'000}},
           play_poll_storm},
    staged{{"overload",
            "Twice as many joins as the server can take: most are served, the others are turned "
            "away quickly, polls last, and it recovers at once.",
            {arrivals, seconds, polls},
            {.seconds = 60, .polls_per_second = 200, .connections = 10'000}},
           play_overload},
};

auto whats() {
  std::array<scenario, stages.size()> all;
  std::ranges::transform(stages, all.begin(), &staged::what);
  return all;
}

} // namespace

std::span<const scenario> scenarios() {
  static const auto all = whats();
  return all;
}

report play(const scenario& which, const scenario_settings& with, const std::string& show,
            const target& to, const staff_call& staff, team::watcher watch) {
  const auto found =
      std::ranges::find(stages, which.name, [](const staged& each) { return each.what.name; });
  if (found == stages.end())
    throw std::logic_error{"no scenario of that name"};
  auto chosen = with;
  if (found->seat_for_each)
    chosen.seats = chosen.fans;
  if (chosen.seats > seats_max)
    throw std::runtime_error{"--fans: each gets a seat, and a plan has at most " +
                             grouped(seats_max)};
  stage_play on{which, chosen, show, to, staff, std::move(watch)};
  try {
    found->play(on);
  } catch (const std::runtime_error&) {
    on.close();
    throw;
  }
  on.close();
  return std::move(on.told);
}

} // namespace usher::load

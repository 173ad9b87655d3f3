#include "bench/load/play.hpp"

#include "bench/load/asking.hpp"
#include "bench/load/overloading.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

// Scenarios in which nobody is let in: what the queue alone can bear.
namespace usher::load {

namespace {

constexpr double most_seconds = 10;  ///< for finding out what is the most, at most
constexpr double after_seconds = 10; ///< for seeing that it is over, at most
constexpr double times_most = 2;
constexpr time_ns sent_late_most = second_ns; ///< or the load was not put on
constexpr double goodput_least = 0.8;
constexpr double shed_ms_most = 1'000;
constexpr auto everybody = std::numeric_limits<std::uint32_t>::max();

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Joins at a rate that is kept whatever the answers are, and polls beside them.
phase& press(stage_play& on, std::string name, std::string what, double joins_per_second,
             double seconds) {
  return on.run(std::move(name), std::move(what), [&](worker& one) {
    overloading_plan plan;
    plan.until = on.in_seconds(seconds);
    plan.joins = {.fans = everybody,
                  .arrivals = on.spread(one, joins_per_second),
                  .begin = on.people.now(),
                  .until = plan.until,
                  .comes_again = false,
                  .seed = on.set.seed};
    if (on.set.polls_per_second > 0)
      plan.polls = on.spread(one, on.set.polls_per_second);
    return std::make_unique<overloading>(on.in, one, plan);
  });
}

/// As many joins as are answered, for a while: how many that is in a second.
double find_most(stage_play& on) {
  const auto lasts = std::min(most_seconds, on.set.seconds);
  const auto& most = on.run(
      "maximum", "joins as fast as they are answered: the most it can take", [&](worker& one) {
        return std::make_unique<joining>(on.in, one,
                                         joining_plan{.fans = everybody,
                                                      .until = on.in_seconds(lasts),
                                                      .comes_again = false,
                                                      .seed = on.set.seed});
      });
  const auto joins = most.tally.of(request_kind::join).fine;
  if (joins == 0)
    throw std::runtime_error{"not one join was answered"};
  on.figure("joins a second, at most", per_second(joins, most.seconds), "/s");
  return per_second(joins, most.seconds);
}

/// `asked` is how many joins a second were to come, `most` how many can be served.
void check_pressed(stage_play& on, const phase& pressed, double asked, double most) {
  const auto& joins = pressed.tally.of(request_kind::join);
  on.check("they came as they were to come", pressed.lateness.sent_late_max <= sent_late_most,
           grouped(static_cast<std::uint64_t>(asked)) + " joins a second, sent at most " +
               milliseconds(
                   static_cast<std::uint64_t>(pressed.lateness.sent_late_max / microsecond_ns)) +
               " ms late");
  const auto goodput = per_second(joins.fine, pressed.seconds);
  const auto possible = std::min(per_second(joins.all(), on.set.seconds), most);
  on.figure("joins a second, served of too many", goodput, "/s");
  on.check("goodput is at least 80 % of what is possible", goodput >= goodput_least * possible,
           percent(possible > 0 ? goodput / possible : 0));
  on.check("who is turned away is so within a second (p99)",
           static_cast<double>(joins.shed_latency.at_us(0.99)) <= shed_ms_most * 1'000,
           joins.shed == 0 ? "nobody was"
                           : grouped(joins.shed) + " were, in " +
                                 milliseconds(joins.shed_latency.at_us(0.99)) + " ms");
  const auto& polls = pressed.tally.of(request_kind::poll);
  const auto polls_shed = share(polls.shed, polls.all());
  const auto joins_shed = share(joins.shed, joins.all());
  on.check("polls are turned away last", polls_shed <= joins_shed,
           percent(polls_shed) + " of the polls, " + percent(joins_shed) + " of the joins");
}

} // namespace

void play_poll_storm(stage_play& on) {
  on.open(0);
  on.join("all fans ask for a place", on.set.fans);
  on.check_all("every fan has a place", on.people.count(stage::waiting), on.set.fans);
  on.run("storm", "fans who wait ask where they stand, at random", [&](worker& one) {
    asking_plan plan{.turns = {.begin = on.people.now(), .seed = on.set.seed},
                     .until = on.in_seconds(on.set.seconds)};
    if (on.set.polls_per_second > 0)
      plan.turns.arrivals = on.spread(one, on.set.polls_per_second);
    return std::make_unique<asking>(on.in, one, plan);
  });
  on.check_places();
  on.told.check_no_errors();
}

void play_overload(stage_play& on) {
  on.open(0);
  const auto most = find_most(on);
  const auto asked =
      on.set.arrivals_per_second > 0 ? on.set.arrivals_per_second : times_most * most;
  const auto& pressed = press(on, "overload", "more joins than it can take, and polls beside them",
                              asked, on.set.seconds);
  check_pressed(on, pressed, asked, most);
  const auto& after = press(on, "after", "half of what it can take, at once",
                            std::min(asked, most) / 2, std::min(after_seconds, on.set.seconds));
  const auto& joins = after.tally.of(request_kind::join);
  on.check("it recovers at once", joins.fine > 0 && joins.shed == 0,
           grouped(joins.shed) + " of " + grouped(joins.all()) + " joins turned away afterwards");
  on.check_places();
  on.told.check_no_errors();
}

} // namespace usher::load

// The promise about the rate: in any window of w seconds at most rate * (w + one tick) + 1 fans are
// admitted, whatever the rate, the tick, its jitter and the pauses; and at a steady tick no fewer
// than the rate gives. The checker itself is proven to bite by a bucket that stores two ticks.
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

settings rated(std::uint64_t rate_micro, duration_ms tick_ms) {
  settings set;
  set.admit_per_second_micro = rate_micro;
  set.tick_ms = tick_ms;
  set.max_active = std::nullopt;
  return set;
}

std::vector<time_ms> uneven_ticks(std::mt19937_64& dice, duration_ms tick_ms) {
  std::vector<time_ms> ticks;
  time_ms now = 0;
  for (int tick = 0; tick < 300; ++tick) {
    const auto kind = any_of(dice, 0, 9);
    if (kind == 0)
      now += any_of<duration_ms>(dice, 0, 20 * tick_ms); // a pause
    else if (kind < 3)
      now += any_of<duration_ms>(dice, 0, 3); // a late one and the next at once
    else
      now +=
          std::max<duration_ms>(0, tick_ms + any_of<duration_ms>(dice, -tick_ms / 4, tick_ms / 4));
    ticks.push_back(now);
  }
  return ticks;
}

record admissions_of(state& room, const std::vector<time_ms>& ticks) {
  record happened;
  for (const auto now : ticks) {
    const auto most = static_cast<slot_t>(room.credit_micro_at(now) / 1'000'000);
    if (room.waiting < most)
      apply(room, fans(room.joined(), most - room.waiting), now);
    const auto decided = std::get<events>(decide(room, command::tick{now}));
    for (const auto& one : decided) {
      if (const auto* const let_in = std::get_if<event::fans_admitted>(&one))
        happened.push_back({now, let_in->slots.size()});
      apply(room, one, now);
    }
  }
  return happened;
}

state open_room(const settings& set) {
  state room;
  apply(room, event::room_configured{set}, 0);
  apply(room, event::room_opened{}, 0);
  return room;
}

/// A bucket that stores two ticks instead of one; nothing else differs.
record of_a_generous_bucket(const settings& set, const std::vector<time_ms>& ticks) {
  const auto rate = set.admit_per_second_micro;
  const auto cap = 2 * rate * static_cast<std::uint64_t>(set.tick_ms) / 1000 + 999'999;
  std::uint64_t credit = 0;
  time_ms credit_at = 0;
  record happened;
  for (const auto now : ticks) {
    credit = std::min(cap, credit + rate * static_cast<std::uint64_t>(now - credit_at) / 1000);
    credit_at = now;
    if (credit >= 1'000'000)
      happened.push_back({now, credit / 1'000'000});
    credit %= 1'000'000;
  }
  return happened;
}

} // namespace

BOOST_AUTO_TEST_CASE(no_window_sees_more_than_the_rate_and_one_tick) {
  std::mt19937_64 dice{seed()};
  for (int round = 0; round < 150; ++round) {
    const auto rate = round % 3 == 0 ? any_of<std::uint64_t>(dice, 1, 5'000'000)
                                     : any_of<std::uint64_t>(dice, 1'000'000, 300'000'000);
    const auto set = rated(rate, any_of<duration_ms>(dice, 10, 3000));
    auto room = open_room(set);
    const auto happened = admissions_of(room, uneven_ticks(dice, set.tick_ms));
    BOOST_REQUIRE_MESSAGE(keeps_the_promise(happened, set),
                          "rate " << rate << " tick " << set.tick_ms);
  }
}

BOOST_AUTO_TEST_CASE(the_checker_catches_a_bucket_that_stores_two_ticks) {
  const auto set = rated(20'000'000, 1000);
  const std::vector<time_ms> ticks = {1000, 10'000, 11'000};
  BOOST_CHECK(!keeps_the_promise(of_a_generous_bucket(set, ticks), set));
  auto room = open_room(set);
  BOOST_CHECK(keeps_the_promise(admissions_of(room, ticks), set));
}

BOOST_AUTO_TEST_CASE(a_steady_tick_gives_the_whole_rate_fractions_too) {
  for (const std::uint64_t rate : {300'000U, 1'000'000U, 2'500'000U, 33'333'333U}) {
    auto room = open_room(rated(rate, 1000));
    std::vector<time_ms> ticks;
    for (time_ms now = 1000; now <= 100'000; now += 1000)
      ticks.push_back(now);
    std::uint64_t fans = 0;
    for (const auto& one : admissions_of(room, ticks))
      fans += one.fans;
    BOOST_TEST(fans == rate * 100 / 1'000'000);
  }
}

BOOST_AUTO_TEST_CASE(a_million_a_second_and_years_of_pause_overflow_nothing) {
  constexpr duration_ms century_ms = 100LL * 365 * 86'400'000;
  for (const std::uint64_t rate : std::initializer_list<std::uint64_t>{1'000'000'000'000, 1, 0})
    for (const duration_ms tick_ms : {10, 1000, 3'600'000}) {
      const auto room = open_room(rated(rate, tick_ms));
      const auto cap = rate * static_cast<std::uint64_t>(tick_ms) / 1000 + 999'999;
      const auto accrued = rate * (century_ms / 1000); // wraps for the largest rate
      const auto expected =
          rate == 1'000'000'000'000U ? cap : std::min<std::uint64_t>(cap, accrued);
      BOOST_TEST(room.credit_micro_at(century_ms) == expected);
      BOOST_TEST(room.credit_micro_at(-1) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(credit_is_never_stored_over_an_opening_or_a_change_of_rate) {
  auto room = open_room(rated(10'000'000, 1000));
  apply(room, event::room_configured{rated(1'000'000, 1000)}, 60'000);
  BOOST_TEST(room.credit_micro_at(60'000) == 1'999'999U); // cut to the new cap
  apply(room, event::room_configured{rated(10'000'000, 1000)}, 60'000);
  BOOST_TEST(room.credit_micro_at(60'000) == 1'999'999U); // and not restored by the old rate
  BOOST_TEST(room.credit_micro_at(60'100) == 2'999'999U);
  apply(room, event::room_closed{}, 60'100);
  apply(room, event::room_opened{}, 70'000);
  BOOST_TEST(room.credit_micro_at(70'000) == 0U);
}

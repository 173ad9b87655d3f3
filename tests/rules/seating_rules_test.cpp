// The rules of one seat block: a table of what a seat can be and what may be asked of it, then what
// concerns several seats, plans, and events that contradict the state.
#include "actors/seating/rules.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace {

using usher::hold_id;
using usher::order_id;
using usher::time_ms;
namespace seating = usher::seating;
namespace command = usher::seating::command;
namespace event = usher::seating::event;
using events = std::vector<seating::any_event>;
using why = seating::unavailable_reason;

hold_id hold(std::uint8_t n) {
  hold_id id;
  id.bytes[0] = n;
  return id;
}

order_id order(std::uint8_t n) {
  order_id id;
  id.bytes[0] = n;
  return id;
}

constexpr time_ms now = 1000;

/// A block with the seats s and t. The seat s has come to be as the events say.
seating::state block_after(const events& history) {
  seating::state block;
  seating::apply(block, event::block_planned{{"s", "t"}}, 1);
  for (const auto& one : history)
    seating::apply(block, one, 1);
  return block;
}

seating::state block_with(const seating::any_event& happened) {
  return block_after({happened});
}

const events nothing;

struct row {
  std::string seat;  ///< what the seat s is
  events before;     ///< how it came so
  std::string asked; ///< what is asked of it, by the hold 1 with the order 1
  seating::any_command command;
  seating::decision answer;
};

} // namespace

BOOST_AUTO_TEST_CASE(every_state_of_a_seat_answers_every_command) {
  const auto hold_it = command::hold{hold(1), {"s"}, 5000, now};
  const auto release_it = command::release{{hold(1)}};
  const auto sell_it = command::sell{hold(1), order(1), {"s"}, now};

  const events free{};
  const events mine{event::seats_held{hold(1), {"s"}, now + 1}};
  const events mine_over{event::seats_held{hold(1), {"s"}, now}};
  const events other{event::seats_held{hold(2), {"s"}, now + 1}};
  const events other_over{event::seats_held{hold(2), {"s"}, now}};
  const events sold_to_me{event::seats_sold{hold(1), order(1), {"s"}}};
  const events sold_to_other{event::seats_sold{hold(2), order(2), {"s"}}};

  const events held{event::seats_held{hold(1), {"s"}, 5000}};
  const events released{event::seats_released{hold(1), {"s"}}};
  const events sold{event::seats_sold{hold(1), order(1), {"s"}}};
  const auto no = [](why reason) { return seating::refusal{{"s", reason}}; };

  const std::vector<row> table{
      {"available", free, "hold", hold_it, held},
      {"available", free, "release", release_it, nothing},
      {"available", free, "sell", sell_it, sold},
      {"held by it", mine, "hold", hold_it, held},
      {"held by it", mine, "release", release_it, released},
      {"held by it", mine, "sell", sell_it, sold},
      {"held by it, over", mine_over, "hold", hold_it, held},
      {"held by it, over", mine_over, "release", release_it, released},
      {"held by it, over", mine_over, "sell", sell_it, sold},
      {"held by another", other, "hold", hold_it, no(why::held)},
      {"held by another", other, "release", release_it, nothing},
      {"held by another", other, "sell", sell_it, no(why::held)},
      {"held by another, over", other_over, "hold", hold_it, held},
      {"held by another, over", other_over, "release", release_it, nothing},
      {"held by another, over", other_over, "sell", sell_it, sold},
      {"sold to its order", sold_to_me, "hold", hold_it, no(why::sold)},
      {"sold to its order", sold_to_me, "release", release_it, nothing},
      {"sold to its order", sold_to_me, "sell", sell_it, nothing},
      {"sold to another", sold_to_other, "hold", hold_it, no(why::sold)},
      {"sold to another", sold_to_other, "release", release_it, nothing},
      {"sold to another", sold_to_other, "sell", sell_it, no(why::sold)},
  };
  for (const auto& [seat, before, asked, what, answer] : table)
    BOOST_TEST_CONTEXT(asked << " of a seat that is " << seat)
  BOOST_CHECK(seating::decide(block_after(before), what) == answer);
}

BOOST_AUTO_TEST_CASE(a_hold_is_all_or_nothing_and_names_every_seat_in_the_way) {
  seating::state block;
  seating::apply(block, event::block_planned{{"a", "b", "c", "d"}}, 1);
  seating::apply(block, event::seats_held{hold(2), {"b"}, now + 1}, 1);
  seating::apply(block, event::seats_sold{hold(3), order(3), {"c"}}, 1);
  const seating::decision expected = seating::refusal{
      {"b", why::held}, {"c", why::sold}, {"nowhere", why::unknown}, {"a", why::unknown}};
  const auto answer = seating::decide(
      block, command::hold{hold(1), {"a", "b", "c", "nowhere", "a", "d"}, 5000, now});
  BOOST_CHECK(answer == expected);
}

BOOST_AUTO_TEST_CASE(the_same_hold_again_changes_nothing) {
  const auto block = block_with(event::seats_held{hold(1), {"s", "t"}, 5000});
  const seating::decision expected = nothing;
  BOOST_CHECK(seating::decide(block, command::hold{hold(1), {"t", "s"}, 5000, now}) == expected);
}

BOOST_AUTO_TEST_CASE(the_same_hold_for_longer_or_for_more_seats_is_recorded) {
  const auto block = block_with(event::seats_held{hold(1), {"s"}, 5000});
  const seating::decision longer = events{event::seats_held{hold(1), {"s"}, 6000}};
  const seating::decision more = events{event::seats_held{hold(1), {"s", "t"}, 5000}};
  BOOST_CHECK(seating::decide(block, command::hold{hold(1), {"s"}, 6000, now}) == longer);
  BOOST_CHECK(seating::decide(block, command::hold{hold(1), {"s", "t"}, 5000, now}) == more);
}

BOOST_AUTO_TEST_CASE(one_release_gives_back_several_holds_and_only_what_they_still_have) {
  auto block = block_after(
      {event::seats_held{hold(1), {"s"}, 5000}, event::seats_held{hold(2), {"t"}, 5000}});
  const seating::decision both =
      events{event::seats_released{hold(1), {"s"}}, event::seats_released{hold(2), {"t"}}};
  BOOST_CHECK(seating::decide(block, command::release{{hold(1), hold(2), hold(9)}}) == both);

  seating::apply(block, event::seats_held{hold(3), {"s"}, 9000}, 5000); // 1 is over: 3 takes s
  const seating::decision only_t = events{event::seats_released{hold(2), {"t"}}};
  BOOST_CHECK(seating::decide(block, command::release{{hold(1), hold(2)}}) == only_t);
}

BOOST_AUTO_TEST_CASE(selling_a_part_of_a_hold_leaves_the_rest_held) {
  auto block = block_with(event::seats_held{hold(1), {"s", "t"}, 5000});
  seating::apply(block, event::seats_sold{hold(1), order(1), {"s"}}, now);
  BOOST_CHECK((block.count(now) == seating::counts{0, 1, 1}));
  const seating::decision rest = events{event::seats_released{hold(1), {"t"}}};
  BOOST_CHECK(seating::decide(block, command::release{{hold(1)}}) == rest);
}

BOOST_AUTO_TEST_CASE(counts_judge_a_hold_by_the_time_asked) {
  const auto block = block_with(event::seats_held{hold(1), {"s"}, 5000});
  BOOST_CHECK((block.count(4999) == seating::counts{1, 1, 0}));
  BOOST_CHECK((block.count(5000) == seating::counts{2, 0, 0}));
}

BOOST_AUTO_TEST_CASE(a_plan_keeps_the_state_of_the_seats_that_stay) {
  auto block = block_after(
      {event::seats_held{hold(1), {"s"}, 5000}, event::seats_sold{hold(2), order(2), {"t"}}});
  const seating::decision planned = events{event::block_planned{{"new", "t", "s"}}};
  BOOST_CHECK(seating::decide(block, command::plan{{"new", "t", "s"}, now}) == planned);

  seating::apply(block, event::block_planned{{"new", "t", "s"}}, now);
  BOOST_CHECK((block.count(now) == seating::counts{1, 1, 1}));
  const seating::decision still_held = seating::refusal{{"s", why::held}, {"t", why::sold}};
  BOOST_CHECK(seating::decide(block, command::hold{hold(3), {"s", "t"}, 9000, now}) == still_held);
  const seating::decision released = events{event::seats_released{hold(1), {"s"}}};
  BOOST_CHECK(seating::decide(block, command::release{{hold(1)}}) == released);
}

BOOST_AUTO_TEST_CASE(a_plan_cannot_take_away_a_held_or_sold_seat_but_a_hold_that_is_over_may_go) {
  const auto block = block_after(
      {event::seats_held{hold(1), {"s"}, 5000}, event::seats_sold{hold(2), order(2), {"t"}}});
  const seating::decision both = seating::refusal{{"s", why::held}, {"t", why::sold}};
  BOOST_CHECK(seating::decide(block, command::plan{{"u"}, 4999}) == both);

  const seating::decision planned = events{event::block_planned{{"t"}}};
  BOOST_CHECK(seating::decide(block, command::plan{{"t"}, 5000}) == planned);
  auto after = block;
  seating::apply(after, event::block_planned{{"t"}}, 5000);
  BOOST_CHECK((after.count(5000) == seating::counts{0, 0, 1}));
  BOOST_TEST(after.seats_of.empty());
}

BOOST_AUTO_TEST_CASE(a_plan_that_is_the_same_changes_nothing_and_one_with_doubles_is_refused) {
  const auto block = block_after({});
  const seating::decision same = nothing;
  BOOST_CHECK(seating::decide(block, command::plan{{"s", "t"}, now}) == same);
  const seating::decision twice = seating::refusal{{"s", why::unknown}};
  BOOST_CHECK(seating::decide(block, command::plan{{"s", "t", "s"}, now}) == twice);
}

BOOST_AUTO_TEST_CASE(an_event_that_contradicts_the_state_stops_the_process) {
  const auto block = block_after(
      {event::seats_held{hold(1), {"s"}, 5000}, event::seats_sold{hold(2), order(2), {"t"}}});
  const auto stops_on = [&](const seating::any_event& happened, time_ms at) {
    return usher::test::stops([&] {
      auto copy = block;
      seating::apply(copy, happened, at);
    });
  };
  BOOST_TEST(stops_on(event::seats_sold{hold(3), order(3), {"t"}}, now), "sold twice");
  BOOST_TEST(stops_on(event::seats_sold{hold(3), order(3), {"s"}}, now), "sold under a live hold");
  BOOST_TEST(stops_on(event::seats_held{hold(3), {"s"}, 9000}, 4999), "a live hold overwritten");
  BOOST_TEST(stops_on(event::seats_held{hold(3), {"t"}, 9000}, now), "a sold seat held");
  BOOST_TEST(stops_on(event::seats_held{hold(3), {"x"}, 9000}, now), "an unknown seat");
  BOOST_TEST(stops_on(event::seats_released{hold(3), {"s"}}, now), "another's hold released");
  BOOST_TEST(stops_on(event::block_planned{{"s"}}, now), "a sold seat planned away");
  BOOST_TEST(!stops_on(event::seats_held{hold(3), {"s"}, 9000}, 5000), "a hold that is over");
}

BOOST_AUTO_TEST_CASE(the_reasons_are_written_as_the_api_writes_them) {
  BOOST_TEST(seating::to_string(why::held) == "HELD");
  BOOST_TEST(seating::to_string(why::sold) == "SOLD");
  BOOST_TEST(seating::to_string(why::blocked) == "BLOCKED");
  BOOST_TEST(seating::to_string(why::unknown) == "UNKNOWN");
}

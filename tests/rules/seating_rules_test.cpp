// The rules of one seat block: a table of what a seat can be and what may be asked of it, then what
// concerns generations, several seats, plans, and events that contradict the state.
#include "actors/seating/rules.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <string>

namespace {

using usher::hold_id;
using usher::order_id;
using usher::time_ms;
namespace seating = usher::seating;
namespace command = usher::seating::command;
namespace event = usher::seating::event;
using events = std::vector<seating::any_event>;
using seats = std::vector<usher::seat_id>;
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

bool decides(const seating::state& block, const seating::any_command& asked,
             const seating::decision& expected) {
  return seating::decide(block, asked) == expected;
}

seating::refusal held_seat(const usher::seat_id& seat, std::uint8_t by) {
  return {{seat, why::held, hold(by), {}}};
}

seating::refusal sold_seat(const usher::seat_id& seat, std::uint8_t to) {
  return {{seat, why::sold, {}, order(to)}};
}

const events nothing;
const event::seats_blocked off_sale{{"s"}, "camera"};

/// What the hold 1 and its order 1, or an operator, ask of the seat s.
const std::array<std::pair<std::string, seating::any_command>, 8> questions{{
    {"hold it", command::hold{hold(1), {"s"}, 5000, now}},
    {"hold it in generation 2", command::hold{hold(1), {"s"}, 5000, now, 2}},
    {"release it", command::release{{{hold(1), 1, {"s"}}}}},
    {"sell it", command::sell{hold(1), order(1), {"s"}, now}},
    {"block it", command::block{{"s"}, {}, "camera", now}},
    {"block it, taking it from the hold",
     command::block{{"s"}, {{hold(1), 1, {"s"}}}, "camera", now}},
    {"unblock it", command::unblock{{"s"}, now}},
    {"return it", command::return_sold{order(1), {"s"}}},
}};

struct row {
  std::string seat; ///< what the seat s is
  events before;    ///< how it came so
  std::array<seating::decision, questions.size()> answers;
};

/// What every question gets of a seat that anybody may take.
std::array<seating::decision, questions.size()> as_of_a_free_seat() {
  return {events{event::seats_held{hold(1), {"s"}, 5000}},
          events{event::seats_held{hold(1), {"s"}, 5000, 2}},
          nothing,
          events{event::seats_sold{hold(1), order(1), {"s"}}},
          events{off_sale},
          events{off_sale},
          nothing,
          seating::refusal{{"s", why::unknown}}};
}

/// What every question gets of a seat that nobody may take.
std::array<seating::decision, questions.size()> all_refused(const seating::refusal& no) {
  return {no, no, nothing, no, no, no, no, seating::refusal{{"s", why::unknown}}};
}

std::vector<row> every_state_of_a_seat() {
  const events released{event::seats_released{hold(1), {"s"}}};
  const events taken{released.front(), off_sale};

  // Its own hold: may be held anew and sold, in time or over.
  auto mine = as_of_a_free_seat();
  mine[2] = released;
  mine[4] = held_seat("s", 1);
  mine[5] = taken;
  mine[6] = held_seat("s", 1);
  auto mine_over = as_of_a_free_seat();
  mine_over[2] = released;
  mine_over[5] = taken;

  // Its own hold, which has moved on: what is asked of generation 1 is late.
  auto newer = all_refused(held_seat("s", 1));
  newer[1] = events{event::seats_held{hold(1), {"s"}, 5000, 2}};

  auto sold_to_it = all_refused(sold_seat("s", 1));
  sold_to_it[3] = nothing;
  sold_to_it[7] = events{event::seats_returned{order(1), {"s"}}};

  auto blocked = all_refused({{"s", why::blocked}});
  blocked[4] = nothing;
  blocked[5] = nothing;
  blocked[6] = events{event::seats_unblocked{{"s"}}};

  return {
      {"available", {}, as_of_a_free_seat()},
      {"held by it", {event::seats_held{hold(1), {"s"}, now + 1}}, mine},
      {"held by it, over", {event::seats_held{hold(1), {"s"}, now}}, mine_over},
      {"held by it in generation 2", {event::seats_held{hold(1), {"s"}, now + 1, 2}}, newer},
      {"held by it in generation 2, over",
       {event::seats_held{hold(1), {"s"}, now, 2}},
       as_of_a_free_seat()},
      {"held by another",
       {event::seats_held{hold(2), {"s"}, now + 1}},
       all_refused(held_seat("s", 2))},
      {"held by another, over", {event::seats_held{hold(2), {"s"}, now}}, as_of_a_free_seat()},
      {"sold to its order", {event::seats_sold{hold(1), order(1), {"s"}}}, sold_to_it},
      {"sold to another",
       {event::seats_sold{hold(2), order(2), {"s"}}},
       all_refused(sold_seat("s", 2))},
      {"blocked", {event::seats_blocked{{"s"}, ""}}, blocked},
      {"blocked and unblocked",
       {event::seats_blocked{{"s"}, ""}, event::seats_unblocked{{"s"}}},
       as_of_a_free_seat()},
      {"sold and returned",
       {event::seats_sold{hold(1), order(1), {"s"}}, event::seats_returned{order(1), {"s"}}},
       as_of_a_free_seat()},
  };
}

} // namespace

BOOST_AUTO_TEST_CASE(every_state_of_a_seat_answers_every_command) {
  for (const auto& [seat, before, answers] : every_state_of_a_seat())
    for (std::size_t at = 0; at < questions.size(); ++at)
      BOOST_TEST_CONTEXT(questions[at].first << " when it is " << seat)
  BOOST_CHECK(decides(block_after(before), questions[at].second, answers[at]));
}

BOOST_AUTO_TEST_CASE(every_accepted_answer_can_be_applied_at_the_very_time_it_was_given) {
  for (const auto& [seat, before, answers] : every_state_of_a_seat())
    for (const auto& [asked, what] : questions) {
      auto block = block_after(before);
      const auto answer = seating::decide(block, what);
      if (const auto* happened = std::get_if<events>(&answer))
        for (const auto& one : *happened)
          seating::apply(block, one, now); // a contradiction would stop the process
      const auto counted = block.count(now);
      BOOST_TEST_CONTEXT(asked << " when it is " << seat)
      BOOST_TEST(counted.available + counted.held + counted.sold + counted.blocked == 2U);
    }
}

BOOST_AUTO_TEST_CASE(a_hold_is_all_or_nothing_and_names_every_seat_in_the_way_and_who_has_it) {
  seating::state block;
  seating::apply(block, event::block_planned{{"a", "b", "c", "d", "e"}}, 1);
  seating::apply(block, event::seats_held{hold(2), {"b"}, now + 1}, 1);
  seating::apply(block, event::seats_sold{hold(3), order(3), {"c"}}, 1);
  seating::apply(block, event::seats_blocked{{"e"}, ""}, 1);
  const seats wanted{"a", "b", "c", "nowhere", "a", "e", "d"};
  const seating::refusal expected{{"b", why::held, hold(2), {}},
                                  {"c", why::sold, {}, order(3)},
                                  {"nowhere", why::unknown},
                                  {"a", why::unknown},
                                  {"e", why::blocked}};
  BOOST_CHECK(decides(block, command::hold{hold(1), wanted, 5000, now}, expected));
  BOOST_CHECK(decides(block, command::sell{hold(1), order(1), wanted, now}, expected));
}

BOOST_AUTO_TEST_CASE(the_same_hold_again_changes_nothing) {
  const auto block = block_with(event::seats_held{hold(1), {"s", "t"}, 5000});
  BOOST_CHECK(decides(block, command::hold{hold(1), {"t", "s"}, 5000, now}, nothing));
}

BOOST_AUTO_TEST_CASE(the_same_hold_for_longer_or_for_more_seats_is_recorded) {
  const auto block = block_with(event::seats_held{hold(1), {"s"}, 5000});
  const events longer{event::seats_held{hold(1), {"s"}, 6000}};
  const events more{event::seats_held{hold(1), {"s", "t"}, 5000}};
  BOOST_CHECK(decides(block, command::hold{hold(1), {"s"}, 6000, now}, longer));
  BOOST_CHECK(decides(block, command::hold{hold(1), {"s", "t"}, 5000, now}, more));
}

BOOST_AUTO_TEST_CASE(an_extension_restamps_its_seats_and_then_a_late_release_finds_nothing) {
  auto block = block_with(event::seats_held{hold(1), {"s", "t"}, 5000});
  const event::seats_held extended{hold(1), {"s", "t"}, 9000, 2};
  BOOST_CHECK(decides(block, command::hold{hold(1), {"s", "t"}, 9000, now, 2}, events{extended}));
  seating::apply(block, extended, now);
  for (const auto& seat : block.seats)
    BOOST_CHECK((seat.is == seating::seat_state{seating::held{hold(1), 9000, 2}}));

  const command::part late{hold(1), 1, {"s", "t"}};
  BOOST_CHECK(decides(block, command::release{{late}}, nothing));
  const seating::refusal still_held{{"s", why::held, hold(1), {}}, {"t", why::held, hold(1), {}}};
  BOOST_CHECK(decides(block, command::block{{"s", "t"}, {late}, "", now}, still_held));
  BOOST_CHECK(decides(block, command::sell{hold(1), order(1), {"s", "t"}, now, 1}, still_held));
  BOOST_CHECK(decides(block, command::hold{hold(1), {"s", "t"}, 7000, now, 1}, still_held));
}

BOOST_AUTO_TEST_CASE(a_release_of_a_generation_gives_back_what_is_of_that_one_or_older) {
  // t was added in generation 3: s is still of generation 1.
  const auto block = block_after(
      {event::seats_held{hold(1), {"s"}, 5000, 1}, event::seats_held{hold(1), {"t"}, 5000, 3}});
  const auto release = [&](std::uint32_t generation) {
    return seating::decide(block, command::release{{{hold(1), generation, {"s", "t"}}}});
  };
  const auto gives = [](std::uint32_t generation, const seats& given) {
    return seating::decision{events{event::seats_released{hold(1), given, generation}}};
  };
  BOOST_CHECK(release(1) == gives(1, {"s"}));
  BOOST_CHECK(release(2) == gives(2, {"s"}));
  BOOST_CHECK(release(3) == gives(3, {"s", "t"}));
  BOOST_CHECK(release(4) == gives(4, {"s", "t"}));
}

BOOST_AUTO_TEST_CASE(a_hold_that_lost_its_seats_to_another_has_no_say_in_any_generation) {
  // 1 was over, and 2 took the seat.
  const auto block = block_with(event::seats_held{hold(2), {"s"}, 5000, 1});
  for (const std::uint32_t generation : {1U, 2U, 99U}) {
    const command::part late{hold(1), generation, {"s"}};
    const auto no = held_seat("s", 2);
    BOOST_CHECK(decides(block, command::release{{late}}, nothing));
    BOOST_CHECK(decides(block, command::hold{hold(1), {"s"}, 9000, now, generation}, no));
    BOOST_CHECK(decides(block, command::sell{hold(1), order(1), {"s"}, now, generation}, no));
    BOOST_CHECK(decides(block, command::block{{"s"}, {late}, "", now}, no));
  }
}

BOOST_AUTO_TEST_CASE(one_release_gives_back_several_holds_and_only_what_they_still_have) {
  auto block = block_after(
      {event::seats_held{hold(1), {"s"}, 5000}, event::seats_held{hold(2), {"t"}, 5000}});
  const events both{event::seats_released{hold(1), {"s"}}, event::seats_released{hold(2), {"t"}}};
  const command::release all{
      {{hold(1), 1, {"s", "t"}}, {hold(2), 1, {"t"}}, {hold(9), 1, {"s", "nowhere"}}}};
  BOOST_CHECK(decides(block, all, both));

  seating::apply(block, event::seats_held{hold(3), {"s"}, 9000}, 5000); // 1 is over: 3 takes s
  BOOST_CHECK(decides(block, all, events{event::seats_released{hold(2), {"t"}}}));
}

BOOST_AUTO_TEST_CASE(a_release_gives_back_the_seats_it_names_and_each_once) {
  const auto block = block_with(event::seats_held{hold(1), {"s", "t"}, 5000});
  BOOST_CHECK(decides(block, command::release{{{hold(1), 1, {"t", "t"}}}},
                      events{event::seats_released{hold(1), {"t"}}}));
  BOOST_CHECK(decides(block, command::release{}, nothing));
}

BOOST_AUTO_TEST_CASE(selling_a_part_of_a_hold_leaves_the_rest_held) {
  auto block = block_with(event::seats_held{hold(1), {"s", "t"}, 5000});
  seating::apply(block, event::seats_sold{hold(1), order(1), {"s"}}, now);
  BOOST_CHECK((block.count(now) == seating::counts{0, 1, 1, 0}));
  BOOST_CHECK(decides(block, command::release{{{hold(1), 1, {"s", "t"}}}},
                      events{event::seats_released{hold(1), {"t"}}}));
  // Sold again with the rest: only the rest is news.
  BOOST_CHECK(decides(block, command::sell{hold(1), order(1), {"s", "t"}, now},
                      events{event::seats_sold{hold(1), order(1), {"t"}}}));
}

BOOST_AUTO_TEST_CASE(blocking_is_all_or_nothing_and_tells_whose_the_seats_are) {
  seating::state block;
  seating::apply(block, event::block_planned{{"a", "b", "c", "d", "e"}}, 1);
  seating::apply(block, event::seats_held{hold(2), {"b"}, now + 1}, 1);
  seating::apply(block, event::seats_sold{hold(3), order(3), {"c"}}, 1);
  seating::apply(block, event::seats_blocked{{"d"}, "first"}, 1);
  seating::apply(block, event::seats_held{hold(4), {"e"}, now}, 1); // over
  const auto ask = [&](const seats& which, const std::vector<command::part>& taken) {
    return seating::decide(block, command::block{which, taken, "why", now});
  };
  const seating::decision refused =
      seating::refusal{{"b", why::held, hold(2), {}}, {"c", why::sold, {}, order(3)}};
  BOOST_CHECK(ask({"a", "b", "c", "d", "e"}, {}) == refused);
  // What is sold is in the way whatever is taken, and then nothing is taken either.
  const command::part of_2{hold(2), 1, {"b"}};
  BOOST_CHECK(ask({"b", "c"}, {of_2}) == seating::decision{sold_seat("c", 3)});

  const event::seats_released given{hold(2), {"b"}};
  const seating::decision taken_and_blocked =
      events{given, event::seats_blocked{{"a", "b", "e"}, "why"}};
  BOOST_CHECK(ask({"a", "b", "d", "e"}, {of_2}) == taken_and_blocked);
  // A hold that ends gives back more than what is blocked.
  const seating::decision only_a = events{given, event::seats_blocked{{"a"}, "why"}};
  BOOST_CHECK(ask({"a"}, {of_2}) == only_a);
  BOOST_CHECK(ask({"d"}, {}) == seating::decision{nothing});
  const seating::decision unknown = seating::refusal{{"x", why::unknown}, {"a", why::unknown}};
  BOOST_CHECK(ask({"a", "x", "a"}, {}) == unknown);
}

BOOST_AUTO_TEST_CASE(unblocking_is_all_or_nothing_and_free_seats_stay_so) {
  seating::state block;
  seating::apply(block, event::block_planned{{"a", "b", "c", "d", "e"}}, 1);
  seating::apply(block, event::seats_blocked{{"a", "b"}, ""}, 1);
  seating::apply(block, event::seats_held{hold(2), {"d"}, 5000}, 1);
  seating::apply(block, event::seats_sold{hold(3), order(3), {"e"}}, 1);
  const auto ask = [&](const seats& which, time_ms when) {
    return seating::decide(block, command::unblock{which, when});
  };
  const seating::decision both = events{event::seats_unblocked{{"a", "b"}}};
  BOOST_CHECK(ask({"a", "b", "c"}, now) == both);
  BOOST_CHECK(ask({"c"}, now) == seating::decision{nothing});
  const seating::decision refused = seating::refusal{
      {"d", why::held, hold(2), {}}, {"e", why::sold, {}, order(3)}, {"a", why::unknown}};
  BOOST_CHECK(ask({"a", "d", "e", "a"}, 4999) == refused);
  BOOST_CHECK(ask({"a", "b", "d"}, 4999) == seating::decision{held_seat("d", 2)});
  BOOST_CHECK(ask({"a", "b", "d"}, 5000) == both);
}

BOOST_AUTO_TEST_CASE(returning_is_all_or_nothing_and_only_by_the_order_that_has_the_seats) {
  const auto block = block_after(
      {event::seats_sold{hold(1), order(1), {"s"}}, event::seats_sold{hold(2), order(2), {"t"}}});
  const seating::refusal not_its{{"t", why::unknown}};
  BOOST_CHECK(decides(block, command::return_sold{order(1), {"s", "t"}}, not_its));
  const seating::refusal twice{{"s", why::unknown}};
  BOOST_CHECK(decides(block, command::return_sold{order(1), {"s", "s"}}, twice));
  BOOST_CHECK(decides(block, command::return_sold{order(1), {"s"}},
                      events{event::seats_returned{order(1), {"s"}}}));
}

BOOST_AUTO_TEST_CASE(counts_judge_a_hold_by_the_time_asked) {
  const auto block =
      block_after({event::seats_held{hold(1), {"s"}, 5000}, event::seats_blocked{{"t"}, ""}});
  BOOST_CHECK((block.count(4999) == seating::counts{0, 1, 0, 1}));
  BOOST_CHECK((block.count(5000) == seating::counts{1, 0, 0, 1}));
}

BOOST_AUTO_TEST_CASE(a_plan_keeps_the_state_of_the_seats_that_stay) {
  seating::state block;
  seating::apply(block, event::block_planned{{"s", "t", "u"}}, 1);
  seating::apply(block, event::seats_held{hold(1), {"s"}, 5000, 2}, 1);
  seating::apply(block, event::seats_sold{hold(2), order(2), {"t"}}, 1);
  seating::apply(block, event::seats_blocked{{"u"}, ""}, 1);
  const event::block_planned planned{{"new", "u", "t", "s"}};
  BOOST_CHECK(decides(block, command::plan{planned.seats, now}, events{planned}));

  seating::apply(block, planned, now);
  BOOST_CHECK((block.count(now) == seating::counts{1, 1, 1, 1}));
  const seating::refusal still_taken{
      {"s", why::held, hold(1), {}}, {"t", why::sold, {}, order(2)}, {"u", why::blocked}};
  BOOST_CHECK(decides(block, command::hold{hold(3), {"s", "t", "u"}, 9000, now}, still_taken));
  BOOST_CHECK(decides(block, command::release{{{hold(1), 1, {"s"}}}}, nothing));
  BOOST_CHECK(decides(block, command::release{{{hold(1), 2, {"s"}}}},
                      events{event::seats_released{hold(1), {"s"}, 2}}));
}

BOOST_AUTO_TEST_CASE(
    a_plan_cannot_take_away_held_or_sold_seats_but_blocked_and_lapsed_ones_may_go) {
  seating::state block;
  seating::apply(block, event::block_planned{{"s", "t", "u", "v"}}, 1);
  seating::apply(block, event::seats_held{hold(1), {"s"}, 5000}, 1);
  seating::apply(block, event::seats_sold{hold(2), order(2), {"t"}}, 1);
  seating::apply(block, event::seats_blocked{{"u"}, ""}, 1);
  const seating::refusal both{{"s", why::held, hold(1), {}}, {"t", why::sold, {}, order(2)}};
  BOOST_CHECK(decides(block, command::plan{{"x"}, 4999}, both));
  BOOST_CHECK(decides(block, command::plan{{}, 5000}, sold_seat("t", 2)));

  const event::block_planned planned{{"t"}};
  BOOST_CHECK(decides(block, command::plan{{"t"}, 5000}, events{planned}));
  seating::apply(block, planned, 5000);
  BOOST_CHECK((block.count(5000) == seating::counts{0, 0, 1, 0}));
  BOOST_TEST(block.index_of.size() == 1U);
  BOOST_TEST(!block.find("s").has_value());
}

BOOST_AUTO_TEST_CASE(a_seat_that_comes_back_with_a_later_plan_is_available) {
  auto block = block_with(event::seats_blocked{{"s"}, ""});
  seating::apply(block, event::block_planned{{"t"}}, now);
  seating::apply(block, event::block_planned{{"s", "t"}}, now);
  BOOST_CHECK((block.count(now) == seating::counts{2, 0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(a_plan_that_is_the_same_changes_nothing_and_one_with_doubles_is_refused) {
  const auto block = block_after({});
  BOOST_CHECK(decides(block, command::plan{{"s", "t"}, now}, nothing));
  const events swapped{event::block_planned{{"t", "s"}}};
  BOOST_CHECK(decides(block, command::plan{{"t", "s"}, now}, swapped));
  const seating::refusal twice{{"s", why::unknown}};
  BOOST_CHECK(decides(block, command::plan{{"s", "t", "s"}, now}, twice));
}

BOOST_AUTO_TEST_CASE(an_event_that_contradicts_the_state_stops_the_process) {
  seating::state block;
  seating::apply(block, event::block_planned{{"s", "t", "u", "v"}}, 1);
  seating::apply(block, event::seats_held{hold(1), {"s"}, 5000, 2}, 1);
  seating::apply(block, event::seats_sold{hold(2), order(2), {"t"}}, 1);
  seating::apply(block, event::seats_blocked{{"u"}, ""}, 1);
  const auto stops_on = [&](const seating::any_event& happened, time_ms at) {
    return usher::test::stops([&] {
      auto copy = block;
      seating::apply(copy, happened, at);
    });
  };
  BOOST_TEST(stops_on(event::seats_sold{hold(3), order(3), {"t"}}, now), "sold twice");
  BOOST_TEST(stops_on(event::seats_sold{hold(3), order(3), {"s"}}, now), "sold under a live hold");
  BOOST_TEST(stops_on(event::seats_sold{hold(1), order(1), {"s"}, 1}, now), "sold by an old hold");
  BOOST_TEST(stops_on(event::seats_sold{hold(1), order(1), {"u"}, 9}, now), "a blocked seat sold");
  BOOST_TEST(stops_on(event::seats_held{hold(3), {"s"}, 9000}, 4999), "a live hold overwritten");
  BOOST_TEST(stops_on(event::seats_held{hold(1), {"s"}, 9000, 1}, 4999), "by its old generation");
  BOOST_TEST(stops_on(event::seats_held{hold(3), {"t"}, 9000}, now), "a sold seat held");
  BOOST_TEST(stops_on(event::seats_held{hold(3), {"u"}, 9000}, now), "a blocked seat held");
  BOOST_TEST(stops_on(event::seats_held{hold(3), {"x"}, 9000}, now), "an unknown seat");
  BOOST_TEST(stops_on(event::seats_released{hold(3), {"s"}, 2}, now), "another's hold released");
  BOOST_TEST(stops_on(event::seats_released{hold(1), {"s"}, 1}, now), "an old hold released");
  BOOST_TEST(stops_on(event::seats_released{hold(1), {"u"}, 2}, now), "a blocked seat released");
  BOOST_TEST(stops_on(event::seats_blocked{{"s"}, ""}, 4999), "a held seat blocked");
  BOOST_TEST(stops_on(event::seats_blocked{{"t"}, ""}, now), "a sold seat blocked");
  BOOST_TEST(stops_on(event::seats_blocked{{"u"}, ""}, now), "a seat blocked twice");
  BOOST_TEST(stops_on(event::seats_unblocked{{"v"}}, now), "a free seat unblocked");
  BOOST_TEST(stops_on(event::seats_unblocked{{"t"}}, now), "a sold seat unblocked");
  BOOST_TEST(stops_on(event::seats_returned{order(3), {"t"}}, now), "returned by another order");
  BOOST_TEST(stops_on(event::seats_returned{order(2), {"v"}}, now), "returned though not sold");
  BOOST_TEST(stops_on(event::block_planned{{"s", "u", "v"}}, now), "a sold seat planned away");
  BOOST_TEST(stops_on(event::block_planned{{"t", "u", "v"}}, 4999), "a held seat planned away");
  BOOST_TEST(!stops_on(event::block_planned{{"t"}}, 5000), "what is over or blocked planned away");
  BOOST_TEST(!stops_on(event::seats_held{hold(3), {"s"}, 9000}, 5000), "a hold that is over");
  BOOST_TEST(!stops_on(event::seats_blocked{{"s"}, ""}, 5000), "a hold that is over blocked");
}

BOOST_AUTO_TEST_CASE(the_reasons_are_written_as_the_api_writes_them) {
  BOOST_TEST(seating::to_string(why::held) == "HELD");
  BOOST_TEST(seating::to_string(why::sold) == "SOLD");
  BOOST_TEST(seating::to_string(why::blocked) == "BLOCKED");
  BOOST_TEST(seating::to_string(why::unknown) == "UNKNOWN");
}

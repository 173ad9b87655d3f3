// Who joins again while an admission of theirs is over but no tick has said so, or while two
// admissions of theirs are in use. Told as: what happened, a join at a time, what must follow.
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

const auto ana = who(1);
const auto key = who(2);

/// Slots 0 (Ana's) and 1 (the key's) have joined an open room.
state two_places() {
  state room;
  apply(room, event::room_opened{}, 0);
  auto first = fans(0, 2);
  first.customers = {ana, identity{}};
  first.keys = {identity{}, key};
  apply(room, first, 0);
  return room;
}

join_decision join_at(const state& room, time_ms now) {
  return decide(room, command::join{{{7, ana, key, {}}}, now});
}

} // namespace

BOOST_AUTO_TEST_CASE(an_admission_that_is_over_does_not_swallow_a_place_that_waits) {
  auto room = two_places();
  apply(room, admitted({0}, 100), 0);
  // Before the deadline the admission is the better place; at it, it is none.
  BOOST_TEST((join_at(room, 99).events ==
              events{ended(end_reason::merged, {1}), event::fan_identified{0, key}}));
  const auto late = join_at(room, 100);
  BOOST_TEST((late.events ==
              events{ended(end_reason::expired, {0}), event::fan_identified{1, ana, true}}));
  BOOST_TEST(std::get<joined>(late.outcomes.front()).slot == 1U);
  for (const auto& happened : late.events)
    apply(room, happened, 100);
  BOOST_TEST((room.place_of(ana) == std::optional<slot_t>{1}));
}

BOOST_AUTO_TEST_CASE(who_comes_back_after_the_deadline_gets_a_new_place_at_once) {
  auto room = two_places();
  apply(room, admitted({0, 1}, 100), 0);
  apply(room, ended(end_reason::left, {1}), 50);
  const auto late = decide(room, command::join{{a_fan(1)}, 100});
  BOOST_REQUIRE(late.events.size() == 2U);
  BOOST_TEST((late.events.front() == ended(end_reason::expired, {0})));
  for (const auto& happened : late.events)
    apply(room, happened, 100);
  BOOST_TEST((room.place_of(ana) == std::optional<slot_t>{2}));
  BOOST_TEST(room.active() == 0U);
}

BOOST_AUTO_TEST_CASE(of_two_admissions_the_one_that_holds_something_stays_and_two_such_both_stay) {
  auto room = two_places();
  apply(room, admitted({0, 1}, 100), 0);
  apply(room, kept(1, 500, false), 10);
  BOOST_TEST((join_at(room, 20).events ==
              events{ended(end_reason::merged, {0}), event::fan_identified{1, ana, true}}));
  apply(room, kept(0, 400, false), 30);
  const auto both = join_at(room, 40);
  BOOST_TEST(both.events.empty());
  BOOST_TEST(std::get<joined>(both.outcomes.front()).slot == 0U);
}

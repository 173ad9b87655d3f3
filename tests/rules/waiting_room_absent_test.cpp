// An absent fan blocks nobody and keeps the claim: who is passed over and on what evidence, how a
// claim is kept, used and lost, and what counts as being there.
//
// It bites: with claims that go to the back of the line, with absence from the prequeue on, with a
// queue limit that forgets claims, or with a poll that counts as hours old when it is a moment
// ahead of the tick's clock (each tried in a copy), cases fail.
#include "tests/rules/waiting_room_world.hpp"

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr duration_ms absent_after = 60'000;
constexpr duration_ms claim_ttl = 600'000;

settings patient() {
  settings set;
  set.admit_per_second_micro = 1'000'000;
  set.absent_after_ms = absent_after;
  set.claim_ttl_ms = claim_ttl;
  return set;
}

/// Customers 1.. in slots 0.., and it is a long time since the room opened.
world with_fans(slot_t count, settings set = patient()) {
  world made;
  made.does(command::configure{set, {}, 0});
  made.does(command::open{});
  for (slot_t slot = 0; slot < count; ++slot)
    made.joins(a_fan(slot + 1));
  made.now = 1'000'000;
  return made;
}

/// Slot 0 of four was passed over at 1000 s, and 1 is admitted.
world one_absent(settings set = patient()) {
  auto made = with_fans(4, set);
  made.tick({{0, 900'000}});
  BOOST_REQUIRE(made.status_of(0) == ticket_status::absent);
  return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_silent_fan_is_passed_over_with_the_evidence_and_the_next_is_admitted) {
  auto here = with_fans(4);
  const auto happened = here.tick({{0, 940'000}});
  BOOST_CHECK(
      (*find<event::fans_passed_over>(happened) == event::fans_passed_over{{0}, {940'000}}));
  BOOST_TEST(text_of(admitted_by(happened)) == "[1]");
  BOOST_TEST(here.status_of(0) == ticket_status::absent);
  here.require_consistent();
  const auto passed = look(*here.seen, 0);
  BOOST_TEST(passed.ahead == 0U);
  BOOST_TEST(passed.behind == 2U);
  BOOST_TEST(look(*here.seen, 2).position == 1U); // the absent one counts in no position
  BOOST_TEST(here.seen->room().absent == 1U);
}

BOOST_AUTO_TEST_CASE(absent_is_who_was_not_heard_of_for_the_whole_time) {
  struct {
    const char* name;
    time_ms seen;
    bool absent;
  } const table[] = {
      {"a millisecond short", 940'001, false},
      {"exactly", 940'000, true},
      {"never", 0, true},
      {"just now", 1'000'000, false},
      {"a moment ahead", 1'000'500, false},
  };
  for (const auto& [name, seen, absent] : table) {
    auto here = with_fans(2);
    here.tick({{0, seen}});
    BOOST_CHECK_MESSAGE((here.status_of(0) == ticket_status::absent) == absent, name);
    BOOST_CHECK_MESSAGE((here.status_of(0) == ticket_status::admitted) != absent, name);
    here.require_consistent();
  }
  auto blind = with_fans(2); // without anybody who knows, everybody is there
  blind.does(command::tick{blind.now});
  BOOST_TEST(blind.status_of(0) == ticket_status::admitted);
}

BOOST_AUTO_TEST_CASE(nobody_is_absent_in_the_first_time_of_an_opening) {
  for (const bool on_standby : {false, true}) {
    world here;
    auto set = patient();
    set.opens_at = 1'000'000;
    set.prequeue_ms = 900'000;
    here.does(command::configure{set, {}, 0});
    here.now = 100'000;
    here.does(command::begin_prequeue{});
    here.joins(a_fan(1));
    here.joins(a_fan(2));
    here.joins(a_fan(3));
    here.now = 1'000'000;
    here.does(command::open{{}, {0, 1, 2}});
    if (on_standby) {
      here.now += 10'000;
      here.does(command::standby{}); // begins anew: it is another opening
    }
    const auto began = here.now;
    here.now = began + absent_after - 1;
    here.tick({{0, 100'000}, {1, 100'000}});
    BOOST_TEST(here.status_of(0) == ticket_status::admitted);
    here.now = began + absent_after + 1'000;
    here.tick({{1, 100'000}});
    BOOST_TEST(here.status_of(1) == ticket_status::absent);
    BOOST_TEST(here.status_of(2) == ticket_status::admitted);
    here.require_consistent();
  }
}

BOOST_AUTO_TEST_CASE(silence_matters_at_the_front_only_and_holds_up_nobody) {
  auto here = with_fans(6);
  const auto happened = here.tick({{0, 0}, {1, 0}, {2, 0}, {4, 0}});
  BOOST_TEST(text_of(find<event::fans_passed_over>(happened)->slots) == "[0 1 2]");
  BOOST_TEST(text_of(admitted_by(happened)) == "[3]");
  BOOST_TEST(here.status_of(4) == ticket_status::waiting); // not yet the turn
  here.require_consistent();
  here.now += 1000;
  const auto last = here.tick({{4, 0}, {5, 0}});
  BOOST_TEST(text_of(find<event::fans_passed_over>(last)->slots) == "[4 5]");
  BOOST_TEST(here.room.waiting == 0U);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(without_rate_or_room_nobody_has_a_turn_and_nobody_is_passed_over) {
  auto full = patient();
  full.max_active = 0;
  auto here = with_fans(2, full);
  BOOST_CHECK(here.tick({{0, 0}, {1, 0}}).empty());
  auto paused = with_fans(2);
  paused.does(command::pause{});
  BOOST_CHECK(paused.tick({{0, 0}, {1, 0}}).empty());
}

BOOST_AUTO_TEST_CASE(who_comes_back_stands_before_all_who_stood_behind) {
  auto here = one_absent();
  BOOST_TEST(look(*here.seen, 2).position == 1U);
  const auto happened = here.tick({}, {{0, 1'000'000}}); // no credit left in this second
  BOOST_CHECK((*find<event::fans_returned>(happened) == event::fans_returned{{0}, {1'000'000}}));
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[0 2 3]");
  BOOST_TEST(look(*here.seen, 0).position == 1U);
  BOOST_TEST(look(*here.seen, 2).position == 2U); // rose by one
  here.require_consistent();
  here.joins(a_fan(9));
  here.now += 1000;
  BOOST_TEST(text_of(admitted_by(here.tick())) == "[0]");
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(who_comes_back_in_a_tick_that_admits_is_admitted_by_it) {
  auto here = one_absent();
  here.now += 1000;
  const auto happened = here.tick({{0, 900'000}}, {{0, 1'000'500}}); // back is stronger than silent
  BOOST_CHECK(find<event::fans_returned>(happened) != nullptr);
  BOOST_TEST(text_of(admitted_by(happened)) == "[0]");
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(several_come_back_in_their_own_order_and_only_those_who_were_absent) {
  auto here = with_fans(7);
  here.tick({{0, 0}, {2, 0}, {1, 0}, {3, 0}});
  BOOST_TEST(here.status_of(4) == ticket_status::admitted);
  const auto at = here.now;
  const auto happened =
      here.tick({}, {{3, at}, {1, at}, {1, at}, {5, at}, {4, at}, {77, at}, {2, at}});
  BOOST_TEST(text_of(find<event::fans_returned>(happened)->slots) == "[3 1 2]");
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[1 2 3 5 6]");
  here.require_consistent();
  here.tick({}, {{0, at}});
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[0 1 2 3 5 6]");
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(who_came_back_can_be_absent_again_and_the_claim_counts_anew) {
  auto here = one_absent();
  here.now = 1'500'000;
  here.does(command::pause{});
  here.tick({}, {{0, 1'500'000}});
  here.does(command::resume{});
  here.now = 1'560'000;
  here.tick({{0, 1'500'000}});
  BOOST_TEST(here.status_of(0) == ticket_status::absent);
  here.now = 1'000'000 + claim_ttl + 1'000; // the first claim would be over
  here.tick();
  BOOST_TEST(here.status_of(0) == ticket_status::absent);
  here.now = 1'560'000 + claim_ttl - 1;
  here.tick({}, {{0, here.now}});
  BOOST_CHECK(is_live(here.status_of(0)));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_claim_ends_at_its_time_with_the_reason_absent) {
  auto here = one_absent();
  here.now = 1'000'000 + claim_ttl - 1;
  here.tick();
  BOOST_TEST(here.status_of(0) == ticket_status::absent);
  here.now = 1'000'000 + claim_ttl;
  const auto happened = here.tick();
  BOOST_CHECK(
      (*find<event::tickets_ended>(happened) == event::tickets_ended{end_reason::absent, {0}}));
  BOOST_TEST(here.status_of(0) == ticket_status::no_show);
  BOOST_TEST(look(*here.seen, 0).status == ticket_status::no_show);
  here.require_consistent();
  here.joins(a_fan(8));
  BOOST_TEST(here.joins(a_fan(1)) == 5U); // a new place, at the back
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[4 5]");
  here.tick({}, {{0, here.now}}); // a late poll of the old ticket changes nothing
  BOOST_TEST(here.status_of(0) == ticket_status::no_show);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(claims_end_while_the_room_is_paused_too) {
  auto here = one_absent();
  here.does(command::pause{});
  here.now = 1'000'000 + claim_ttl;
  here.tick();
  BOOST_TEST(here.status_of(0) == ticket_status::no_show);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(joining_again_gives_an_absent_fan_the_same_ticket) {
  auto here = one_absent();
  BOOST_TEST(here.joins(a_fan(1)) == 0U);
  BOOST_TEST(here.joins(a_fan(1, 44)) == 0U); // with a second name
  BOOST_TEST(here.joins(a_fan(0, 44)) == 0U);
  BOOST_TEST(here.joins(a_fan(0, 0, 0, 0)) == 0U); // with the ticket only
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(an_absent_fan_can_leave_be_revoked_merged_or_closed) {
  auto here = with_fans(6);
  here.joins(a_fan(0, 50)); // 6
  here.tick({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  here.does(command::leave{0});
  here.does(command::leave{1, "a double"});
  BOOST_TEST(here.joins(a_fan(3, 50)) == 2U); // the absent place is the better one
  BOOST_TEST(here.status_of(6) == ticket_status::merged);
  here.does(command::set_wish{3, wish{"stalls", "", 2, 0, {}}});
  BOOST_TEST(here.status_of(0) == ticket_status::left);
  BOOST_TEST(here.status_of(1) == ticket_status::revoked);
  BOOST_TEST(here.seen->room().absent == 2U);
  here.require_consistent();
  here.does(command::close{});
  BOOST_TEST(here.status_of(2) == ticket_status::closed);
  BOOST_TEST(here.seen->room().absent == 0U);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(the_longest_queue_counts_claims) {
  auto set = patient();
  set.max_queue = 3;
  set.max_active = 1;
  auto here = with_fans(3, set);
  BOOST_TEST(here.turned_away(a_fan(9)) == rejection::room_full);
  here.tick({{0, 0}});
  BOOST_TEST(here.room.waiting == 1U); // one is in, one absent
  here.joins(a_fan(9));
  BOOST_TEST(here.turned_away(a_fan(10)) == rejection::room_full);
  here.now += claim_ttl;
  here.tick({{2, here.now}, {3, here.now}});
  BOOST_TEST(here.status_of(0) == ticket_status::no_show);
  here.joins(a_fan(10));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(two_hundred_thousand_absent_fans_hold_up_the_next_for_one_tick_only) {
  auto set = patient();
  set.max_queue = 300'000;
  world here;
  here.does(command::configure{set, {}, 0});
  here.does(command::open{});
  constexpr slot_t absent = passed_per_tick_max + 10;
  here.happen({fans(0, absent + 1)});
  here.now = 1'000'000;
  const auto silent = [&](slot_t slot) { return slot < absent ? time_ms{0} : here.now; };
  const auto first = here.does(command::tick{here.now, stock::on_sale, {}, silent});
  BOOST_TEST(find<event::fans_passed_over>(first)->slots.size() == passed_per_tick_max);
  here.now += 1000;
  const auto second = here.does(command::tick{here.now, stock::on_sale, {}, silent});
  BOOST_TEST(find<event::fans_passed_over>(second)->slots.size() == 10U);
  BOOST_TEST(text_of(admitted_by(second)) == text_of({absent}));
}

// ---- the board: when somebody was heard of

BOOST_AUTO_TEST_CASE(when_a_fan_was_heard_of_is_known_to_the_second_and_never_early) {
  board seen;
  seen.publish(event::room_opened{}, 0);
  seen.publish(fans(0, 2), 5'500);
  BOOST_TEST(seen.last_seen(0, 90'000) == 5'999); // joining counts
  seen.heard_of(0, 60'250);
  BOOST_TEST(seen.last_seen(0, 90'000) == 60'999);
  BOOST_TEST(seen.last_seen(0, 60'300) == 60'300); // never ahead of now
  BOOST_TEST(seen.last_seen(1, 90'000) == 5'999);
  seen.excuse_everybody_until(70'000); // an outage is nobody's silence
  BOOST_TEST(seen.last_seen(0, 90'000) == 70'000);
  seen.excuse_everybody_until(65'000);
  BOOST_TEST(seen.last_seen(1, 90'000) == 70'000);
  seen.heard_of(1, 80'000);
  BOOST_TEST(seen.last_seen(1, 90'000) == 80'999);
  seen.heard_of(77, 80'000); // never given
}

BOOST_AUTO_TEST_CASE(a_poll_that_overtakes_the_tick_s_clock_is_no_silence_of_hours) {
  // The tick took its time, then a fan polled in the next second, then the tick asked.
  board seen;
  seen.publish(event::room_opened{}, 0);
  seen.publish(fans(0, 1), 0);
  seen.heard_of(0, 1'000'001);
  BOOST_TEST(seen.last_seen(0, 999'999) == 999'999);
}

BOOST_AUTO_TEST_CASE(a_fan_whose_join_is_not_on_the_board_yet_has_just_come) {
  board seen;
  seen.publish(event::room_opened{}, 0);
  BOOST_TEST(seen.last_seen(0, 999'999) == 999'999);
}

BOOST_AUTO_TEST_CASE(polls_of_absent_fans_are_noted_for_the_next_tick_each_once) {
  auto here = with_fans(4);
  here.tick({{0, 0}, {1, 0}});
  here.seen->heard_of(1, 1'000'700);
  here.seen->heard_of(3, 1'000'800); // waits: nothing to note
  here.seen->heard_of(0, 1'000'900);
  here.seen->heard_of(1, 1'000'950);
  const auto back = here.seen->take_returned();
  BOOST_REQUIRE_EQUAL(back.size(), 2U);
  BOOST_TEST(back[0].slot == 0U);
  BOOST_TEST(back[0].at == 1'000'900);
  BOOST_TEST(back[1].slot == 1U);
  BOOST_CHECK(here.seen->take_returned().empty());
  here.now += 1000;
  here.does(command::tick{here.now, stock::on_sale, back,
                          [&](slot_t slot) { return here.seen->last_seen(slot, here.now); }});
  BOOST_TEST(here.status_of(0) == ticket_status::admitted);
  BOOST_TEST(here.status_of(1) == ticket_status::waiting);
  here.seen->heard_of(1, here.now);
  BOOST_CHECK(here.seen->take_returned().empty());
  here.require_consistent();
}

// Standby: while nobody waits and there is room a join is admitted at once; when rate, ramp or
// capacity run out a queue forms, first come first served, and when it is gone all is as before.
//
// It bites: with joins let in past those who wait, with a ramp that forgets what joins used, or
// without the `who` column (each tried in a copy), cases fail.
#include "tests/rules/waiting_room_world.hpp"

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

settings always_on() {
  settings set;
  set.admit_per_second_micro = 3'000'000;
  set.admission_ttl_ms = 60'000;
  set.max_active = 5;
  return set;
}

world on_standby(const settings& set = always_on()) {
  world made;
  made.now = 100'000;
  made.does(command::configure{set, {}, made.now});
  made.does(command::standby{});
  return made;
}

/// Joins that many new fans one by one; gives who was admitted at once.
slots come(world& in, int fans) {
  slots at_once;
  for (; fans > 0; --fans) {
    const auto slot = in.joins(a_fan(1U + in.room.joined()));
    if (in.status_of(slot) == ticket_status::admitted)
      at_once.push_back(slot);
  }
  return at_once;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_join_is_admitted_at_once_in_one_step) {
  auto here = on_standby();
  const auto decided =
      decide(here.room, command::join{{a_fan(1), a_fan(0), a_fan(0, 9)}, here.now});
  BOOST_REQUIRE_EQUAL(decided.events.size(), 2U);
  const auto& let_in = std::get<event::fans_admitted>(decided.events[1]);
  BOOST_TEST(text_of(let_in.slots) == "[0 1 2]");
  BOOST_TEST(let_in.until == here.now + 60'000);
  BOOST_CHECK(let_in.who == (std::vector{who(1), who(0), who(9)}));
  here.happen(decided.events);
  BOOST_CHECK(here.seen->who_is(0) == who(1));
  BOOST_CHECK(here.seen->who_is(2) == who(9));
  here.require_consistent();
  BOOST_TEST(here.joins(a_fan(1)) == 0U); // a reload
  BOOST_TEST(here.room.active() == 3U);
}

BOOST_AUTO_TEST_CASE(nobody_is_known_so_nobody_is_named) {
  auto here = on_standby();
  const auto decided = decide(here.room, command::join{{a_fan(0), a_fan(0)}, here.now});
  BOOST_CHECK(find<event::fans_admitted>(decided.events)->who.empty());
}

BOOST_AUTO_TEST_CASE(the_rate_makes_a_queue_and_ticks_dissolve_it) {
  auto here = on_standby();
  BOOST_TEST(text_of(come(here, 5)) == "[0 1 2]"); // one tick's worth
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[3 4]");
  here.require_consistent();
  here.now += 400; // there is credit for one again, but not past those who wait
  BOOST_TEST(text_of(come(here, 1)) == "[]");
  here.now += 600;
  BOOST_TEST(text_of(admitted_by(here.tick())) == "[3 4]"); // five are in
  here.require_consistent();
  here.does(command::leave{0});
  here.now += 1'000;
  BOOST_TEST(text_of(admitted_by(here.tick())) == "[5]");
  BOOST_TEST(here.room.waiting == 0U);
  here.does(command::leave{1});
  BOOST_TEST(text_of(come(here, 1)) == "[6]"); // as before
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(capacity_makes_a_queue_and_a_join_s_own_end_makes_room) {
  auto set = always_on();
  set.max_active = 1;
  auto here = on_standby(set);
  BOOST_TEST(text_of(come(here, 3)) == "[0]");
  here.require_consistent();
  here.does(command::leave{1});
  here.does(command::leave{2});
  here.now += 60'000; // 0 is over, and no tick has said so
  BOOST_TEST(here.joins(a_fan(1)) == 3U);
  BOOST_TEST(here.status_of(0) == ticket_status::expired);
  BOOST_TEST(here.status_of(3) == ticket_status::admitted);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(the_ramp_counts_joins_and_ticks_of_one_tick_together) {
  auto set = always_on();
  set.admit_per_second_micro = 100'000'000;
  set.max_active = std::nullopt;
  set.max_per_tick = 3;
  auto here = on_standby(set);
  BOOST_TEST(text_of(come(here, 5)) == "[0 1 2]");
  here.now += 999; // the same tick of the clock
  BOOST_TEST(text_of(admitted_by(here.tick())) == "[]");
  here.now += 1;
  BOOST_TEST(text_of(admitted_by(here.tick())) == "[3 4]");
  BOOST_TEST(text_of(come(here, 2)) == "[5]");
  here.require_consistent();
  here.now += 1000;
  BOOST_TEST(text_of(admitted_by(here.tick())) == "[6]");
  BOOST_TEST(text_of(come(here, 3)) == "[7 8]");
  here.now += 1000;
  BOOST_TEST(text_of(admitted_by(here.tick())) == "[9]");
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(neither_without_rate_nor_without_room_is_anybody_admitted) {
  for (const bool no_rate : {true, false}) {
    auto set = always_on();
    if (no_rate)
      set.admit_per_second_micro = 0;
    else
      set.max_active = 0;
    auto here = on_standby(set);
    BOOST_TEST(text_of(come(here, 2)) == "[]");
    here.now += 5'000;
    BOOST_CHECK(here.tick().empty());
    here.require_consistent();
  }
}

BOOST_AUTO_TEST_CASE(an_absent_fan_keeps_nobody_from_being_admitted_at_once) {
  auto here = on_standby();
  come(here, 4); // 3 waits
  here.now += 500'000;
  here.tick({{3, 0}});
  BOOST_TEST(here.status_of(3) == ticket_status::absent);
  BOOST_TEST(text_of(come(here, 1)) == "[4]");
  here.tick({}, {{3, here.now}});
  BOOST_TEST(here.status_of(3) == ticket_status::admitted);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(who_is_merged_away_in_a_batch_still_stands_in_the_line_when_it_is_applied) {
  auto set = always_on();
  set.admit_per_second_micro = 1'000'000;
  auto here = on_standby(set);
  here.join_all({a_fan(1), a_fan(0, 2)}); // 1 waits: there is no credit
  here.now += 500;
  here.join_all({a_fan(1, 2), a_fan(3)}); // there is: but 1 goes only with this batch
  BOOST_TEST(here.status_of(1) == ticket_status::merged);
  here.require_consistent();
  here.now += 500;
  here.tick();
  BOOST_TEST(here.status_of(2) == ticket_status::admitted);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(fans_of_one_batch_enter_up_to_the_limit_and_the_others_queue) {
  auto set = always_on();
  set.tiers = {"first"};
  world here;
  here.now = 100'000;
  here.does(command::configure{set, {}, here.now});
  here.does(command::add_codes{"batch", "first", true, {}, {}, {who(50), who(51)}});
  here.does(command::standby{});
  here.join_all({a_fan(1), a_fan(2, 0, 50), a_fan(3), a_fan(4), a_fan(5, 0, 51)});
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[4 3]");
  BOOST_TEST(here.room.active() == 3U);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(nothing_on_sale_makes_a_queue_and_opening_keeps_everybody) {
  auto here = on_standby();
  come(here, 2);
  here.left = stock::all_taken;
  here.tick();
  BOOST_TEST(text_of(come(here, 2)) == "[]");
  here.does(command::open{});
  BOOST_TEST(here.room.status() == room_status::paused);
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[2 3]");
  BOOST_TEST(here.status_of(0) == ticket_status::admitted);
  here.left = stock::on_sale;
  here.tick();
  BOOST_TEST(text_of(come(here, 1)) == "[]"); // open: nobody past a tick
  here.does(command::standby{});
  here.require_consistent();
  here.now += 1000;
  here.tick();
  BOOST_TEST(here.room.waiting == 0U);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(changing_between_open_and_standby_gives_no_credit) {
  auto set = always_on();
  set.max_active = std::nullopt;
  auto here = on_standby(set);
  come(here, 4);
  for (int turn = 0; turn < 5; ++turn) {
    here.does(command::open{});
    here.does(command::standby{});
    BOOST_CHECK(admitted_by(here.tick()).empty());
  }
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(closing_and_standby_again_is_no_way_past_the_rate) {
  auto here = on_standby();
  std::size_t let_in = come(here, 10).size();
  for (int turn = 0; turn < 5; ++turn) {
    here.does(command::close{});
    here.does(command::standby{});
    let_in += come(here, 10).size();
  }
  BOOST_TEST(let_in == 3U);
  here.now += 1'000; // and nobody waits for more than the rate has it
  here.does(command::close{});
  here.does(command::standby{});
  BOOST_TEST(come(here, 10).size() == 3U);
  here.require_consistent();
}

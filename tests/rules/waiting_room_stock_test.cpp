// What is left of the seats, as the tick is told: a room that pauses by itself, goes on by itself,
// ends and comes back, while everybody keeps the place.
//
// It bites: with a stock that resumes a room which an operator paused, or one that is on sale
// enough for a tick to admit though the operator paused (each tried in a copy), cases fail.
#include "tests/rules/waiting_room_world.hpp"

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

/// Slots 0 and 1 are in, 2 and 3 wait, one fan a second could come in.
world two_in() {
  settings set;
  set.admit_per_second_micro = 1'000'000;
  set.admission_ttl_ms = 60'000;
  world made;
  made.does(command::configure{set, {}, 0});
  made.does(command::open{});
  for (std::uint64_t customer = 1; customer <= 4; ++customer)
    made.joins(a_fan(customer));
  for (made.now = 1'000; made.room.active() < 2; made.now += 1'000)
    made.tick();
  return made;
}

events tick(world& in, stock left, duration_ms later = 1'000) {
  in.now += later;
  in.left = left;
  auto happened = in.tick();
  in.require_consistent();
  return happened;
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_available_pauses_the_room_and_everybody_keeps_the_place) {
  auto here = two_in();
  const auto happened = tick(here, stock::all_taken);
  BOOST_CHECK(happened == events{event::stock_changed{stock::all_taken}});
  const auto shown = here.seen->room();
  BOOST_TEST(shown.status == room_status::paused);
  BOOST_TEST(!shown.paused); // by nobody: the fans are told why
  BOOST_CHECK(shown.left == stock::all_taken);
  BOOST_CHECK(tick(here, stock::all_taken).empty()); // told once
  BOOST_TEST(look(*here.seen, 2).position == 1U);
  BOOST_TEST(here.joins(a_fan(9)) == 4U); // still takes joins
  BOOST_TEST(here.joins(a_fan(3)) == 2U);
  BOOST_CHECK(std::holds_alternative<events>(decide(here.room, command::enter{0, 0, here.now})));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(released_seats_resume_it_in_the_same_tick) {
  auto here = two_in();
  tick(here, stock::all_taken);
  const auto happened = tick(here, stock::on_sale);
  BOOST_REQUIRE_EQUAL(happened.size(), 2U);
  BOOST_CHECK(happened[0] == any_event{event::stock_changed{stock::on_sale}});
  BOOST_TEST(text_of(admitted_by(happened)) == "[2]");
  BOOST_TEST(here.room.status() == room_status::open);
}

BOOST_AUTO_TEST_CASE(the_tick_that_finds_nothing_admits_nobody) {
  auto here = two_in();
  BOOST_CHECK(admitted_by(tick(here, stock::all_taken, 5'000)).empty());
  auto ended_room = two_in();
  BOOST_CHECK(admitted_by(tick(ended_room, stock::sold_out, 5'000)).empty());
}

BOOST_AUTO_TEST_CASE(a_pause_by_an_operator_and_one_by_itself_are_two) {
  auto here = two_in();
  here.does(command::pause{});
  tick(here, stock::all_taken);
  BOOST_CHECK(admitted_by(tick(here, stock::on_sale)).empty());
  BOOST_TEST(here.room.status() == room_status::paused); // the operator's pause stays
  tick(here, stock::all_taken);
  here.does(command::resume{});
  BOOST_TEST(here.room.status() == room_status::paused); // and so does the other
  BOOST_CHECK(!admitted_by(tick(here, stock::on_sale)).empty());
}

BOOST_AUTO_TEST_CASE(a_room_that_ended_turns_new_fans_away_and_comes_back_when_seats_do) {
  auto here = two_in();
  tick(here, stock::sold_out);
  BOOST_TEST(here.room.status() == room_status::ended);
  BOOST_TEST(here.turned_away(a_fan(9)) == rejection::sold_out);
  BOOST_TEST(here.joins(a_fan(3)) == 2U); // who is in it keeps the ticket
  BOOST_TEST(here.joins(a_fan(1)) == 0U);
  BOOST_TEST(look(*here.seen, 2).position == 1U);
  here.require_consistent();
  tick(here, stock::all_taken);
  BOOST_TEST(here.room.status() == room_status::paused);
  BOOST_TEST(here.joins(a_fan(9)) == 4U);
  tick(here, stock::sold_out);
  BOOST_TEST(text_of(admitted_by(tick(here, stock::on_sale))) == "[2]");
  BOOST_TEST(here.room.status() == room_status::open);
}

BOOST_AUTO_TEST_CASE(admissions_end_at_their_time_whatever_the_stock) {
  for (const auto left : {stock::all_taken, stock::sold_out}) {
    auto here = two_in();
    tick(here, left, 60'000);
    BOOST_TEST(here.status_of(0) == ticket_status::expired);
    BOOST_TEST(here.status_of(2) == ticket_status::waiting);
    BOOST_TEST(here.room.active() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(closing_forgets_the_stock_until_the_next_tick) {
  auto here = two_in();
  tick(here, stock::sold_out);
  here.does(command::close{});
  BOOST_CHECK(here.seen->room().left == stock::on_sale);
  BOOST_CHECK(tick(here, stock::sold_out).empty()); // OFF: nobody asks
  here.does(command::open{});
  BOOST_TEST(here.room.status() == room_status::open);
  tick(here, stock::sold_out);
  BOOST_TEST(here.room.status() == room_status::ended);
}

BOOST_AUTO_TEST_CASE(the_board_shows_the_seats_as_last_counted) {
  board seen;
  BOOST_TEST(!seen.seats().counted);
  seen.count_seats({60'000, 4, 2'000'000, true});
  BOOST_TEST(seen.seats().available == 60'000U);
  BOOST_TEST(seen.seats().held == 4U);
  BOOST_TEST(seen.seats().sold == 2'000'000U);
  BOOST_TEST(seen.seats().counted);
  seen.count_seats({4'000'000'000, 0, 0, true}); // more than it can show: as many as it can
  BOOST_TEST(seen.seats().available == 2'097'151U);
  BOOST_TEST(seen.seats().held == 0U);
}

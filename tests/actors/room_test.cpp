// The waiting room's actor: what only the shell does. The clock's steps come before anybody's
// command, the draw happens once whatever is switched off when, a restart excuses everybody, wishes
// are held, rooms do not disturb each other.
#include "actors/runtime/draw.hpp"
#include "storage/audit/auditor.hpp"
#include "storage/codec.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace {

using namespace usher::testing;
using usher::duration_ms;
using usher::slot_t;
using usher::time_ms;
using usher::waiting_room::place;
using usher::waiting_room::room_status;
using usher::waiting_room::ticket_status;
namespace rooms = usher::waiting_room;
namespace event = usher::waiting_room::event;

constexpr duration_ms minute_ms = 60'000;

/// All events of one type in hamlet's queue.
template <class Event>
std::vector<Event> events_in(const usher::storage::event_log& log) {
  std::vector<Event> found;
  const auto failed = log.replay(1, [&](const usher::storage::stored_record& record) {
    if (record.subject == "queue/hamlet") {
      const auto read =
          usher::storage::decode_waiting_room(record.type, record.schema, record.data);
      if (const auto* one = std::get_if<Event>(&std::get<0>(read)))
        found.push_back(*one);
    }
    return true;
  });
  BOOST_REQUIRE(!failed);
  return found;
}

/// The whole log, by code that shares nothing with the rules.
void check_log(const usher::storage::event_log& log) {
  usher::storage::audit::auditor audit;
  const auto failed = log.replay(1, [&](const usher::storage::stored_record& record) {
    audit.take(record);
    return true;
  });
  BOOST_REQUIRE(!failed);
  audit.finish();
  for (const auto& each : audit.found().listed())
    BOOST_ERROR("record " << each.position << ": " << each.sentence);
}

usher::shows::settings_patch opening(time_ms at, duration_ms prequeue) {
  auto settings = world::fast_room();
  settings.opens_at = std::optional{at};
  settings.prequeue_ms = prequeue;
  settings.admit_per_second_micro = 0; // places stay to be looked at
  return settings;
}

/// Positions are those of the order that the published seed gives.
void check_draw(world& here, const std::vector<place>& drawn, const std::vector<place>& later,
                std::string_view beacon = "") {
  const auto draws = events_in<event::places_drawn>(here.log());
  BOOST_REQUIRE_EQUAL(draws.size(), 1u);
  const auto scheduled = events_in<event::room_scheduled>(here.log());
  BOOST_REQUIRE_EQUAL(scheduled.size(), 1u);
  BOOST_CHECK(usher::runtime::commitment_of(draws[0].seed) == scheduled[0].commitment);
  std::vector<slot_t> slots;
  for (const auto& each : drawn)
    slots.push_back(each.slot);
  BOOST_CHECK(draws[0].order == usher::runtime::draw_order(draws[0].seed, beacon, {slots}));
  for (const auto& each : drawn) {
    const auto at = std::ranges::find(draws[0].order, each.slot) - draws[0].order.begin();
    BOOST_TEST(here.look(each).position == static_cast<std::uint32_t>(at) + 1);
  }
  for (std::size_t i = 0; i < later.size(); ++i)
    BOOST_TEST(here.look(later[i]).position == drawn.size() + i + 1);
  check_log(here.log());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(room, world)

BOOST_AUTO_TEST_CASE(a_scheduled_room_lets_fans_in_and_opens_by_itself_with_one_draw) {
  const auto opens_at = clock().now() + 5 * minute_ms;
  put_show({{"A", 3}}, opening(opens_at, 2 * minute_ms));
  BOOST_CHECK(show().board->room().status == room_status::scheduled);
  const auto refused = ask_join(1);
  settle();
  BOOST_CHECK(std::get<rooms::rejection>(refused.get().front()) == rooms::rejection::not_yet);

  pass(3 * minute_ms);
  BOOST_CHECK(show().board->room().status == room_status::prequeue);
  const auto drawn = join(20);
  pass(2 * minute_ms - 100);
  BOOST_CHECK(show().board->room().status == room_status::prequeue);
  pass(100);
  BOOST_CHECK(show().board->room().status == room_status::open);
  check_draw(*this, drawn, join(3));
}

BOOST_AUTO_TEST_CASE(who_joins_at_the_opening_comes_after_the_draw_however_late_the_tick_is) {
  const auto opens_at = clock().now() + minute_ms;
  put_show({{"A", 3}}, opening(opens_at, minute_ms));
  pass(1000);
  const auto drawn = join(10);
  pass_unnoticed(opens_at - clock().now()); // the alarm has not rung, the time has come
  check_draw(*this, drawn, join(2));
}

/// The power goes after every single message around the opening, and stays away for a while: over
/// the opening, too. Without `advance` before joins and at the start it fails; a draw made anew at
/// each restart would fail the count.
BOOST_AUTO_TEST_CASE(a_restart_at_every_moment_of_the_draw_gives_one_draw) {
  for (std::size_t moment = 0; moment < 40; ++moment) {
    world here{seed_of_run() + moment};
    const auto opens_at = here.clock().now() + minute_ms;
    here.put_show({{"A", 3}}, opening(opens_at, minute_ms));
    here.pass(1000);
    const auto drawn = here.join(12);
    const bool before = moment % 2 == 0;
    here.pass_unnoticed(opens_at - here.clock().now() - (before ? 500 : 0));
    const auto late = here.ask_join(1); // its message lies there, perhaps it is handled
    here.steps(moment / 2);
    here.power_off();
    here.pass_unnoticed(moment % 3 * 1000);
    here.power_on();
    here.pass(2000);
    BOOST_CHECK(here.show().board->room().status == room_status::open);
    std::vector<place> in = drawn;
    std::vector<place> behind;
    if (const auto joined = here.show().board->room().joined; joined > drawn.size()) {
      // It was durable, answered or not: before the opening it takes part, after it it does not.
      const place last{12, *here.show().board->nonce_of(12), false};
      (before ? in : behind).push_back(last);
    }
    const auto more = here.join(1);
    behind.insert(behind.end(), more.begin(), more.end());
    check_draw(here, in, behind);
  }
}

/// More than are drawn at once. Without the new start of the draw when the beacon comes it fails,
/// and so it does with a draw that forgets who left.
BOOST_AUTO_TEST_CASE(a_big_draw_is_worked_out_ahead_and_comes_to_the_same) {
  const auto opens_at = clock().now() + minute_ms;
  auto settings = opening(opens_at, minute_ms);
  settings.beacon = rooms::beacon_source{"drand quicknet", "12345"};
  put_show({{"A", 3}}, settings);
  pass(1000);
  auto drawn = join(rooms::draw_at_once_max + rooms::draw_piece);
  pass(1000);
  for (const std::size_t gone : {std::size_t{700}, std::size_t{7}}) {
    leave(drawn[gone].slot);
    drawn.erase(drawn.begin() + static_cast<std::ptrdiff_t>(gone));
  }
  settle();
  const auto given = operate_room(rooms::command::give_beacon{"3fd54df0"});
  settle();
  BOOST_CHECK(!given.get());
  const auto more = join(3);
  drawn.insert(drawn.end(), more.begin(), more.end());
  pass_unnoticed(opens_at - clock().now());
  check_draw(*this, drawn, join(2), "3fd54df0");
}

BOOST_AUTO_TEST_CASE(an_operator_who_opens_early_gets_the_draw_that_was_committed_to) {
  put_show({{"A", 3}}, opening(clock().now() + 10 * minute_ms, 9 * minute_ms));
  pass(minute_ms + 1000);
  const auto drawn = join(5);
  const auto opened = open_room();
  settle();
  BOOST_CHECK(!opened.get());
  check_draw(*this, drawn, join(1));
}

BOOST_AUTO_TEST_CASE(an_absent_fan_is_passed_over_and_comes_back_before_all_behind) {
  auto settings = fast_room(1u);
  settings.absent_after_ms = 5000;
  put_show({{"A", 3}}, settings);
  open_room();
  settle();
  const auto places = join(4);
  pass(1000); // 0 is admitted and fills the room
  for (int second = 0; second < 10; ++second) {
    for (const auto slot : {0u, 2u, 3u})
      show().board->heard_of(slot, clock().now());
    pass(1000);
  }
  leave(places[0].slot);
  pass(1000);
  BOOST_CHECK(look(places[1]).status == ticket_status::absent);
  BOOST_CHECK(look(places[2]).status == ticket_status::admitted);
  const auto passed = events_in<event::fans_passed_over>(log());
  BOOST_REQUIRE_EQUAL(passed.size(), 1u);
  BOOST_TEST(clock().now() - passed[0].seen[0] >= 5000);

  show().board->heard_of(places[1].slot, clock().now());
  pass(1000);
  BOOST_CHECK(look(places[1]).status == ticket_status::waiting);
  BOOST_TEST(look(places[1]).position == 1u);
  show().board->heard_of(places[1].slot, clock().now());
  leave(places[2].slot);
  pass(1000);
  BOOST_CHECK(look(places[1]).status == ticket_status::admitted);
  check_log(log());
}

BOOST_AUTO_TEST_CASE(an_outage_of_ours_makes_nobody_absent) {
  auto settings = fast_room(1u);
  settings.absent_after_ms = 5000;
  settings.admission_ttl_ms = 1000;
  put_show({{"A", 3}}, settings);
  open_room();
  settle();
  const auto places = join(2);
  pass(1000); // 0 is admitted
  power_off();
  pass_unnoticed(minute_ms);
  power_on();
  pass(1500); // and over
  BOOST_CHECK(look(places[1]).status == ticket_status::admitted);
  BOOST_TEST(events_in<event::fans_passed_over>(log()).empty());
}

BOOST_AUTO_TEST_CASE(a_room_pauses_by_itself_when_nothing_is_left_goes_on_and_ends) {
  put_show({{"A", 2}});
  open_room();
  settle();
  const auto owner = admitted(1).front();
  const auto held = hold(owner, {"A-1", "A-2"});
  pass(1000);
  BOOST_CHECK(show().board->room().status == room_status::paused);
  const auto waits = join(1);
  pass(2000);
  BOOST_CHECK(look(waits[0]).status == ticket_status::waiting);

  release(owner, held.id);
  pass(2000);
  BOOST_CHECK(show().board->room().status == room_status::open);
  BOOST_CHECK(look(waits[0]).status == ticket_status::admitted);

  const auto again = hold(owner, {"A-1", "A-2"});
  settle();
  const auto ordered = order(owner, again.id);
  settle();
  confirm(ordered.id);
  pass(1000);
  BOOST_CHECK(show().board->room().status == room_status::ended);
  const auto refused = ask_join(1);
  settle();
  BOOST_CHECK(std::get<rooms::rejection>(refused.get().front()) == rooms::rejection::sold_out);
  crash_and_restart();
  BOOST_CHECK(show().board->room().status == room_status::ended);
  put(described("hamlet", {{"A", 3}})); // a seat more
  pass(1000);
  BOOST_CHECK(show().board->room().status == room_status::open);
  check_log(log());
}

namespace {

/// A fan who waits with a wish for two seats, and whose turn is about to come.
place fan_with_wish(world& here) {
  auto settings = world::fast_room();
  settings.tick_ms = 1000;
  here.put_show({{"A", 5}}, settings);
  here.open_room();
  here.settle();
  const auto at = here.join(1).front();
  here.operate_room(rooms::command::set_wish{at.slot, rooms::wish{"stalls", "", 2, 0, {}}});
  here.settle();
  return at;
}

std::size_t held_seats(const world& here) {
  const auto map = here.seat_map();
  return static_cast<std::size_t>(std::ranges::count_if(
      map, [](const auto& each) { return each.second == usher::seating::shown::held; }));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_wish_is_held_on_admission) {
  const auto at = fan_with_wish(*this);
  pass(1000);
  BOOST_CHECK(look(at).status == ticket_status::admitted);
  const auto outcome = show().board->wish_outcome_of(at.slot);
  BOOST_REQUIRE(outcome);
  BOOST_CHECK(!outcome->hold.is_none());
  BOOST_TEST(held_seats(*this) == 2u);
  check_log(log());
}

BOOST_AUTO_TEST_CASE(a_wish_that_nothing_fits_says_why) {
  const auto at = fan_with_wish(*this);
  operate_room(
      rooms::command::set_wish{at.slot, rooms::wish{"", "", 2, 0, 10}}); // nothing costs 10
  pass(1000);
  const auto outcome = show().board->wish_outcome_of(at.slot);
  BOOST_REQUIRE(outcome);
  BOOST_TEST(outcome->reason == "no-seats-match");
  BOOST_TEST(held_seats(*this) == 0u);
}

BOOST_AUTO_TEST_CASE(a_crash_at_any_moment_of_a_wish_holds_it_once) {
  for (std::size_t moment = 0; moment < 40; ++moment) {
    world here{seed_of_run() + moment};
    const auto at = fan_with_wish(here);
    here.pass(900);
    here.pass_unnoticed(100);
    here.pass(0);
    here.steps(moment);
    here.crash_and_restart();
    here.pass(3000);
    BOOST_CHECK(here.look(at).status == ticket_status::admitted);
    BOOST_REQUIRE(here.show().board->wish_outcome_of(at.slot));
    BOOST_TEST(held_seats(here) == 2u);
    check_log(here.log());
  }
}

/// Two hundred fans with wishes for two seats in a block of ninety: forty-five get different ones.
BOOST_AUTO_TEST_CASE(many_wishes_at_once_get_different_seats_or_a_clear_no) {
  put_show({{"A", 90}});
  open_room();
  settle();
  const auto places = join(200);
  for (const auto& at : places)
    operate_room(rooms::command::set_wish{at.slot, rooms::wish{"", "A", 2, 0, {}}});
  pass(3000);
  std::size_t happy = 0;
  for (const auto& at : places)
    if (const auto outcome = show().board->wish_outcome_of(at.slot))
      happy += outcome->hold.is_none() ? 0 : 1;
  BOOST_TEST(happy == 45u);
  BOOST_TEST(held_seats(*this) == 90u);
  check_log(log());
}

BOOST_AUTO_TEST_CASE(a_hundred_shows_at_once_do_not_disturb_each_other) {
  constexpr std::uint32_t shows = 100;
  const auto name = [](std::uint32_t n) { return "show-" + std::to_string(n); };
  for (std::uint32_t n = 0; n < shows; ++n) {
    auto settings = fast_room(n);
    settings.max_per_tick = usher::shows::limit{n % 7 + 1};
    put(described(name(n), {{"A", 5}}), settings);
  }
  settle();
  for (std::uint32_t n = 0; n < shows; ++n) {
    operate_room(rooms::command::open{}, name(n));
    if (n % 3 == 0)
      operate_room(rooms::command::pause{}, name(n));
    ask_join(50, name(n));
  }
  settle();
  pass(3000, 500);
  for (std::uint32_t n = 0; n < shows; ++n) {
    const auto seen = show(name(n)).board->room();
    const auto admitted = n % 3 == 0 ? 0 : std::min({n, (n % 7 + 1) * 3, 50U});
    BOOST_TEST(seen.active == admitted, name(n) << " has " << seen.active);
    BOOST_TEST(seen.waiting == 50 - admitted);
  }
  check_log(log());
}

BOOST_AUTO_TEST_CASE(an_operation_that_is_refused_records_nothing) {
  put_show({{"A", 3}});
  const auto before = log().head();
  const auto paused = operate_room(rooms::command::pause{});
  const auto resumed = operate_room(rooms::command::resume{});
  const auto coded = operate_room(rooms::command::add_codes{"b", "gold", true, {}, {}, {}});
  settle();
  BOOST_CHECK(paused.get() == rooms::rejection::not_open);
  BOOST_CHECK(resumed.get() == rooms::rejection::not_open);
  BOOST_CHECK(coded.get() == rooms::rejection::tier_unknown);
  BOOST_CHECK(log().head() == before);
}

BOOST_AUTO_TEST_SUITE_END()

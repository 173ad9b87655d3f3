// The desk's rules for holds: placing, giving back, leaving, and what time ends. Each case builds a
// desk from events, asks, and looks at the events, the blocks' work and the room's.
#include "tests/rules/orders_support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace {

using namespace usher::test;
namespace test = usher::test;

constexpr time_ms ttl = 300;

command::place_hold place(std::uint8_t id, std::vector<orders::offered_seat> seats, time_ms now,
                          std::optional<slot_t> owner = fan) {
  command::place_hold what;
  what.hold = hold(id);
  what.owner = owner;
  what.seats = std::move(seats);
  what.currency = "EUR";
  what.ttl_ms = ttl;
  what.max_seats = 4;
  what.now = now;
  return what;
}

event::hold_placed placed(std::uint8_t id, std::vector<orders::offered_seat> seats, time_ms until,
                          std::optional<slot_t> owner = fan) {
  return {hold(id), owner, std::move(seats), "EUR", until, std::nullopt};
}

event::order_placed ordered(std::uint8_t id, std::uint8_t of_hold, time_ms until,
                            std::optional<slot_t> owner = fan) {
  return {order(id), owner, hold(of_hold), "", {1000, "EUR"}, until, "", std::nullopt};
}

std::vector<orders::offered_seat> seats(std::size_t count) {
  std::vector<orders::offered_seat> all;
  for (std::size_t n = 0; n < count; ++n)
    all.push_back(seat("A", "A-" + std::to_string(n)));
  return all;
}

constexpr auto no_limit = std::numeric_limits<std::size_t>::max();

} // namespace

BOOST_AUTO_TEST_CASE(a_hold_asks_each_block_once_in_order_and_the_room_to_let_the_fan_in) {
  desk here;
  auto what = place(1, {seat("B", "b2"), seat("A", "a1"), seat("B", "b1")}, 1000);
  what.asked = asked(1);
  const auto wanted = here.at(1000).does(what);
  const event::hold_placed expected{hold(1), fan, what.seats, "EUR", 1300, asked(1)};
  BOOST_CHECK((wanted.events == test::events{expected}));
  BOOST_TEST(words(wanted.blocks) == "A: hold a1; B: hold b2 b1");
  BOOST_TEST(words(wanted.room) == "enter 7 until 1300");
  const auto& asked_of_a = std::get<usher::seating::command::hold>(wanted.blocks[0].command);
  BOOST_CHECK(asked_of_a.hold == hold(1));
  BOOST_TEST(asked_of_a.until == 1300);
  BOOST_TEST(asked_of_a.now == 1000);
}

BOOST_AUTO_TEST_CASE(a_hold_without_an_admission_asks_the_room_whether_it_is_off) {
  desk here;
  const auto wanted = here.does(place(1, seats(4), 1000, std::nullopt));
  BOOST_TEST(words(wanted.room) == "enter nobody until 1300");
  // Nobody's holds are not added up: without a gate there is nobody to count for.
  BOOST_TEST(test::proposed(here.decide(place(2, seats(4), 1000, std::nullopt))));
  BOOST_TEST(is_no(here.decide(place(3, seats(5), 1000, std::nullopt)), why::too_many_seats));
}

BOOST_AUTO_TEST_CASE(a_shorter_hold_does_not_shorten_what_keeps_the_admission) {
  desk here;
  here.after(placed(1, seats(1), 5000));
  BOOST_TEST(words(here.does(place(2, {seat("B", "b")}, 1000)).room) == "enter 7 until 5000");
}

BOOST_AUTO_TEST_CASE(the_same_key_finds_the_same_hold_for_a_day_and_another_body_is_refused) {
  desk here;
  auto what = place(1, seats(1), 1000);
  what.asked = asked(1, 1);
  here.at(1000).does(what);
  what.hold = hold(2);
  what.now = 1000 + orders::key_life_ms - 1;
  BOOST_TEST(is_repeat_of(here.decide(what), hold(1)));
  what.asked = asked(1, 2);
  BOOST_TEST(is_no(here.decide(what), why::key_reused));
  what.now = 1000 + orders::key_life_ms;
  BOOST_TEST(test::proposed(here.decide(what)));
  what.now = 1000;
  what.asked = asked(2, 2);
  BOOST_TEST(test::proposed(here.decide(what)));
}

BOOST_AUTO_TEST_CASE(one_admission_has_at_most_max_seats_over_everything_it_has) {
  const auto fits = [](const desk& here, std::size_t count, time_ms now) {
    return !is_no(here.decide(place(9, seats(count), now)), why::too_many_seats);
  };
  desk live;
  live.after(placed(1, seats(3), 1300));
  BOOST_TEST(fits(live, 1, 1000));
  BOOST_TEST(!fits(live, 2, 1000));
  BOOST_TEST(!fits(live, 2, 1299));
  BOOST_TEST(fits(live, 4, 1300), "over at now == until, whether swept or not");

  desk pending = live;
  pending.after(ordered(1, 1, 1200));
  BOOST_TEST(!fits(pending, 2, 1299), "the block keeps the seats until the sweeper comes");
  BOOST_TEST(fits(pending, 4, 1300));
  desk paying = pending;
  paying.after(event::payment_started{order(1), test::payment(1), "SANDBOX", "card", {}});
  BOOST_TEST(!fits(paying, 2, 9999));
  desk paid = pending;
  paid.after(event::order_paid{order(1), "SANDBOX", "r"});
  BOOST_TEST(!fits(paid, 2, 9999));
  desk ended = live;
  ended.after(event::hold_ended{hold(1), hold_end::released});
  BOOST_TEST(fits(ended, 4, 1000));
  BOOST_TEST(fits(live, 0, 1000));
  BOOST_TEST(!is_no(live.decide(place(9, seats(4), 1000, other_fan)), why::too_many_seats));
}

BOOST_AUTO_TEST_CASE(releasing_answers_by_what_the_hold_is) {
  const command::release_hold ask{hold(1), fan, 1000};
  desk unknown;
  BOOST_TEST(is_no(unknown.decide(ask), why::unknown_hold));

  desk live;
  live.after(placed(1, {seat("B", "b"), seat("A", "a")}, 1300)).after(placed(2, seats(1), 1250));
  BOOST_TEST(
      is_no(live.decide(command::release_hold{hold(1), other_fan, 1000}), why::not_the_owner));
  BOOST_TEST(
      is_no(live.decide(command::release_hold{hold(1), std::nullopt, 1000}), why::not_the_owner));

  desk with_order = live;
  with_order.after(ordered(1, 1, 1200));
  BOOST_TEST(is_no(with_order.decide(ask), why::hold_has_order));
  desk sold = with_order;
  sold.after(event::order_paid{order(1), "SANDBOX", "r"});
  BOOST_TEST(is_no(sold.decide(ask), why::hold_ended));

  const auto wanted = live.does(ask);
  BOOST_CHECK((wanted.events == test::events{event::hold_ended{hold(1), hold_end::released}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.1 a; B: release 1.1 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 1250");
  BOOST_TEST(is_repeat_of(live.decide(ask), hold(1)));
}

BOOST_AUTO_TEST_CASE(a_hold_past_its_time_is_released_as_expired) {
  desk here;
  here.after(placed(1, seats(1), 1300));
  const auto wanted = here.does(command::release_hold{hold(1), fan, 1300});
  BOOST_CHECK((wanted.events == test::events{event::hold_ended{hold(1), hold_end::expired}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.1 A-0");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");
}

BOOST_AUTO_TEST_CASE(a_hold_without_an_owner_is_released_by_whoever_has_its_id) {
  for (const auto& who : {std::optional<slot_t>{}, std::optional<slot_t>{fan}}) {
    desk here;
    here.after(placed(1, seats(1), 1300, std::nullopt));
    BOOST_TEST(words(here.does(command::release_hold{hold(1), who, 1000}).room) == "");
  }
}

BOOST_AUTO_TEST_CASE(leaving_ends_the_holds_without_an_order_and_no_others) {
  desk here;
  here.after(placed(1, {seat("A", "a1")}, 1300))
      .after(placed(2, {seat("A", "a2"), seat("B", "b2")}, 1300))
      .after(placed(3, {seat("A", "a3")}, 1300))
      .after(ordered(3, 3, 1200))
      .after(placed(4, {seat("A", "a4")}, 1300, other_fan));
  const auto wanted = here.does(command::leave{fan, 1000});
  BOOST_CHECK(
      (wanted.events == test::events{event::hold_ended{hold(1), hold_end::admission_ended},
                                     event::hold_ended{hold(2), hold_end::admission_ended}}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.1 a1, 2.1 a2; B: release 2.1 b2");
  BOOST_TEST(words(wanted.room) == "leave 7");
  BOOST_CHECK(here.state.orders.at(order(3)).status == orders::order_status::pending);
}

BOOST_AUTO_TEST_CASE(leaving_with_nothing_still_tells_the_room) {
  const desk here;
  const auto answer = here.decide(command::leave{fan, 1000});
  BOOST_TEST_REQUIRE(test::proposed(answer));
  BOOST_TEST(test::proposed(answer)->events.empty());
  BOOST_TEST(words(test::proposed(answer)->room) == "leave 7");
}

BOOST_AUTO_TEST_CASE(time_ends_holds_and_orders_at_their_very_deadline_in_order_and_up_to_a_limit) {
  desk here;
  here.after(placed(1, {seat("A", "a1")}, 1300))
      .after(placed(2, {seat("A", "a2")}, 1100))
      .after(placed(3, {seat("A", "a3"), seat("B", "b3")}, 1400))
      .after(ordered(3, 3, 1200));
  BOOST_TEST(orders::expire(here.state, 1099, no_limit).empty());
  BOOST_TEST(orders::expire(here.state, 1100, no_limit).size() == 1U);
  BOOST_TEST(orders::expire(here.state, 1300, 2).size() == 2U);
  BOOST_TEST(orders::expire(here.state, 1300, 0).empty());

  const auto over = orders::expire(here.state, 1300, no_limit);
  BOOST_TEST_REQUIRE(over.size() == 3U);
  BOOST_CHECK((over[0].events == test::events{event::hold_ended{hold(2), hold_end::expired}}));
  BOOST_CHECK(
      (over[1].events == test::events{event::order_expired{order(3)},
                                      event::hold_ended{hold(3), hold_end::order_expired}}));
  BOOST_TEST(words(over[1].blocks) == "A: release 3.1 a3; B: release 3.1 b3");
  BOOST_CHECK((over[2].events == test::events{event::hold_ended{hold(1), hold_end::expired}}));
  // All three are over at 1300, so nothing is left after any of them.
  for (const auto& one : over)
    BOOST_TEST(words(one.room) == "settle 7 until 0");

  for (const auto& one : over)
    for (const auto& happened : one.events)
      here.after(happened);
  BOOST_TEST(orders::expire(here.state, 99'999, no_limit).empty());
  BOOST_TEST(here.state.hold_deadlines.empty());
  BOOST_TEST(here.state.order_deadlines.empty());
}

BOOST_AUTO_TEST_CASE(what_is_left_keeps_the_admission_when_time_ends_something) {
  desk here;
  here.after(placed(1, seats(1), 1100)).after(placed(2, seats(1), 1300));
  const auto over = orders::expire(here.state, 1100, no_limit);
  BOOST_TEST_REQUIRE(over.size() == 1U);
  BOOST_TEST(words(over[0].room) == "settle 7 until 1300");
}

BOOST_AUTO_TEST_CASE(nothing_ends_while_the_outcome_of_a_payment_is_unknown) {
  desk here;
  here.after(placed(1, seats(1), 1300))
      .after(ordered(1, 1, 1200))
      .after(event::payment_started{order(1), test::payment(1), "SANDBOX", "card", {}});
  BOOST_TEST(orders::expire(here.state, 99'999, no_limit).empty());
  here.after(
      event::payment_settled{order(1), test::payment(1), orders::payment_outcome::declined, ""});
  BOOST_TEST(orders::expire(here.state, 99'999, no_limit).size() == 1U);
}

BOOST_AUTO_TEST_CASE(one_customer_has_a_number_of_seats_over_all_places_and_orders) {
  const auto ana = test::id_of<usher::identity>(9);
  const auto fits = [&](const desk& here, std::size_t count, time_ms now) {
    auto what = place(9, seats(count), now, slot_t{8}); // another place than `fan`
    what.customer = ana;
    what.max_seats_per_customer = 5;
    return !is_no(here.decide(what), why::too_many_for_customer);
  };
  auto three = placed(1, seats(3), 1300);
  three.customer = ana;
  desk held;
  held.after(three);
  BOOST_TEST(fits(held, 2, 1000));
  BOOST_TEST(!fits(held, 3, 1000));
  BOOST_TEST(fits(held, 3, 1300), "over at now == until");

  desk paid = held;
  paid.after(ordered(1, 1, 1200)).after(event::order_paid{order(1), "G", "r"});
  BOOST_TEST(!fits(paid, 3, 5000), "what is bought counts for ever");

  desk late = held; // expired, and then the money came all the same
  late.after(ordered(1, 1, 1200))
      .after(event::order_expired{order(1)})
      .after(event::hold_ended{hold(1), orders::hold_end::order_expired});
  BOOST_TEST(fits(late, 3, 2000));
  late.after(event::order_paid{order(1), "G", "r"});
  BOOST_TEST(!fits(late, 3, 2000));
}

BOOST_AUTO_TEST_CASE(what_may_only_be_a_repetition_holds_nothing_new) {
  desk here;
  auto what = place(1, seats(1), 1000);
  what.asked = asked(1);
  what.only_repeat = true;
  BOOST_TEST(is_no(here.decide(what), why::not_admitted));
  what.only_repeat = false;
  here.at(1000).does(what);
  what.only_repeat = true;
  BOOST_TEST(is_repeat_of(here.decide(what), hold(1)));
}

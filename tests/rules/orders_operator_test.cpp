// What the seller's staff may do at the desk: sell over the counter, take seats off sale and put
// them back, and take sold seats back. Taking seats off sale meets holds in every state, of several
// fans at once; the tables say what each of them loses and what the room is told.
#include "tests/rules/orders_support.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>

namespace {

using namespace usher::test;
namespace test = usher::test;

constexpr time_ms now = 1100;
constexpr time_ms hold_until = 1300;

event::hold_placed placed(std::uint8_t id, std::vector<orders::offered_seat> seats,
                          std::optional<slot_t> owner = fan, time_ms until = hold_until) {
  return {hold(id), owner, std::move(seats), "EUR", until, std::nullopt};
}

event::order_placed ordered(std::uint8_t id, std::optional<slot_t> owner = fan,
                            time_ms until = 1200) {
  return {order(id), owner, hold(id), "", {2000, "EUR"}, until, "", std::nullopt};
}

event::payment_started attempt(std::uint8_t id) {
  return {order(id), test::payment(id), "G", "card", std::nullopt};
}

/// Hold 1 of the fan: a1 and a2 in block A, b1 in block B.
event::hold_placed hold_of_three() {
  return placed(1, {seat("A", "a1"), seat("B", "b1"), seat("A", "a2")});
}

/// Ids like "a1": of the block A.
std::vector<orders::seat_in_block> in_blocks(const std::vector<std::string>& ids) {
  std::vector<orders::seat_in_block> seats;
  for (const auto& id : ids)
    seats.push_back({id, id.starts_with('a') ? "A" : "B"});
  return seats;
}

command::block_seats block(const std::vector<std::string>& ids, bool force, time_ms when = now) {
  return {in_blocks(ids), force, "camera", when};
}

command::sell_seats sell(std::uint8_t id, std::vector<orders::offered_seat> seats) {
  command::sell_seats what;
  what.hold = hold(id);
  what.order = order(id);
  what.seats = std::move(seats);
  what.currency = "EUR";
  what.customer = "sealed";
  what.gateway = "BOX_OFFICE";
  what.reference = "till 3";
  what.now = now;
  return what;
}

command::return_seats give_back(std::uint8_t id, std::vector<usher::seat_id> seats = {}) {
  return {order(id), std::move(seats), "refund 5", now};
}

event::hold_ended withdrawn(std::uint8_t id) {
  return {hold(id), hold_end::withdrawn};
}

/// The fan's order 1 for a1, b1 and a2 is paid.
desk with_sale() {
  desk here;
  return here.at(1000)
      .after(hold_of_three())
      .after(ordered(1))
      .after(event::order_paid{order(1), "G", "r"});
}

} // namespace

// --- selling over the counter ----------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_counter_sale_is_held_ordered_paid_and_sold_in_one_step) {
  desk here;
  auto what = sell(1, {seat("B", "b1", 1500), seat("A", "a1", 1000)});
  what.asked = asked(1);
  const auto wanted = here.at(now).does(what);
  BOOST_TEST_REQUIRE(wanted.events.size() == 4U);
  const auto& made = std::get<event::hold_placed>(wanted.events[0]);
  BOOST_TEST(made.box_office);
  BOOST_TEST(!made.owner.has_value());
  BOOST_CHECK(made.seats == what.seats);
  const auto& its = std::get<event::order_placed>(wanted.events[1]);
  BOOST_TEST(its.box_office);
  BOOST_CHECK((its.total == usher::money{2500, "EUR"}));
  BOOST_TEST(its.customer == "sealed");
  const event::order_paid paid{order(1), "BOX_OFFICE", "till 3"};
  BOOST_CHECK(std::get<event::order_paid>(wanted.events[2]) == paid);
  const event::tickets_issued tickets{order(1), {"b1", "a1"}};
  BOOST_CHECK(std::get<event::tickets_issued>(wanted.events[3]) == tickets);
  BOOST_TEST(words(wanted.blocks) == "A: sell a1; B: sell b1", "never held in between");
  BOOST_TEST(words(wanted.room) == "", "no admission is needed");

  BOOST_CHECK(here.state.orders.at(order(1)).status == order_status::paid);
  BOOST_CHECK(here.state.holds.at(hold(1)).status == orders::hold_status::sold);
  BOOST_TEST(here.state.orders.at(order(1)).payments.size() == 1U);
  BOOST_TEST(here.state.hold_deadlines.empty());
  BOOST_TEST(here.state.order_deadlines.empty());
  BOOST_TEST(orders::expire(here.state, 999'999, 9).empty());
}

BOOST_AUTO_TEST_CASE(a_counter_sale_with_the_same_key_is_one_sale) {
  desk here;
  auto what = sell(1, {seat("A", "a1")});
  what.asked = asked(1, 1);
  here.at(now).does(what);
  auto again = sell(2, {seat("A", "a1")});
  again.asked = asked(1, 1);
  BOOST_TEST(is_repeat_of(here.decide(again), order(1)));
  again.only_repeat = true;
  BOOST_TEST(is_repeat_of(here.decide(again), order(1)));
  again.asked = asked(1, 2);
  BOOST_TEST(is_no(here.decide(again), why::key_reused));
  again.asked = asked(2, 1);
  BOOST_TEST(is_no(here.decide(again), why::not_admitted));
  again.only_repeat = false;
  BOOST_TEST(proposed(here.decide(again)));
}

BOOST_AUTO_TEST_CASE(what_was_taken_at_the_till_is_checked_if_it_is_told) {
  const desk here;
  auto what = sell(1, {seat("A", "a1", 1000), seat("A", "a2", 500)});
  for (const std::int64_t amount : {0, 1499, 1501}) {
    what.amount_minor = amount;
    BOOST_TEST(is_no(here.decide(what), why::amount_differs));
  }
  what.amount_minor = 1500;
  BOOST_TEST(proposed(here.decide(what)));
}

BOOST_AUTO_TEST_CASE(the_box_office_has_no_limit_of_seats_and_asks_no_room) {
  desk here;
  command::place_hold what;
  what.hold = hold(1);
  for (int n = 0; n < 50; ++n)
    what.seats.push_back(seat("A", "a" + std::to_string(n)));
  what.currency = "EUR";
  what.max_seats = 4;
  what.max_seats_per_customer = 4;
  what.now = now;
  BOOST_TEST(is_no(here.decide(what), why::too_many_seats));
  what.box_office = true;
  const auto wanted = here.at(now).does(what);
  BOOST_TEST(std::get<event::hold_placed>(wanted.events[0]).box_office);
  BOOST_TEST(words(wanted.room) == "");
  BOOST_TEST(here.state.holds.at(hold(1)).box_office);
}

BOOST_AUTO_TEST_CASE(only_the_box_office_orders_on_its_own_hold) {
  desk here;
  auto counter = placed(1, {seat("A", "a1")}, std::nullopt);
  counter.box_office = true;
  here.at(1000).after(counter).after(placed(2, {seat("A", "a2")}));
  const auto order_of = [&](std::uint8_t of_hold, std::optional<slot_t> owner, bool box_office) {
    command::place_order what;
    what.order = order(of_hold);
    what.owner = owner;
    what.hold = hold(of_hold);
    what.payment_window_ms = 100;
    what.now = now;
    what.box_office = box_office;
    return what;
  };
  BOOST_TEST(is_no(here.decide(order_of(1, fan, false)), why::not_the_owner));
  BOOST_TEST(is_no(here.decide(order_of(1, std::nullopt, false)), why::not_the_owner));
  BOOST_TEST(is_no(here.decide(order_of(2, std::nullopt, true)), why::not_the_owner));
  const auto wanted = here.does(order_of(1, std::nullopt, true));
  BOOST_TEST(std::get<event::order_placed>(wanted.events[0]).box_office);
  BOOST_TEST(words(wanted.room) == "");
  const command::confirm money{order(1), "BOX_OFFICE", "r", now};
  BOOST_TEST(words(here.does(money, false).blocks) == "A: sell a1");
}

// --- off sale --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(seats_that_nobody_has_are_blocked_and_unblocked_block_by_block) {
  desk here;
  for (const bool force : {false, true}) {
    const auto wanted = here.does(block({"b1", "a2", "a1"}, force));
    BOOST_TEST(wanted.events.empty());
    BOOST_TEST(words(wanted.blocks) == "A: block a2 a1; B: block b1");
    BOOST_TEST(words(wanted.room) == "");
    const auto& asked_of_a = std::get<usher::seating::command::block>(wanted.blocks[0].command);
    BOOST_TEST(asked_of_a.note == "camera");
    BOOST_TEST(asked_of_a.now == now);
  }
  const auto back = here.does(command::unblock_seats{in_blocks({"b1", "a2", "a1"}), now});
  BOOST_TEST(back.events.empty());
  BOOST_TEST(words(back.blocks) == "A: unblock a2 a1; B: unblock b1");
  BOOST_TEST(words(back.room) == "");
}

BOOST_AUTO_TEST_CASE(without_force_nothing_is_taken_from_anybody) {
  desk here;
  here.at(1000).after(hold_of_three());
  const auto wanted = here.does(block({"a1", "a2", "b1"}, false));
  BOOST_TEST(wanted.events.empty());
  BOOST_TEST(words(wanted.blocks) == "A: block a1 a2; B: block b1"); // and the blocks refuse
  BOOST_TEST(words(wanted.room) == "");
}

BOOST_AUTO_TEST_CASE(a_hold_that_is_hit_in_part_keeps_the_rest_and_its_time) {
  desk here;
  here.at(1000).after(hold_of_three());
  const auto wanted = here.does(block({"a1", "a9"}, true));
  const event::hold_changed expected{hold(1),    2,           hold_change::withdrawn, {}, {"a1"},
                                     hold_until, std::nullopt};
  BOOST_CHECK((wanted.events == test::events{expected}));
  BOOST_TEST(words(wanted.blocks) == "A: block a1 a9 from 1.1 a1");
  BOOST_TEST(words(wanted.room) == "", "nothing of the admission's time changes");
  const auto& it = here.state.holds.at(hold(1));
  BOOST_TEST(it.generation == 2U);
  BOOST_TEST(it.seats.size() == 2U);
  BOOST_TEST(!it.has("a1"));
  BOOST_CHECK((it.withdrawn == std::vector<usher::seat_id>{"a1"}));
  BOOST_TEST(it.until == hold_until);

  // Once more, over two blocks: what is given back is of the generation it has by now.
  const auto again = here.does(block({"a2"}, true));
  BOOST_TEST(words(again.blocks) == "A: block a2 from 1.2 a2");
  BOOST_CHECK((it.withdrawn == std::vector<usher::seat_id>{"a1", "a2"}));
  const auto last = here.does(block({"b1"}, true));
  BOOST_CHECK((last.events == test::events{withdrawn(1)}));
  BOOST_TEST(words(last.blocks) == "B: block b1 from 1.3 b1");
  BOOST_TEST(words(last.room) == "settle 7 until 0");
}

BOOST_AUTO_TEST_CASE(a_hold_that_loses_all_its_seats_ends) {
  desk here;
  here.at(1000).after(hold_of_three()).after(placed(2, {seat("A", "a3")}, fan, 1250));
  const auto wanted = here.does(block({"a1", "a2", "b1"}, true));
  BOOST_CHECK((wanted.events == test::events{withdrawn(1)}));
  BOOST_TEST(words(wanted.blocks) == "A: block a1 a2 from 1.1 a1 a2; B: block b1 from 1.1 b1");
  BOOST_TEST(words(wanted.room) == "settle 7 until 1250", "the other hold keeps the admission");
  const auto& it = here.state.holds.at(hold(1));
  BOOST_CHECK(it.status == orders::hold_status::ended);
  BOOST_CHECK(it.end == hold_end::withdrawn);
  BOOST_TEST(here.state.hold_deadlines.size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_order_that_waits_for_money_is_cancelled_with_its_whole_hold) {
  desk here;
  here.at(1000).after(hold_of_three()).after(ordered(1));
  const auto wanted = here.does(block({"a1"}, true));
  BOOST_CHECK((wanted.events == test::events{event::order_cancelled{order(1)}, withdrawn(1)}));
  // b1 is not blocked, only given back.
  BOOST_TEST(words(wanted.blocks) == "A: block a1 from 1.1 a1 a2; B: release 1.1 b1");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");
  BOOST_CHECK(here.state.orders.at(order(1)).status == order_status::cancelled);
  BOOST_TEST(here.state.hold_deadlines.empty());
  BOOST_TEST(here.state.order_deadlines.empty());
}

BOOST_AUTO_TEST_CASE(who_is_not_hit_or_over_or_being_paid_loses_nothing) {
  const auto untouched = [](const desk& here, time_ms when) {
    const auto answer = here.decide(block({"a1", "a2", "b1"}, true, when));
    const auto* what = proposed(answer);
    BOOST_TEST_REQUIRE(what);
    BOOST_TEST(what->events.empty());
    BOOST_TEST(words(what->blocks) == "A: block a1 a2; B: block b1");
    BOOST_TEST(words(what->room) == "");
  };
  desk others;
  others.at(1000).after(placed(1, {seat("A", "a8"), seat("B", "b8")}));
  untouched(others, now);

  desk live;
  live.at(1000).after(hold_of_three());
  untouched(live, hold_until); // over at now == until: the blocks take the seats
  BOOST_TEST(!proposed(live.decide(block({"a1"}, true, hold_until - 1)))->events.empty());

  desk paying = live;
  paying.after(ordered(1)).after(attempt(1));
  untouched(paying, now); // the blocks will refuse

  untouched(with_sale(), now); // likewise

  desk ended = live;
  ended.after(event::hold_ended{hold(1), hold_end::released});
  untouched(ended, now);
}

BOOST_AUTO_TEST_CASE(several_fans_lose_seats_at_once_and_the_room_is_told_of_each) {
  desk here;
  here.at(1000)
      .after(placed(1, {seat("A", "a1")}))                             // ends
      .after(placed(2, {seat("A", "a2"), seat("B", "b2")}))            // loses one
      .after(placed(3, {seat("B", "b3"), seat("A", "a3")}, other_fan)) // ordered: ends
      .after(ordered(3, other_fan))
      .after(placed(4, {seat("B", "b4")}, other_fan, 1280)) // stays
      .after(placed(5, {seat("A", "a5")}, 9))               // being paid, not hit
      .after(ordered(5, 9))
      .after(attempt(5))
      .after(placed(6, {seat("A", "a6")}, std::nullopt)); // nobody's: ends
  const auto wanted = here.does(block({"a1", "a2", "a3", "a6"}, true));
  BOOST_TEST(words(wanted.blocks) ==
             "A: block a1 a2 a3 a6 from 1.1 a1, 2.1 a2, 3.1 a3, 6.1 a6; B: release 3.1 b3");
  BOOST_TEST(wanted.events.size() == 5U);
  // 7 keeps hold 2, 8 keeps hold 4; nobody has no admission to settle.
  BOOST_TEST(words(wanted.room) == "settle 7 until 1300, settle 8 until 1280");
  BOOST_TEST(here.state.holds.at(hold(2)).seats.size() == 1U);
  BOOST_CHECK(here.state.orders.at(order(3)).status == order_status::cancelled);
  BOOST_CHECK(here.state.orders.at(order(5)).status == order_status::paying);
}

BOOST_AUTO_TEST_CASE(two_holds_of_one_fan_that_end_together_settle_once) {
  desk here;
  here.at(1000)
      .after(placed(1, {seat("A", "a1")}))
      .after(placed(2, {seat("A", "a2")}, fan, 1250))
      .after(ordered(2));
  const auto wanted = here.does(block({"a1", "a2"}, true));
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");
  BOOST_TEST(wanted.events.size() == 3U);
}

BOOST_AUTO_TEST_CASE(what_a_payment_keeps_of_the_admission_is_told_as_well) {
  desk here;
  here.at(1000)
      .after(placed(1, {seat("A", "a1")}))
      .after(placed(2, {seat("A", "a2")}))
      .after(ordered(2, fan, 1270))
      .after(attempt(2));
  BOOST_TEST(words(here.does(block({"a1"}, true)).room) == "settle 7 until 1270");
}

BOOST_AUTO_TEST_CASE(the_box_offices_holds_lose_seats_like_any_other) {
  desk here;
  auto counter = placed(1, {seat("A", "a1"), seat("A", "a2")}, std::nullopt);
  counter.box_office = true;
  here.at(1000).after(counter);
  BOOST_TEST(words(here.does(block({"a1"}, true)).blocks) == "A: block a1 from 1.1 a1");
  BOOST_CHECK((here.does(block({"a2"}, true)).events == test::events{withdrawn(1)}));
}

// --- money that comes after seats were taken --------------------------------------------------

BOOST_AUTO_TEST_CASE(
    late_money_for_withdrawn_seats_asks_for_them_and_is_due_back_if_they_are_gone) {
  desk here;
  here.at(1000).after(hold_of_three()).after(ordered(1));
  here.does(block({"a1"}, true));
  command::confirm money{order(1), "G", "late", now};
  money.refund = test::refund(5);
  const auto asked_for = orders::decide(here.state, money, false);
  BOOST_TEST_REQUIRE(proposed(asked_for));
  BOOST_TEST(words(proposed(asked_for)->blocks) == "A: sell a1 a2; B: sell b1");

  auto refused = here; // a1 is BLOCKED
  const auto wanted = refused.does(money, true);
  BOOST_TEST_REQUIRE(wanted.events.size() == 3U);
  BOOST_CHECK(std::holds_alternative<event::payment_reported>(wanted.events[0]));
  BOOST_CHECK(
      (wanted.events[1] == orders::any_event{event::order_refund_due{order(1), "G", "late"}}));
  BOOST_CHECK(std::get<event::refund_started>(wanted.events[2]).cause ==
              orders::refund_cause::refund_due);
  BOOST_TEST(wanted.blocks.empty());
  BOOST_CHECK(refused.state.holds.at(hold(1)).end == hold_end::withdrawn);

  here.does(money, false); // a1 was unblocked meanwhile, and all three are free
  BOOST_CHECK(here.state.orders.at(order(1)).status == order_status::paid);
  BOOST_TEST(!here.state.holds.at(hold(1)).end.has_value());
}

BOOST_AUTO_TEST_CASE(
    money_of_a_hold_that_lapsed_under_a_payment_is_due_back_if_its_seats_went_off_sale) {
  desk here;
  here.at(1000).after(hold_of_three()).after(ordered(1)).after(attempt(1));
  here.at(hold_until).does(block({"a1"}, true, hold_until)); // lapsed: the block takes the seat
  command::settle_payment approved{order(1), test::payment(1), orders::payment_outcome::approved,
                                   "r", hold_until};
  approved.refund = test::refund(5);
  const auto wanted = here.does(approved, true);
  BOOST_TEST(wanted.events.size() == 4U); // settled, due, its refund begun, the hold ended
  BOOST_CHECK(here.state.orders.at(order(1)).status == order_status::refund_due);
  // What nobody took yet is released; the block that blocked a1 finds nothing of it.
  BOOST_TEST(words(wanted.blocks) == "A: release 1.1 a1 a2; B: release 1.1 b1");
}

// --- sold seats back on sale -----------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_paid_order_gives_back_all_its_seats_or_some_and_each_once) {
  auto here = with_sale();
  const auto some = here.at(now).does(give_back(1, {"a2"}));
  BOOST_CHECK(
      (some.events == test::events{event::order_seats_returned{order(1), {"a2"}, "refund 5"}}));
  BOOST_TEST(words(some.blocks) == "A: return a2");
  BOOST_TEST(words(some.room) == "");
  BOOST_TEST(is_no(here.decide(give_back(1, {"a2"})), why::seat_not_sold));
  BOOST_TEST(is_no(here.decide(give_back(1, {"a1", "a2"})), why::seat_not_sold));

  const auto rest = here.does(give_back(1));
  BOOST_TEST(words(rest.blocks) == "A: return a1; B: return b1");
  BOOST_TEST(is_no(here.decide(give_back(1)), why::seat_not_sold));
  BOOST_TEST(here.state.holds.at(hold(1)).returned.size() == 3U);
  BOOST_TEST(here.state.holds.at(hold(1)).seats.size() == 3U, "what was sold stays on record");
  BOOST_CHECK(here.state.orders.at(order(1)).status == order_status::paid);
}

BOOST_AUTO_TEST_CASE(what_was_not_sold_to_the_order_is_not_returned) {
  auto here = with_sale();
  for (const auto& seats :
       std::vector<std::vector<usher::seat_id>>{{"x"}, {"a1", "x"}, {"a1", "a1"}})
    BOOST_TEST(is_no(here.decide(give_back(1, seats)), why::seat_not_sold));
  BOOST_TEST(is_no(here.decide(give_back(9)), why::unknown_order));

  desk pending;
  pending.at(1000).after(hold_of_three()).after(ordered(1));
  auto paying = pending;
  paying.after(attempt(1));
  auto cancelled = pending;
  cancelled.after(event::order_cancelled{order(1)});
  auto due = pending;
  due.after(event::order_refund_due{order(1), "G", "r"});
  for (const auto& other : {pending, paying, cancelled, due})
    BOOST_TEST(is_no(other.decide(give_back(1)), why::order_not_paid));

  desk planless; // a show without a plan has no seats here
  planless
      .after(event::order_placed{order(1), fan, {}, "ref", {700, "EUR"}, 1200, "", std::nullopt})
      .after(event::order_paid{order(1), "G", "r"});
  BOOST_TEST(is_no(planless.decide(give_back(1)), why::seat_not_sold));
}

BOOST_AUTO_TEST_CASE(returned_seats_do_not_count_against_a_limit) {
  auto here = with_sale();
  command::place_hold two;
  two.hold = hold(2);
  two.owner = fan;
  two.seats = {seat("A", "a3"), seat("A", "a4")};
  two.max_seats = 4;
  two.now = now;
  BOOST_TEST(is_no(here.decide(two), why::too_many_seats));
  here.does(give_back(1, {"a1"}));
  BOOST_TEST(proposed(here.decide(two)));
}

BOOST_AUTO_TEST_CASE(more_money_for_an_order_whose_seats_went_back_sells_nothing_and_goes_back) {
  auto here = with_sale();
  here.does(give_back(1));
  command::confirm more{order(1), "G", "again", now};
  more.refund = test::refund(5);
  const auto wanted = here.does(more, false);
  BOOST_TEST(wanted.blocks.empty());
  BOOST_TEST_REQUIRE(wanted.events.size() == 2U);
  BOOST_CHECK(std::get<event::refund_started>(wanted.events[1]).cause ==
              orders::refund_cause::surplus);
}

BOOST_AUTO_TEST_CASE(an_operators_event_that_contradicts_the_state_stops_the_process) {
  const auto stops_on = [](const desk& here, const orders::any_event& happened) {
    return test::stops([&] { desk{here}.after(happened); });
  };
  const event::order_seats_returned all{order(1), {"a1", "b1", "a2"}, "r"};
  BOOST_TEST(!stops_on(with_sale(), all));
  auto returned = with_sale();
  returned.after(all);
  BOOST_TEST(stops_on(returned, event::order_seats_returned{order(1), {"a1"}, "r"}), "twice");
  desk pending;
  pending.after(hold_of_three()).after(ordered(1));
  BOOST_TEST(stops_on(pending, all), "of an order without money");
  BOOST_TEST(stops_on(pending, withdrawn(1)), "a hold with an open order withdrawn");
}

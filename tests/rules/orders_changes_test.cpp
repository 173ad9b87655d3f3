// The desk's rules for changing a live hold: longer, more seats, fewer. Each change is one more
// generation; what is refused changes nothing.
#include "tests/rules/orders_support.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <string>

namespace {

using namespace usher::test;
namespace test = usher::test;

constexpr time_ms placed_at = 1000;
constexpr time_ms hold_until = 1300;
constexpr time_ms max_life = 600;
constexpr time_ms longest = placed_at + max_life;

event::hold_placed placed(std::uint8_t id, std::vector<orders::offered_seat> seats,
                          std::optional<slot_t> owner = fan) {
  return {hold(id), owner, std::move(seats), "EUR", hold_until, std::nullopt};
}

event::order_placed ordered() {
  return {order(1), fan, hold(1), "", {2000, "EUR"}, 1200, "", std::nullopt};
}

/// Hold 1 with the seats b of block B and a of block A, from 1000 until 1300.
desk with_hold(std::optional<slot_t> owner = fan) {
  desk here;
  return here.at(placed_at).after(placed(1, {seat("B", "b"), seat("A", "a")}, owner));
}

command::extend_hold extend(time_ms now) {
  return {hold(1), fan, 300, max_life, std::nullopt, now};
}

command::add_seats add(std::vector<orders::offered_seat> seats, time_ms now = 1100) {
  command::add_seats what;
  what.hold = hold(1);
  what.owner = fan;
  what.seats = std::move(seats);
  what.max_seats = 4;
  what.now = now;
  return what;
}

command::release_seat give_back(const std::string& id, time_ms now = 1100) {
  return {hold(1), fan, id, now};
}

bool is_nothing(const orders::decision& answer) {
  const auto* what = proposed(answer);
  return what != nullptr && what->events.empty() && what->blocks.empty() &&
         std::holds_alternative<std::monostate>(what->room);
}

std::string ids_of(const desk& here) {
  std::string all;
  for (const auto& one : here.state.holds.at(hold(1)).seats)
    all += one.id + ' ';
  return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_extension_restamps_every_seat_and_asks_the_room_to_keep_the_admission) {
  auto here = with_hold();
  const auto wanted = here.at(1100).does(extend(1100));
  const event::hold_changed expected{hold(1), 2, hold_change::extended, {}, {}, 1400, {}};
  BOOST_CHECK((wanted.events == test::events{expected}));
  BOOST_TEST(words(wanted.blocks) == "A: hold.2 a; B: hold.2 b");
  for (const auto& work : wanted.blocks) {
    const auto& hold_it = std::get<usher::seating::command::hold>(work.command);
    BOOST_CHECK(hold_it.hold == hold(1));
    BOOST_TEST(hold_it.until == 1400);
    BOOST_TEST(hold_it.now == 1100);
  }
  BOOST_TEST(words(wanted.room) == "enter 7 until 1400");
  const auto& it = here.state.holds.at(hold(1));
  BOOST_TEST(it.until == 1400);
  BOOST_TEST(it.generation == 2U);
  BOOST_TEST(it.placed_at == placed_at);
  BOOST_CHECK((here.state.hold_deadlines == std::set{std::pair{time_ms{1400}, hold(1)}}));
}

BOOST_AUTO_TEST_CASE(a_hold_lives_max_life_from_when_it_was_placed_and_not_a_millisecond_more) {
  auto here = with_hold();
  here.at(1299).does(extend(1299));
  BOOST_TEST(here.state.holds.at(hold(1)).until == longest - 1);
  here.at(1500).does(extend(1500));
  BOOST_TEST(here.state.holds.at(hold(1)).until == longest);
  BOOST_TEST(here.state.holds.at(hold(1)).generation == 3U);
  BOOST_TEST(is_nothing(here.decide(extend(1500))));
  BOOST_TEST(is_nothing(here.decide(extend(longest - 1))));
  BOOST_TEST(is_no(here.decide(extend(longest)), why::hold_expired));

  auto exactly = with_hold(); // now + ttl is the very end
  BOOST_TEST(std::get<event::hold_changed>(exactly.at(1299).does(extend(1299)).events[0]).until ==
             1599);
}

BOOST_AUTO_TEST_CASE(an_extension_never_makes_a_hold_shorter) {
  const auto here = with_hold();
  BOOST_TEST(is_nothing(here.decide(extend(placed_at))), "nothing is gained yet");
  auto shorter_ttl = extend(1100);
  shorter_ttl.ttl_ms = 199;
  BOOST_TEST(is_nothing(here.decide(shorter_ttl)));
  auto shorter_life = extend(1100);
  shorter_life.max_life_ms = 200;
  BOOST_TEST(is_nothing(here.decide(shorter_life)));
}

BOOST_AUTO_TEST_CASE(an_extension_does_not_shorten_what_keeps_the_admission) {
  auto here = with_hold();
  auto longer = placed(2, {seat("A", "c")});
  longer.until = 5000;
  here.after(longer);
  BOOST_TEST(words(here.does(extend(1100)).room) == "enter 7 until 5000");
}

// Every change of every state that a hold can be in; only a live one in time is changed.
BOOST_AUTO_TEST_CASE(what_is_not_live_any_more_is_not_changed) {
  const auto after = [](std::initializer_list<orders::any_event> more) {
    auto here = with_hold();
    for (const auto& one : more)
      here.after(one);
    return here;
  };
  const event::payment_started paying{order(1), test::payment(1), "G", "card", {}};
  const event::order_paid paid{order(1), "G", "r"};
  struct state_of_hold {
    std::string name;
    desk here;
    std::optional<why> no;
  };
  const std::vector<state_of_hold> states{
      {"live", with_hold(), std::nullopt},
      {"ordered", after({ordered()}), why::hold_has_order},
      {"being paid", after({ordered(), paying}), why::hold_has_order},
      {"sold", after({ordered(), paid}), why::hold_ended},
      {"released", after({event::hold_ended{hold(1), hold_end::released}}), why::hold_ended},
      {"expired", after({event::hold_ended{hold(1), hold_end::expired}}), why::hold_expired},
      {"withdrawn", after({event::hold_ended{hold(1), hold_end::withdrawn}}), why::hold_ended},
      {"given up", after({event::hold_ended{hold(1), hold_end::admission_ended}}), why::hold_ended},
      {"cancelled",
       after({ordered(), event::order_cancelled{order(1)},
              event::hold_ended{hold(1), hold_end::cancelled}}),
       why::hold_ended},
      {"expired with its order",
       after({ordered(), event::order_expired{order(1)},
              event::hold_ended{hold(1), hold_end::order_expired}}),
       why::hold_expired},
  };
  for (const auto& [name, here, no] : states)
    for (const auto& answer : {here.decide(extend(1100)), here.decide(add({seat("A", "c")})),
                               here.decide(give_back("a"))})
      BOOST_TEST_CONTEXT(name)
  BOOST_TEST((no ? is_no(answer, *no) : proposed(answer) != nullptr && !is_nothing(answer)));
}

BOOST_AUTO_TEST_CASE(a_hold_is_changed_up_to_its_deadline_and_not_at_it) {
  const auto here = with_hold();
  const std::map<std::string, std::function<orders::decision(time_ms)>> changes{
      {"extend", [&](time_ms now) { return here.decide(extend(now)); }},
      {"add", [&](time_ms now) { return here.decide(add({seat("A", "c")}, now)); }},
      {"give back", [&](time_ms now) { return here.decide(give_back("a", now)); }}};
  for (const auto& [name, ask] : changes) {
    BOOST_TEST(proposed(ask(hold_until - 1)), name);
    BOOST_TEST(is_no(ask(hold_until), why::hold_expired), name);
  }
}

BOOST_AUTO_TEST_CASE(only_whoever_has_the_hold_changes_it) {
  // Who asks (nobody: an anonymous call; the box office has a key of its own) of whose hold.
  struct who {
    std::optional<slot_t> owner;
    bool box_office = false;
  };
  const auto answers_of = [](const desk& here, const who& asker) {
    auto longer = extend(1100);
    auto more = add({seat("A", "c")});
    auto fewer = give_back("a");
    command::release_hold none{hold(1), asker.owner, 1100, asker.box_office};
    longer.owner = more.owner = fewer.owner = asker.owner;
    longer.box_office = more.box_office = fewer.box_office = asker.box_office;
    return std::vector{here.decide(longer), here.decide(more), here.decide(fewer),
                       here.decide(none)};
  };
  auto of_box_office = desk{};
  auto counter = placed(1, {seat("B", "b"), seat("A", "a")}, std::nullopt);
  counter.box_office = true;
  of_box_office.at(placed_at).after(counter);

  const auto all = [&](const desk& here, const who& asker, bool may) {
    for (const auto& answer : answers_of(here, asker))
      BOOST_TEST((may ? proposed(answer) != nullptr : is_no(answer, why::not_the_owner)));
  };
  all(with_hold(), {fan}, true);
  all(with_hold(), {other_fan}, false);
  all(with_hold(), {std::nullopt}, false);
  all(with_hold(), {std::nullopt, true}, false);
  all(with_hold(std::nullopt), {std::nullopt}, true); // as long as the room was OFF
  all(with_hold(std::nullopt), {fan}, true);
  all(of_box_office, {std::nullopt, true}, true);
  all(of_box_office, {std::nullopt}, false);
  all(of_box_office, {fan}, false);

  const desk empty;
  for (const auto& answer : answers_of(empty, {fan}))
    BOOST_TEST(is_no(answer, why::unknown_hold));
}

BOOST_AUTO_TEST_CASE(the_box_office_changes_its_hold_without_the_room_and_without_a_limit) {
  desk here;
  auto counter = placed(1, {seat("A", "a")}, std::nullopt);
  counter.box_office = true;
  here.at(placed_at).after(counter);
  auto longer = extend(1100);
  longer.owner.reset();
  longer.box_office = true;
  BOOST_TEST(words(here.at(1100).does(longer).room) == "");

  auto more = add({seat("A", "c"), seat("A", "d")});
  more.owner.reset();
  more.box_office = true;
  more.max_seats = 1;
  const auto wanted = here.does(more);
  BOOST_TEST(words(wanted.room) == "");
  BOOST_TEST(words(wanted.blocks) == "A: hold.3 c d");
  BOOST_TEST(ids_of(here) == "a c d ");
}

BOOST_AUTO_TEST_CASE(added_seats_are_held_until_the_holds_own_end_and_the_others_are_not_asked) {
  auto here = with_hold();
  auto what = add({seat("C", "c", 70), seat("A", "d", 80)});
  what.asked = asked(1);
  const auto wanted = here.at(1100).does(what);
  const event::hold_changed expected{hold(1),    2,       hold_change::added, what.seats, {},
                                     hold_until, asked(1)};
  BOOST_CHECK((wanted.events == test::events{expected}));
  BOOST_TEST(words(wanted.blocks) == "A: hold.2 d; C: hold.2 c");
  for (const auto& work : wanted.blocks)
    BOOST_TEST(std::get<usher::seating::command::hold>(work.command).until == hold_until);
  BOOST_TEST(words(wanted.room) == "enter 7 until 1300");
  const auto& it = here.state.holds.at(hold(1));
  BOOST_TEST(ids_of(here) == "b a c d ");
  BOOST_TEST(it.total_minor() == 2150);
  BOOST_TEST(it.until == hold_until);
  BOOST_TEST(here.state.hold_deadlines.size() == 1U);
}

BOOST_AUTO_TEST_CASE(adding_what_it_has_is_nothing_and_keeps_its_price) {
  auto here = with_hold();
  BOOST_TEST(is_nothing(here.decide(add({seat("A", "a", 1), seat("B", "b", 1)}))));
  auto full = add({seat("A", "a", 1)});
  full.max_seats = 2;
  BOOST_TEST(is_nothing(here.decide(full)), "no limit stands against nothing");

  auto mixed = add({seat("A", "a", 1), seat("A", "c", 50)});
  mixed.max_seats = 3; // only what is new counts
  const auto wanted = here.does(mixed);
  BOOST_TEST(words(wanted.blocks) == "A: hold.2 c");
  BOOST_TEST(here.state.holds.at(hold(1)).total_minor() == 2050);
}

BOOST_AUTO_TEST_CASE(an_admission_has_at_most_max_seats_over_all_its_holds_and_orders) {
  const auto fits = [](const desk& here, std::size_t count, time_ms now = 1100) {
    std::vector<orders::offered_seat> seats;
    for (std::size_t n = 0; n < count; ++n)
      seats.push_back(seat("N", "n" + std::to_string(n)));
    const auto answer = here.decide(add(seats, now));
    BOOST_TEST((proposed(answer) != nullptr || is_no(answer, why::too_many_seats)));
    return proposed(answer) != nullptr;
  };
  auto here = with_hold();
  BOOST_TEST(fits(here, 2));
  BOOST_TEST(!fits(here, 3));

  auto two_holds = here;
  auto second = placed(2, {seat("A", "x")});
  second.until = 1150;
  two_holds.after(second);
  BOOST_TEST(fits(two_holds, 1));
  BOOST_TEST(!fits(two_holds, 2, 1149));
  BOOST_TEST(fits(two_holds, 2, 1150), "the second is over");

  auto paid = here;
  paid.after(placed(2, {seat("A", "x"), seat("A", "y")}))
      .after(event::order_placed{order(2), fan, hold(2), "", {2000, "EUR"}, 1200, "", {}})
      .after(event::order_paid{order(2), "G", "r"});
  BOOST_TEST(!fits(paid, 1));
  paid.after(event::order_seats_returned{order(2), {"x"}, "refund"});
  BOOST_TEST(fits(paid, 1), "returned seats count no more");
  BOOST_TEST(!fits(paid, 2));

  const auto nobodys = with_hold(std::nullopt); // without a gate: the hold alone
  BOOST_TEST(fits(nobodys, 2));
  BOOST_TEST(!fits(nobodys, 3));
}

BOOST_AUTO_TEST_CASE(a_customer_has_a_limit_over_all_places) {
  const auto ana = test::id_of<usher::identity>(9);
  desk here;
  auto first = placed(1, {seat("A", "a")});
  first.customer = ana;
  auto elsewhere = placed(2, {seat("A", "x"), seat("A", "y")}, other_fan);
  elsewhere.customer = ana;
  here.at(placed_at).after(first).after(elsewhere);
  auto what = add({seat("A", "c"), seat("A", "d")});
  what.max_seats_per_customer = 5;
  BOOST_TEST(proposed(here.decide(what)));
  what.max_seats_per_customer = 4;
  BOOST_TEST(is_no(here.decide(what), why::too_many_for_customer));
  what.max_seats_per_customer.reset();
  BOOST_TEST(proposed(here.decide(what)));
}

BOOST_AUTO_TEST_CASE(what_is_refused_changes_nothing) {
  auto here = with_hold();
  const auto before = here.state;
  auto too_many = add({seat("A", "c"), seat("A", "d"), seat("A", "e")});
  too_many.asked = asked(1);
  BOOST_TEST(is_no(here.decide(too_many), why::too_many_seats));
  BOOST_CHECK(here.state == before);
  // The key of what was refused is free: the same call may succeed with fewer.
  too_many.seats.pop_back();
  BOOST_TEST(proposed(here.decide(too_many)));
}

BOOST_AUTO_TEST_CASE(the_same_key_finds_the_same_hold_and_another_body_is_refused) {
  auto here = with_hold();
  auto longer = extend(1100);
  longer.asked = asked(1, 1);
  here.at(1100).does(longer);
  longer.now = 1200;
  BOOST_TEST(is_repeat_of(here.decide(longer), hold(1)), "asked again it is not longer still");
  longer.asked = asked(1, 2);
  BOOST_TEST(is_no(here.decide(longer), why::key_reused));
  longer.asked = asked(2, 1);
  BOOST_TEST(proposed(here.decide(longer)));

  auto more = add({seat("A", "c")}, 1200);
  more.asked = asked(3, 1);
  here.at(1200).does(more);
  more.only_repeat = true; // the ticket does not admit any more
  BOOST_TEST(is_repeat_of(here.decide(more), hold(1)));
  more.asked = asked(3, 2);
  BOOST_TEST(is_no(here.decide(more), why::key_reused));
  more.asked = asked(4, 1);
  BOOST_TEST(is_no(here.decide(more), why::not_admitted));
  more.asked.reset();
  BOOST_TEST(is_no(here.decide(more), why::not_admitted));

  // A day later the key is forgotten; and long before, the hold is over.
  longer.asked = asked(1, 1);
  longer.now = 1100 + orders::key_life_ms;
  BOOST_TEST(is_no(here.decide(longer), why::hold_expired));
}

BOOST_AUTO_TEST_CASE(one_seat_given_back_leaves_the_rest_as_it_was) {
  auto here = with_hold();
  here.at(1050).does(extend(1050));
  const auto wanted = here.at(1100).does(give_back("a"));
  const event::hold_changed expected{hold(1), 3, hold_change::released, {}, {"a"}, 1350, {}};
  BOOST_CHECK((wanted.events == test::events{expected}));
  BOOST_TEST(words(wanted.blocks) == "A: release 1.2 a", "what the hold has in its generation");
  BOOST_TEST(words(wanted.room) == "", "its time stays");
  BOOST_TEST(ids_of(here) == "b ");
  BOOST_TEST(here.state.holds.at(hold(1)).withdrawn.empty());
  BOOST_TEST(is_no(here.decide(give_back("a")), why::seat_not_in_hold));
  BOOST_TEST(is_no(here.decide(give_back("x")), why::seat_not_in_hold));
}

BOOST_AUTO_TEST_CASE(with_the_last_seat_the_hold_ends) {
  auto here = with_hold();
  here.at(1100).does(give_back("a"));
  const auto wanted = here.does(give_back("b"));
  BOOST_CHECK((wanted.events == test::events{event::hold_ended{hold(1), hold_end::released}}));
  BOOST_TEST(words(wanted.blocks) == "B: release 1.2 b");
  BOOST_TEST(words(wanted.room) == "settle 7 until 0");
  BOOST_TEST(here.state.hold_deadlines.empty());
  BOOST_TEST(is_no(here.decide(give_back("b")), why::hold_ended));
}

BOOST_AUTO_TEST_CASE(each_change_is_one_more_generation_and_what_ends_or_is_sold_is_of_the_last) {
  auto here = with_hold();
  const auto generation = [&] { return here.state.holds.at(hold(1)).generation; };
  here.at(1050).does(extend(1050));
  BOOST_TEST(generation() == 2U);
  here.does(add({seat("A", "c")}));
  BOOST_TEST(generation() == 3U);
  here.does(give_back("a"));
  BOOST_TEST(generation() == 4U);
  here.does(add({seat("A", "a")}));
  BOOST_TEST(generation() == 5U);

  auto released = here;
  BOOST_TEST(words(released.does(command::release_hold{hold(1), fan, 1100}).blocks) ==
             "A: release 1.5 c a; B: release 1.5 b");
  auto left = here;
  BOOST_TEST(words(left.does(command::leave{fan, 1100}).blocks) ==
             "A: release 1.5 c a; B: release 1.5 b");
  BOOST_TEST(words(orders::expire(here.state, 1350, 1).at(0).blocks) ==
             "A: release 1.5 c a; B: release 1.5 b");

  command::place_order what;
  what.order = order(1);
  what.owner = fan;
  what.hold = hold(1);
  what.now = 1100;
  here.does(what);
  BOOST_TEST(here.state.orders.at(order(1)).total.amount_minor == 3000);
  BOOST_TEST(words(here.does(command::confirm{order(1), "G", "r", 1100}, false).blocks) ==
             "A: sell.5 c a; B: sell.5 b");
}

BOOST_AUTO_TEST_CASE(a_change_that_contradicts_the_state_stops_the_process) {
  const auto changed = [](std::uint32_t generation, std::vector<usher::seat_id> removed,
                          std::vector<orders::offered_seat> added = {}) {
    return event::hold_changed{
        hold(1),    generation, hold_change::released, std::move(added), std::move(removed),
        hold_until, {}};
  };
  const auto stops_on = [](const desk& here, const orders::any_event& happened) {
    return test::stops([&] { desk{here}.after(happened); });
  };
  const auto live = with_hold();
  BOOST_TEST(!stops_on(live, changed(2, {"a"})));
  BOOST_TEST(stops_on(live, changed(1, {"a"})), "the generation it has");
  BOOST_TEST(stops_on(live, changed(3, {"a"})), "a generation left out");
  BOOST_TEST(stops_on(live, changed(2, {"x"})), "a seat it does not have");
  BOOST_TEST(stops_on(live, changed(2, {"a", "a"})), "a seat lost twice");
  auto sold = live;
  sold.after(ordered());
  BOOST_TEST(stops_on(sold, changed(2, {"a"})), "a hold with an order");
  auto ended = live;
  ended.after(event::hold_ended{hold(1), hold_end::released});
  BOOST_TEST(stops_on(ended, changed(2, {"a"})), "a hold that has ended");
  BOOST_TEST(stops_on(desk{}, changed(2, {"a"})), "an unknown hold");
}

BOOST_AUTO_TEST_CASE(stored_names_of_changes_are_read_back_and_others_are_not) {
  for (const auto what :
       {hold_change::extended, hold_change::added, hold_change::released, hold_change::withdrawn})
    BOOST_CHECK(orders::hold_change_of(orders::to_string(what)) == what);
  BOOST_CHECK(orders::hold_end_of(orders::to_string(hold_end::withdrawn)) == hold_end::withdrawn);
  BOOST_CHECK(!orders::hold_change_of("?"));
}

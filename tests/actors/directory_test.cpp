// The show directory: creating and changing shows, all or nothing, also while seats are held, while
// others put at the same time, and over a restart or a shutdown in the middle.
#include "tests/actors/log_check.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher::testing;
using usher::seating::shown;
using usher::seating::unavailable_reason;
using usher::shows::put_done;

bool is_done(const reply<usher::shows::put_answer>& answer, bool created) {
  const auto* done = std::get_if<put_done>(&answer.get());
  return done != nullptr && done->created == created;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(directory, world)

BOOST_AUTO_TEST_CASE(a_put_creates_a_show_and_another_changes_it) {
  const auto made = put(described("hamlet", {{"A", 2}}), fast_room(100));
  settle();
  BOOST_CHECK(is_done(made, true));
  BOOST_TEST(show().number == 0u);
  BOOST_TEST(seat_map().size() == 2u);
  BOOST_TEST(show().board->notices().set.max_active.value() == 100u);

  auto wanted = described("hamlet", {{"A", 3}, {"C", 1}});
  wanted.title = "Hamlet, again";
  const auto changed = put(wanted);
  settle();
  BOOST_CHECK(is_done(changed, false));
  BOOST_TEST(show().now()->what.title == "Hamlet, again");
  BOOST_TEST(seat_map().size() == 4u);
  const auto held = hold(std::nullopt, {"A-3", "C-1"});
  settle();
  BOOST_CHECK(as_hold(held.answer.get()) != nullptr);

  const auto before = log().head().position;
  const auto same = put(wanted);
  settle();
  BOOST_CHECK(is_done(same, false));
  BOOST_TEST(log().head().position == before); // nothing changes: nothing is written
}

BOOST_AUTO_TEST_CASE(a_plan_that_would_drop_held_or_sold_seats_is_refused_whole_and_names_them) {
  put_show({{"A", 3}, {"B", 3}});
  const auto held = hold(std::nullopt, {"A-3", "B-3"});
  const auto bought = hold(std::nullopt, {"B-2"});
  settle();
  const auto ordered = order(std::nullopt, bought.id);
  settle();
  const auto paid = confirm(ordered.id);
  settle();
  BOOST_REQUIRE(has_status(paid.get(), usher::orders::order_status::paid));
  const auto before = log().head();

  auto wanted = described("hamlet", {{"A", 2}, {"C", 5}}); // B goes, C would come
  wanted.title = "not to be";
  const auto refused = put(wanted, fast_room(7));
  settle();
  const usher::seating::refusal in_the_way{{"A-3", unavailable_reason::held},
                                           {"B-2", unavailable_reason::sold},
                                           {"B-3", unavailable_reason::held}};
  BOOST_CHECK(same_seats(std::get<usher::seating::refusal>(refused.get()), in_the_way));
  BOOST_CHECK(log().head() == before);
  BOOST_TEST(show().now()->what.title == "hamlet");
  BOOST_TEST(seat_map().size() == 6u);
  BOOST_CHECK(!show().board->notices().set.max_active);

  release(std::nullopt, held.id); // what was in the way goes, but for the sold seat
  settle();
  const auto smaller = put(described("hamlet", {{"A", 2}, {"B", 2}}));
  settle();
  BOOST_CHECK(is_done(smaller, false));
  BOOST_TEST(seat_map().size() == 4u);
  BOOST_CHECK(seat("B-2") == shown::sold);
  crash_and_restart();
  BOOST_TEST(seat_map().size() == 4u);
  BOOST_CHECK(seat("B-2") == shown::sold);
}

BOOST_AUTO_TEST_CASE(a_hold_and_a_plan_without_its_seat_at_once_agree_for_every_seed) {
  std::size_t plan_won = 0;
  constexpr std::uint64_t rounds = 40;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    world one{seed_of_run() + round};
    one.put_show({{"A", 2}, {"B", 2}});
    const auto held = one.hold(std::nullopt, {"A-2", "B-2"});
    one.steps(one.random().below(8));
    const auto changed = one.put(described("hamlet", {{"A", 1}, {"B", 2}}));
    one.settle();
    BOOST_REQUIRE(held.answer.came() && changed.came());
    const bool has_seats = as_hold(held.answer.get()) != nullptr;
    BOOST_TEST(has_seats == std::holds_alternative<usher::seating::refusal>(changed.get()));
    BOOST_TEST(one.seat_map().size() == (has_seats ? 4u : 3u));
    BOOST_CHECK((one.seat("B-2") == shown::held) == has_seats);
    BOOST_TEST(faults_in(one.log()) == std::vector<std::string>{},
               boost::test_tools::per_element());
    plan_won += has_seats ? 0 : 1;
  }
  BOOST_TEST((plan_won > 0 && plan_won < rounds)); // both ends of the race were seen
}

BOOST_AUTO_TEST_CASE(two_puts_of_one_new_show_at_once_make_one_show) {
  const auto one = put(described("hamlet", {{"A", 2}}));
  const auto two = put(described("hamlet", {{"A", 2}, {"B", 2}}));
  const auto other = put(described("lear", {{"A", 1}}));
  settle();
  BOOST_CHECK(is_done(one, true));
  BOOST_CHECK(is_done(two, false));
  BOOST_CHECK(is_done(other, true));
  BOOST_TEST(node().shows().all().size() == 2u);
  BOOST_TEST(seat_map().size() == 4u);
  BOOST_TEST(seat_map("lear").size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_missing_or_fixed_is_rejected_and_the_next_put_goes_on) {
  auto untitled = described("hamlet", {});
  untitled.title.reset();
  const auto no_title = put(untitled);
  const auto made = put(described("hamlet", {{"A", 1}}));
  auto other_money = described("hamlet", {{"A", 1}});
  other_money.currency = "EUR";
  const auto fixed = put(other_money);
  settle();
  BOOST_CHECK(std::get<usher::shows::rejection>(no_title.get()) ==
              usher::shows::rejection::title_missing);
  BOOST_CHECK(is_done(made, true));
  BOOST_CHECK(std::get<usher::shows::rejection>(fixed.get()) ==
              usher::shows::rejection::currency_fixed);
}

BOOST_AUTO_TEST_CASE(a_restart_finds_the_shows_with_everything_in_them) {
  put_show({{"A", 2}}, fast_room(3));
  const auto lear = put(described("lear", {{"X", 1}}));
  open_room();
  settle();
  const auto places = join(5);
  pass(1000);
  crash_and_restart();
  BOOST_TEST(node().shows().all().size() == 2u);
  BOOST_TEST(show("lear").number == 1u);
  BOOST_TEST(show().board->notices().set.max_active.value() == 3u);
  BOOST_TEST(show().board->room().active == 3u);
  BOOST_TEST(look(places[3]).position == 1u);
  leave(places[0].slot);
  pass(2000); // the recovered room ticks by itself
  BOOST_CHECK(look(places[3]).status == usher::waiting_room::ticket_status::admitted);
}

// Ends by itself only if the actors of a show nobody has seen yet are ended too.
BOOST_AUTO_TEST_CASE(a_node_that_stops_while_a_show_is_being_created_leaves_no_actor_behind) {
  for (std::size_t steps = 0; steps < 30; ++steps) {
    world one{seed_of_run() + steps};
    one.put(described("hamlet", {{"A", 2}, {"B", 2}}), fast_room());
    one.steps(steps);
    one.power_off();
    BOOST_TEST(one.system().registry().running() == 0u);
    one.power_on();
    if (one.node().shows().find("hamlet") != nullptr) // all of it or nothing
      BOOST_TEST(one.seat_map().size() == 4u);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The checks of races_test.cpp bite: each guard is left out in turn (see careless.hpp), and the
// same check finds the harm for at least one seed, where with the guard it finds none for any. A
// log that only says it is durable shows the same of the durability checks.
#include "tests/actors/careless.hpp"
#include "tests/actors/log_check.hpp"
#include "tests/actors/world.hpp"

#include "actors/seating/rules.hpp"

#include <boost/test/unit_test.hpp>
#include <caf/send.hpp>

#include <algorithm>

namespace {

using namespace usher::testing;
namespace orders = usher::orders;
namespace seating = usher::seating;

enum class guard : bool { off, on };
constexpr std::uint64_t seeds = 20;

/// The actors of one show, put together by hand, with the journal of a node that has no shows.
struct workbench : world {
  using world::world;

  void add_block(const usher::block_id& name, std::size_t seats, guard keeps_back) {
    std::vector<usher::seat_id> ids;
    for (std::size_t i = 1; i <= seats; ++i)
      ids.push_back(name + "-" + std::to_string(i));
    auto seed = std::make_shared<seating::block_seed>();
    seed->subject = "block/bench/" + name;
    seed->board = std::make_shared<seating::board>();
    const seating::event::block_planned planned{ids};
    seating::apply(seed->block, planned, 0);
    seed->board->publish(planned, 0);
    blocks[name] = keeps_back == guard::on ? spawn(seating::block_actor, std::move(seed))
                                           : spawn(careless_block, std::move(seed));
  }

  void add_desk(guard has_locks) {
    auto room = std::make_shared<usher::waiting_room::room_seed>();
    room->subject = "queue/bench";
    room->board = std::make_shared<usher::waiting_room::board>();
    room->journal = node().journal();
    room->clock = &clock();
    auto seed = std::make_shared<orders::desk_seed>();
    seed->subject = "desk/bench";
    seed->blocks = blocks;
    seed->room = spawn(usher::waiting_room::room_actor, std::move(room));
    seed->journal = node().journal();
    seed->clock = &clock();
    desk = has_locks == guard::on ? spawn(orders::desk_actor, std::move(seed))
                                  : spawn(careless_desk, std::move(seed));
  }

  reply<orders::answer> ask_hold(usher::slot_t owner, const std::vector<usher::seat_id>& seats) {
    reply<orders::answer> answer;
    orders::command::place_hold what;
    what.hold = random().id<usher::hold_id>();
    what.owner = owner;
    for (const auto& id : seats)
      what.seats.push_back({id, id.substr(0, 1), "stalls", 1000});
    what.currency = "BRL";
    auto asked = std::make_shared<orders::call>();
    asked->what = std::move(what);
    asked->done = answer.taker();
    caf::anon_send(desk, std::move(asked));
    return answer;
  }

  std::map<usher::block_id, seating::actor> blocks;
  orders::actor desk;
};

/// In how many of the seeds does the check find something?
template <class FindsSomething>
std::uint64_t found_in(FindsSomething finds) {
  std::uint64_t found = 0;
  for (std::uint64_t round = 0; round < seeds; ++round)
    found += finds(seed_of_run() + round) ? 1 : 0;
  return found;
}

bool crowd_on_one_seat_breaks_the_log(std::uint64_t seed, guard keeps_back) {
  workbench bench{seed};
  bench.add_block("A", 1, keeps_back);
  bench.add_desk(guard::on);
  for (usher::slot_t fan = 0; fan < 50; ++fan)
    bench.ask_hold(fan, {"A-1"});
  bench.settle();
  return !faults_in(bench.log()).empty();
}

bool one_admission_gets_too_many_seats(std::uint64_t seed, guard has_locks) {
  workbench bench{seed};
  for (const auto* name : {"A", "B"})
    bench.add_block(name, 3, guard::on);
  bench.add_desk(has_locks);
  bench.ask_hold(7, {"A-1", "A-2", "A-3"});
  bench.ask_hold(7, {"B-1", "B-2", "B-3"});
  bench.settle();
  return !faults_in(bench.log()).empty();
}

bool crossing_pairs_wait_for_ever(std::uint64_t seed, guard sorts) {
  workbench bench{seed};
  for (const auto* name : {"A", "B"})
    bench.add_block(name, 1, guard::on);
  // Two coordinators: each has its own mailbox, as a desk and a directory have.
  const auto one = bench.spawn(unsorted_coordinator, bench.node().journal());
  const auto other = bench.spawn(unsorted_coordinator, bench.node().journal());
  std::vector<reply<bool>> all;
  for (int i = 0; i < 10; ++i) {
    reply<bool> answer;
    auto asked = std::make_shared<pair_call>();
    const auto hold = bench.random().id<usher::hold_id>();
    const auto now = bench.clock().now();
    for (const auto* name : {"A", "B"})
      asked->steps.push_back(
          {bench.blocks.at(name), {hold, {std::string{name} + "-1"}, now + 1000, now}});
    if (sorts == guard::off && i % 2 == 1)
      std::ranges::reverse(asked->steps);
    asked->done = answer.taker();
    caf::anon_send(i % 2 == 0 ? one : other, std::move(asked));
    all.push_back(answer);
  }
  bench.settle();
  return std::ranges::any_of(all, [](const auto& answer) { return !answer.came(); });
}

bool an_acknowledged_hold_is_lost(std::uint64_t seed, guard syncs) {
  world world{seed};
  world.put_show({{"A", 1}});
  world.log().sync(syncs == guard::on);
  const auto held = world.hold(std::nullopt, {"A-1"});
  world.settle();
  BOOST_REQUIRE(as_hold(held.answer.get()) != nullptr);
  world.crash_and_restart();
  const auto found = world.lookup(held.id);
  world.settle();
  return as_hold(found.get()) == nullptr;
}

} // namespace

BOOST_AUTO_TEST_SUITE(guards)

BOOST_AUTO_TEST_CASE(a_block_that_keeps_nothing_back_holds_a_seat_for_two) {
  BOOST_TEST(
      found_in([](auto seed) { return crowd_on_one_seat_breaks_the_log(seed, guard::on); }) == 0u);
  BOOST_TEST(
      found_in([](auto seed) { return crowd_on_one_seat_breaks_the_log(seed, guard::off); }) > 0u);
}

BOOST_AUTO_TEST_CASE(a_desk_without_locks_gives_one_admission_too_many_seats) {
  BOOST_TEST(
      found_in([](auto seed) { return one_admission_gets_too_many_seats(seed, guard::on); }) == 0u);
  BOOST_TEST(
      found_in([](auto seed) { return one_admission_gets_too_many_seats(seed, guard::off); }) > 0u);
}

BOOST_AUTO_TEST_CASE(blocks_asked_in_any_order_deadlock) {
  BOOST_TEST(found_in([](auto seed) { return crossing_pairs_wait_for_ever(seed, guard::on); }) ==
             0u);
  BOOST_TEST(found_in([](auto seed) { return crossing_pairs_wait_for_ever(seed, guard::off); }) >
             0u);
}

BOOST_AUTO_TEST_CASE(a_log_that_only_says_it_is_durable_loses_an_acknowledged_hold) {
  BOOST_TEST(found_in([](auto seed) { return an_acknowledged_hold_is_lost(seed, guard::on); }) ==
             0u);
  BOOST_TEST(found_in([](auto seed) { return an_acknowledged_hold_is_lost(seed, guard::off); }) ==
             seeds);
}

BOOST_AUTO_TEST_SUITE_END()

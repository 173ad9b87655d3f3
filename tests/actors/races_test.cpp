// Many at once on the same seats, over many seeds: one wins, nothing is half held, nobody waits for
// ever. That these checks bite is shown in guards_test.cpp, where each guard is off.
#include "tests/actors/race_checks.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace {

using namespace usher::testing;
using usher::seating::shown;
using usher::seating::unavailable_reason;

/// No gate: the room stays OFF, so that everybody is at the seats at the same moment.
struct crowd : world {
  explicit crowd(std::uint64_t seed = seed_of_run()) : world{seed} {
    put_show({{"A", 2}, {"B", 2}});
  }
};

/// Half of the crowd asks for {one, two}, the other half for {two, one}; one gets both.
void one_of_all_wins(std::uint64_t seed, std::size_t holders,
                     const std::vector<usher::seat_id>& seats) {
  crowd world{seed};
  const std::vector<usher::seat_id> reversed{seats.rbegin(), seats.rend()};
  std::vector<asked<usher::hold_id>> all;
  for (std::size_t i = 0; i < holders; ++i)
    all.push_back(world.hold(std::nullopt, i % 2 == 0 ? seats : reversed));
  world.settle();

  std::size_t winners = 0;
  for (const auto& one : all) {
    BOOST_REQUIRE_MESSAGE(one.answer.came(), "seed " << seed << ": everybody is answered");
    if (as_hold(one.answer.get()) != nullptr) {
      ++winners;
      continue;
    }
    auto named = std::get<usher::seating::refusal>(one.answer.get().result);
    BOOST_TEST(named.size() == seats.size());
    for (const auto& seat : named) {
      BOOST_CHECK(seat.reason == unavailable_reason::held);
      BOOST_CHECK(std::ranges::find(seats, seat.seat) != seats.end());
    }
  }
  BOOST_TEST(winners == 1u, "seed " << seed << ": " << winners << " winners");
  for (const auto& [id, is] : world.seat_map())
    BOOST_CHECK((is == shown::held) == (std::ranges::find(seats, id) != seats.end()));
  check_log(world.log());
}

} // namespace

BOOST_AUTO_TEST_SUITE(races)

BOOST_AUTO_TEST_CASE(of_50_at_once_on_one_seat_exactly_one_gets_it_over_many_seeds) {
  for (std::uint64_t round = 0; round < 40; ++round)
    one_of_all_wins(seed_of_run() + round, 50, {"A-1"});
}

BOOST_AUTO_TEST_CASE(of_500_at_once_on_one_seat_exactly_one_gets_it) {
  for (std::uint64_t round = 0; round < 4; ++round)
    one_of_all_wins(seed_of_run() + round, 500, {"A-1"});
}

BOOST_AUTO_TEST_CASE(crossing_pairs_in_one_block_never_deadlock_and_one_wins) {
  for (std::uint64_t round = 0; round < 40; ++round)
    one_of_all_wins(seed_of_run() + round, 100, {"A-1", "A-2"});
}

BOOST_AUTO_TEST_CASE(crossing_pairs_over_two_blocks_never_deadlock_and_one_wins) {
  for (std::uint64_t round = 0; round < 40; ++round)
    one_of_all_wins(seed_of_run() + round, 100, {"A-1", "B-1"});
}

// 50 pairs of opponents, every pair over two seats of its own in two blocks.
BOOST_AUTO_TEST_CASE(of_50_pairs_at_once_one_of_every_pair_wins_and_nothing_is_half_held) {
  for (std::uint64_t round = 0; round < 10; ++round) {
    world world{seed_of_run() + round};
    world.put_show({{"A", 50}, {"B", 50}});
    std::vector<std::pair<asked<usher::hold_id>, asked<usher::hold_id>>> pairs;
    for (int i = 1; i <= 50; ++i) {
      const auto a = "A-" + std::to_string(i);
      const auto b = "B-" + std::to_string(i);
      pairs.emplace_back(world.hold(std::nullopt, {a, b}), world.hold(std::nullopt, {b, a}));
    }
    world.settle();
    for (const auto& [one, other] : pairs) {
      BOOST_REQUIRE(one.answer.came() && other.answer.came());
      BOOST_TEST((as_hold(one.answer.get()) != nullptr) !=
                 (as_hold(other.answer.get()) != nullptr));
    }
    for (const auto& [id, is] : world.seat_map())
      BOOST_CHECK_MESSAGE(is == shown::held, id << " is held");
    check_log(world.log());
  }
}

// Three blocks in a ring, where every pair of neighbours crosses another.
BOOST_AUTO_TEST_CASE(a_ring_of_blocks_never_deadlocks_and_no_hold_is_half) {
  for (std::uint64_t round = 0; round < 40; ++round) {
    world world{seed_of_run() + round};
    world.put_show({{"A", 3}, {"B", 3}, {"C", 3}});
    const std::vector<std::vector<usher::seat_id>> wishes{
        {"A-1", "B-1"}, {"B-1", "C-1"}, {"C-1", "A-1"}, {"C-2", "B-2", "A-2"}, {"A-2", "C-2"}};
    std::vector<asked<usher::hold_id>> all;
    for (int i = 0; i < 40; ++i)
      all.push_back(world.hold(std::nullopt, wishes[world.random().below(wishes.size())]));
    world.settle();
    for (const auto& one : all)
      BOOST_REQUIRE(one.answer.came());
    check_log(world.log());
  }
}

BOOST_AUTO_TEST_CASE(
    one_admission_never_gets_more_seats_than_it_may_however_many_calls_run_at_once) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    world world{seed_of_run() + round};
    world.put_show({{"A", 8}, {"B", 8}});
    world.open_room();
    const auto fan = world.admitted(1)[0];
    std::vector<asked<usher::hold_id>> all;
    for (int i = 1; i <= 8; ++i)
      all.push_back(world.hold(fan, {"A-" + std::to_string(i), "B-" + std::to_string(i)}));
    world.settle();
    const auto won = std::ranges::count_if(
        all, [](const auto& one) { return as_hold(one.answer.get()) != nullptr; });
    BOOST_TEST(won == 2);
    check_log(world.log());
  }
}

BOOST_AUTO_TEST_CASE(a_release_an_order_and_a_leave_at_once_agree_on_one_story) {
  for (std::uint64_t round = 0; round < 60; ++round) {
    world world{seed_of_run() + round};
    world.put_show({{"A", 2}, {"B", 2}});
    world.open_room();
    const auto fan = world.admitted(1)[0];
    const auto held = world.hold(fan, {"A-1", "B-1"});
    world.settle();
    const auto ordered = world.order(fan, held.id);
    const auto released = world.release(fan, held.id);
    const auto left = world.leave(fan);
    const auto again = world.order(fan, held.id);
    world.settle();
    for (const auto& one : {ordered.answer, released, left, again.answer})
      BOOST_REQUIRE(one.came());
    check_log(world.log());
    const bool has_order =
        as_order(ordered.answer.get()) != nullptr || as_order(again.answer.get()) != nullptr;
    BOOST_CHECK(world.seat("A-1") == (has_order ? shown::held : shown::available));
    BOOST_CHECK(world.seat("B-1") == world.seat("A-1"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Many at once who do not name their seats, over many orders of messages: everybody gets other
// seats or a clear no, all that can be given is given, and nothing stays with somebody who got
// nothing. A concierge that forgets what it has chosen, does not give it back, lets nobody wait,
// does not choose again or does not ask whether a key is known fails here: each was tried.
#include "tests/actors/race_checks.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace {

using namespace usher::testing;
using usher::hold_id;
using usher::seat_id;
using usher::concierge::area_ask;
using usher::orders::rejection;
using usher::seating::shown;
using usher::shows::best_ask;

unnamed best(std::uint32_t quantity) {
  best_ask ask;
  ask.quantity = quantity;
  ask.block = "A";
  return ask;
}

/// One block, one area. No gate: the room stays OFF, so that everybody is at the seats at once.
struct hall : world {
  hall(std::uint64_t seed, std::size_t seats, std::uint32_t capacity) : world{seed} {
    auto what = described("hamlet", {{"A", seats}});
    if (capacity > 0)
      add_area(what, capacity);
    put(std::move(what));
    settle();
  }
};

/// How many of them have seats. Whoever has not was told that there are none; no seat is given
/// twice.
std::size_t winners_of(const std::vector<asked<hold_id>>& all, std::size_t quantity) {
  std::size_t winners = 0;
  std::set<seat_id> given;
  for (const auto& one : all) {
    BOOST_TEST_REQUIRE(one.answer.came());
    const auto* held = as_hold(one.answer.get());
    if (held == nullptr) {
      BOOST_TEST(found_no_seats(one.answer.get()));
      continue;
    }
    ++winners;
    BOOST_TEST(held->hold.seats.size() == quantity);
    for (const auto& seat : held->hold.seats)
      BOOST_TEST(given.insert(seat.id).second, seat.id << " is given twice");
  }
  return winners;
}

void all_that_can_be_is_given(hall& one, std::size_t fans, const unnamed& ask, std::size_t quantity,
                              std::size_t seats) {
  std::vector<asked<hold_id>> all;
  for (std::size_t i = 0; i < fans; ++i)
    all.push_back(one.hold(std::nullopt, ask));
  one.settle();
  const auto expected = std::min(fans, seats / quantity);
  BOOST_TEST(winners_of(all, quantity) == expected);
  BOOST_TEST(how_many(one, shown::held) == expected * quantity);
  check_log(one.log());
}

} // namespace

BOOST_AUTO_TEST_SUITE(seat_choice_races)

BOOST_AUTO_TEST_CASE(of_200_who_ask_for_the_best_2_at_once_as_many_get_some_as_there_are_pairs) {
  for (std::uint64_t round = 0; round < 12; ++round) {
    hall one{seed_of_run() + round, 20 + round, 0};
    all_that_can_be_is_given(one, 200, best(2), 2, 20 + round);
  }
}

BOOST_AUTO_TEST_CASE(a_few_who_ask_for_the_best_at_once_get_all_there_is_over_many_seeds) {
  for (std::uint64_t round = 0; round < 600; ++round) {
    const std::size_t seats = 1 + round % 9;
    const auto quantity = static_cast<std::uint32_t>(1 + round % 3);
    hall one{seed_of_run() + round, seats, 0};
    all_that_can_be_is_given(one, 6, best(quantity), quantity, seats);
  }
}

BOOST_AUTO_TEST_CASE(of_40_who_want_2_places_of_an_area_of_50_exactly_25_get_them) {
  for (std::uint64_t round = 0; round < 40; ++round) {
    hall one{seed_of_run() + round, 1, 50};
    all_that_can_be_is_given(one, 40, area_ask{"floor", 2}, 2, 50);
  }
}

BOOST_AUTO_TEST_CASE(of_40_who_want_3_places_of_an_area_of_50_exactly_16_get_them) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    hall one{seed_of_run() + round, 1, 50};
    all_that_can_be_is_given(one, 40, area_ask{"floor", 3}, 3, 50);
  }
}

// Whoever names seats is faster now and then, and the till sells from the same block.
BOOST_AUTO_TEST_CASE(others_who_name_seats_or_sell_at_the_same_time_leave_nobody_with_less) {
  std::size_t faster = 0;
  for (std::uint64_t round = 0; round < 200; ++round) {
    hall one{seed_of_run() + round, 9, 0};
    std::vector<asked<hold_id>> choosing;
    std::vector<asked<hold_id>> naming;
    std::vector<asked<usher::order_id>> selling;
    for (int i = 0; i < 12; ++i) {
      switch (one.random().below(4)) {
      case 0:
        naming.push_back(
            one.hold(std::nullopt, {"A-" + std::to_string(1 + one.random().below(9))}));
        break;
      case 1:
        selling.push_back(one.sell(best(2)));
        break;
      default:
        choosing.push_back(one.hold(std::nullopt, best(2)));
      }
      one.steps(one.random().below(4));
    }
    one.settle();
    const auto winners = winners_of(choosing, 2);
    for (const auto& each : naming)
      faster += as_hold(each.answer.get()) != nullptr ? 1 : 0;
    bool sold_out = winners < choosing.size();
    for (const auto& each : selling)
      sold_out |= as_order(each.answer.get()) == nullptr;
    if (sold_out)
      BOOST_TEST(how_many(one, shown::available) < 2u);
    check_log(one.log());
  }
  BOOST_TEST(faster > 100u);
}

// Three want the same last two seats: one has too many already, one is not admitted.
BOOST_AUTO_TEST_CASE(seats_chosen_for_somebody_who_may_not_have_them_go_to_whoever_waits) {
  for (std::uint64_t round = 0; round < 300; ++round) {
    hall one{seed_of_run() + round, 6, 0};
    one.open_room();
    const auto fans = one.admitted(2);
    one.hold(fans[0], {"A-1", "A-2", "A-3", "A-4"});
    one.settle();
    const auto greedy = one.hold(fans[0], best(2));
    one.steps(one.random().below(6));
    const auto stranger = one.hold(usher::slot_t{77}, best(2));
    one.steps(one.random().below(6));
    const auto next = one.hold(fans[1], best(2));
    one.settle();
    BOOST_CHECK(as_hold(next.answer.get()) != nullptr);
    BOOST_CHECK(is_rejected_with(greedy.answer.get(), rejection::too_many_seats) ||
                found_no_seats(greedy.answer.get()));
    BOOST_CHECK(
        is_denied_with(stranger.answer.get(), usher::waiting_room::rejection::not_admitted) ||
        found_no_seats(stranger.answer.get()));
    BOOST_TEST(how_many(one, shown::held) == 6u);
    check_log(one.log());
  }
}

// What is chosen from one plan is decided under the next.
BOOST_AUTO_TEST_CASE(another_plan_in_the_middle_leaves_no_seat_behind_that_nobody_can_have) {
  for (std::uint64_t round = 0; round < 200; ++round) {
    hall one{seed_of_run() + round, 6, 0};
    std::vector<asked<hold_id>> all;
    for (int i = 0; i < 5; ++i) {
      all.push_back(one.hold(std::nullopt, best(1)));
      one.steps(one.random().below(8));
      if (i == 2)
        one.put(world::described("hamlet", {{"A", one.random().one_in(2) ? 4 : 8}}));
    }
    one.settle();
    for (const auto& each : all)
      BOOST_TEST_REQUIRE(each.answer.came());
    for (auto left = how_many(one, shown::available); left > 0; --left) {
      const auto next = one.hold(std::nullopt, best(1));
      one.settle();
      BOOST_CHECK(as_hold(next.answer.get()) != nullptr);
    }
    const auto late = one.hold(std::nullopt, best(1));
    one.settle();
    BOOST_CHECK(found_no_seats(late.answer.get()));
    check_log(one.log());
  }
}

namespace {

/// The same call twice at once, again when nothing is free any more, and after a crash.
template <class Ask>
void one_key_makes_one_hold(std::uint64_t seed, Ask ask) {
  hall one{seed, 2, 2};
  const auto with = [&](const usher::orders::idempotency& key) {
    return one.hold(std::nullopt, ask, {key});
  };
  const auto key = one.fresh_key();
  const auto first = with(key);
  one.steps(one.random().below(14));
  const auto second = with(key);
  one.settle();
  // One of the two makes it. The other finds it, or comes while it is being decided.
  const auto is_early = [](const auto& call) {
    return is_rejected_with(call.answer.get(), usher::orders::rejection::key_in_use);
  };
  const auto* held = as_hold(is_early(first) ? second.answer.get() : first.answer.get());
  BOOST_REQUIRE(held != nullptr);
  if (!is_early(first) && !is_early(second)) {
    BOOST_REQUIRE(as_hold(second.answer.get()) != nullptr);
    BOOST_CHECK(as_hold(second.answer.get())->id == held->id);
    BOOST_TEST(first.answer.get().repeated != second.answer.get().repeated);
  }

  std::vector<seat_id> left;
  for (const auto& [id, is] : one.seat_map())
    if (is == shown::available)
      left.push_back(id);
  const auto rest = one.hold(std::nullopt, left);
  const auto late = with(key);
  one.settle();
  BOOST_REQUIRE(as_hold(rest.answer.get()) != nullptr);
  const auto none = with(one.fresh_key());
  one.settle();
  BOOST_CHECK(std::holds_alternative<usher::seating::refusal>(none.answer.get().result));
  one.crash_and_restart();
  const auto later = with(key);
  one.settle();
  for (const auto& again : {late, later}) {
    BOOST_REQUIRE(as_hold(again.answer.get()) != nullptr);
    BOOST_TEST(again.answer.get().repeated);
    BOOST_CHECK(as_hold(again.answer.get())->id == held->id);
  }
  BOOST_TEST(how_many(one, shown::held) == 4u);
  check_log(one.log());
}

} // namespace

BOOST_AUTO_TEST_CASE(a_key_makes_one_hold_however_the_seats_are_asked_for_also_when_none_is_free) {
  for (std::uint64_t round = 0; round < 100; ++round) {
    const auto seed = seed_of_run() + round;
    one_key_makes_one_hold(seed, best(2));
    one_key_makes_one_hold(seed, unnamed{area_ask{"floor", 2}});
    one_key_makes_one_hold(seed, std::vector<seat_id>{"A-2", "floor:1"}); // two blocks
  }
}

BOOST_AUTO_TEST_SUITE_END()

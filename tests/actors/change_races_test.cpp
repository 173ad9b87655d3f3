// A hold that grows, lasts longer, is given up, ordered or paid at the same moment as others want
// its seats, an operator takes them off sale or its time comes: over many orders of messages, all
// end in one story that the desk and the blocks tell alike. A desk that takes seats from their
// holders only once, or without their locks, or that extends one without end or only some of its
// seats, fails here.
#include "storage/codec.hpp"
#include "tests/actors/race_checks.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace {

using namespace usher::testing;
using usher::hold_id;
using usher::seat_id;
using usher::seating::shown;
using usher::seating::unavailable_reason;
namespace orders = usher::orders;

struct sale : world {
  explicit sale(std::uint64_t seed) : world{seed} { put_show({{"A", 2}, {"B", 2}}); }

  hold_id held(const std::vector<seat_id>& seats, usher::duration_ms ttl_ms = 300'000) {
    const auto got = hold(std::nullopt, seats, {{}, ttl_ms});
    settle();
    BOOST_REQUIRE(as_hold(got.answer.get()) != nullptr);
    return got.id;
  }
  orders::hold now(const hold_id& id) {
    const auto found = lookup(id);
    settle();
    return as_hold(found.get())->hold;
  }
  void some_steps(std::size_t most) { steps(random().below(most)); }
};

/// The batches of the log in which something happens to the hold.
std::set<usher::storage::position_t> batches_of(const usher::storage::event_log& log,
                                                const hold_id& id) {
  std::set<usher::storage::position_t> batches;
  const auto look = [&](const auto& decoded, usher::storage::position_t batch) {
    std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.hold; })
            if (e.hold == id)
              batches.insert(batch);
        },
        std::get<0>(decoded));
  };
  BOOST_REQUIRE(!log.replay(1, [&](const usher::storage::stored_record& r) {
    if (r.subject.starts_with("desk/"))
      look(usher::storage::decode_orders(r.type, r.schema, r.data), r.batch_first);
    if (r.subject.starts_with("block/"))
      look(usher::storage::decode_seating(r.type, r.schema, r.data), r.batch_first);
    return true;
  }));
  return batches;
}

} // namespace

BOOST_AUTO_TEST_SUITE(change_races)

BOOST_AUTO_TEST_CASE(of_two_who_cross_over_two_blocks_one_wins_whole_and_in_one_batch) {
  for (std::uint64_t round = 0; round < 600; ++round) {
    sale one{seed_of_run() + round};
    const auto ab = one.hold(std::nullopt, {"A-1", "B-1"});
    one.some_steps(10);
    const auto ba = one.hold(std::nullopt, {"B-1", "A-1"});
    one.settle();
    const bool won = as_hold(ab.answer.get()) != nullptr;
    const auto& [winner, loser] = won ? std::pair{ab, ba} : std::pair{ba, ab};
    BOOST_REQUIRE(as_hold(winner.answer.get()) != nullptr);
    BOOST_CHECK(is_refused_with(loser.answer.get(), {{"A-1", unavailable_reason::held},
                                                     {"B-1", unavailable_reason::held}}));
    BOOST_TEST(batches_of(one.log(), winner.id).size() == 1u);
    BOOST_TEST(batches_of(one.log(), loser.id).empty());
    BOOST_TEST(how_many(one, shown::held) == 2u);
    check_log(one.log());
  }
}

namespace {

/// What a fan does while an operator takes off sale, whoever has them.
struct rival {
  std::string name;
  std::vector<seat_id> held_before; ///< by the fan
  bool ordered_before = false;
  /// Asks; gives back the hold that it is about.
  std::function<hold_id(sale&, const hold_id&, const usher::order_id&)> asks;
};

const std::vector<rival> rivals{
    {"holds them",
     {},
     false,
     [](sale& one, const hold_id&, const auto&) {
       one.hold(std::nullopt, {"A-1", "B-1"});
       return one.hold(std::nullopt, {"B-1", "A-1"}).id;
     }},
    {"adds one",
     {"B-1"},
     false,
     [](sale& one, const hold_id& its, const auto&) {
       one.add(std::nullopt, its, {"A-1"}, {});
       return its;
     }},
    {"extends",
     {"A-1", "B-1"},
     false,
     [](sale& one, const hold_id& its, const auto&) {
       one.extend(std::nullopt, its, {});
       return its;
     }},
    {"gives one up",
     {"A-1", "B-1"},
     false,
     [](sale& one, const hold_id& its, const auto&) {
       one.release_seat(std::nullopt, its, "A-1");
       return its;
     }},
    {"orders",
     {"A-1", "B-1"},
     false,
     [](sale& one, const hold_id& its, const auto&) {
       one.order(std::nullopt, its);
       return its;
     }},
    {"pays",
     {"A-1", "B-1"},
     true,
     [](sale& one, const hold_id& its, const auto& order) {
       one.pay(order);
       return its;
     }},
    {"hears that it is paid",
     {"A-1", "B-1"},
     true,
     [](sale& one, const hold_id& its, const auto& order) {
       one.confirm(order);
       return its;
     }},
};

/// True: they went off sale.
bool one_against_an_operator(std::uint64_t seed, const rival& fan) {
  sale one{seed};
  hold_id its;
  usher::order_id order;
  if (!fan.held_before.empty())
    its = one.held(fan.held_before);
  if (fan.ordered_before)
    order = one.order(std::nullopt, its).id;
  one.settle();
  one.pass_unnoticed(1000);

  reply<orders::answer> taken;
  if (one.random().one_in(2)) {
    taken = one.block({"A-1", "A-2"}, true);
    one.some_steps(12);
    its = fan.asks(one, its, order);
  } else {
    its = fan.asks(one, its, order);
    one.some_steps(12);
    taken = one.block({"A-1", "A-2"}, true);
  }
  one.settle();

  const auto* refused = std::get_if<usher::seating::refusal>(&taken.get().result);
  check_log(one.log());
  if (refused != nullptr) { // only money is stronger
    BOOST_REQUIRE(refused->size() == 1u);
    BOOST_TEST(refused->front().seat == "A-1");
    BOOST_CHECK(one.seat("A-1") == shown::sold);
    BOOST_CHECK(one.seat("A-2") == shown::available);
    return false;
  }
  BOOST_REQUIRE(std::holds_alternative<orders::seats_view>(taken.get().result));
  BOOST_CHECK(one.seat("A-1") == shown::blocked && one.seat("A-2") == shown::blocked);
  const auto found = one.lookup(its);
  one.settle();
  if (const auto* held = as_hold(found.get()); held != nullptr) {
    BOOST_CHECK(held->hold.status == orders::hold_status::ended || !held->hold.has("A-1"));
    BOOST_CHECK((one.seat("B-1") == shown::held) ==
                (held->hold.status != orders::hold_status::ended));
  }
  return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(seats_go_off_sale_from_whoever_has_them_but_for_those_being_paid) {
  for (const auto& fan : rivals)
    BOOST_TEST_CONTEXT("a fan who " << fan.name) {
      std::size_t went = 0;
      constexpr std::size_t rounds = 150;
      for (std::uint64_t round = 0; round < rounds; ++round)
        went += one_against_an_operator(seed_of_run() + round, fan) ? 1 : 0;
      BOOST_TEST(went > 0u);
      BOOST_TEST((went < rounds) == fan.ordered_before);
    }
}

BOOST_AUTO_TEST_CASE(without_force_seats_go_off_sale_only_if_nobody_has_them) {
  std::size_t went = 0;
  constexpr std::size_t rounds = 200;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    sale one{seed_of_run() + round};
    const bool hold_first = one.random().one_in(2);
    auto taken = hold_first ? reply<orders::answer>{} : one.block({"B-2", "A-1"}, false);
    one.some_steps(10);
    const auto held = one.hold(std::nullopt, {"A-1", "B-1"});
    one.some_steps(10);
    if (hold_first)
      taken = one.block({"B-2", "A-1"}, false);
    one.settle();
    const bool is_off = std::holds_alternative<orders::seats_view>(taken.get().result);
    BOOST_TEST((as_hold(held.answer.get()) != nullptr) == !is_off);
    BOOST_CHECK(one.seat("B-2") == (is_off ? shown::blocked : shown::available));
    BOOST_CHECK(one.seat("A-1") == (is_off ? shown::blocked : shown::held));
    check_log(one.log());
    went += is_off ? 1 : 0;
  }
  BOOST_TEST(went > 0u);
  BOOST_TEST(went < rounds);
}

// The clock reaches the deadline, goes on, and the sweeper comes, all between any two messages.
BOOST_AUTO_TEST_CASE(at_its_deadline_a_hold_grows_goes_or_is_taken_and_nothing_stays_behind) {
  std::map<std::string, std::size_t> came;
  for (std::uint64_t round = 0; round < 800; ++round) {
    sale one{seed_of_run() + round};
    const auto its = one.held({"A-1", "B-1"}, 10'000);
    one.pass_unnoticed(one.now(its).until - one.clock().now() - 1);
    std::vector<std::pair<std::string, reply<orders::answer>>> all;
    const std::vector<std::function<void()>> deeds{
        [&] { all.emplace_back("added", one.add(std::nullopt, its, {"A-2"}, {})); },
        [&] {
          all.emplace_back("extended", one.extend(std::nullopt, its, {{}, 10'000}));
        },
        [&] { all.emplace_back("released", one.release(std::nullopt, its)); },
        [&] { all.emplace_back("released one", one.release_seat(std::nullopt, its, "B-1")); },
        [&] { all.emplace_back("ordered", one.order(std::nullopt, its).answer); },
        [&] {
          all.emplace_back("taken", one.hold(std::nullopt, {"B-1"}, {{}, 10'000}).answer);
        },
        [&] { one.pass_unnoticed(1); },
        [&] { one.ring(); },
    };
    for (int i = 0; i < 8; ++i) {
      deeds[one.random().below(deeds.size())]();
      one.some_steps(6);
    }
    one.settle();
    for (const auto& [name, answer] : all) {
      BOOST_TEST_REQUIRE(answer.came());
      const bool yes = as_hold(answer.get()) != nullptr || as_order(answer.get()) != nullptr;
      came[name + (yes ? "" : " not")] += 1;
    }
    check_log(one.log());
    one.pass(300'000, 10'000);
    BOOST_TEST(how_many(one, shown::available) == 4u);
    check_log(one.log());
  }
  for (const auto* what : {"added", "extended", "released", "released one", "ordered", "taken"}) {
    BOOST_TEST(came[what] > 20u, what);
    BOOST_TEST(came[std::string{what} + " not"] > 20u, what << " not");
  }
}

BOOST_AUTO_TEST_CASE(a_hold_that_is_extended_twice_at_once_and_again_and_again_ends_all_the_same) {
  for (std::uint64_t round = 0; round < 50; ++round) {
    sale one{seed_of_run() + round};
    const auto its = one.held({"A-1", "B-1"}, 10'000);
    const auto end = one.now(its).placed_at + 20'000;
    for (int i = 0; i < 4; ++i) {
      one.pass(4000, 500);
      const std::vector<reply<orders::answer>> both{one.extend(std::nullopt, its, {{}, 10'000}),
                                                    one.extend(std::nullopt, its, {{}, 10'000})};
      one.settle();
      for (const auto& each : both) {
        BOOST_REQUIRE(as_hold(each.get()) != nullptr);
        BOOST_TEST(as_hold(each.get())->hold.until == std::min(one.clock().now() + 10'000, end));
      }
      if (one.random().one_in(4))
        one.crash_and_restart();
    }
    BOOST_CHECK(one.seat("A-1") == shown::held);
    one.pass(5000, 500);
    BOOST_TEST(how_many(one, shown::available) == 4u);
    check_log(one.log(), {.max_seats = 4, .max_life_ms = 20'000});
  }
}

BOOST_AUTO_TEST_CASE(holds_that_grow_at_the_same_time_do_not_outgrow_the_limit) {
  for (std::uint64_t round = 0; round < 100; ++round) {
    world one{seed_of_run() + round};
    one.put_show({{"A", 6}, {"B", 6}});
    one.open_room();
    const auto fan = one.admitted(1)[0];
    const auto first = one.hold(fan, {"A-1"});
    const auto second = one.hold(fan, {"B-1"});
    one.settle();
    std::vector<reply<orders::answer>> all;
    for (int i = 2; i <= 6; ++i) {
      all.push_back(one.add(fan, i % 2 == 0 ? first.id : second.id,
                            {"A-" + std::to_string(i), "B-" + std::to_string(i)}, {}));
      one.steps(one.random().below(5));
    }
    one.settle();
    const auto grown =
        std::ranges::count_if(all, [](const auto& each) { return as_hold(each.get()) != nullptr; });
    BOOST_TEST(grown == 1);
    BOOST_TEST(how_many(one, shown::held) == 4u);
    check_log(one.log());
  }
}

BOOST_AUTO_TEST_CASE(sold_seats_are_returned_once_and_the_next_fan_gets_them_whole_or_not_at_all) {
  std::size_t got = 0;
  constexpr std::size_t rounds = 200;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    sale one{seed_of_run() + round};
    const auto sold = one.sell(std::vector<seat_id>{"A-1", "B-1"});
    one.settle();
    BOOST_REQUIRE(has_status(sold.answer.get(), orders::order_status::paid));
    const bool early = one.random().one_in(2);
    auto next = early ? one.hold(std::nullopt, {"B-1", "A-1"}) : asked<hold_id>{};
    one.some_steps(6);
    const std::vector<reply<orders::answer>> returns{one.give_back(sold.id),
                                                     one.give_back(sold.id)};
    one.some_steps(12);
    if (!early)
      next = one.hold(std::nullopt, {"B-1", "A-1"});
    one.settle();
    std::size_t done = 0;
    for (const auto& each : returns)
      if (as_order(each.get()) != nullptr)
        ++done;
      else
        BOOST_CHECK(is_rejected_with(each.get(), orders::rejection::seat_not_sold));
    BOOST_TEST(done == 1u);
    const bool has = as_hold(next.answer.get()) != nullptr;
    BOOST_TEST(how_many(one, shown::held) == (has ? 2u : 0u));
    BOOST_TEST(how_many(one, shown::sold) == 0u);
    check_log(one.log());
    got += has ? 1 : 0;
  }
  BOOST_TEST(got > 0u);
  BOOST_TEST(got < rounds);
}

BOOST_AUTO_TEST_SUITE_END()

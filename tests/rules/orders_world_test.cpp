// Two fans, three seats in two blocks, one desk and one waiting room: everything that can happen,
// in every order, to a depth. In each world the invariants are checked against the blocks, which
// are the truth about seats; and each world must heal when nobody does anything any more. The same
// checker must find the faults that are made on purpose.
#include "tests/rules/orders_world.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <string>
#include <unordered_set>

namespace {

using namespace std::string_literals;
namespace orders = usher::orders;
namespace test = usher::test;
using test::sabotage;
using test::world;

struct report {
  std::size_t worlds = 0;
  std::size_t steps = 0;
  std::size_t sold = 0;       ///< worlds with a PAID order
  std::size_t refund_due = 0; ///< worlds with a REFUND_DUE order
  std::string fault;          ///< the first one found; empty: none
};

void count(report& found, const world& here) {
  bool sold = false;
  bool due = false;
  for (const auto& [id, it] : here.desk.orders) {
    sold = sold || it.status == orders::order_status::paid;
    due = due || it.status == orders::order_status::refund_due;
  }
  ++found.worlds;
  found.sold += sold ? 1U : 0U;
  found.refund_due += due ? 1U : 0U;
}

/// Breadth first, so that a fault is found on a shortest way. `from`: names of actions done first.
report explore(int depth, const sabotage& how, const std::vector<std::string>& from = {}) {
  report found;
  auto start = world::start();
  for (const auto& name : from)
    for (const auto& next : test::actions_in(start))
      if (next.name == name) {
        next.happen(start, {});
        break;
      }
  std::unordered_set<std::string> seen{test::key_of(start)};
  std::deque<std::pair<world, int>> queue;
  queue.emplace_back(std::move(start), 0);
  while (!queue.empty()) {
    const auto [here, done] = std::move(queue.front());
    queue.pop_front();
    count(found, here);
    found.fault = test::fault_in(here);
    if (found.fault.empty())
      found.fault = test::fault_after_healing(here, how);
    if (!found.fault.empty())
      return found;
    if (done == depth)
      continue;
    for (const auto& next : test::actions_in(here)) {
      auto there = here;
      next.happen(there, how);
      ++found.steps;
      if (!there.fault.empty() || seen.insert(test::key_of(there)).second)
        queue.emplace_back(std::move(there), done + 1);
    }
  }
  return found;
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_that_can_happen_breaks_a_promise) {
  const auto found = explore(6, {});
  BOOST_TEST(found.fault == "");
  BOOST_TEST(found.sold > 0U);
  BOOST_TEST(found.refund_due > 0U);
  BOOST_TEST_MESSAGE(found.worlds << " worlds, " << found.steps << " steps, " << found.sold
                                  << " with a sale, " << found.refund_due << " with a refund due");
}

BOOST_AUTO_TEST_CASE(nothing_breaks_a_promise_after_an_order_was_being_paid_or_has_expired) {
  for (const auto& from : {std::vector{"hold"s, "order"s, "pay"s, "time"s, "time"s},
                           std::vector{"hold"s, "order"s, "time"s, "time"s, "sweep"s, "sweep"s}}) {
    const auto found = explore(5, {}, from);
    BOOST_TEST(found.fault == "");
    BOOST_TEST(found.sold > 0U);
    BOOST_TEST(found.refund_due > 0U);
    BOOST_TEST_MESSAGE(found.worlds << " worlds, " << found.steps << " steps");
  }
}

BOOST_AUTO_TEST_CASE(the_checker_finds_each_fault_that_is_made_on_purpose) {
  sabotage late_blocks; // now > until instead of now >= until
  late_blocks.block_clock_shift = -1;
  BOOST_TEST(explore(4, late_blocks, {"hold", "order", "cancel"}).fault ==
             "REFUND_DUE though the seats can be had");

  sabotage deaf_coordinator;
  deaf_coordinator.refusals_count = false;
  BOOST_TEST(explore(6, deaf_coordinator).fault == "a hold in time does not have its seats");

  sabotage no_gate;
  no_gate.the_room_is_asked = false;
  BOOST_TEST(explore(6, no_gate).fault == "a hold without an admission");

  sabotage timid_desk; // says the seats are lost without asking the blocks
  timid_desk.lost_seats_are_believed = false;
  BOOST_TEST(explore(6, timid_desk).fault == "REFUND_DUE though the seats can be had");

  sabotage no_sweeper;
  no_sweeper.time_sweeps = false;
  BOOST_TEST(explore(6, no_sweeper).fault == "a seat stays held for ever");

  sabotage greedy;
  greedy.max_seats = 3;
  BOOST_TEST(explore(6, greedy).fault == "more seats than max_seats");

  sabotage sells_nothing; // the order is PAID, the blocks are not asked to sell
  sells_nothing.spoil = [](orders::proposal& wanted) {
    std::erase_if(wanted.blocks, [](const auto& work) {
      return std::holds_alternative<usher::seating::command::sell>(work.command);
    });
  };
  BOOST_TEST(explore(6, sells_nothing).fault == "PAID without its seats");

  sabotage releases_nothing;
  releases_nothing.spoil = [](orders::proposal& wanted) {
    std::erase_if(wanted.blocks, [](const auto& work) {
      return std::holds_alternative<usher::seating::command::release>(work.command);
    });
  };
  BOOST_TEST(explore(6, releases_nothing).fault == "a seat is held by a hold that has ended");

  sabotage tells_no_room; // what was held is not told to the room
  tells_no_room.spoil = [](orders::proposal& wanted) {
    if (auto* asked = std::get_if<usher::waiting_room::command::enter>(&wanted.room))
      asked->busy_until = 0;
  };
  BOOST_TEST(explore(6, tells_no_room).fault == "an admission ends before what keeps it");
}

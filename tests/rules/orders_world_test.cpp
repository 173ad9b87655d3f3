// Two fans, the seller's staff, gateways, a door, three seats in two blocks, one desk and one
// waiting room: everything that can happen, in every order, to a depth, and long histories at
// random beside that.
// In each world the invariants are checked against the blocks, which are the truth about seats; and
// each world must heal when nobody does anything any more. The same checker must find the faults
// that are made on purpose.
#include "tests/rules/orders_world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using namespace std::string_literals;
namespace orders = usher::orders;
namespace seating = usher::seating;
namespace test = usher::test;
using test::cast;
using test::sabotage;
using test::world;

struct report {
  std::size_t worlds = 0;
  std::size_t steps = 0;
  std::size_t sold = 0;       ///< worlds with a PAID order
  std::size_t refund_due = 0; ///< worlds with a REFUND_DUE order
  std::size_t refunded = 0;   ///< worlds with an order whose money went back, or some of it
  std::size_t surplus = 0;    ///< worlds in which somebody paid twice
  std::size_t used = 0;       ///< worlds in which somebody went in
  std::string fault;          ///< the first one found; empty: none
};

void count(report& found, const world& here) {
  bool sold = false;
  bool due = false;
  bool back = false;
  bool twice = false;
  bool used = false;
  for (const auto& [id, it] : here.desk.orders) {
    back = back || it.status == orders::order_status::partly_refunded ||
           it.status == orders::order_status::refunded;
    twice = twice || std::ranges::any_of(it.refunds, [](const orders::refund& one) {
              return one.cause == orders::refund_cause::surplus;
            });
    used = used || !it.used.empty();
    sold = sold || it.status == orders::order_status::paid;
    due = due || it.status == orders::order_status::refund_due;
  }
  ++found.worlds;
  found.sold += sold ? 1U : 0U;
  found.refund_due += due ? 1U : 0U;
  found.refunded += back ? 1U : 0U;
  found.surplus += twice ? 1U : 0U;
  found.used += used ? 1U : 0U;
}

/// Breadth first, so that a fault is found on a shortest way. `from`: names of actions done first.
report explore(int depth, test::cast who, const sabotage& how,
               const std::vector<std::string>& from = {}) {
  report found;
  auto start = world::start();
  for (const auto& name : from)
    for (const auto& next : test::actions_in(start, cast::all))
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
    for (const auto& next : test::actions_in(here, who)) {
      auto there = here;
      next.happen(there, how);
      ++found.steps;
      if (!there.fault.empty() || seen.insert(test::key_of(there)).second)
        queue.emplace_back(std::move(there), done + 1);
    }
  }
  return found;
}

/// One of the actions: first which kind, so that the many holds of old do not crowd out the rest.
const test::action& any_of(const std::vector<test::action>& all, std::mt19937& random) {
  std::vector<std::string> names;
  for (const auto& one : all)
    if (std::ranges::find(names, one.name) == names.end())
      names.push_back(one.name);
  const auto& name = names[random() % names.size()];
  std::vector<const test::action*> its;
  for (const auto& one : all)
    if (one.name == name)
      its.push_back(&one);
  // Mostly one of the newest: what is over for long answers the same for ever.
  const auto newest = std::min<std::size_t>(its.size(), 6);
  const auto among = random() % 4 == 0 ? its.size() : newest;
  return *its[its.size() - 1 - random() % among];
}

/// A long history. The seed alone makes it, so that a fault is met again; the fault says the way.
report walk(std::uint32_t seed, int steps, test::cast who, const sabotage& how) {
  report found;
  std::mt19937 random{seed};
  auto here = world::start(1'000, true);
  std::string way;
  for (int step = 0; step < steps && found.fault.empty(); ++step) {
    const auto all = test::actions_in(here, who);
    const auto& next = any_of(all, random);
    if (next.name == "leave" && random() % 8 != 0)
      continue; // without fans there is no history
    way += ' ' + next.name;
    next.happen(here, how);
    ++found.steps;
    count(found, here);
    found.fault = test::fault_in(here);
    if (found.fault.empty() && step % 8 == 0)
      found.fault = test::fault_after_healing(here, how);
  }
  if (!found.fault.empty())
    found.fault += " (seed " + std::to_string(seed) + ":" + way + ")";
  return found;
}

/// Proposals without this kind of work for the blocks.
template <class Command>
sabotage without_work() {
  sabotage how;
  how.spoil = [](orders::proposal& wanted) {
    std::erase_if(wanted.blocks,
                  [](const auto& work) { return std::holds_alternative<Command>(work.command); });
  };
  return how;
}

/// Proposals whose work for the blocks is to hold, changed by this.
sabotage with_holds(const std::function<void(seating::command::hold&)>& change) {
  sabotage how;
  how.spoil = [change](orders::proposal& wanted) {
    for (auto& work : wanted.blocks)
      if (auto* hold = std::get_if<seating::command::hold>(&work.command))
        change(*hold);
  };
  return how;
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_that_buyers_can_do_breaks_a_promise) {
  const auto found = explore(6, cast::buyers, {});
  BOOST_TEST(found.fault == "");
  BOOST_TEST(found.sold > 0U);
  BOOST_TEST(found.refund_due > 0U);
  BOOST_TEST_MESSAGE(found.worlds << " worlds, " << found.steps << " steps, " << found.sold
                                  << " with a sale, " << found.refund_due << " with a refund due");
}

BOOST_AUTO_TEST_CASE(nothing_breaks_a_promise_after_an_order_was_being_paid_or_has_expired) {
  for (const auto& from : {std::vector{"hold"s, "order"s, "pay"s, "time"s, "time"s},
                           std::vector{"hold"s, "order"s, "time"s, "time"s, "sweep"s, "sweep"s}}) {
    const auto found = explore(5, cast::buyers, {}, from);
    BOOST_TEST(found.fault == "");
    BOOST_TEST(found.sold > 0U);
    BOOST_TEST(found.refund_due > 0U);
    BOOST_TEST_MESSAGE(found.worlds << " worlds, " << found.steps << " steps");
  }
}

BOOST_AUTO_TEST_CASE(nothing_that_anybody_can_do_breaks_a_promise) {
  for (const auto& from :
       {std::vector<std::string>{}, std::vector{"hold"s, "extend"s, "order"s},
        std::vector{"hold"s, "order"s, "pay"s, "time"s, "time"s},
        std::vector{"hold"s, "order"s, "withdraw"s}, std::vector{"sell"s, "return"s}}) {
    const auto found = explore(from.empty() ? 5 : 4, cast::everybody, {}, from);
    BOOST_TEST(found.fault == "");
    BOOST_TEST(found.sold > 0U);
    BOOST_TEST_MESSAGE(found.worlds << " worlds, " << found.steps << " steps, " << found.sold
                                    << " with a sale, " << found.refund_due
                                    << " with a refund due");
  }
}

BOOST_AUTO_TEST_CASE(long_histories_break_no_promise) {
  report all;
  for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
    const auto found = walk(seed, 80, cast::everybody, {});
    BOOST_TEST_REQUIRE(found.fault == "");
    all.steps += found.steps;
    all.sold += found.sold;
    all.refund_due += found.refund_due;
  }
  BOOST_TEST(all.sold > all.steps / 20);
  BOOST_TEST(all.refund_due > all.steps / 100);
  BOOST_TEST_MESSAGE(all.steps << " steps, " << all.sold << " with a sale, " << all.refund_due
                               << " with a refund due");
}

BOOST_AUTO_TEST_CASE(nothing_that_moves_money_breaks_a_promise) {
  for (const auto& from :
       {std::vector{"hold"s, "order"s, "pay"s}, std::vector{"hold"s, "order"s, "pay"s, "cancel"s},
        std::vector{"hold"s, "order"s, "pay"s, "time"s, "time"s, "time"s, "sweep"s, "sweep"s},
        std::vector{"hold"s, "order"s, "confirm"s}}) {
    const auto found = explore(3, cast::cashiers, {}, from);
    BOOST_TEST(found.fault == "");
    BOOST_TEST(found.sold > 0U);
    BOOST_TEST_MESSAGE(found.worlds << " worlds, " << found.steps << " steps, " << found.sold
                                    << " with a sale, " << found.refunded << " with money back, "
                                    << found.surplus << " paid twice");
  }
}

BOOST_AUTO_TEST_CASE(long_histories_of_money_break_no_promise) {
  report all;
  for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
    const auto found = walk(seed, 60, cast::all, {});
    BOOST_TEST_REQUIRE(found.fault == "");
    all.steps += found.steps;
    all.sold += found.sold;
    all.refund_due += found.refund_due;
    all.refunded += found.refunded;
    all.surplus += found.surplus;
    all.used += found.used;
  }
  BOOST_TEST(all.steps > 20'000U);
  for (const auto often : {all.sold, all.refund_due, all.refunded, all.surplus, all.used})
    BOOST_TEST(often > all.steps / 200);
  BOOST_TEST_MESSAGE(all.steps << " steps, " << all.sold << " with a sale, " << all.refund_due
                               << " with a refund due, " << all.refunded << " with money back, "
                               << all.surplus << " paid twice, " << all.used
                               << " with a ticket used");
}

BOOST_AUTO_TEST_CASE(the_checker_finds_each_fault_of_a_sale_that_is_made_on_purpose) {
  const auto fault_of = [](const sabotage& how) { return explore(6, cast::buyers, how).fault; };
  sabotage late_blocks; // now > until instead of now >= until
  late_blocks.block_clock_shift = -1;
  BOOST_TEST(explore(4, cast::buyers, late_blocks, {"hold", "order", "cancel"}).fault ==
             "REFUND_DUE though the seats can be had");

  sabotage deaf_coordinator;
  deaf_coordinator.refusals_count = false;
  BOOST_TEST(fault_of(deaf_coordinator) == "a hold in time does not have its seats");

  sabotage no_gate;
  no_gate.the_room_is_asked = false;
  BOOST_TEST(fault_of(no_gate) == "a hold without an admission");

  sabotage timid_desk; // says the seats are lost without asking the blocks
  timid_desk.lost_seats_are_believed = false;
  BOOST_TEST(fault_of(timid_desk) == "REFUND_DUE though the seats can be had");

  sabotage no_sweeper;
  no_sweeper.time_sweeps = false;
  BOOST_TEST(fault_of(no_sweeper) == "a seat stays held for ever");

  sabotage greedy;
  greedy.max_seats = 3;
  BOOST_TEST(fault_of(greedy) == "more seats than max_seats");

  BOOST_TEST(fault_of(without_work<seating::command::sell>()) == "PAID without its seats");
  BOOST_TEST(fault_of(without_work<seating::command::release>()) ==
             "a seat is held by a hold that has ended");

  sabotage tells_no_room; // what was held is not told to the room
  tells_no_room.spoil = [](orders::proposal& wanted) {
    if (auto* asked = std::get_if<usher::waiting_room::command::enter>(&wanted.room))
      asked->busy_until = 0;
  };
  BOOST_TEST(fault_of(tells_no_room) == "an admission ends before what keeps it");
}

BOOST_AUTO_TEST_CASE(the_checker_finds_each_fault_of_changes_and_staff_that_is_made_on_purpose) {
  const auto fault_of = [](const sabotage& how, const std::vector<std::string>& from) {
    return explore(2, cast::everybody, how, from).fault;
  };
  sabotage long_life;
  long_life.max_life = 9;
  BOOST_TEST(fault_of(long_life, {"hold", "time", "extend", "time"}) ==
             "a hold lives longer than it may");
  sabotage greedy;
  greedy.max_seats = 3;
  BOOST_TEST(fault_of(greedy, {"hold"}) == "more seats than max_seats");

  // An extension that the blocks never hear of; one that they take for another time.
  BOOST_TEST(fault_of(without_work<seating::command::hold>(), {"hold", "time"}) ==
             "a hold in time does not have its seats");
  BOOST_TEST(fault_of(with_holds([](auto& hold) { --hold.until; }), {}) ==
             "a hold in time does not have its seats");
  // Seats stamped with a generation that their hold has not come to.
  BOOST_TEST(fault_of(with_holds([](auto& hold) { ++hold.generation; }), {}) ==
             "a hold in time does not have its seats");
  sabotage silent_withdrawal; // the blocks take the seats, the desk is not told
  silent_withdrawal.spoil = [](orders::proposal& wanted) {
    if (!wanted.blocks.empty() &&
        std::holds_alternative<seating::command::block>(wanted.blocks.front().command))
      wanted.events.clear();
  };
  BOOST_TEST(fault_of(silent_withdrawal, {"hold"}) == "a hold in time does not have its seats");

  sabotage room_in_the_dark; // whoever lost everything stays as if they held it
  room_in_the_dark.spoil = [](orders::proposal& wanted) {
    if (std::holds_alternative<usher::waiting_room::command::settle_all>(wanted.room))
      wanted.room = std::monostate{};
  };
  BOOST_TEST(fault_of(room_in_the_dark, {"hold"}) == "an admission is kept by nothing");

  BOOST_TEST(fault_of(without_work<seating::command::return_sold>(), {"sell"}) ==
             "a returned seat is still SOLD");
  BOOST_TEST(fault_of(without_work<seating::command::sell>(), {}) == "PAID without its seats");
  BOOST_TEST(fault_of(without_work<seating::command::block>(), {}) ==
             "a seat is BLOCKED though nobody took it off sale, or the other way round");
  BOOST_TEST(fault_of(without_work<seating::command::unblock>(), {"withdraw"}) ==
             "a seat is BLOCKED though nobody took it off sale, or the other way round");

  sabotage forgetful; // one seat that is given back stays with its hold in the block
  forgetful.spoil = [](orders::proposal& wanted) {
    if (!wanted.events.empty() &&
        std::holds_alternative<orders::event::hold_changed>(wanted.events.front()))
      std::erase_if(wanted.blocks, [](const auto& work) {
        return std::holds_alternative<seating::command::release>(work.command);
      });
  };
  BOOST_TEST(fault_of(forgetful, {"hold"}) == "a seat is held by a hold that gave it back");
}

BOOST_AUTO_TEST_CASE(the_checker_finds_each_fault_of_money_that_is_made_on_purpose) {
  const auto fault_of = [](const sabotage& how, const std::vector<std::string>& from) {
    return explore(2, cast::cashiers, how, from).fault;
  };
  namespace event = orders::event;
  sabotage no_refunds; // what comes and cannot be sold stays here
  no_refunds.spoil = [](orders::proposal& wanted) {
    if (!wanted.events.empty() &&
        !std::holds_alternative<event::refund_started>(wanted.events.front()))
      std::erase_if(wanted.events, [](const auto& one) {
        return std::holds_alternative<event::refund_started>(one);
      });
  };
  BOOST_TEST(fault_of(no_refunds, {"hold", "order", "pay", "confirm"}) ==
             "a second payment is not given back once");
  BOOST_TEST(fault_of(no_refunds, {"hold", "order", "pay", "cancel"}) ==
             "money is kept without a sale, or given back without money");

  sabotage generous; // more goes back than was paid
  generous.spoil = [](orders::proposal& wanted) {
    for (auto& one : wanted.events)
      if (auto* started = std::get_if<event::refund_started>(&one))
        started->amount_minor += 1;
  };
  BOOST_TEST(fault_of(generous, {"hold", "order", "confirm"}).starts_with("a "));

  sabotage stubborn; // the blocks keep the longer time of a payment that took no money
  stubborn.spoil = [](orders::proposal& wanted) {
    for (auto& one : wanted.events)
      if (auto* change = std::get_if<event::hold_changed>(&one);
          change != nullptr && change->what == orders::hold_change::payment_over)
        wanted.blocks.clear();
  };
  BOOST_TEST(fault_of(stubborn, {"hold", "order", "pay"}) ==
             "a hold in time does not have its seats");
  sabotage short_time; // a payment that keeps its seats too short
  short_time.spoil = [](orders::proposal& wanted) {
    for (auto& one : wanted.events)
      if (auto* change = std::get_if<event::hold_changed>(&one);
          change != nullptr && change->what == orders::hold_change::kept_for_payment) {
        --change->until;
        for (auto& work : wanted.blocks)
          --std::get<seating::command::hold>(work.command).until;
      }
  };
  BOOST_TEST(fault_of(short_time, {"hold", "order"}) ==
             "a hold that is being paid ends before the attempt, or long after it");

  sabotage sells_anything; // a wrong amount, or what came after cancelling
  sells_anything.spoil = [](orders::proposal& wanted) {
    for (auto& one : wanted.events)
      if (const auto* due = std::get_if<event::order_refund_due>(&one)) {
        one = event::order_paid{due->order, due->gateway, due->reference};
        break;
      }
  };
  BOOST_TEST(!fault_of(sells_anything, {"hold", "order", "pay", "cancel"}).empty());

  sabotage free_entry; // whoever has the money back goes in all the same
  free_entry.spoil = [](orders::proposal& wanted) {
    for (const auto& one : std::vector{wanted.events})
      if (const auto* back = std::get_if<event::order_seats_returned>(&one))
        wanted.events.emplace_back(event::ticket_used{back->order, back->seats.front(), ""});
  };
  BOOST_TEST(fault_of(free_entry, {"hold", "order", "confirm", "refund"}) ==
             "a ticket of a seat that is given back lets somebody in");
}

BOOST_AUTO_TEST_CASE(a_fault_that_needs_a_long_history_is_found_by_a_walk) {
  sabotage no_generations; // what ends gives back only what it has of its first generation
  no_generations.spoil = [](orders::proposal& wanted) {
    for (auto& work : wanted.blocks)
      if (auto* release = std::get_if<seating::command::release>(&work.command))
        for (auto& part : release->parts)
          part.generation = 1;
  };
  std::string fault;
  for (std::uint32_t seed = 1; seed <= 20 && fault.empty(); ++seed)
    fault = walk(seed, 80, cast::everybody, no_generations).fault;
  BOOST_TEST(fault.starts_with("a seat is held by a hold that"));
}

// Every state that three buyers can bring two seats into, and every command in each of them: the
// rules are compared with a naive model that keeps no index and knows no events. Time moves in
// steps of one through a hold's life, so that now == until is met from both sides. The same checker
// must find the fault in deciders that are wrong on purpose.
#include "actors/basics/overloaded.hpp"
#include "actors/seating/rules.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace {

namespace seating = usher::seating;
namespace command = usher::seating::command;
namespace event = usher::seating::event;
using events = std::vector<seating::any_event>;
using usher::time_ms;
using why = seating::unavailable_reason;

constexpr time_ms hold_life = 2;
const std::array<std::string, 2> names{"s0", "s1"};

template <class Id>
Id buyer_id(int buyer) {
  Id id;
  id.bytes[0] = static_cast<std::uint8_t>(buyer);
  return id;
}

int buyer_of(const usher::id128& id) {
  return id.bytes[0];
}

/// The model: who holds a seat until when, or owns it.
struct model_seat {
  int holder = 0; ///< 1..3; 0: nobody
  time_ms until = 0;
  int owner = 0; ///< 1..3: sold to
  bool operator==(const model_seat&) const = default;
};
using model = std::array<model_seat, 2>;

struct world {
  seating::state block;
  model expected;
  time_ms now = 0;
  std::vector<std::pair<time_ms, seating::any_event>> log;
};

using decider =
    std::function<seating::decision(const seating::state&, const seating::any_command&)>;

// --- the model's own opinion -----------------------------------------------------------------

bool in_the_way(const model_seat& seat, int buyer, time_ms now, bool selling) {
  if (seat.owner != 0)
    return !(selling && seat.owner == buyer);
  return seat.holder != 0 && seat.holder != buyer && now < seat.until;
}

std::vector<std::size_t> indexes(const std::vector<std::string>& seats) {
  std::vector<std::size_t> result;
  for (const auto& id : seats)
    result.push_back(id == names[0] ? 0 : 1);
  return result;
}

/// What the command makes of the model, or the seats in the way.
std::variant<model, seating::refusal> by_hand(const world& before,
                                              const seating::any_command& asked) {
  model after = before.expected;
  seating::refusal refused;
  const auto check = [&](const std::vector<std::string>& seats, int buyer, bool selling) {
    for (const auto at : indexes(seats))
      if (const auto& seat = before.expected[at]; in_the_way(seat, buyer, before.now, selling))
        refused.push_back({names[at], seat.owner != 0 ? why::sold : why::held});
  };
  std::visit(usher::overloaded{
                 [](const command::plan&) {},
                 [&](const command::hold& c) {
                   check(c.seats, buyer_of(c.hold), false);
                   for (const auto at : indexes(c.seats))
                     after[at] = {buyer_of(c.hold), c.until, 0};
                 },
                 [&](const command::release& c) {
                   for (auto& seat : after)
                     for (const auto& hold : c.holds)
                       if (seat.holder == buyer_of(hold))
                         seat = {};
                 },
                 [&](const command::sell& c) {
                   check(c.seats, buyer_of(c.order), true);
                   for (const auto at : indexes(c.seats))
                     after[at] = {0, 0, buyer_of(c.order)};
                 },
             },
             asked);
  if (!refused.empty())
    return refused;
  return after;
}

/// What the decided events would make of the model, without the rules' `apply`.
model told_by(const events& happened, model seats) {
  for (const auto& one : happened)
    std::visit(usher::overloaded{
                   [](const event::block_planned&) {},
                   [&](const event::seats_held& e) {
                     for (const auto at : indexes(e.seats))
                       seats[at] = {buyer_of(e.hold), e.until, 0};
                   },
                   [&](const event::seats_released& e) {
                     for (const auto at : indexes(e.seats))
                       seats[at] = {};
                   },
                   [&](const event::seats_sold& e) {
                     for (const auto at : indexes(e.seats))
                       seats[at] = {0, 0, buyer_of(e.order)};
                   },
               },
               one);
  return seats;
}

// --- the checks ------------------------------------------------------------------------------

/// Says what is wrong with this answer; empty if nothing is.
std::string fault_in(const world& before, const seating::any_command& asked,
                     const seating::decision& answer) {
  const auto expected = by_hand(before, asked);
  const auto* refused = std::get_if<seating::refusal>(&answer);
  const auto* refusal_expected = std::get_if<seating::refusal>(&expected);
  if ((refused == nullptr) != (refusal_expected == nullptr))
    return refused == nullptr ? "accepted what had to be refused" : "refused what is free";
  if (refused != nullptr)
    return *refused == *refusal_expected ? "" : "named the wrong seats";
  const auto& happened = std::get<events>(answer);
  if (told_by(happened, before.expected) != std::get<model>(expected))
    return "the events tell another story than the command";
  for (std::size_t at = 0; at < names.size(); ++at)
    if (before.expected[at].owner != 0 &&
        std::get<model>(expected)[at].owner != before.expected[at].owner)
      return "a sold seat has another owner";
  return "";
}

/// Does the state agree with the model, seat by seat, and with its own indexes?
std::string fault_in(const world& after) {
  seating::counts counted;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const auto& seat = after.expected[at];
    const seating::seat_state is =
        seat.owner != 0 ? seating::seat_state{seating::sold{buyer_id<usher::order_id>(seat.owner)}}
        : seat.holder != 0
            ? seating::seat_state{seating::held{buyer_id<usher::hold_id>(seat.holder), seat.until}}
            : seating::seat_state{seating::available{}};
    if (after.block.seats[at].is != is)
      return "the state of a seat is not the model's";
    ++(seat.owner != 0                              ? counted.sold
       : seat.holder != 0 && after.now < seat.until ? counted.held
                                                    : counted.available);
  }
  if (after.block.count(after.now) != counted)
    return "the counts are not the model's";
  std::map<usher::hold_id, std::vector<std::size_t>> held_seats;
  for (std::size_t at = 0; at < names.size(); ++at)
    if (after.expected[at].holder != 0)
      held_seats[buyer_id<usher::hold_id>(after.expected[at].holder)].push_back(at);
  if (std::map(after.block.seats_of.begin(), after.block.seats_of.end()) != held_seats)
    return "the index of holds is wrong";
  seating::state folded;
  for (const auto& [at, happened] : after.log)
    seating::apply(folded, happened, at);
  return folded == after.block ? "" : "the fold of the events is another state";
}

// --- the world -------------------------------------------------------------------------------

std::vector<seating::any_command> commands_at(time_ms now) {
  std::vector<seating::any_command> all;
  for (int buyer = 1; buyer <= 3; ++buyer) {
    const auto hold = buyer_id<usher::hold_id>(buyer);
    const auto order = buyer_id<usher::order_id>(buyer);
    for (const auto& seats : {std::vector{names[0]}, {names[1]}, {names[0], names[1]}}) {
      all.emplace_back(command::hold{hold, seats, now + hold_life, now});
      all.emplace_back(command::sell{hold, order, seats, now});
    }
    all.emplace_back(command::release{{hold}});
  }
  return all;
}

/// The sweeper: releases what is over, and nothing else.
command::release sweep_at(const world& here) {
  std::set<usher::hold_id> over;
  for (const auto& seat : here.expected)
    if (seat.holder != 0 && here.now >= seat.until)
      over.insert(buyer_id<usher::hold_id>(seat.holder));
  return {{over.begin(), over.end()}};
}

/// The same for two worlds in which the same things will happen.
std::string key_of(const world& here) {
  std::string key;
  for (const auto& seat : here.expected) {
    const auto left = std::max<time_ms>(seat.until - here.now, 0);
    key += std::to_string(seat.holder) + ' ' + std::to_string(left) + ' ' +
           std::to_string(seat.owner) + ';';
  }
  return key;
}

struct report {
  std::size_t states = 0;
  std::size_t answers = 0;
  std::string fault; ///< the first one; empty: none
};

/// Visits every reachable state, breadth first, until there is no new one.
report explore(const decider& decide) {
  report found;
  world start;
  start.log.emplace_back(0, event::block_planned{{names[0], names[1]}});
  seating::apply(start.block, start.log.back().second, 0);
  std::set<std::string> seen{key_of(start)};
  std::deque<world> next{start};
  const auto visit = [&](world there) {
    if (found.fault.empty())
      found.fault = fault_in(there);
    if (seen.insert(key_of(there)).second)
      next.push_back(std::move(there));
  };
  while (!next.empty() && found.fault.empty()) {
    const auto here = std::move(next.front());
    next.pop_front();
    ++found.states;
    auto later = here;
    ++later.now;
    visit(std::move(later));
    auto commands = commands_at(here.now);
    commands.emplace_back(sweep_at(here));
    for (const auto& asked : commands) {
      const auto answer = decide(here.block, asked);
      ++found.answers;
      found.fault = fault_in(here, asked, answer);
      if (!found.fault.empty())
        break;
      const auto* happened = std::get_if<events>(&answer);
      if (happened == nullptr)
        continue;
      auto there = here;
      there.expected = told_by(*happened, here.expected);
      for (const auto& one : *happened) {
        there.log.emplace_back(here.now, one);
        seating::apply(there.block, one, here.now);
      }
      visit(std::move(there));
    }
  }
  return found;
}

/// The right answer to a question asked at another time.
decider shifted_by(time_ms shift) {
  return [shift](const seating::state& block, seating::any_command asked) {
    std::visit(
        [shift](auto& one) {
          if constexpr (requires { one.now; })
            one.now += shift;
        },
        asked);
    return seating::decide(block, asked);
  };
}

/// Gives back whatever the holder once held, without looking who holds it now.
seating::decision careless_release(const seating::state& block, const seating::any_command& asked) {
  const auto* release = std::get_if<command::release>(&asked);
  if (release == nullptr || release->holds.empty())
    return seating::decide(block, asked);
  event::seats_released all{release->holds.front(), {}};
  for (const auto& seat : block.seats)
    if (std::holds_alternative<seating::held>(seat.is))
      all.seats.push_back(seat.id);
  return events{all};
}

/// Holds what can be had instead of all or nothing.
seating::decision half_a_hold(const seating::state& block, const seating::any_command& asked) {
  auto answer = seating::decide(block, asked);
  const auto* hold = std::get_if<command::hold>(&asked);
  const auto* refused = std::get_if<seating::refusal>(&answer);
  if (hold == nullptr || refused == nullptr || refused->size() == hold->seats.size())
    return answer;
  auto rest = *hold;
  std::erase_if(rest.seats, [&](const auto& id) {
    return std::ranges::find(*refused, id, &seating::unavailable::seat) != refused->end();
  });
  return seating::decide(block, rest);
}

/// Sells to whoever pays, whoever holds.
seating::decision careless_sale(const seating::state& block, const seating::any_command& asked) {
  const auto* sell = std::get_if<command::sell>(&asked);
  if (sell == nullptr)
    return seating::decide(block, asked);
  return events{event::seats_sold{sell->hold, sell->order, sell->seats}};
}

} // namespace

BOOST_AUTO_TEST_CASE(the_rules_agree_with_the_model_in_every_state_and_for_every_command) {
  const auto found = explore(seating::decide);
  BOOST_TEST(found.fault == "");
  // A seat is free, held by one of three with 2, 1 or 0 left, or sold to one of three: 13 states
  // at most, two seats.
  BOOST_TEST(found.states > 100U);
  BOOST_TEST(found.states <= 169U);
  BOOST_TEST_MESSAGE(found.states << " states, " << found.answers << " answers");
}

BOOST_AUTO_TEST_CASE(the_checker_finds_each_fault_that_is_made_on_purpose) {
  BOOST_TEST(explore(shifted_by(-1)).fault == "refused what is free"); // now > until
  BOOST_TEST(explore(shifted_by(+1)).fault == "accepted what had to be refused");
  BOOST_TEST(explore(careless_release).fault == "the events tell another story than the command");
  BOOST_TEST(explore(half_a_hold).fault == "accepted what had to be refused");
  BOOST_TEST(explore(careless_sale).fault == "accepted what had to be refused");
}

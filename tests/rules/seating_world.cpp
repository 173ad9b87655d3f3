#include "tests/rules/seating_world.hpp"

#include "actors/basics/overloaded.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace usher::test {

namespace {

namespace command = seating::command;
namespace event = seating::event;
using events = std::vector<seating::any_event>;
using why = seating::unavailable_reason;

constexpr time_ms hold_life = 2;
const std::array<std::string, 2> names{"s0", "s1"};

template <class Id>
Id buyer_id(int buyer) {
  Id id;
  id.bytes[0] = static_cast<std::uint8_t>(buyer);
  return id;
}

int buyer_of(const id128& id) {
  return id.bytes[0];
}

/// The model: a seat's story in one line of numbers.
struct model_seat {
  int holder = 0; ///< 1..3; 0: nobody
  std::uint32_t generation = 0;
  time_ms until = 0;
  int owner = 0; ///< 1..3: sold to
  bool blocked = false;
  bool operator==(const model_seat&) const = default;
};
using model = std::array<model_seat, 2>;

model_seat held_seat(const hold_id& hold, std::uint32_t generation, time_ms until) {
  return {buyer_of(hold), generation, until, 0, false};
}
model_seat sold_seat(const order_id& order) {
  return {0, 0, 0, buyer_of(order), false};
}
model_seat blocked_seat() {
  return {0, 0, 0, 0, true};
}

struct world {
  seating::state block;
  model expected;
  time_ms now = 0;
  std::vector<std::pair<time_ms, seating::any_event>> log;
};

// --- the model's own opinion -----------------------------------------------------------------

std::vector<std::size_t> indexes(const std::vector<std::string>& seats) {
  std::vector<std::size_t> result;
  for (const auto& id : seats)
    result.push_back(id == names[0] ? 0 : 1);
  return result;
}

bool is_of(const model_seat& seat, const hold_id& hold, std::uint32_t generation) {
  return seat.holder == buyer_of(hold) && seat.generation <= generation;
}

/// Nobody has it at `now`.
bool is_free(const model_seat& seat, time_ms now) {
  return seat.owner == 0 && !seat.blocked && (seat.holder == 0 || now >= seat.until);
}

seating::unavailable why_not(const model_seat& seat, const std::string& name) {
  if (seat.owner != 0)
    return {name, why::sold, {}, buyer_id<order_id>(seat.owner)};
  if (seat.blocked)
    return {name, why::blocked, {}, {}};
  return {name, why::held, buyer_id<hold_id>(seat.holder), {}};
}

/// Gives back what the part's hold has.
void give_back(model& seats, const command::part& part) {
  for (const auto at : indexes(part.seats))
    if (is_of(seats[at], part.hold, part.generation))
      seats[at] = {};
}

/// What the command makes of the model, or the seats in the way.
class by_hand {
public:
  explicit by_hand(const world& before) : after_{before.expected}, now_{before.now} {}

  std::variant<model, seating::refusal> operator()(const seating::any_command& asked) {
    std::visit([this](const auto& one) { ask(one); }, asked);
    if (!refused_.empty())
      return refused_;
    return after_;
  }

private:
  /// Each of the seats becomes what `change` makes of it, unless it is in the way.
  template <class May, class Change>
  void each(const std::vector<std::string>& seats, May may, Change change) {
    for (const auto at : indexes(seats))
      if (auto& seat = after_[at]; may(seat))
        change(seat);
      else
        refused_.push_back(why_not(seat, names[at]));
  }

  void ask(const command::plan&) {}
  void ask(const command::hold& c) {
    const auto may = [&](const model_seat& seat) {
      return is_free(seat, now_) || is_of(seat, c.hold, c.generation);
    };
    each(c.seats, may, [&](model_seat& seat) { seat = held_seat(c.hold, c.generation, c.until); });
  }
  void ask(const command::release& c) {
    for (const auto& part : c.parts)
      give_back(after_, part);
  }
  void ask(const command::sell& c) {
    const auto may = [&](const model_seat& seat) {
      return is_free(seat, now_) || is_of(seat, c.hold, c.generation) ||
             seat.owner == buyer_of(c.order);
    };
    each(c.seats, may, [&](model_seat& seat) { seat = sold_seat(c.order); });
  }
  void ask(const command::block& c) {
    for (const auto& part : c.taken)
      give_back(after_, part);
    const auto may = [&](const model_seat& seat) { return is_free(seat, now_) || seat.blocked; };
    each(c.seats, may, [](model_seat& seat) { seat = blocked_seat(); });
  }
  void ask(const command::unblock& c) {
    const auto may = [&](const model_seat& seat) { return is_free(seat, now_) || seat.blocked; };
    each(c.seats, may, [](model_seat& seat) {
      if (seat.blocked)
        seat = {};
    });
  }
  void ask(const command::return_sold& c) {
    for (const auto at : indexes(c.seats))
      if (after_[at].owner == buyer_of(c.order))
        after_[at] = {};
      else
        refused_.push_back({names[at], why::unknown});
  }

  model after_;
  time_ms now_;
  seating::refusal refused_;
};

/// What decided events make of the model, without the rules' `apply`.
struct story {
  model seats;
  bool contradicts = false; ///< itself, or what the seats are
};

story told_by(const events& happened, const model& before, time_ms now) {
  story told{before};
  const auto become = [&](const std::vector<std::string>& which, auto may, const model_seat& what) {
    for (const auto at : indexes(which)) {
      told.contradicts = told.contradicts || !may(told.seats[at]);
      told.seats[at] = what;
    }
  };
  const auto its = [](const auto& e) {
    return [&e](const model_seat& seat) { return is_of(seat, e.hold, e.generation); };
  };
  const auto its_or_free = [now](const auto& e) {
    return [&e, now](const model_seat& seat) {
      return is_free(seat, now) || is_of(seat, e.hold, e.generation);
    };
  };
  const auto free = [now](const model_seat& seat) { return is_free(seat, now); };
  const auto blocked = [](const model_seat& seat) { return seat.blocked; };
  for (const auto& one : happened)
    std::visit(overloaded{
                   [](const event::block_planned&) {},
                   [&](const event::seats_held& e) {
                     become(e.seats, its_or_free(e), held_seat(e.hold, e.generation, e.until));
                   },
                   [&](const event::seats_released& e) { become(e.seats, its(e), {}); },
                   [&](const event::seats_sold& e) {
                     become(e.seats, its_or_free(e), sold_seat(e.order));
                   },
                   [&](const event::seats_blocked& e) { become(e.seats, free, blocked_seat()); },
                   [&](const event::seats_unblocked& e) { become(e.seats, blocked, {}); },
                   [&](const event::seats_returned& e) {
                     const auto sold = [&](const model_seat& seat) {
                       return seat.owner == buyer_of(e.order);
                     };
                     become(e.seats, sold, {});
                   },
               },
               one);
  return told;
}

// --- the checks ------------------------------------------------------------------------------

/// Says what is wrong with this answer; empty if nothing is.
std::string fault_in(const world& before, const seating::any_command& asked,
                     const seating::decision& answer) {
  const auto expected = by_hand{before}(asked);
  const auto* refused = std::get_if<seating::refusal>(&answer);
  const auto* refusal_expected = std::get_if<seating::refusal>(&expected);
  if ((refused == nullptr) != (refusal_expected == nullptr))
    return refused == nullptr ? "accepted what had to be refused" : "refused what is free";
  if (refused != nullptr)
    return *refused == *refusal_expected ? "" : "named the wrong seats";
  const auto told = told_by(std::get<events>(answer), before.expected, before.now);
  if (told.seats != std::get<model>(expected))
    return "the events tell another story than the command";
  return told.contradicts ? "the events contradict what the seats are" : "";
}

seating::seat_state as_state(const model_seat& seat) {
  if (seat.owner != 0)
    return seating::sold{buyer_id<order_id>(seat.owner)};
  if (seat.blocked)
    return seating::blocked{};
  if (seat.holder != 0)
    return seating::held{buyer_id<hold_id>(seat.holder), seat.until, seat.generation};
  return seating::available{};
}

/// Does the state agree with the model, seat by seat, and is every seat counted once?
std::string fault_in(const world& after) {
  seating::counts expected;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const auto& seat = after.expected[at];
    if (after.block.seats[at] != seating::seat{names[at], as_state(seat)})
      return "the state of a seat is not the model's";
    ++(is_free(seat, after.now) ? expected.available
       : seat.owner != 0        ? expected.sold
       : seat.blocked           ? expected.blocked
                                : expected.held);
  }
  const auto counted = after.block.count(after.now);
  if (counted != expected)
    return "the counts are not the model's";
  if (counted.available + counted.held + counted.sold + counted.blocked != names.size())
    return "a seat is lost, or counted twice";
  seating::state folded;
  for (const auto& [at, happened] : after.log)
    seating::apply(folded, happened, at);
  return folded == after.block ? "" : "the fold of the events is another state";
}

// --- the world -------------------------------------------------------------------------------

const std::vector<std::string> both{names[0], names[1]};
const std::vector<std::vector<std::string>> choices{{names[0]}, {names[1]}, both};

/// What a buyer asks with a hold of this generation.
void add_buyer(std::vector<seating::any_command>& all, int buyer, std::uint32_t generation,
               time_ms now) {
  const auto hold = buyer_id<hold_id>(buyer);
  const auto order = buyer_id<order_id>(buyer);
  for (const auto& seats : choices) {
    all.emplace_back(command::hold{hold, seats, now + hold_life, now, generation});
    all.emplace_back(command::sell{hold, order, seats, now, generation});
    all.emplace_back(command::release{{{hold, generation, seats}}});
    // Both seats are taken from the hold, so that it also gives back what is not blocked.
    all.emplace_back(command::block{seats, {{hold, generation, both}}, "", now});
  }
}

/// The sweeper: releases what is over, and nothing else.
command::release sweep_at(const world& here) {
  std::map<std::pair<int, std::uint32_t>, std::vector<std::string>> over;
  for (std::size_t at = 0; at < names.size(); ++at)
    if (const auto& seat = here.expected[at]; seat.holder != 0 && here.now >= seat.until)
      over[{seat.holder, seat.generation}].push_back(names[at]);
  command::release all;
  for (const auto& [whose, seats] : over)
    all.parts.push_back({buyer_id<hold_id>(whose.first), whose.second, seats});
  return all;
}

/// Every command but a plan.
std::vector<seating::any_command> commands_in(const world& here) {
  std::vector<seating::any_command> all;
  std::vector<command::part> everybody;
  for (int buyer = 1; buyer <= 3; ++buyer) {
    for (const std::uint32_t generation : {1U, 2U})
      add_buyer(all, buyer, generation, here.now);
    everybody.push_back({buyer_id<hold_id>(buyer), 2, both});
    for (const auto& seats : choices)
      all.emplace_back(command::return_sold{buyer_id<order_id>(buyer), seats});
  }
  all.emplace_back(command::release{everybody});
  for (const auto& seats : choices) {
    all.emplace_back(command::block{seats, {}, "", here.now});
    all.emplace_back(command::block{seats, everybody, "", here.now});
    all.emplace_back(command::unblock{seats, here.now});
  }
  all.emplace_back(sweep_at(here));
  return all;
}

/// The same for two worlds in which the same things will happen.
std::string key_of(const world& here) {
  std::string key;
  for (const auto& seat : here.expected) {
    const auto left = std::max<time_ms>(seat.until - here.now, 0);
    key += std::to_string(seat.holder) + ' ' + std::to_string(seat.generation) + ' ' +
           std::to_string(left) + ' ' + std::to_string(seat.owner) + (seat.blocked ? "b;" : ";");
  }
  return key;
}

} // namespace

seating_report explore(const seating_decider& decide) {
  seating_report found;
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
    for (const auto& asked : commands_in(here)) {
      const auto answer = decide(here.block, asked);
      ++found.answers;
      found.fault = fault_in(here, asked, answer);
      if (!found.fault.empty())
        break;
      const auto* happened = std::get_if<events>(&answer);
      if (happened == nullptr)
        continue;
      auto there = here;
      there.expected = told_by(*happened, here.expected, here.now).seats;
      for (const auto& one : *happened) {
        there.log.emplace_back(here.now, one);
        seating::apply(there.block, one, here.now);
      }
      visit(std::move(there));
    }
  }
  return found;
}

} // namespace usher::test

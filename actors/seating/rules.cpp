#include "actors/seating/rules.hpp"

#include "actors/basics/bug.hpp"
#include "actors/basics/overloaded.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace usher::seating {

std::optional<std::size_t> state::find(const seat_id& id) const {
  const auto found = index_of.find(id);
  if (found == index_of.end())
    return std::nullopt;
  return found->second;
}

counts state::count(time_ms now) const {
  counts result;
  for (const auto& one : seats)
    std::visit(
        overloaded{[&](const available&) { ++result.available; },
                   [&](const held& by) { ++(now < by.until ? result.held : result.available); },
                   [&](const sold&) { ++result.sold; }, [&](const blocked&) { ++result.blocked; }},
        one.is);
  return result;
}

namespace {

using in_the_way_if = std::optional<unavailable>;

/// What keeps anybody new from having the seat at `now`.
in_the_way_if taken(const seat& one, time_ms now) {
  using why = unavailable_reason;
  return std::visit(
      overloaded{
          [](const available&) { return in_the_way_if{}; },
          [&](const held& by) {
            return now < by.until ? in_the_way_if{{one.id, why::held, by.hold, {}}} : std::nullopt;
          },
          [&](const sold& to) {
            return in_the_way_if{{one.id, why::sold, {}, to.order}};
          },
          [&](const blocked&) {
            return in_the_way_if{{one.id, why::blocked, {}, {}}};
          }},
      one.is);
}

/// By this hold, in this generation or an earlier one.
bool held_by(const seat_state& is, const hold_id& hold, std::uint32_t generation) {
  const auto* by = std::get_if<held>(&is);
  return by != nullptr && by->hold == hold && by->generation <= generation;
}

/// Every seat of the list that is unknown, named twice, or in the way as `obstacle` says.
template <class Obstacle>
refusal obstacles(const state& block, const std::vector<seat_id>& seats, Obstacle obstacle) {
  refusal in_the_way;
  std::unordered_set<std::size_t> seen;
  for (const auto& id : seats) {
    const auto index = block.find(id);
    if (!index || !seen.insert(*index).second)
      in_the_way.push_back({id, unavailable_reason::unknown});
    else if (in_the_way_if what = obstacle(block.seats[*index]))
      in_the_way.push_back(std::move(*what));
  }
  return in_the_way;
}

/// Those of the seats (all known) that `is_new` picks, in the same order.
template <class Pick>
std::vector<seat_id> those(const state& block, const std::vector<seat_id>& seats, Pick is_new) {
  std::vector<seat_id> picked;
  for (const auto& id : seats)
    if (is_new(block.seats[*block.find(id)].is))
      picked.push_back(id);
  return picked;
}

std::vector<any_event> nothing() {
  return {};
}

decision decide_one(const state& block, const command::plan& asked) {
  refusal in_the_way;
  std::unordered_set<seat_id> planned;
  for (const auto& id : asked.seats)
    if (!planned.insert(id).second)
      in_the_way.push_back({id, unavailable_reason::unknown});
  for (const auto& one : block.seats)
    if (auto what = taken(one, asked.now);
        what && what->reason != unavailable_reason::blocked && !planned.contains(one.id))
      in_the_way.push_back(std::move(*what));
  if (!in_the_way.empty())
    return in_the_way;

  const bool same = std::ranges::equal(block.seats, asked.seats, {}, &seat::id);
  if (same)
    return nothing();
  return std::vector<any_event>{event::block_planned{asked.seats}};
}

decision decide_one(const state& block, const command::hold& asked) {
  auto in_the_way = obstacles(block, asked.seats, [&](const seat& one) {
    return held_by(one.is, asked.hold, asked.generation) ? std::nullopt : taken(one, asked.now);
  });
  if (!in_the_way.empty())
    return in_the_way;

  const seat_state wanted = held{asked.hold, asked.until, asked.generation};
  if (those(block, asked.seats, [&](const seat_state& is) { return is != wanted; }).empty())
    return nothing();
  return std::vector<any_event>{
      event::seats_held{asked.hold, asked.seats, asked.until, asked.generation}};
}

/// What the part's hold still has of its seats, as an event; nothing if that is nothing.
std::optional<any_event> given_back(const state& block, const command::part& what) {
  event::seats_released released{what.hold, {}, what.generation};
  std::unordered_set<std::size_t> seen;
  for (const auto& id : what.seats)
    if (const auto index = block.find(id);
        index && held_by(block.seats[*index].is, what.hold, what.generation) &&
        seen.insert(*index).second)
      released.seats.push_back(id);
  if (released.seats.empty())
    return std::nullopt;
  return released;
}

decision decide_one(const state& block, const command::release& asked) {
  std::vector<any_event> events;
  for (const auto& part : asked.parts)
    if (auto released = given_back(block, part))
      events.push_back(std::move(*released));
  return events;
}

decision decide_one(const state& block, const command::sell& asked) {
  const seat_state its_own = sold{asked.order};
  auto in_the_way = obstacles(block, asked.seats, [&](const seat& one) {
    return held_by(one.is, asked.hold, asked.generation) || one.is == its_own
               ? std::nullopt
               : taken(one, asked.now);
  });
  if (!in_the_way.empty())
    return in_the_way;

  auto fresh = those(block, asked.seats, [&](const seat_state& is) { return is != its_own; });
  if (fresh.empty())
    return nothing();
  return std::vector<any_event>{
      event::seats_sold{asked.hold, asked.order, std::move(fresh), asked.generation}};
}

decision decide_one(const state& block, const command::block& asked) {
  std::vector<any_event> events;
  std::unordered_set<seat_id> given;
  for (const auto& part : asked.taken)
    if (auto released = given_back(block, part)) {
      const auto& seats = std::get<event::seats_released>(*released).seats;
      given.insert(seats.begin(), seats.end());
      events.push_back(std::move(*released));
    }
  auto in_the_way = obstacles(block, asked.seats, [&](const seat& one) {
    const bool may_be = given.contains(one.id) || std::holds_alternative<blocked>(one.is);
    return may_be ? std::nullopt : taken(one, asked.now);
  });
  if (!in_the_way.empty())
    return in_the_way;

  auto fresh = those(block, asked.seats,
                     [](const seat_state& is) { return !std::holds_alternative<blocked>(is); });
  if (!fresh.empty())
    events.emplace_back(event::seats_blocked{std::move(fresh), asked.note});
  return events;
}

decision decide_one(const state& block, const command::unblock& asked) {
  auto in_the_way = obstacles(block, asked.seats, [&](const seat& one) {
    return std::holds_alternative<blocked>(one.is) ? std::nullopt : taken(one, asked.now);
  });
  if (!in_the_way.empty())
    return in_the_way;
  auto fresh = those(block, asked.seats,
                     [](const seat_state& is) { return std::holds_alternative<blocked>(is); });
  if (fresh.empty())
    return nothing();
  return std::vector<any_event>{event::seats_unblocked{std::move(fresh)}};
}

decision decide_one(const state& block, const command::return_sold& asked) {
  auto in_the_way = obstacles(block, asked.seats, [&](const seat& one) -> in_the_way_if {
    if (one.is == seat_state{sold{asked.order}})
      return std::nullopt;
    return unavailable{one.id, unavailable_reason::unknown};
  });
  if (!in_the_way.empty())
    return in_the_way;
  return std::vector<any_event>{event::seats_returned{asked.order, asked.seats}};
}

seat& must_find(state& block, const seat_id& id) {
  const auto index = block.find(id);
  bug_unless(index.has_value(), "an event names a seat that the block does not have");
  return block.seats[*index];
}

void apply_one(state& block, const event::block_planned& happened, time_ms at) {
  std::vector<seat> seats;
  std::unordered_map<seat_id, std::size_t> index_of;
  for (const auto& id : happened.seats) {
    const auto old = block.find(id);
    bug_unless(index_of.emplace(id, seats.size()).second, "a plan names a seat twice");
    seats.push_back({id, old ? block.seats[*old].is : available{}});
  }
  for (const auto& one : block.seats) {
    const auto what = taken(one, at);
    bug_unless(index_of.contains(one.id) || !what || what->reason == unavailable_reason::blocked,
               "a plan takes away a seat that is held or sold");
  }
  block.seats = std::move(seats);
  block.index_of = std::move(index_of);
}

void apply_one(state& block, const event::seats_held& happened, time_ms at) {
  for (const auto& id : happened.seats) {
    auto& one = must_find(block, id);
    bug_unless(held_by(one.is, happened.hold, happened.generation) || !taken(one, at),
               "a taken seat is held again");
    one.is = held{happened.hold, happened.until, happened.generation};
  }
}

void apply_one(state& block, const event::seats_released& happened, time_ms) {
  for (const auto& id : happened.seats) {
    auto& one = must_find(block, id);
    bug_unless(held_by(one.is, happened.hold, happened.generation),
               "a hold releases what it has not");
    one.is = available{};
  }
}

void apply_one(state& block, const event::seats_sold& happened, time_ms at) {
  for (const auto& id : happened.seats) {
    auto& one = must_find(block, id);
    bug_unless(held_by(one.is, happened.hold, happened.generation) || !taken(one, at),
               "a seat is sold that is sold already, held by another, or off sale");
    one.is = sold{happened.order};
  }
}

void apply_one(state& block, const event::seats_blocked& happened, time_ms at) {
  for (const auto& id : happened.seats) {
    auto& one = must_find(block, id);
    bug_unless(!taken(one, at), "a seat is blocked that is not free");
    one.is = blocked{};
  }
}

void apply_one(state& block, const event::seats_unblocked& happened, time_ms) {
  for (const auto& id : happened.seats) {
    auto& one = must_find(block, id);
    bug_unless(std::holds_alternative<blocked>(one.is), "a seat is unblocked that is not blocked");
    one.is = available{};
  }
}

void apply_one(state& block, const event::seats_returned& happened, time_ms) {
  for (const auto& id : happened.seats) {
    auto& one = must_find(block, id);
    bug_unless(one.is == seat_state{sold{happened.order}},
               "a seat is returned that the order does not have");
    one.is = available{};
  }
}

} // namespace

decision decide(const state& block, const any_command& asked) {
  return std::visit([&](const auto& one) { return decide_one(block, one); }, asked);
}

void apply(state& block, const any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { apply_one(block, one, at); }, happened);
}

} // namespace usher::seating

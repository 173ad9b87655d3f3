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
                   [&](const sold&) { ++result.sold; }},
        one.is);
  return result;
}

namespace {

using reason_if_any = std::optional<unavailable_reason>;

/// Why the seat cannot be had by anybody new at `now`.
reason_if_any taken(const seat_state& is, time_ms now) {
  return std::visit(overloaded{[](const available&) { return reason_if_any{}; },
                               [now](const held& by) {
                                 return now < by.until ? reason_if_any{unavailable_reason::held}
                                                       : std::nullopt;
                               },
                               [](const sold&) { return reason_if_any{unavailable_reason::sold}; }},
                    is);
}

bool held_by(const seat_state& is, const hold_id& hold) {
  const auto* by = std::get_if<held>(&is);
  return by != nullptr && by->hold == hold;
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
    else if (const reason_if_any reason = obstacle(block.seats[*index].is))
      in_the_way.push_back({id, *reason});
  }
  return in_the_way;
}

decision decide_one(const state& block, const command::plan& asked) {
  refusal in_the_way;
  std::unordered_set<seat_id> planned;
  for (const auto& id : asked.seats)
    if (!planned.insert(id).second)
      in_the_way.push_back({id, unavailable_reason::unknown});
  for (const auto& one : block.seats)
    if (const auto reason = taken(one.is, asked.now); reason && !planned.contains(one.id))
      in_the_way.push_back({one.id, *reason});
  if (!in_the_way.empty())
    return in_the_way;

  const bool same = std::ranges::equal(block.seats, asked.seats, {}, &seat::id);
  if (same)
    return std::vector<any_event>{};
  return std::vector<any_event>{event::block_planned{asked.seats}};
}

decision decide_one(const state& block, const command::hold& asked) {
  auto in_the_way = obstacles(block, asked.seats, [&](const seat_state& is) {
    return held_by(is, asked.hold) ? std::nullopt : taken(is, asked.now);
  });
  if (!in_the_way.empty())
    return in_the_way;

  const auto has = block.seats_of.find(asked.hold);
  const auto had = has == block.seats_of.end() ? 0 : has->second.size();
  const bool has_exactly_these =
      had == asked.seats.size() && std::ranges::all_of(asked.seats, [&](const seat_id& id) {
        return block.seats[*block.find(id)].is == seat_state{held{asked.hold, asked.until}};
      });
  if (has_exactly_these)
    return std::vector<any_event>{};
  return std::vector<any_event>{event::seats_held{asked.hold, asked.seats, asked.until}};
}

decision decide_one(const state& block, const command::release& asked) {
  std::vector<any_event> events;
  for (const auto& hold : asked.holds) {
    const auto has = block.seats_of.find(hold);
    if (has == block.seats_of.end())
      continue;
    event::seats_released released{hold, {}};
    for (const auto index : has->second)
      released.seats.push_back(block.seats[index].id);
    events.emplace_back(std::move(released));
  }
  return events;
}

decision decide_one(const state& block, const command::sell& asked) {
  const seat_state its_own = sold{asked.order};
  auto in_the_way = obstacles(block, asked.seats, [&](const seat_state& is) {
    return held_by(is, asked.hold) || is == its_own ? std::nullopt : taken(is, asked.now);
  });
  if (!in_the_way.empty())
    return in_the_way;

  event::seats_sold sale{asked.hold, asked.order, {}};
  for (const auto& id : asked.seats)
    if (block.seats[*block.find(id)].is != its_own)
      sale.seats.push_back(id);
  if (sale.seats.empty())
    return std::vector<any_event>{};
  return std::vector<any_event>{std::move(sale)};
}

std::size_t must_find(const state& block, const seat_id& id) {
  const auto index = block.find(id);
  bug_unless(index.has_value(), "an event names a seat that the block does not have");
  return *index;
}

void forget_hold_of(state& block, std::size_t index) {
  const auto* by = std::get_if<held>(&block.seats[index].is);
  if (by == nullptr)
    return;
  const auto has = block.seats_of.find(by->hold);
  std::erase(has->second, index);
  if (has->second.empty())
    block.seats_of.erase(has);
}

void apply_one(state& block, const event::block_planned& happened, time_ms at) {
  std::vector<seat> seats;
  std::unordered_map<seat_id, std::size_t> index_of;
  std::unordered_map<hold_id, std::vector<std::size_t>, id_hash> seats_of;
  for (const auto& id : happened.seats) {
    const auto old = block.find(id);
    const auto index = seats.size();
    seats.push_back({id, old ? block.seats[*old].is : available{}});
    bug_unless(index_of.emplace(id, index).second, "a plan names a seat twice");
    if (const auto* by = std::get_if<held>(&seats.back().is))
      seats_of[by->hold].push_back(index);
  }
  for (const auto& one : block.seats)
    bug_unless(index_of.contains(one.id) || !taken(one.is, at),
               "a plan takes away a seat that is held or sold");
  block.seats = std::move(seats);
  block.index_of = std::move(index_of);
  block.seats_of = std::move(seats_of);
}

void apply_one(state& block, const event::seats_held& happened, time_ms at) {
  for (const auto& id : happened.seats) {
    const auto index = must_find(block, id);
    auto& is = block.seats[index].is;
    bug_unless(held_by(is, happened.hold) || !taken(is, at), "a taken seat is held again");
    forget_hold_of(block, index);
    is = held{happened.hold, happened.until};
    auto& its = block.seats_of[happened.hold];
    its.insert(std::ranges::lower_bound(its, index), index);
  }
}

void apply_one(state& block, const event::seats_released& happened, time_ms) {
  for (const auto& id : happened.seats) {
    const auto index = must_find(block, id);
    bug_unless(held_by(block.seats[index].is, happened.hold), "a hold releases what it has not");
    forget_hold_of(block, index);
    block.seats[index].is = available{};
  }
}

void apply_one(state& block, const event::seats_sold& happened, time_ms at) {
  for (const auto& id : happened.seats) {
    const auto index = must_find(block, id);
    auto& is = block.seats[index].is;
    bug_unless(held_by(is, happened.hold) || !taken(is, at),
               "a seat is sold that is sold already or held by another");
    forget_hold_of(block, index);
    is = sold{happened.order};
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

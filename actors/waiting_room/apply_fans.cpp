#include "actors/waiting_room/applying.hpp"

#include <algorithm>
#include <utility>

// What the events of fans change.
namespace usher::waiting_room::applying {

namespace {

bool may_join(const state& room) {
  const auto status = room.status();
  return status != room_status::off && status != room_status::scheduled &&
         status != room_status::ended;
}

bool is_consistent(const state& room, const event::fans_joined& happened) {
  const auto count = happened.nonces.size();
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == count; };
  return may_join(room) && happened.first == room.joined() && count <= slots_max - room.joined() &&
         fits(happened.customers) && fits(happened.keys) && fits(happened.codes) &&
         fits(happened.tiers);
}

void use_code(state& room, const identity& code, slot_t slot) {
  if (code.is_none())
    return;
  const auto found = room.codes.find(code);
  if (expect(found != room.codes.end()) && room.code_batches[found->second.batch].single_use)
    found->second.used_by = slot;
}

} // namespace

void change(state& room, const event::fans_joined& happened, time_ms) {
  if (!expect(is_consistent(room, happened)))
    return;
  const auto entry = [](const auto& column, std::size_t at) {
    return column.empty() ? identity{} : column[at];
  };
  for (std::size_t fan = 0; fan < happened.nonces.size(); ++fan) {
    const auto slot = room.joined();
    const auto customer = entry(happened.customers, fan);
    const auto key = entry(happened.keys, fan);
    const auto tier = happened.tiers.empty() ? room.general_tier() : happened.tiers[fan];
    room.tickets.push_back(ticket_status::waiting);
    room.tiers.push_back(tier);
    room.identities.push_back(customer.is_none() ? key : customer);
    if (!room.identities[slot].is_none())
      room.index.put(slot, room.identities, room.tickets);
    if (!customer.is_none() && !key.is_none() && key != customer)
      room.seconds.insert_or_assign(key, slot); // not one of seconds_max: it came with the first
    use_code(room, entry(happened.codes, fan), slot);
    stand_at_end(room, slot, expect(tier <= room.general_tier()) ? tier : room.general_tier());
  }
}

void change(state& room, const event::fan_identified& happened, time_ms) {
  if (!expect(is_live(room.status_of(happened.slot)) && !happened.who.is_none()))
    return;
  room.seconds.insert_or_assign(happened.who, happened.slot);
  if (happened.customer)
    room.customers.insert_or_assign(happened.slot, happened.who);
  else
    ++room.seconds_of[happened.slot];
}

void change(state& room, const event::fan_promoted& happened, time_ms) {
  const auto where = room.stands(happened.slot);
  if (!expect(where && happened.tier < where->tier))
    return;
  if (room.status_of(happened.slot) == ticket_status::absent) {
    drop_claim(room, happened.slot);
  } else {
    auto& old = room.lines[where->tier];
    leave_line(room, happened.slot);
    if (where->index >= old.head)
      old.order[where->index - old.base] = line::nobody;
  }
  use_code(room, happened.code, happened.slot);
  stand_at_end(room, happened.slot, happened.tier);
  advance_head(room, room.lines[where->tier]);
}

namespace {

/// Finds slots in the order in which the tick looks at them: tier by tier, from each head on.
class walk {
public:
  explicit walk(const state& room) : room_{room} {}

  std::optional<place_in_line> find(slot_t slot) {
    if (const auto early = room_.early_places.find(slot); early != room_.early_places.end())
      return early->second;
    for (; tier_ <= room_.general_tier(); ++tier_, begun_ = false) {
      const auto& those = room_.lines[tier_];
      if (!std::exchange(begun_, true))
        index_ = those.head;
      for (; index_ < those.end(); ++index_)
        if (those.order[index_ - those.base] == slot)
          return place_in_line{tier_, index_};
    }
    return std::nullopt;
  }

private:
  const state& room_;
  std::uint8_t tier_ = 0;
  slot_t index_ = 0;
  bool begun_ = false;
};

} // namespace

void change(state& room, const event::fans_passed_over& happened, time_ms at) {
  walk along{room};
  for (const auto slot : happened.slots) {
    const auto where = along.find(slot);
    if (!expect(where && room.status_of(slot) == ticket_status::waiting))
      continue;
    leave_line(room, slot);
    room.tickets[slot] = ticket_status::absent;
    const auto until = at + room.set.claim_ttl_ms;
    room.claims.emplace(slot, claim{until, *where});
    room.claim_deadlines.emplace(until, slot);
  }
  advance_heads(room);
}

void change(state& room, const event::fans_returned& happened, time_ms) {
  for (const auto slot : happened.slots) {
    const auto found = room.claims.find(slot);
    if (!expect(found != room.claims.end()))
      continue;
    const auto where = found->second.from;
    drop_claim(room, slot);
    stand_early(room, slot, where);
  }
}

void change(state& room, const event::fan_reentered& happened, time_ms) {
  const auto found = room.chances.find(happened.slot);
  if (!expect(found != room.chances.end()))
    return;
  const auto where = found->second.from;
  drop_chance(room, happened.slot);
  room.reentered.insert(happened.slot);
  stand_early(room, happened.slot, where);
  // Who lost this place to another fan in the same batch may have one of its own, told before.
  const auto& who = room.identities[happened.slot];
  if (!who.is_none() && !room.place_of(who))
    room.index.put(happened.slot, room.identities, room.tickets);
}

namespace {

/// Whoever is admitted is early, or first of a line.
std::optional<place_in_line> first_place(state& room, slot_t slot) {
  if (const auto found = room.early_places.find(slot); found != room.early_places.end())
    return found->second;
  for (std::uint8_t tier = 0; tier <= room.general_tier(); ++tier) {
    auto& those = room.lines[tier];
    advance_head(room, those);
    if (those.head < those.end() && those.order[those.head - those.base] == slot)
      return place_in_line{tier, those.head};
  }
  return std::nullopt;
}

void count_in_ramp(state& room, std::size_t fans, time_ms at) {
  const auto tick = at / std::max<duration_ms>(room.set.tick_ms, 1);
  room.ramp_used = (tick == room.ramp_tick ? room.ramp_used : 0) + static_cast<std::uint32_t>(fans);
  room.ramp_tick = tick;
}

} // namespace

void change(state& room, const event::fans_admitted& happened, time_ms at) {
  for (const auto slot : happened.slots) {
    const auto where = first_place(room, slot);
    if (!expect(where && room.status_of(slot) == ticket_status::waiting))
      continue;
    leave_line(room, slot);
    room.tickets[slot] = ticket_status::admitted;
    room.admissions.emplace(slot, admission{at, happened.until, 0, false, *where});
    room.deadlines.emplace(happened.until, slot);
  }
  count_in_ramp(room, happened.slots.size(), at);
  room.credit_micro = happened.credit_left_micro;
  room.credit_at = at;
  advance_heads(room);
}

void change(state& room, const event::admission_kept& happened, time_ms) {
  const auto held = room.admissions.find(happened.slot);
  if (!expect(held != room.admissions.end()))
    return;
  room.deadlines.erase({held->second.deadline(), happened.slot});
  held->second.busy_until = happened.busy_until;
  held->second.spent = happened.spent;
  room.deadlines.emplace(held->second.deadline(), happened.slot);
}

void change(state& room, const event::tickets_ended& happened, time_ms at) {
  for (const auto slot : happened.slots)
    end_ticket(room, slot, happened.reason, at);
  advance_heads(room);
}

void change(state& room, const event::ticket_revoked& happened, time_ms at) {
  end_ticket(room, happened.slot, end_reason::revoked, at);
  advance_heads(room);
}

void change(state& room, const event::wish_set& happened, time_ms) {
  if (happened.wanted)
    room.wishes.insert_or_assign(happened.slot, *happened.wanted);
  else
    room.wishes.erase(happened.slot);
}

void change(state& room, const event::wish_answered& happened, time_ms) {
  room.wishes.erase(happened.slot);
}

} // namespace usher::waiting_room::applying

#include "actors/waiting_room/applying.hpp"

#include <cassert>

namespace usher::waiting_room::applying {
namespace {

bool waits_at(const state& room, const line& those, slot_t index) {
  const auto slot = those.order[index - those.base];
  return slot != line::nobody && room.tickets[slot] == ticket_status::waiting;
}

} // namespace

bool expect(bool holds) {
  assert(holds);
  return holds;
}

// ---- lines

void advance_head(const state& room, line& those) {
  while (those.head < those.end() && !waits_at(room, those, those.head))
    ++those.head;
}

void advance_heads(state& room) {
  for (std::uint8_t tier = 0; tier <= room.general_tier(); ++tier)
    advance_head(room, room.lines[tier]);
}

void empty_line(line& those) {
  those.base = those.head = those.end();
  those.order = {};
  those.early.clear();
}

void stand_at_end(state& room, slot_t slot, std::uint8_t tier) {
  room.lines[tier].order.push_back(slot);
  room.tiers[slot] = tier;
  room.tickets[slot] = ticket_status::waiting;
  ++room.waiting;
}

void stand_early(state& room, slot_t slot, place_in_line where) {
  room.lines[where.tier].early.emplace(where.index, slot);
  room.early_places.emplace(slot, where);
  room.tickets[slot] = ticket_status::waiting;
  ++room.waiting;
}

void leave_line(state& room, slot_t slot) {
  --room.waiting;
  const auto found = room.early_places.find(slot);
  if (found == room.early_places.end())
    return;
  room.lines[found->second.tier].early.erase(found->second.index);
  room.early_places.erase(found);
}

// ---- claims, chances, admissions

void drop_claim(state& room, slot_t slot) {
  const auto found = room.claims.find(slot);
  if (!expect(found != room.claims.end()))
    return;
  room.claim_deadlines.erase({found->second.until, slot});
  room.claims.erase(found);
}

void drop_chance(state& room, slot_t slot) {
  const auto found = room.chances.find(slot);
  if (found == room.chances.end())
    return;
  room.chance_deadlines.erase({found->second.until, slot});
  room.chances.erase(found);
  const auto named = room.chance_of.find(room.identities[slot]);
  if (named != room.chance_of.end() && named->second == slot)
    room.chance_of.erase(named);
}

namespace {

void forget_old_chances(state& room, time_ms at) {
  while (!room.chance_deadlines.empty() && room.chance_deadlines.begin()->first <= at)
    drop_chance(room, room.chance_deadlines.begin()->second);
}

void give_chance(state& room, slot_t slot, place_in_line from, time_ms at) {
  forget_old_chances(room, at);
  if (!room.set.reentry_grace_ms || room.reentered.contains(slot))
    return;
  const auto until = at + *room.set.reentry_grace_ms;
  room.chances.emplace(slot, second_chance{until, from});
  room.chance_deadlines.emplace(until, slot);
  if (!room.identities[slot].is_none())
    room.chance_of.insert_or_assign(room.identities[slot], slot);
}

} // namespace

void end_ticket(state& room, slot_t slot, end_reason reason, time_ms at) {
  const auto status = room.status_of(slot);
  if (!expect(is_live(status)))
    return;
  if (status == ticket_status::waiting) {
    leave_line(room, slot);
  } else if (status == ticket_status::absent) {
    drop_claim(room, slot);
  } else {
    const auto held = room.admissions.find(slot);
    if (!expect(held != room.admissions.end()))
      return;
    if (reason == end_reason::expired || reason == end_reason::idle)
      give_chance(room, slot, held->second.from, at);
    room.deadlines.erase({held->second.deadline(), slot});
    room.admissions.erase(held);
  }
  room.wishes.erase(slot);
  room.tickets[slot] = status_after(reason);
}

} // namespace usher::waiting_room::applying

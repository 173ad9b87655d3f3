#include "actors/waiting_room/rules.hpp"

#include <cassert>

// What each event changes. A contradiction is a bug or a damaged log: an assert stops it in a build
// that has asserts; without them the contradictory part is skipped, so nothing is written astray.
namespace usher::waiting_room {
namespace {

[[nodiscard]] bool expect(bool holds) {
  assert(holds);
  return holds;
}

void advance_head(state& room) {
  while (room.head < room.joined() && room.tickets[room.head] != ticket_status::waiting)
    ++room.head;
}

/// Takes a live ticket out of the lane or out of the admissions and gives it its new status.
void take_out(state& room, slot_t slot, ticket_status after) {
  if (room.status_of(slot) == ticket_status::waiting) {
    --room.waiting;
  } else {
    const auto held = room.admissions.find(slot);
    if (!expect(held != room.admissions.end()))
      return;
    room.deadlines.erase({held->second.deadline(), slot});
    room.admissions.erase(held);
  }
  room.tickets[slot] = after;
}

void change(state& room, const event::room_configured& happened, time_ms at) {
  // What has accrued under the old rate stays, but no more than the new settings would store.
  const auto accrued = room.credit_micro_at(at);
  room.set = happened.to;
  room.credit_micro = std::min(accrued, credit_cap_micro(room.set));
  room.credit_at = at;
}

void change(state& room, const event::room_opened&, time_ms at) {
  if (!expect(room.status == room_status::off))
    return;
  room.status = room_status::open;
  room.credit_micro = 0;
  room.credit_at = at;
}

void change(state& room, const event::room_closed&, time_ms) {
  if (!expect(room.status == room_status::open))
    return;
  room.status = room_status::off;
  room.lane_start = room.head = room.joined();
  room.waiting = 0;
  room.admissions.clear();
  room.deadlines.clear();
  room.index.clear();
  room.seconds = {};
}

bool is_consistent(const state& room, const event::fans_joined& happened) {
  const auto count = happened.nonces.size();
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == count; };
  return room.status == room_status::open && happened.first == room.joined() &&
         count <= slots_max - room.joined() && fits(happened.customers) && fits(happened.keys);
}

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
    room.tickets.push_back(ticket_status::waiting);
    room.identities.push_back(customer.is_none() ? key : customer);
    if (!room.identities[slot].is_none())
      room.index.put(slot, room.identities, room.tickets);
    if (!customer.is_none() && !key.is_none() && key != customer)
      room.seconds.insert_or_assign(key, slot);
    ++room.waiting;
  }
}

void change(state& room, const event::fan_identified& happened, time_ms) {
  if (expect(is_live(room.status_of(happened.slot)) && !happened.who.is_none()))
    room.seconds.insert_or_assign(happened.who, happened.slot);
}

void change(state& room, const event::fans_admitted& happened, time_ms at) {
  for (const auto slot : happened.slots) {
    if (!expect(room.status_of(slot) == ticket_status::waiting))
      continue;
    take_out(room, slot, ticket_status::admitted);
    room.admissions.emplace(slot, admission{happened.until, 0, false});
    room.deadlines.emplace(happened.until, slot);
  }
  room.credit_micro = happened.credit_left_micro;
  room.credit_at = at;
  advance_head(room);
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

void change(state& room, const event::tickets_ended& happened, time_ms) {
  for (const auto slot : happened.slots)
    if (expect(is_live(room.status_of(slot))))
      take_out(room, slot, status_after(happened.reason));
  advance_head(room);
}

} // namespace

void apply(state& room, const any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { change(room, one, at); }, happened);
}

} // namespace usher::waiting_room

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

// ---- lines

bool waits_at(const state& room, const line& those, slot_t index) {
  const auto slot = those.order[index - those.base];
  return slot != line::nobody && room.tickets[slot] == ticket_status::waiting;
}

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

/// Takes somebody present out of the line; says where that was, if it is known without looking for
/// it.
std::optional<place_in_line> leave_line(state& room, slot_t slot) {
  --room.waiting;
  const auto found = room.early_places.find(slot);
  if (found == room.early_places.end())
    return std::nullopt;
  const auto where = found->second;
  room.lines[where.tier].early.erase(where.index);
  room.early_places.erase(found);
  return where;
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

/// Takes a live ticket out of the queue or out of the admissions and gives it its last status.
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

// ---- the room

void change(state& room, const event::room_configured& happened, time_ms at) {
  // What has accrued under the old rate stays, but no more than the new settings would store.
  const auto accrued = room.credit_micro_at(at);
  room.set = happened.to;
  room.credit_micro = std::min(accrued, credit_cap_micro(room.set));
  room.credit_at = at;
}

void change(state& room, const event::room_scheduled& happened, time_ms) {
  if (!expect(room.mode == room_mode::off || room.mode == room_mode::scheduled))
    return;
  room.mode = room_mode::scheduled;
  room.commitment = happened.commitment;
  room.beacon.clear();
  ++room.draws_scheduled;
}

void change(state& room, const event::room_unscheduled&, time_ms) {
  if (expect(room.mode == room_mode::scheduled))
    room.mode = room_mode::off;
}

void change(state& room, const event::prequeue_opened&, time_ms) {
  if (expect(room.mode == room_mode::scheduled))
    room.mode = room_mode::prequeue;
}

void change(state& room, const event::beacon_given& happened, time_ms) {
  room.beacon = happened.value;
}

void change(state& room, const event::places_drawn& happened, time_ms) {
  if (!expect(room.mode == room_mode::scheduled || room.mode == room_mode::prequeue) ||
      !expect(happened.order.size() == room.waiting))
    return;
  const auto participants = draw_participants(room);
  auto next = happened.order.begin();
  for (std::uint8_t tier = 0; tier <= room.general_tier(); ++tier) {
    auto& those = room.lines[tier];
    empty_line(those);
    for (std::size_t left = participants[tier].size(); left > 0; --left)
      those.order.push_back(*next++);
  }
  room.drawn_below = room.joined();
}

void begin_admitting(state& room, room_mode mode, time_ms at) {
  room.mode = mode;
  room.paused = false;
  room.opened_at = at;
  room.credit_at = at;
}

void change(state& room, const event::room_opened&, time_ms at) {
  if (!expect(room.mode != room_mode::open))
    return;
  const bool goes_on = room.mode == room_mode::standby;
  const auto credit = goes_on ? room.credit_micro_at(at) : 0;
  begin_admitting(room, room_mode::open, at);
  room.credit_micro = credit;
}

void change(state& room, const event::room_put_on_standby&, time_ms at) {
  if (!expect(room.mode == room_mode::off || room.mode == room_mode::open))
    return;
  // Whoever comes first must not wait for credit; but a room that was closed a moment ago has not
  // more of it than one that was not, or closing would be a way past the rate.
  const auto credit = room.credit_micro_at(at);
  begin_admitting(room, room_mode::standby, at);
  room.credit_micro = credit;
}

void change(state& room, const event::room_paused&, time_ms) {
  if (expect(room.mode == room_mode::open && !room.paused))
    room.paused = true;
}

void change(state& room, const event::room_resumed&, time_ms) {
  if (expect(room.mode == room_mode::open && room.paused))
    room.paused = false;
}

void change(state& room, const event::stock_changed& happened, time_ms) {
  room.left = happened.left;
}

/// A code is spent by an admission, not by a place that the room took back.
void give_codes_back(state& room) {
  for (auto& [code, each] : room.codes)
    if (each.used_by) {
      // Whoever waits again had an admission.
      const bool never_in = !room.reentered.contains(*each.used_by);
      if (never_in && stands(room.status_of(*each.used_by)))
        each.used_by.reset();
    }
}

void change(state& room, const event::room_closed&, time_ms) {
  if (!expect(room.mode != room_mode::off))
    return;
  give_codes_back(room);
  room.mode = room_mode::off;
  room.paused = false;
  room.left = stock::on_sale;
  room.set.opens_at.reset();
  room.beacon.clear();
  room.lane_start = room.joined();
  room.waiting = 0;
  for (auto& each : room.lines)
    empty_line(each);
  room.admissions.clear();
  room.deadlines.clear();
  room.claims.clear();
  room.claim_deadlines.clear();
  room.early_places.clear();
  room.chances.clear();
  room.chance_deadlines.clear();
  room.chance_of.clear();
  room.reentered.clear();
  room.wishes.clear();
  room.index.clear();
  room.seconds = {};
  room.seconds_of = {};
  room.customers = {};
  room.drawn_below = 0;
}

void change(state& room, const event::codes_added& happened, time_ms) {
  const auto batch = static_cast<std::uint32_t>(room.code_batches.size());
  room.code_batches.push_back({happened.batch, happened.tier, happened.single_use,
                               happened.valid_from, happened.valid_until});
  for (const auto& code : happened.codes)
    room.codes.emplace(code, access_code{batch});
}

void change(state&, const event::message_set&, time_ms) {} // only readers ask for it

// ---- fans

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
  const auto& who = room.identities[happened.slot];
  if (!who.is_none())
    room.index.put(happened.slot, room.identities, room.tickets);
}

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

} // namespace

void apply(state& room, const any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { change(room, one, at); }, happened);
}

} // namespace usher::waiting_room

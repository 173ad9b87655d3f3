#include "actors/waiting_room/applying.hpp"
#include "actors/waiting_room/rules.hpp"

// What the events of a room change; those of fans are in apply_fans.cpp.
namespace usher::waiting_room {
namespace applying {

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

namespace {

void begin_admitting(state& room, room_mode mode, time_ms at) {
  room.mode = mode;
  room.paused = false;
  room.opened_at = at;
  room.credit_at = at;
}

} // namespace

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

namespace {

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

} // namespace

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

} // namespace applying

void apply(state& room, const any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { applying::change(room, one, at); }, happened);
}

} // namespace usher::waiting_room

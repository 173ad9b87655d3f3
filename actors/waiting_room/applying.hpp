#pragma once

#include "actors/waiting_room/state.hpp"

// How apply.cpp (the room) and apply_fans.cpp change a state. A contradiction is a bug or a damaged
// log: an assert stops it in a build that has asserts; without them the contradictory part is
// skipped, so nothing is written astray.
namespace usher::waiting_room::applying {

/// Asserts, and says whether to go on.
[[nodiscard]] bool expect(bool holds);

// Lines
void advance_head(const state& room, line& those);
void advance_heads(state& room);
void empty_line(line& those);
void stand_at_end(state& room, slot_t slot, std::uint8_t tier);
void stand_early(state& room, slot_t slot, place_in_line where);
void leave_line(state& room, slot_t slot); ///< of somebody present

void drop_claim(state& room, slot_t slot);
void drop_chance(state& room, slot_t slot);

/// Takes a live ticket out of the queue or out of the admissions and gives it its last status.
void end_ticket(state& room, slot_t slot, end_reason reason, time_ms at);

// One for each event.
void change(state& room, const event::room_configured& happened, time_ms at);
void change(state& room, const event::room_scheduled& happened, time_ms at);
void change(state& room, const event::room_unscheduled& happened, time_ms at);
void change(state& room, const event::prequeue_opened& happened, time_ms at);
void change(state& room, const event::beacon_given& happened, time_ms at);
void change(state& room, const event::places_drawn& happened, time_ms at);
void change(state& room, const event::room_opened& happened, time_ms at);
void change(state& room, const event::room_put_on_standby& happened, time_ms at);
void change(state& room, const event::room_paused& happened, time_ms at);
void change(state& room, const event::room_resumed& happened, time_ms at);
void change(state& room, const event::stock_changed& happened, time_ms at);
void change(state& room, const event::room_closed& happened, time_ms at);
void change(state& room, const event::codes_added& happened, time_ms at);
void change(state& room, const event::message_set& happened, time_ms at);
void change(state& room, const event::fans_joined& happened, time_ms at);
void change(state& room, const event::fan_identified& happened, time_ms at);
void change(state& room, const event::fan_promoted& happened, time_ms at);
void change(state& room, const event::fans_passed_over& happened, time_ms at);
void change(state& room, const event::fans_returned& happened, time_ms at);
void change(state& room, const event::fan_reentered& happened, time_ms at);
void change(state& room, const event::fans_admitted& happened, time_ms at);
void change(state& room, const event::admission_kept& happened, time_ms at);
void change(state& room, const event::tickets_ended& happened, time_ms at);
void change(state& room, const event::ticket_revoked& happened, time_ms at);
void change(state& room, const event::wish_set& happened, time_ms at);
void change(state& room, const event::wish_answered& happened, time_ms at);

} // namespace usher::waiting_room::applying

#pragma once

#include "storage/audit/batch_audit.hpp"
#include "storage/audit/room.hpp"

#include <string>
#include <utility>
#include <vector>

namespace usher::storage::audit {

/// One event of a room: judged against the room as it was, then taken into it as it stands. Four
/// files share the work; each says which part is its.
class room_judge {
public:
  /// `after_draw`: the event directly before, of the same batch, was the draw.
  room_judge(room& where, const show_id& id, batch_audit& together, const spot& here,
             bool after_draw)
      : room_{where}, id_{id}, together_{together}, here_{here}, after_draw_{after_draw} {}

  // room_states.cpp: what operators and the clock do
  void take(const waiting_room::event::room_configured& e);
  void take(const waiting_room::event::room_scheduled& e);
  void take(const waiting_room::event::room_unscheduled& e);
  void take(const waiting_room::event::prequeue_opened& e);
  void take(const waiting_room::event::room_opened& e);
  void take(const waiting_room::event::room_put_on_standby& e);
  void take(const waiting_room::event::room_paused& e);
  void take(const waiting_room::event::room_resumed& e);
  void take(const waiting_room::event::stock_changed& e);
  void take(const waiting_room::event::room_closed& e);
  void take(const waiting_room::event::message_set&) {}

  // room_draw.cpp: the draw
  void take(const waiting_room::event::beacon_given& e);
  void take(const waiting_room::event::places_drawn& e);

  // room_queue.cpp: who waits, where, and with which code
  void take(const waiting_room::event::fans_joined& e);
  void take(const waiting_room::event::fan_identified& e);
  void take(const waiting_room::event::codes_added& e);
  void take(const waiting_room::event::fan_promoted& e);
  void take(const waiting_room::event::fans_passed_over& e);
  void take(const waiting_room::event::fans_returned& e);
  void take(const waiting_room::event::fan_reentered& e);
  void take(const waiting_room::event::wish_set& e);

  // room_admissions.cpp: who is admitted, and how tickets end
  void take(const waiting_room::event::fans_admitted& e);
  void take(const waiting_room::event::admission_kept& e);
  void take(const waiting_room::event::tickets_ended& e);
  void take(const waiting_room::event::ticket_revoked& e);
  void take(const waiting_room::event::wish_answered& e);

private:
  [[nodiscard]] time_ms at() const { return here_.at(); }
  void report(fault what, std::string sentence) const { here_.report(what, std::move(sentence)); }
  bool exists(slot_t slot) const;
  [[nodiscard]] bool has_state(slot_t slot, ticket_state wanted) const {
    return room_.state_of(slot) == wanted;
  }

  // room_states.cpp
  void wrong_state(const std::string& what) const;
  void judge_settings(const waiting_room::settings& to) const;
  void begin_admitting(room_mode mode);
  void give_codes_back();

  // room_draw.cpp
  void stand_as_drawn(const std::vector<slot_t>& order,
                      const std::vector<std::vector<slot_t>>& by_tier);

  // room_queue.cpp
  void judge_join(std::size_t fans) const;
  void judge_code(const identity& code, std::size_t tier, slot_t slot) const;
  void use_code(const identity& code, slot_t slot);

  // room_admissions.cpp
  void judge_state_for_admitting() const;
  void judge_turn(slot_t slot);
  void judge_who(const std::vector<identity>& column, std::size_t entry, slot_t slot) const;
  void judge_limits(const waiting_room::event::fans_admitted& e);
  void judge_rate(std::size_t fans);
  void judge_ramp(std::size_t fans);
  void judge_end(slot_t slot, waiting_room::end_reason reason) const;
  void end(slot_t slot, waiting_room::end_reason reason);
  void give_chance(slot_t slot);

  room& room_;
  const show_id& id_;
  batch_audit& together_;
  const spot& here_;
  bool after_draw_;
};

/// `ticket 7`
[[nodiscard]] std::string ticket(slot_t slot);

} // namespace usher::storage::audit

#include "storage/audit/room_audit.hpp"

#include "storage/audit/names.hpp"
#include "storage/audit/room_judge.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace {

namespace event = waiting_room::event;
using waiting_room::any_event;

template <class Event>
bool is_a(const any_event& happened) {
  return std::holds_alternative<Event>(happened);
}

std::uint64_t queued(const room& where) {
  return where.waiting + where.claims.size();
}

/// What the decision about a batch of joins consists of, after the joins themselves.
bool belongs_to_joins(const any_event& happened) {
  if (const auto* ended = std::get_if<event::tickets_ended>(&happened))
    return ended->reason == waiting_room::end_reason::merged;
  return is_a<event::fans_admitted>(happened) || is_a<event::fan_promoted>(happened) ||
         is_a<event::fan_reentered>(happened) || is_a<event::fan_identified>(happened);
}

void settle_passed(room& where) {
  if (!where.passed)
    return;
  const auto first = where.first();
  if (first && where.place_of(*first) < where.passed->last)
    where.passed->here.report(fault::passed_over_out_of_turn,
                              "Somebody was passed over although " + ticket(*first) +
                                  ", who stands before, was neither passed over nor admitted.");
  where.passed.reset();
}

void settle_arrived(room& where) {
  if (where.arrived && where.arrived->too_many > 0)
    where.arrived->here.report(fault::over_max_queue,
                               std::to_string(where.arrived->too_many) +
                                   " more fans joined than the queue may hold, which is " +
                                   std::to_string(where.set.max_queue) + ".");
  where.arrived.reset();
}

/// Before an event: judges what the one before it left open, unless this one explains it.
void settle_before(room& where, const any_event& happened, bool same_batch) {
  const bool admits = same_batch && is_a<event::fans_admitted>(happened);
  if (!admits) {
    settle_passed(where);
    where.fresh.reset();
  }
  if (!same_batch || !belongs_to_joins(happened))
    settle_arrived(where);
}

} // namespace

bool room_judge::exists(slot_t slot) const {
  if (slot < room_.joined())
    return true;
  report(fault::ticket_unknown, "There is no " + ticket(slot) + ".");
  return false;
}

std::string ticket(slot_t slot) {
  return "ticket " + std::to_string(slot);
}

void take(room& where, const show_id& id, const any_event& happened, batch_audit& together,
          const spot& here) {
  const bool same_batch = where.batch == here.batch();
  settle_before(where, happened, same_batch);
  where.batch = here.batch();
  const bool after_draw = std::exchange(where.drawn_just_now, false) && same_batch;
  const auto before = queued(where);
  room_judge judge{where, id, together, here, after_draw};
  std::visit([&](const auto& e) { judge.take(e); }, happened);
  if (is_a<event::fans_admitted>(happened)) {
    settle_passed(where);
    where.fresh.reset();
  }
  if (where.arrived && queued(where) < before)
    where.arrived->too_many -= std::min(where.arrived->too_many, before - queued(where));
}

void settle(room& where) {
  settle_passed(where);
  settle_arrived(where);
}

std::string no_admission(const room& where, std::optional<slot_t> owner, time_ms at) {
  if (!where.is_on())
    return {};
  if (!owner)
    return "nobody's admission is named, and the room is " + std::string{status_of(where)};
  const auto found = where.active.find(*owner);
  if (found == where.active.end())
    return ticket(*owner) + " has no admission";
  if (at >= found->second.over_at())
    return "the admission of " + ticket(*owner) + " was over at " +
           time_text(found->second.over_at());
  return {};
}

} // namespace usher::storage::audit

#include "actors/waiting_room/rules.hpp"

#include "actors/waiting_room/joining.hpp"

#include <utility>

// What fans may do. Operators are in rules_operate.cpp, the tick in rules_tick.cpp, joins, the
// longest rule, in joining.cpp; what it all changes in apply.cpp.
namespace usher::waiting_room {
namespace {

using events = std::vector<any_event>;

template <class Event>
decision one(Event happened) {
  events only;
  only.emplace_back(std::move(happened));
  return only;
}

decision nothing() {
  return events{};
}

const admission* admission_of(const state& room, slot_t slot) {
  const auto found = room.admissions.find(slot);
  return found == room.admissions.end() ? nullptr : &found->second;
}

} // namespace

join_decision decide(const state& room, const command::join& asked) {
  joining batch{room, asked.fans.size(), asked.now};
  for (const auto& fan : asked.fans)
    batch.add(fan);
  return std::move(batch).decided();
}

decision decide(const state& room, const command::enter& asked) {
  if (room.mode == room_mode::off)
    return nothing();
  const auto* const held = asked.slot ? admission_of(room, *asked.slot) : nullptr;
  if (held == nullptr || asked.now >= held->deadline())
    return rejection::not_admitted;
  if (asked.busy_until <= held->busy_until)
    return nothing();
  return one(event::admission_kept{*asked.slot, asked.busy_until, held->spent});
}

decision decide(const state& room, const command::settle& asked) {
  const auto* const held = admission_of(room, asked.slot);
  if (room.mode == room_mode::off || held == nullptr)
    return nothing();
  const auto spent = held->spent || asked.paid;
  const bool over = !room.set.fixed_length || held->until <= asked.now;
  if (spent && asked.busy_until <= asked.now && over)
    return one(event::tickets_ended{end_reason::used, {asked.slot}});
  if (spent == held->spent && asked.busy_until == held->busy_until)
    return nothing();
  return one(event::admission_kept{asked.slot, asked.busy_until, spent});
}

decision decide(const state& room, const command::settle_all& asked) {
  std::vector<any_event> all;
  for (const auto& one_of_them : asked.each) {
    const auto decided = decide(room, one_of_them);
    const auto& events = std::get<std::vector<any_event>>(decided); // settle is never refused
    all.insert(all.end(), events.begin(), events.end());
  }
  return all;
}

decision decide(const state& room, const command::leave& asked) {
  const auto status = room.status_of(asked.slot);
  if (status == ticket_status::unknown)
    return rejection::unknown_ticket;
  if (!is_live(status))
    return rejection::already_ended;
  if (asked.revoked)
    return one(event::ticket_revoked{asked.slot, *asked.revoked});
  return one(event::tickets_ended{end_reason::left, {asked.slot}});
}

decision decide(const state& room, const command::set_wish& asked) {
  const auto status = room.status_of(asked.slot);
  if (status == ticket_status::unknown)
    return rejection::unknown_ticket;
  if (!is_live(status))
    return rejection::already_ended;
  if (status == ticket_status::admitted)
    return rejection::not_waiting;
  const auto found = room.wishes.find(asked.slot);
  const auto now = found == room.wishes.end() ? std::nullopt : std::optional{found->second};
  return now == asked.wanted ? nothing() : one(event::wish_set{asked.slot, asked.wanted});
}

decision decide(const state& room, const command::answer_wish& asked) {
  const bool open =
      room.wishes.contains(asked.slot) && room.status_of(asked.slot) == ticket_status::admitted;
  return open ? one(event::wish_answered{asked.slot, asked.hold, asked.reason}) : nothing();
}

} // namespace usher::waiting_room

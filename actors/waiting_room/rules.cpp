#include "actors/waiting_room/rules.hpp"

#include "actors/waiting_room/joining.hpp"

#include <utility>

// What may happen. What it changes is in apply.cpp; joins, the longest rule, in joining.cpp.
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

/// Ends admissions whose deadline has come; says how many.
std::size_t end_overdue(const state& room, time_ms now, events& into) {
  event::tickets_ended used{end_reason::used, {}};
  event::tickets_ended expired{end_reason::expired, {}};
  for (const auto& [deadline, slot] : room.deadlines) {
    if (deadline > now)
      break;
    (room.admissions.at(slot).spent ? used : expired).slots.push_back(slot);
  }
  const auto count = used.slots.size() + expired.slots.size();
  if (!used.slots.empty())
    into.emplace_back(std::move(used));
  if (!expired.slots.empty())
    into.emplace_back(std::move(expired));
  return count;
}

/// The least of the rate, the free capacity, the ramp and those who wait.
std::uint64_t how_many(const state& room, std::uint64_t credit_micro, std::uint64_t active) {
  auto count = std::min<std::uint64_t>(credit_micro / 1'000'000, room.waiting);
  if (const auto most = room.set.max_active)
    count = std::min(count, *most > active ? *most - active : 0);
  if (const auto most = room.set.max_per_tick)
    count = std::min<std::uint64_t>(count, *most);
  return count;
}

} // namespace

decision decide(const state& room, const command::configure& asked) {
  return asked.to == room.set ? nothing() : one(event::room_configured{asked.to});
}

decision decide(const state& room, const command::open&) {
  return room.status == room_status::open ? nothing() : one(event::room_opened{});
}

decision decide(const state& room, const command::close&) {
  return room.status == room_status::off ? nothing() : one(event::room_closed{});
}

join_decision decide(const state& room, const command::join& asked) {
  joining batch{room, asked.fans.size(), asked.now};
  for (const auto& fan : asked.fans)
    batch.add(fan);
  return std::move(batch).decided();
}

decision decide(const state& room, const command::tick& asked) {
  events happened;
  if (room.status != room_status::open)
    return happened;
  const auto ended = end_overdue(room, asked.now, happened);
  const auto credit = room.credit_micro_at(asked.now);
  const auto count = how_many(room, credit, room.admissions.size() - ended);
  if (count == 0)
    return happened;
  event::fans_admitted admitted;
  admitted.slots.reserve(count);
  for (auto slot = room.head; admitted.slots.size() < count; ++slot)
    if (room.tickets[slot] == ticket_status::waiting)
      admitted.slots.push_back(slot);
  admitted.until = asked.now + room.set.admission_ttl_ms;
  admitted.credit_left_micro = credit - count * 1'000'000;
  happened.emplace_back(std::move(admitted));
  return happened;
}

decision decide(const state& room, const command::enter& asked) {
  if (room.status == room_status::off)
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
  if (room.status == room_status::off || held == nullptr)
    return nothing();
  const auto spent = held->spent || asked.paid;
  if (spent && asked.busy_until <= asked.now)
    return one(event::tickets_ended{end_reason::used, {asked.slot}});
  if (spent == held->spent && asked.busy_until == held->busy_until)
    return nothing();
  return one(event::admission_kept{asked.slot, asked.busy_until, spent});
}

decision decide(const state& room, const command::leave& asked) {
  const auto status = room.status_of(asked.slot);
  if (status == ticket_status::unknown)
    return rejection::unknown_ticket;
  if (!is_live(status))
    return rejection::already_ended;
  return one(event::tickets_ended{end_reason::left, {asked.slot}});
}

} // namespace usher::waiting_room

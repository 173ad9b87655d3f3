// Who is admitted, within which limits, and how tickets end.

#include "storage/audit/names.hpp"
#include "storage/audit/room_judge.hpp"

#include <algorithm>
#include <limits>

namespace usher::storage::audit {

namespace event = waiting_room::event;
using waiting_room::end_reason;
using waiting_room::stock;

namespace {

constexpr std::uint64_t fan_nano = 1'000'000'000;
constexpr auto no_bound = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > no_bound / b ? no_bound : a * b;
}
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > no_bound - b ? no_bound : a + b;
}

/// rate × tick + 1, in the bucket's unit.
std::uint64_t most_in_bucket(const waiting_room::settings& set) {
  const auto tick_ms = static_cast<std::uint64_t>(std::max<duration_ms>(set.tick_ms, 0));
  return sum(product(set.admit_per_second_micro, tick_ms), fan_nano);
}

void leak(rate_bucket& bucket, std::uint64_t rate_micro, time_ms at) {
  if (at <= bucket.at)
    return;
  const auto gone = product(rate_micro, static_cast<std::uint64_t>(at - bucket.at));
  bucket.level_nano -= std::min(gone, bucket.level_nano);
  bucket.at = at;
}

} // namespace

// ---- admitting

void room_judge::judge_state_for_admitting() const {
  switch (room_.mode) {
  case room_mode::off:
    report(fault::admitted_while_off, "Fans were admitted by a room that is OFF.");
    return;
  case room_mode::scheduled:
  case room_mode::prequeue:
    report(fault::admitted_before_opening,
           "Fans were admitted by a room that is " + std::string{status_of(room_)} + ".");
    return;
  case room_mode::open:
  case room_mode::standby:
    break;
  }
  if (room_.paused)
    report(fault::admitted_while_paused, "Fans were admitted, and an operator had paused the "
                                         "room.");
  if (room_.left != stock::on_sale)
    report(fault::admitted_while_none_left, "Fans were admitted, and no seat is on sale: " +
                                                std::string{to_string(room_.left)} + ".");
}

void room_judge::judge_turn(slot_t slot) {
  const auto next = room_.first();
  auto& fresh = room_.fresh;
  const bool is_next_fresh = fresh && fresh->next == slot;
  if (is_next_fresh)
    ++fresh->next;
  const bool at_once = is_next_fresh && fresh->nobody_waited && room_.mode == room_mode::standby;
  if (next != slot && !at_once)
    report(fault::admitted_out_of_turn,
           ticket(slot) + " was admitted before " + ticket(*next) + ", whose turn it was.");
}

void room_judge::judge_who(const std::vector<identity>& column, std::size_t entry,
                           slot_t slot) const {
  constexpr std::uint32_t first_with_who = 2;
  if (here_.schema() < first_with_who)
    return;
  const auto said = entry < column.size() ? mark_of(column[entry]) : 0;
  if (said != room_.at(slot).who)
    report(fault::admitted_as_another, ticket(slot) + " was admitted as another than who joined.");
}

void room_judge::take(const event::fans_admitted& e) {
  judge_state_for_admitting();
  for (std::size_t i = 0; i < e.slots.size(); ++i) {
    const auto slot = e.slots[i];
    if (!exists(slot))
      continue;
    if (!has_state(slot, ticket_state::waiting)) {
      report(fault::admitted_twice, ticket(slot) + " was admitted and did not wait.");
      continue;
    }
    judge_turn(slot);
    judge_who(e.who, i, slot);
    room_.leave_line(slot);
    room_.at(slot).is = ticket_state::admitted;
    room_.at(slot).was_admitted = true;
    room_.active[slot] = {at(), e.until, 0, false};
  }
  judge_limits(e);
}

// ---- limits

void room_judge::judge_limits(const event::fans_admitted& e) {
  judge_ramp(e.slots.size());
  if (const auto most = room_.set.max_active; most && room_.active.size() > *most)
    report(fault::over_capacity, std::to_string(room_.active.size()) + " admissions are active, " +
                                     std::to_string(*most) + " are allowed.");
  const auto due = at() + room_.set.admission_ttl_ms;
  if (e.until != due)
    report(fault::deadline_wrong, "The admissions last until " + time_text(e.until) +
                                      " and should last until " + time_text(due) + ".");
  judge_rate(e.slots.size());
}

void room_judge::judge_ramp(std::size_t fans) {
  auto& ramp = room_.ramp;
  const auto tick = at() / std::max<duration_ms>(room_.set.tick_ms, 1);
  ramp = {tick, tick == ramp.tick ? ramp.used + fans : fans};
  const auto in_tick = room_.mode == room_mode::standby ? ramp.used : fans;
  const auto most = room_.set.max_per_tick;
  if (!most || in_tick <= *most)
    return;
  report(fault::over_max_per_tick, std::to_string(in_tick) + " fans were admitted in one tick, " +
                                       std::to_string(*most) + " are allowed.");
}

void room_judge::judge_rate(std::size_t fans) {
  auto& bucket = room_.rate;
  leak(bucket, room_.set.admit_per_second_micro, at());
  bucket.level_nano = sum(bucket.level_nano, product(fans, fan_nano));
  const auto most = most_in_bucket(room_.set);
  if (bucket.level_nano <= most)
    return;
  report(fault::over_rate, std::to_string(fans) +
                               " more fans were admitted than the rate allows "
                               "in some window that ends here, by " +
                               std::to_string((bucket.level_nano - most) / fan_nano + 1) +
                               " or less.");
  bucket.level_nano = most; // what follows is judged by itself
}

// ---- while admitted

void room_judge::take(const event::admission_kept& e) {
  const auto found = room_.active.find(e.slot);
  if (found == room_.active.end()) {
    report(fault::admission_not_live, ticket(e.slot) + " is kept and has no admission.");
    return;
  }
  found->second.busy_until = e.busy_until;
  found->second.spent = e.spent;
}

void room_judge::take(const event::wish_answered& e) {
  if (!exists(e.slot))
    return;
  if (!has_state(e.slot, ticket_state::admitted) || !room_.at(e.slot).wishes)
    report(fault::wish_answered_wrongly,
           ticket(e.slot) + " got an answer and had no wish that is open, or is not admitted.");
  if (e.slot >= room_.base)
    room_.at(e.slot).wishes = false;
}

// ---- the end of tickets

/// Nothing is wrong with leaving and merging.
void room_judge::judge_end(slot_t slot, end_reason reason) const {
  const auto found = room_.active.find(slot);
  const auto* const held = found == room_.active.end() ? nullptr : &found->second;
  const auto& set = room_.set;
  const auto wrong = [&](fault what, const std::string& why) {
    report(what,
           ticket(slot) + " ended as " + std::string{to_string(reason)} + ", but " + why + ".");
  };
  if (reason == end_reason::expired) {
    if (held == nullptr)
      wrong(fault::expired_early, "was not admitted");
    else if (at() < held->over_at())
      wrong(fault::expired_early, "its admission lasts until " + time_text(held->over_at()));
  } else if (reason == end_reason::used) {
    if (held == nullptr)
      wrong(fault::used_early, "was not admitted");
    else if (set.fixed_length && at() < held->until)
      wrong(fault::used_early, "its admission has a fixed length, until " + time_text(held->until));
  } else if (reason == end_reason::idle) {
    if (held == nullptr)
      wrong(fault::idle_early, "was not admitted");
    else if (!set.idle_timeout_ms || set.fixed_length)
      wrong(fault::idle_early, "silence ends no admission by the settings");
    else if (at() - held->since < *set.idle_timeout_ms)
      wrong(fault::idle_early, "was admitted as late as " + time_text(held->since));
    else if (at() < held->busy_until)
      wrong(fault::idle_early, "is kept until " + time_text(held->busy_until));
  } else if (reason == end_reason::absent) {
    const auto kept = room_.claims.find(slot);
    if (kept == room_.claims.end())
      wrong(fault::absent_early, "was not passed over");
    else if (at() < kept->second.until)
      wrong(fault::absent_early, "the place is kept until " + time_text(kept->second.until));
  }
}

void room_judge::give_chance(slot_t slot) {
  auto& over = room_.chances_over;
  for (; !over.empty() && over.front().first < at(); over.pop_front()) {
    const auto old = room_.chances.find(over.front().second);
    if (old != room_.chances.end() && old->second.until == over.front().first)
      room_.chances.erase(old);
  }
  if (!room_.set.reentry_grace_ms || room_.at(slot).came_back)
    return;
  const auto until = at() + *room_.set.reentry_grace_ms;
  room_.chances[slot] = {at(), until};
  over.emplace_back(until, slot);
}

void room_judge::end(slot_t slot, end_reason reason) {
  if (has_state(slot, ticket_state::waiting))
    room_.leave_line(slot);
  room_.claims.erase(slot);
  const bool was_admitted = room_.active.erase(slot) > 0;
  if (was_admitted && (reason == end_reason::expired || reason == end_reason::idle))
    give_chance(slot);
  room_.at(slot).is = ticket_state::ended;
  room_.at(slot).wishes = false;
}

void room_judge::take(const event::tickets_ended& e) {
  for (const auto slot : e.slots) {
    if (!exists(slot))
      continue;
    if (has_state(slot, ticket_state::ended)) {
      report(fault::ticket_ended_twice, ticket(slot) + " had ended already.");
      continue;
    }
    judge_end(slot, e.reason);
    end(slot, e.reason);
  }
}

void room_judge::take(const event::ticket_revoked& e) {
  if (!exists(e.slot))
    return;
  if (has_state(e.slot, ticket_state::ended))
    report(fault::ticket_ended_twice, ticket(e.slot) + " had ended already.");
  else
    end(e.slot, end_reason::revoked);
}

} // namespace usher::storage::audit

#include "storage/audit/room_audit.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/audit/names.hpp"

#include <algorithm>
#include <limits>

namespace usher::storage::audit {

namespace {

namespace event = waiting_room::event;
using waiting_room::end_reason;

constexpr std::uint64_t fan_nano = 1'000'000'000;
constexpr auto no_bound = std::numeric_limits<std::uint64_t>::max();

std::string ticket(slot_t slot) {
  return "ticket " + std::to_string(slot);
}

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

void skip_those_gone(room& where) {
  where.head = std::max(where.head, where.closed_below);
  while (where.head < where.tickets.size() && where.tickets[where.head] != ticket_state::waiting)
    ++where.head;
}

void take_one(room& where, const event::room_configured& e, const spot& here) {
  const bool same_pace = e.to.admit_per_second_micro == where.set.admit_per_second_micro &&
                         e.to.tick_ms == where.set.tick_ms;
  if (!same_pace) // the bound is one for stretches of constant settings
    where.rate = {0, here.at()};
  where.set = e.to;
}

void take_one(room& where, const event::room_opened&, const spot& here) {
  if (where.open)
    here.report(fault::room_state_wrong, "A room that is open was opened again.");
  where.open = true;
}

void take_one(room& where, const event::room_closed&, const spot& here) {
  if (!where.open)
    here.report(fault::room_state_wrong, "A room that is off was closed.");
  where.open = false;
  where.closed_below = static_cast<slot_t>(where.tickets.size());
  where.waiting = 0;
  where.active.clear();
  skip_those_gone(where);
}

void take_one(room& where, const event::fans_joined& e, const spot& here) {
  if (!where.open)
    here.report(fault::join_while_off,
                std::to_string(e.nonces.size()) + " fans joined a room that is off.");
  if (e.first != where.tickets.size())
    here.report(fault::slots_out_of_order, "Fans joined from " + ticket(e.first) +
                                               " on, but the next free one was " +
                                               std::to_string(where.tickets.size()) + ".");
  where.tickets.insert(where.tickets.end(), e.nonces.size(), ticket_state::waiting);
  where.waiting += e.nonces.size();
}

bool exists(const room& where, slot_t slot, const spot& here) {
  if (slot < where.tickets.size())
    return true;
  here.report(fault::ticket_unknown, "There is no " + ticket(slot) + ".");
  return false;
}

void take_one(room& where, const event::fan_identified& e, const spot& here) {
  static_cast<void>(exists(where, e.slot, here));
}

void judge_turn(room& where, slot_t slot, const spot& here) {
  skip_those_gone(where);
  if (slot != where.head)
    here.report(fault::admitted_out_of_turn, ticket(slot) + " was admitted before " +
                                                 ticket(where.head) + ", who waited longer.");
}

void judge_limits(room& where, const event::fans_admitted& e, const spot& here) {
  const auto count = std::to_string(e.slots.size());
  if (const auto most = where.set.max_per_tick; most && e.slots.size() > *most)
    here.report(fault::over_max_per_tick, count + " fans were admitted in one tick, " +
                                              std::to_string(*most) + " are allowed.");
  if (const auto most = where.set.max_active; most && where.active.size() > *most)
    here.report(fault::over_capacity, std::to_string(where.active.size()) +
                                          " admissions are active, " + std::to_string(*most) +
                                          " are allowed.");
  const auto due = here.at() + where.set.admission_ttl_ms;
  if (e.until != due)
    here.report(fault::deadline_wrong, "The admissions last until " + time_text(e.until) +
                                           " and should last until " + time_text(due) + ".");
  auto& bucket = where.rate;
  leak(bucket, where.set.admit_per_second_micro, here.at());
  bucket.level_nano = sum(bucket.level_nano, product(e.slots.size(), fan_nano));
  const auto most = most_in_bucket(where.set);
  if (bucket.level_nano <= most)
    return;
  here.report(fault::over_rate, count + " more fans were admitted than the rate allows in some " +
                                    "window that ends here, by " +
                                    std::to_string((bucket.level_nano - most) / fan_nano + 1) +
                                    " or less.");
  bucket.level_nano = most; // what follows is judged by itself
}

void take_one(room& where, const event::fans_admitted& e, const spot& here) {
  if (!where.open)
    here.report(fault::admitted_while_off, "Fans were admitted by a room that is off.");
  for (const auto slot : e.slots) {
    if (!exists(where, slot, here))
      continue;
    if (where.state_of(slot) != ticket_state::waiting) {
      here.report(fault::admitted_twice, ticket(slot) + " was admitted and did not wait.");
      continue;
    }
    judge_turn(where, slot, here);
    where.tickets[slot] = ticket_state::admitted;
    --where.waiting;
    where.active[slot] = {e.until, 0, false};
  }
  judge_limits(where, e, here);
}

void take_one(room& where, const event::admission_kept& e, const spot& here) {
  const auto found = where.active.find(e.slot);
  if (found == where.active.end()) {
    here.report(fault::admission_not_live, ticket(e.slot) + " is kept and has no admission.");
    return;
  }
  found->second.busy_until = e.busy_until;
  found->second.spent = e.spent;
}

void judge_expiry(const room& where, slot_t slot, const spot& here) {
  const auto found = where.active.find(slot);
  const auto over_at = found == where.active.end() ? here.at() + 1 : found->second.over_at();
  if (here.at() < over_at)
    here.report(fault::expired_early, found == where.active.end()
                                          ? ticket(slot) + " expired before it was admitted."
                                          : ticket(slot) + " expired, its admission lasts until " +
                                                time_text(over_at) + ".");
}

void take_one(room& where, const event::tickets_ended& e, const spot& here) {
  for (const auto slot : e.slots) {
    if (!exists(where, slot, here))
      continue;
    const auto was = where.state_of(slot);
    if (was == ticket_state::ended) {
      here.report(fault::ticket_ended_twice, ticket(slot) + " had ended already.");
      continue;
    }
    if (e.reason == end_reason::expired)
      judge_expiry(where, slot, here);
    if (was == ticket_state::waiting)
      --where.waiting;
    where.active.erase(slot);
    where.tickets[slot] = ticket_state::ended;
  }
}

} // namespace

void take(room& where, const waiting_room::any_event& happened, const spot& here) {
  std::visit([&](const auto& e) { take_one(where, e, here); }, happened);
}

std::string no_admission(const room& where, std::optional<slot_t> owner, time_ms at) {
  if (!where.open)
    return {};
  if (!owner)
    return "nobody's admission is named, and the room is open";
  const auto found = where.active.find(*owner);
  if (found == where.active.end())
    return ticket(*owner) + " has no admission";
  if (at >= found->second.over_at())
    return "the admission of " + ticket(*owner) + " was over at " +
           time_text(found->second.over_at());
  return {};
}

} // namespace usher::storage::audit

#include "storage/audit/crowd.hpp"

#include "actors/basics/overloaded.hpp"

#include <algorithm>

// The waiting room; seats and orders are in crowd_seats.cpp.
namespace usher::storage::audit {

namespace event = waiting_room::event;
using waiting_room::end_reason;

void count_in(by_minute& minutes, std::size_t minute, std::uint64_t more) {
  constexpr std::size_t minutes_max = 60 * 24 * 366; // a longer opening is counted in its last
  minute = std::min(minute, minutes_max);
  if (minutes.size() <= minute)
    minutes.resize(minute + 1);
  minutes[minute] += more;
}

crowd_reader::crowd_reader() {
  now_.lines.resize(waiting_room::tiers_max + 1);
  now_.settings.emplace_back(0, waiting_room::settings{});
}

void crowd_reader::take(const stored_record& record, const place& where, const any_fact& what) {
  at_ = record.at;
  std::visit(overloaded{
                 [&](const waiting_room::any_event& e) { take(e); },
                 [&](const seating::any_event& e) { take(e, where.block); },
                 [&](const orders::any_event& e) { take(e); },
                 [](const auto&) {},
             },
             what);
  now_.last_at = std::max(now_.last_at, at_);
}

std::optional<crowd> crowd_reader::finish() && {
  for (auto& [id, it] : holds_)
    if (auto* its = want_of(it); its != nullptr && it.takes && !its->sold)
      its->lasts = it.until - it.placed_at;
  if (now_.was_opened && !now_.fans.empty())
    return std::move(now_);
  return std::move(last_);
}

// ---- who stands where

line_entry* crowd_reader::entry_of(slot_t fan) {
  const auto& who = now_.fans[fan];
  auto& its = now_.lines[who.tier];
  return who.index < its.size() && its[who.index].fan == fan ? &its[who.index] : nullptr;
}

void crowd_reader::stand_at_end(slot_t fan, std::size_t tier) {
  auto& who = now_.fans[fan];
  auto& its = now_.lines[tier];
  who.tier = static_cast<std::uint8_t>(tier);
  who.index = static_cast<std::uint32_t>(its.size());
  its.push_back({fan, at_});
}

void crowd_reader::joined(const event::fans_joined& e) {
  const auto general = std::min(now_.settings.back().second.tiers.size(), waiting_room::tiers_max);
  if (now_.fans.empty())
    base_ = e.first;
  for (std::size_t i = 0; i < e.nonces.size(); ++i) {
    const auto fan = static_cast<slot_t>(now_.fans.size());
    now_.fans.emplace_back().came = at_;
    const std::size_t tier = i < e.tiers.size() ? e.tiers[i] : general;
    stand_at_end(fan, std::min(tier, general));
  }
}

void crowd_reader::drawn(const std::vector<slot_t>& order) {
  std::vector<std::vector<line_entry>> fresh(now_.lines.size());
  for (const auto slot : order) {
    if (!is_here(slot))
      continue;
    auto& who = now_.fans[slot - base_];
    const auto* const entry = entry_of(slot - base_);
    if (entry == nullptr)
      continue;
    fresh[who.tier].push_back(*entry);
    who.index = static_cast<std::uint32_t>(fresh[who.tier].size() - 1);
  }
  // Who is not in the draw has left; nobody looks for their place any more.
  now_.lines = std::move(fresh);
}

// ---- in and out

visit* crowd_reader::open_visit(slot_t slot) {
  if (!is_here(slot))
    return nullptr;
  const auto found = now_.visits.find(slot - base_);
  if (found == now_.visits.end() || !found->second.back().cut_off)
    return nullptr;
  return &found->second.back();
}

void crowd_reader::admitted(const event::fans_admitted& e) {
  for (const auto slot : e.slots) {
    if (!is_here(slot))
      continue;
    auto& who = now_.fans[slot - base_];
    if (who.admitted == 0)
      who.admitted = at_;
    now_.visits[slot - base_].push_back({.since = at_});
    ++active_;
  }
  now_.active_most = std::max(now_.active_most, active_);
}

void crowd_reader::ended(slot_t slot, end_reason reason) {
  if (!is_here(slot))
    return;
  if (auto* its = open_visit(slot)) {
    its->stay = at_ - its->since;
    its->to_the_end = reason == end_reason::expired;
    its->cut_off = false;
    --active_;
    return;
  }
  // Of who was passed over and did not come back, the silence tells.
  if (reason == end_reason::absent)
    return;
  if (auto* entry = entry_of(slot - base_))
    entry->until = at_;
}

void crowd_reader::opened(bool standby) {
  if (!now_.was_opened)
    now_.opened_at = at_;
  now_.was_opened = true;
  now_.phases.push_back({at_, true, standby});
}

void crowd_reader::closed() {
  const auto set = now_.settings.back().second;
  const bool has_seats = now_.has_seats;
  if (now_.was_opened && !now_.fans.empty()) {
    now_.last_at = at_;
    for (auto& [id, it] : holds_)
      if (auto* its = want_of(it); its != nullptr && it.takes && !its->sold)
        its->lasts = it.until - it.placed_at;
    last_ = std::move(now_);
  }
  now_ = {};
  now_.lines.resize(waiting_room::tiers_max + 1);
  now_.settings.emplace_back(at_, set);
  now_.has_seats = has_seats;
  now_.seats = free_;
  active_ = 0;
  for (auto& [id, it] : holds_)
    it.fan.reset();
  for (auto& [id, it] : plain_orders_)
    it.fan.reset();
}

void crowd_reader::take(const waiting_room::any_event& happened) {
  const auto end_all = [&](const auto& e) {
    for (const auto slot : e.slots)
      ended(slot, e.reason);
  };
  std::visit(
      overloaded{
          [&](const event::room_configured& e) { now_.settings.emplace_back(at_, e.to); },
          [&](const event::room_opened&) { opened(false); },
          [&](const event::room_put_on_standby&) { opened(true); },
          [&](const event::room_paused&) {
            now_.phases.push_back({at_, false, false});
          },
          [&](const event::room_resumed&) {
            now_.phases.push_back({at_, true, false});
          },
          [&](const event::room_closed&) { closed(); },
          [&](const event::places_drawn& e) { drawn(e.order); },
          [&](const event::fans_joined& e) { joined(e); },
          [&](const event::fan_promoted& e) {
            if (!is_here(e.slot))
              return;
            if (auto* entry = entry_of(e.slot - base_))
              entry->until = at_;
            if (auto its = now_.silences.find(e.slot - base_);
                its != now_.silences.end() && its->second.back().until == never)
              its->second.back().until = at_; // passed over, and stands elsewhere now
            stand_at_end(e.slot - base_, std::min<std::size_t>(e.tier, waiting_room::tiers_max));
          },
          [&](const event::fans_passed_over& e) {
            for (std::size_t i = 0; i < e.slots.size() && i < e.seen.size(); ++i)
              if (is_here(e.slots[i]))
                now_.silences[e.slots[i] - base_].push_back({e.seen[i]});
          },
          [&](const event::fans_returned& e) {
            for (std::size_t i = 0; i < e.slots.size() && i < e.seen.size(); ++i)
              if (auto its = now_.silences.find(e.slots[i] - base_); its != now_.silences.end())
                its->second.back().until = e.seen[i];
          },
          [&](const event::fans_admitted& e) { admitted(e); },
          [&](const event::admission_kept& e) {
            if (auto* its = open_visit(e.slot))
              its->kept = std::max(its->kept, e.busy_until - its->since);
          },
          [&](const event::fan_reentered& e) {
            if (!is_here(e.slot))
              return;
            if (auto its = now_.visits.find(e.slot - base_); its != now_.visits.end())
              its->second.back().again_after =
                  at_ - its->second.back().since - its->second.back().stay;
          },
          [&](const event::tickets_ended& e) { end_all(e); },
          [&](const event::ticket_revoked& e) { ended(e.slot, end_reason::revoked); },
          [&](const event::stock_changed& e) {
            if (e.left == waiting_room::stock::sold_out && !now_.sold_out_at)
              now_.sold_out_at = at_;
          },
          [](const auto&) {},
      },
      happened);
}

} // namespace usher::storage::audit

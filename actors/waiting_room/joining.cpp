#include "actors/waiting_room/joining.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace usher::waiting_room {
namespace {

void drop_if_all_none(std::vector<identity>& column) {
  if (std::all_of(column.begin(), column.end(), [](const identity& who) { return who.is_none(); }))
    column.clear();
}

} // namespace

joining::joining(const state& room, std::size_t fans, time_ms now)
    : room_{room}, now_{now}, waiting_{room.waiting} {
  fresh_.first = room.joined();
  fresh_.nonces.reserve(fans);
  fresh_.customers.reserve(fans);
  fresh_.keys.reserve(fans);
  outcomes_.reserve(fans);
  bound_.reserve(fans);
}

void joining::add(const command::joiner& fan) {
  outcomes_.push_back(outcome_of(fan));
}

join_outcome joining::outcome_of(const command::joiner& fan) {
  if (room_.status == room_status::off)
    return rejection::room_off;
  const auto by_customer = place_of(fan.customer);
  const auto by_key = place_of(fan.key);
  if (!by_customer && !by_key)
    return new_place(fan);
  auto kept = by_customer ? *by_customer : *by_key;
  if (by_customer && by_key && *by_customer != *by_key) {
    // Two admissions that both hold or buy: neither can be given up for the other.
    if (is_busy(*by_customer) && is_busy(*by_key))
      return joined{*by_customer, true};
    kept = is_better(*by_customer, *by_key) ? *by_customer : *by_key;
    merge_away(kept == *by_customer ? *by_key : *by_customer);
  }
  identify(kept, fan.customer, by_customer);
  identify(kept, fan.key, by_key);
  return joined{kept, true};
}

join_outcome joining::new_place(const command::joiner& fan) {
  const auto slot = next_slot();
  if (waiting_ >= room_.set.max_queue || slot >= slots_max)
    return rejection::room_full;
  fresh_.nonces.push_back(fan.nonce);
  fresh_.customers.push_back(fan.customer);
  fresh_.keys.push_back(fan.key);
  for (const auto& who : {fan.customer, fan.key})
    if (!who.is_none())
      bound_.insert_or_assign(who, slot);
  ++waiting_;
  return joined{slot, false};
}

joining::place joining::place_of(const identity& who) {
  auto slot = place{};
  if (const auto found = bound_.find(who); found != bound_.end())
    slot = found->second;
  else
    slot = room_.place_of(who);
  if (slot)
    end_if_over(*slot);
  return slot && is_live(status_of(*slot)) ? slot : std::nullopt;
}

/// The tick has not come yet, but the time has: nobody gets a place back that does not admit.
void joining::end_if_over(slot_t slot) {
  const auto found = room_.admissions.find(slot);
  if (found != room_.admissions.end() && found->second.deadline() <= now_ &&
      !merged_.contains(slot))
    over_.emplace(slot, found->second.spent ? end_reason::used : end_reason::expired);
}

bool joining::is_busy(slot_t slot) const {
  const auto found = room_.admissions.find(slot);
  return found != room_.admissions.end() && found->second.busy_until > now_;
}

ticket_status joining::status_of(slot_t slot) const {
  if (const auto ended = over_.find(slot); ended != over_.end())
    return status_after(ended->second);
  if (merged_.contains(slot))
    return ticket_status::merged;
  return slot >= room_.joined() ? ticket_status::waiting : room_.status_of(slot);
}

bool joining::is_better(slot_t one, slot_t other) const {
  if (is_busy(one) != is_busy(other))
    return is_busy(one);
  const auto one_in = status_of(one) == ticket_status::admitted;
  const auto other_in = status_of(other) == ticket_status::admitted;
  return one_in != other_in ? one_in : one < other;
}

slot_t joining::next_slot() const {
  return fresh_.first + static_cast<slot_t>(fresh_.nonces.size());
}

void joining::merge_away(slot_t slot) {
  if (status_of(slot) == ticket_status::waiting)
    --waiting_;
  merged_.insert(slot);
  afterwards_.emplace_back(event::tickets_ended{end_reason::merged, {slot}});
}

void joining::identify(slot_t slot, const identity& who, place before) {
  if (who.is_none() || before == slot)
    return;
  bound_.insert_or_assign(who, slot);
  afterwards_.emplace_back(event::fan_identified{slot, who});
}

bool joining::is_superseded(const any_event& happened) const {
  const auto* const one = std::get_if<event::fan_identified>(&happened);
  return one != nullptr && (bound_.at(one->who) != one->slot || merged_.contains(one->slot));
}

join_decision joining::decided() && {
  // A place that was identified and then merged away may have lost the identity to a new place,
  // whose event stands first: the old identification must not come after it.
  std::erase_if(afterwards_, [&](const any_event& happened) { return is_superseded(happened); });
  join_decision all;
  all.outcomes = std::move(outcomes_);
  for (const auto& [slot, reason] : over_)
    all.events.emplace_back(event::tickets_ended{reason, {slot}});
  if (!fresh_.nonces.empty()) {
    drop_if_all_none(fresh_.customers);
    drop_if_all_none(fresh_.keys);
    all.events.reserve(all.events.size() + 1 + afterwards_.size());
    all.events.emplace_back(std::move(fresh_));
  }
  std::move(afterwards_.begin(), afterwards_.end(), std::back_inserter(all.events));
  return all;
}

} // namespace usher::waiting_room

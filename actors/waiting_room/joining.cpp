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
    : room_{room},
      now_{now},
      credit_micro_{room.credit_micro_at(now)},
      waiting_{room.waiting},
      queued_{room.queued()} {
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
  const places found{place_of(fan.customer), place_of(fan.key), by_ticket(fan.before)};
  if (found.by_customer || found.by_key || found.by_ticket)
    return old_place(fan, found);
  if (const auto no = refusal_of_room())
    return *no;
  if (const auto slot = chance_of(fan)) {
    if (const auto no = refusal_of_code(fan.code, {*slot}))
      return *no;
    reentered_.insert(*slot);
    bind_again(*slot);
    ++waiting_;
    ++queued_;
    afterwards_.emplace_back(event::fan_reentered{*slot});
    identify(*slot, fan.customer, true, std::nullopt);
    identify(*slot, fan.key, false, std::nullopt);
    return joined{*slot, true};
  }
  return new_place(fan);
}

join_outcome joining::old_place(const command::joiner& fan, const places& found) {
  std::vector<slot_t> all;
  for (const auto& slot : {found.by_customer, found.by_key, found.by_ticket})
    if (slot && std::find(all.begin(), all.end(), *slot) == all.end())
      all.push_back(*slot);
  auto kept = all.front();
  for (const auto slot : all)
    if (slot != kept && is_better(slot, kept))
      kept = slot;
  if (const auto no = refusal_of_code(fan.code, all))
    return *no;
  for (const auto slot : all)
    // Two admissions that both hold or buy: neither can be given up for the other.
    if (slot != kept && !(is_busy(slot) && is_busy(kept)))
      merge_away(slot);
  const auto name = [&](const identity& who, bool customer, place before) {
    if (!before || *before == kept || status_of(*before) == ticket_status::merged)
      identify(kept, who, customer, before);
  };
  name(fan.customer, true, found.by_customer);
  name(fan.key, false, found.by_key);
  promote(kept, fan.code);
  return joined{kept, true};
}

std::optional<rejection> joining::refusal_of_room() const {
  switch (room_.status()) {
  case room_status::off:
    return rejection::room_off;
  case room_status::scheduled:
    return rejection::not_yet;
  case room_status::ended:
    return rejection::sold_out;
  case room_status::standby:
    return room_.left == stock::sold_out ? std::optional{rejection::sold_out} : std::nullopt;
  case room_status::prequeue:
  case room_status::open:
  case room_status::paused:
    break;
  }
  return std::nullopt;
}

join_outcome joining::new_place(const command::joiner& fan) {
  if (const auto no = refusal_of_code(fan.code, {}))
    return *no;
  const auto slot = next_slot();
  if (queued_ >= room_.set.max_queue || slot >= slots_max)
    return rejection::room_full;
  fresh_.nonces.push_back(fan.nonce);
  fresh_.customers.push_back(fan.customer);
  fresh_.keys.push_back(fan.key);
  fresh_.codes.push_back(fan.code);
  fresh_.tiers.push_back(tier_of(fan.code));
  for (const auto& who : {fan.customer, fan.key})
    if (!who.is_none())
      bound_.insert_or_assign(who, slot);
  use_code(fan.code, slot);
  if (may_enter_at_once()) {
    admit_at_once(slot);
  } else {
    ++waiting_;
    ++queued_;
  }
  return joined{slot, false};
}

// ---- codes

/// `own`: the places of whoever comes with the code; a reload says again what was said before.
std::optional<rejection> joining::refusal_of_code(const identity& code,
                                                  const std::vector<slot_t>& own) const {
  if (code.is_none())
    return std::nullopt;
  const auto found = room_.codes.find(code);
  if (found == room_.codes.end())
    return rejection::code_unknown;
  const auto& batch = room_.code_batches[found->second.batch];
  if (const auto user = user_of(code)) {
    const bool mine = std::find(own.begin(), own.end(), *user) != own.end() ||
                      (!own.empty() && status_of(*user) == ticket_status::merged);
    return mine ? std::nullopt : std::optional{rejection::code_used};
  }
  const auto brings_nothing = [&](slot_t slot) { return tier_of(code) >= tier_at(slot); };
  if (std::any_of(own.begin(), own.end(), brings_nothing))
    return std::nullopt;
  if (batch.valid_from && now_ < *batch.valid_from)
    return rejection::code_not_yet;
  if (batch.valid_until && now_ >= *batch.valid_until)
    return rejection::code_expired;
  return std::nullopt;
}

/// Whose a single-use code is.
joining::place joining::user_of(const identity& code) const {
  if (const auto here = codes_used_.find(code); here != codes_used_.end())
    return here->second;
  return room_.codes.at(code).used_by;
}

std::uint8_t joining::tier_at(slot_t slot) const {
  if (const auto moved = promoted_.find(slot); moved != promoted_.end())
    return moved->second;
  return slot < fresh_.first ? room_.tiers[slot] : fresh_.tiers[slot - fresh_.first];
}

std::uint8_t joining::tier_of(const identity& code) const {
  if (code.is_none())
    return room_.general_tier();
  const auto& batch = room_.code_batches[room_.codes.at(code).batch];
  const auto& tiers = room_.set.tiers;
  return static_cast<std::uint8_t>(std::find(tiers.begin(), tiers.end(), batch.tier) -
                                   tiers.begin());
}

void joining::use_code(const identity& code, slot_t slot) {
  if (!code.is_none() && room_.code_batches[room_.codes.at(code).batch].single_use)
    codes_used_.insert_or_assign(code, slot);
}

/// A waiting fan who comes with the code of a better tier stands there from now on.
void joining::promote(slot_t slot, const identity& code) {
  const auto status = status_of(slot);
  if (code.is_none() || !waiting_room::stands(status) || tier_of(code) >= tier_at(slot) ||
      user_of(code))
    return;
  use_code(code, slot);
  promoted_.insert_or_assign(slot, tier_of(code));
  if (status == ticket_status::absent)
    ++waiting_;
  afterwards_.emplace_back(event::fan_promoted{slot, tier_of(code), code});
}

// ---- coming back

bool joining::has_chance(slot_t slot) const {
  if (room_.reentered.contains(slot) || reentered_.contains(slot))
    return false;
  if (const auto ended = over_.find(slot); ended != over_.end())
    return room_.set.reentry_grace_ms.value_or(0) > 0 && ended->second == end_reason::expired;
  const auto found = room_.chances.find(slot);
  return found != room_.chances.end() && now_ < found->second.until;
}

joining::place joining::chance_of(const command::joiner& fan) const {
  if (fan.before && has_chance(*fan.before))
    return fan.before;
  for (const auto& who : {fan.customer, fan.key}) {
    if (who.is_none())
      continue;
    for (const auto& [slot, reason] : over_)
      if (room_.identities[slot] == who && has_chance(slot))
        return slot;
    const auto found = room_.chance_of.find(who);
    if (found != room_.chance_of.end() && has_chance(found->second))
      return found->second;
  }
  return std::nullopt;
}

// ---- who is who

joining::place joining::place_of(const identity& who) {
  if (const auto found = bound_.find(who); found != bound_.end())
    return live(found->second);
  for (const auto& slot : room_.places_named(who)) // it may have re-entered in this batch
    if (const auto found = live(slot))
      return found;
  return std::nullopt;
}

/// The index may have dropped the first name of a place that had ended; re-entering puts it back.
void joining::bind_again(slot_t slot) {
  const auto& who = room_.identities[slot];
  if (!who.is_none() && !place_of(who))
    bound_.insert_or_assign(who, slot);
}

/// A ticket carried along is as good as its fan's name.
joining::place joining::by_ticket(place before) {
  if (!before || *before < room_.lane_start || *before >= room_.joined())
    return std::nullopt;
  if (const auto slot = live(before))
    return slot;
  const auto& who = room_.identities[*before];
  return who.is_none() ? std::nullopt : place_of(who);
}

joining::place joining::live(place slot) {
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
  if (merged_.contains(slot))
    return ticket_status::merged;
  if (reentered_.contains(slot))
    return ticket_status::waiting;
  if (const auto ended = over_.find(slot); ended != over_.end())
    return status_after(ended->second);
  if (let_in_.contains(slot))
    return ticket_status::admitted;
  if (slot >= room_.joined() || promoted_.contains(slot))
    return ticket_status::waiting;
  return room_.status_of(slot);
}

/// For those who wait; whoever came in this batch stands behind everybody of the tier.
place_in_line joining::stands(slot_t slot) const {
  const auto fresh_tier =
      slot < fresh_.first ? room_.general_tier() : fresh_.tiers[slot - fresh_.first];
  const auto behind_all = [&](std::uint8_t tier) {
    return place_in_line{tier, places_max + (slot < fresh_.first ? 0 : slot - fresh_.first)};
  };
  if (const auto moved = promoted_.find(slot); moved != promoted_.end())
    return behind_all(moved->second);
  if (slot >= fresh_.first)
    return behind_all(fresh_tier);
  if (const auto found = room_.admissions.find(slot); found != room_.admissions.end())
    return found->second.from; // it re-entered in this batch
  if (const auto found = room_.chances.find(slot); found != room_.chances.end())
    return found->second.from;
  return room_.stands(slot).value_or(behind_all(room_.general_tier()));
}

/// Looks through a line only where arrival does not tell.
bool joining::stands_before(slot_t one, slot_t other) const {
  if (tier_at(one) != tier_at(other))
    return tier_at(one) < tier_at(other);
  const bool one_drawn = one < room_.drawn_below;
  const bool other_drawn = other < room_.drawn_below;
  const bool by_arrival = tier_at(one) == room_.general_tier() && !(one_drawn && other_drawn);
  return by_arrival ? one < other : stands(one) < stands(other);
}

bool joining::is_better(slot_t one, slot_t other) const {
  if (is_busy(one) != is_busy(other))
    return is_busy(one);
  const auto one_in = status_of(one) == ticket_status::admitted;
  const auto other_in = status_of(other) == ticket_status::admitted;
  if (one_in != other_in)
    return one_in;
  return one_in ? one < other : stands_before(one, other);
}

slot_t joining::next_slot() const {
  return fresh_.first + static_cast<slot_t>(fresh_.nonces.size());
}

void joining::merge_away(slot_t slot) {
  const auto status = status_of(slot);
  if (status == ticket_status::waiting)
    --waiting_;
  if (status != ticket_status::admitted)
    --queued_;
  merged_.insert(slot);
  afterwards_.emplace_back(event::tickets_ended{end_reason::merged, {slot}});
}

bool joining::has_room_for_identity(slot_t slot) const {
  const auto before = room_.seconds_of.find(slot);
  const auto here = identified_.find(slot);
  return (before == room_.seconds_of.end() ? 0 : before->second) +
             (here == identified_.end() ? 0 : here->second) <
         seconds_max;
}

/// Beyond seconds_max nothing is recorded: the fan is answered by the ticket or name that counts.
void joining::identify(slot_t slot, const identity& who, bool customer, place before) {
  if (who.is_none() || before == slot || !(customer || has_room_for_identity(slot)))
    return;
  identified_[slot] += customer ? 0 : 1;
  bound_.insert_or_assign(who, slot);
  afterwards_.emplace_back(event::fan_identified{slot, who, customer});
}

bool joining::is_superseded(const any_event& happened) const {
  const auto* const one = std::get_if<event::fan_identified>(&happened);
  return one != nullptr && (bound_.at(one->who) != one->slot || merged_.contains(one->slot));
}

// ---- standby

/// Whoever is merged away in this batch still stands in the line when the admission is applied.
bool joining::may_enter_at_once() const {
  return room_.mode == room_mode::standby && room_.left == stock::on_sale && waiting_ == 0 &&
         merged_.empty() && credit_micro_ >= 1'000'000 &&
         room_.room_left(now_, over_.size()) > admitted_.slots.size();
}

void joining::admit_at_once(slot_t slot) {
  credit_micro_ -= 1'000'000;
  let_in_.insert(slot);
  admitted_.slots.push_back(slot);
  const auto& fan = slot - fresh_.first;
  admitted_.who.push_back(fresh_.customers[fan].is_none() ? fresh_.keys[fan]
                                                          : fresh_.customers[fan]);
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
    drop_if_all_none(fresh_.codes);
    const auto general = room_.general_tier();
    if (std::all_of(fresh_.tiers.begin(), fresh_.tiers.end(),
                    [&](std::uint8_t tier) { return tier == general; }))
      fresh_.tiers.clear();
    all.events.reserve(all.events.size() + 2 + afterwards_.size());
    all.events.emplace_back(std::move(fresh_));
  }
  if (!admitted_.slots.empty()) {
    drop_if_all_none(admitted_.who);
    admitted_.until = now_ + room_.set.admission_ttl_ms;
    admitted_.credit_left_micro = credit_micro_;
    all.events.emplace_back(std::move(admitted_));
  }
  std::move(afterwards_.begin(), afterwards_.end(), std::back_inserter(all.events));
  return all;
}

} // namespace usher::waiting_room

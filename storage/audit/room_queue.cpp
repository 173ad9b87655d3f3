// Who waits and where they stand: joins, codes, passing over and coming back, wishes.

#include "storage/audit/names.hpp"
#include "storage/audit/room_judge.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace event = waiting_room::event;
using waiting_room::stock;

namespace {

/// Which tier has this name; none: the settings have no such tier.
std::optional<std::size_t> tier_named(const room& where, const std::string& name) {
  const auto& tiers = where.set.tiers;
  const auto found = std::ranges::find(tiers, name);
  if (found == tiers.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - tiers.begin());
}

std::string tier_text(const room& where, std::size_t tier) {
  if (tier < where.set.tiers.size())
    return "tier " + where.set.tiers[tier];
  return tier == where.set.tiers.size() ? "the general tier" : "tier " + std::to_string(tier);
}

template <class Column>
auto entry_of(const Column& column, std::size_t at, typename Column::value_type none) {
  return at < column.size() ? column[at] : none;
}

} // namespace

// ---- joining

void room_judge::judge_join(std::size_t fans) const {
  const auto status = status_of(room_);
  const auto what = status == "OFF"         ? std::optional{fault::join_while_off}
                    : status == "SCHEDULED" ? std::optional{fault::join_while_scheduled}
                    : status == "ENDED"     ? std::optional{fault::join_while_ended}
                                            : std::nullopt;
  if (what)
    report(*what, std::to_string(fans) + (fans == 1 ? " fan" : " fans") +
                      " joined a room that is " + std::string{status} + ".");
}

void room_judge::take(const event::fans_joined& e) {
  judge_join(e.nonces.size());
  if (e.first != room_.joined())
    report(fault::slots_out_of_order, "Fans joined from " + ticket(e.first) +
                                          " on, but the next free one was " +
                                          std::to_string(room_.joined()) + ".");
  room_.fresh = at_once{room_.joined(), room_.waiting == 0};
  const auto general = room_.general_tier();
  for (std::size_t i = 0; i < e.nonces.size(); ++i) {
    const auto slot = room_.joined();
    const auto code = entry_of(e.codes, i, identity{});
    const std::size_t tier = entry_of(e.tiers, i, static_cast<std::uint8_t>(general));
    const auto customer = entry_of(e.customers, i, identity{});
    room_.fans.emplace_back().who =
        mark_of(customer.is_none() ? entry_of(e.keys, i, identity{}) : customer);
    judge_code(code, tier, slot);
    use_code(code, slot);
    room_.stand_at_end(slot, std::min(tier, general));
  }
  const auto queued = room_.waiting + room_.claims.size();
  if (queued > room_.set.max_queue)
    room_.arrived =
        arriving{here_, std::min<std::uint64_t>(queued - room_.set.max_queue, e.nonces.size())};
}

/// Who signs in is the customer from then on; a key is just another name.
void room_judge::take(const event::fan_identified& e) {
  if (exists(e.slot) && e.customer && e.slot >= room_.base)
    room_.at(e.slot).who = mark_of(e.who);
}

// ---- codes and tiers

void room_judge::judge_code(const identity& code, std::size_t tier, slot_t slot) const {
  if (code.is_none()) {
    if (tier != room_.general_tier())
      report(fault::tier_wrong,
             ticket(slot) + " stands in " + tier_text(room_, tier) + " without a code.");
    return;
  }
  const auto found = room_.codes.find(code);
  if (found == room_.codes.end()) {
    report(fault::code_unknown, ticket(slot) + " came with a code that nobody added.");
    return;
  }
  const auto& batch = room_.code_batches[found->second.batch];
  const bool again = found->second.used_by == slot;
  if (found->second.used_by && !again)
    report(fault::code_used_twice, ticket(slot) + " came with a single-use code that " +
                                       ticket(*found->second.used_by) + " had used.");
  if (!again && ((batch.valid_from && at() < *batch.valid_from) ||
                 (batch.valid_until && at() >= *batch.valid_until)))
    report(fault::code_not_valid,
           ticket(slot) + " came with a code that is valid from " +
               (batch.valid_from ? time_text(*batch.valid_from) : "ever") + " until " +
               (batch.valid_until ? time_text(*batch.valid_until) : "ever") + ".");
  if (tier_named(room_, batch.tier) != tier)
    report(fault::tier_wrong, ticket(slot) + " stands in " + tier_text(room_, tier) +
                                  ", the code is for tier " + batch.tier + ".");
}

void room_judge::use_code(const identity& code, slot_t slot) {
  const auto found = room_.codes.find(code);
  if (found != room_.codes.end() && room_.code_batches[found->second.batch].single_use)
    found->second.used_by = slot;
}

void room_judge::take(const event::codes_added& e) {
  if (!tier_named(room_, e.tier))
    report(fault::codes_added_wrongly, "Codes are for tier " + e.tier + ", which is not there.");
  const auto batch = static_cast<std::uint32_t>(room_.code_batches.size());
  room_.code_batches.push_back({e.tier, e.single_use, e.valid_from, e.valid_until});
  bool known = false;
  for (const auto& code : e.codes)
    known |= !room_.codes.try_emplace(code, access_code{batch}).second;
  if (known)
    report(fault::codes_added_wrongly, "A code was added that had been added before.");
}

void room_judge::take(const event::fan_promoted& e) {
  if (!exists(e.slot))
    return;
  const auto was = room_.state_of(e.slot);
  if (was != ticket_state::waiting && was != ticket_state::absent) {
    report(fault::promoted_wrongly, ticket(e.slot) + " was promoted and does not wait.");
    return;
  }
  if (e.tier >= room_.at(e.slot).tier)
    report(fault::promoted_wrongly, ticket(e.slot) + " was promoted to " +
                                        tier_text(room_, e.tier) + " and stood in " +
                                        tier_text(room_, room_.at(e.slot).tier) + ".");
  judge_code(e.code, e.tier, e.slot);
  use_code(e.code, e.slot);
  if (was == ticket_state::waiting)
    room_.leave_line(e.slot);
  else
    room_.claims.erase(e.slot);
  room_.stand_at_end(e.slot, std::min<std::size_t>(e.tier, room_.general_tier()));
}

// ---- passing over and coming back

void room_judge::take(const event::fans_passed_over& e) {
  const auto status = status_of(room_);
  const bool admits = (status == "OPEN" || status == "STANDBY") && room_.left == stock::on_sale;
  if (!admits)
    report(fault::passed_over_out_of_turn,
           "Somebody was passed over, but it is nobody's turn in a room that is " +
               std::string{status} + ".");
  line_place last;
  for (std::size_t i = 0; i < e.slots.size(); ++i) {
    const auto slot = e.slots[i];
    if (!exists(slot))
      continue;
    if (!has_state(slot, ticket_state::waiting)) {
      report(fault::passed_over_wrongly, ticket(slot) + " was passed over and did not wait.");
      continue;
    }
    const auto seen = std::max(entry_of(e.seen, i, at()), room_.opened_at);
    if (at() - seen < room_.set.absent_after_ms)
      report(fault::passed_over_early, ticket(slot) +
                                           " was passed over, but was heard of, or the "
                                           "room opened, as late as " +
                                           time_text(seen) + ".");
    last = std::max(last, room_.place_of(slot));
    room_.leave_line(slot);
    room_.at(slot).is = ticket_state::absent;
    room_.claims[slot] = {at(), at() + room_.set.claim_ttl_ms};
  }
  if (admits)
    room_.passed = passing{here_, last};
}

void room_judge::take(const event::fans_returned& e) {
  for (std::size_t i = 0; i < e.slots.size(); ++i) {
    const auto slot = e.slots[i];
    if (!exists(slot))
      continue;
    const auto found = room_.claims.find(slot);
    if (found == room_.claims.end()) {
      report(fault::returned_wrongly, ticket(slot) + " returned and was not passed over.");
      continue;
    }
    const auto its = found->second;
    const auto seen = entry_of(e.seen, i, at());
    if (seen < its.since)
      report(fault::returned_wrongly, ticket(slot) + " returned, but was last heard of at " +
                                          time_text(seen) + ", before it was passed over.");
    if (seen >= its.until) // the tick that takes note of it may be later
      report(fault::returned_late, ticket(slot) + " returned, but the place was kept until " +
                                       time_text(its.until) + " only.");
    room_.claims.erase(found);
    room_.stand_again(slot);
  }
}

void room_judge::take(const event::fan_reentered& e) {
  if (!exists(e.slot))
    return;
  judge_join(1);
  if (!has_state(e.slot, ticket_state::ended) || e.slot < room_.base) {
    report(fault::reentered_wrongly,
           ticket(e.slot) + " re-entered, but " +
               (e.slot < room_.base ? "ended when the room was closed." : "had not ended."));
    return;
  }
  const auto found = room_.chances.find(e.slot);
  if (room_.at(e.slot).came_back)
    report(fault::reentered_twice, ticket(e.slot) + " re-entered, as it had done before.");
  else if (found == room_.chances.end())
    report(fault::reentered_wrongly, ticket(e.slot) + " re-entered, but no admission of it expired "
                                                      "or went idle that may come back.");
  else if (at() >= found->second.until && at() != found->second.since)
    report(fault::reentered_late, ticket(e.slot) + " re-entered, which it could until " +
                                      time_text(found->second.until) + ".");
  if (found != room_.chances.end())
    room_.chances.erase(found);
  room_.at(e.slot).came_back = true;
  room_.stand_again(e.slot);
}

// ---- wishes

void room_judge::take(const event::wish_set& e) {
  if (!exists(e.slot))
    return;
  if (!has_state(e.slot, ticket_state::waiting) && !has_state(e.slot, ticket_state::absent))
    report(fault::wish_set_wrongly, ticket(e.slot) + " has a wish and does not wait.");
  if (e.slot >= room_.base)
    room_.at(e.slot).wishes = e.wanted.has_value();
}

} // namespace usher::storage::audit

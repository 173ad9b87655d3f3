#include "actors/orders/rules_common.hpp"

#include <algorithm>

// Changing a live hold: longer, more seats, fewer. The generation goes up with each change.
namespace usher::orders {

namespace {

/// The hold, if whoever asks may change it now.
template <class Command>
std::variant<const hold*, rejection> changeable(const state& desk, const Command& asked) {
  const auto found = desk.holds.find(asked.hold);
  if (found == desk.holds.end())
    return rejection::unknown_hold;
  if (!common::may_use(found->second, asked.owner, asked.box_office))
    return rejection::not_the_owner;
  if (const auto no = common::not_changeable(found->second, asked.now))
    return *no;
  return &found->second;
}

} // namespace

decision decide(const state& desk, const command::extend_hold& asked) {
  if (auto known = common::seen_before<hold_id>(desk, asked.asked, asked.now))
    return *known;
  const auto looked = changeable(desk, asked);
  if (const auto* no = std::get_if<rejection>(&looked))
    return *no;
  const auto& it = *std::get<const hold*>(looked);

  const auto until = std::min(asked.now + asked.ttl_ms, it.placed_at + asked.max_life_ms);
  proposal wanted;
  if (until <= it.until)
    return wanted; // it is as long as it can be
  const auto generation = it.generation + 1;
  wanted.events.emplace_back(event::hold_changed{
      asked.hold, generation, hold_change::extended, {}, {}, until, asked.asked});
  wanted.blocks = common::hold_work(asked.hold, generation, it.seats, until, asked.now);
  if (!asked.box_office)
    wanted.room = common::enter(desk, asked.owner, until, asked.now);
  return wanted;
}

decision decide(const state& desk, const command::add_seats& asked) {
  if (auto known = common::seen_before<hold_id>(desk, asked.asked, asked.now))
    return *known;
  if (asked.only_repeat)
    return rejection::not_admitted;
  const auto looked = changeable(desk, asked);
  if (const auto* no = std::get_if<rejection>(&looked))
    return *no;
  const auto& it = *std::get<const hold*>(looked);

  std::vector<offered_seat> fresh;
  for (const auto& seat : asked.seats)
    if (!it.has(seat.id))
      fresh.push_back(seat);
  proposal wanted;
  if (fresh.empty())
    return wanted;
  if (!asked.box_office)
    if (const auto no = common::too_many(
            desk, {it.owner, it.customer, asked.max_seats, asked.max_seats_per_customer}, &it,
            fresh.size(), asked.now))
      return *no;
  const auto generation = it.generation + 1;
  wanted.blocks = common::hold_work(asked.hold, generation, fresh, it.until, asked.now);
  wanted.events.emplace_back(event::hold_changed{
      asked.hold, generation, hold_change::added, std::move(fresh), {}, it.until, asked.asked});
  if (!asked.box_office)
    wanted.room = common::enter(desk, asked.owner, it.until, asked.now);
  return wanted;
}

decision decide(const state& desk, const command::release_seat& asked) {
  const auto looked = changeable(desk, asked);
  if (const auto* no = std::get_if<rejection>(&looked))
    return *no;
  const auto& it = *std::get<const hold*>(looked);
  const auto seat = std::ranges::find(it.seats, asked.seat, &offered_seat::id);
  if (seat == it.seats.end())
    return rejection::seat_not_in_hold;
  if (it.seats.size() == 1)
    return decide(desk,
                  command::release_hold{asked.hold, asked.owner, asked.now, asked.box_office});

  proposal wanted; // its time stays, so there is nothing to tell the room
  wanted.events.emplace_back(event::hold_changed{asked.hold,
                                                 it.generation + 1,
                                                 hold_change::released,
                                                 {},
                                                 {asked.seat},
                                                 it.until,
                                                 std::nullopt});
  wanted.blocks.push_back(
      {seat->block, seating::command::release{{{asked.hold, it.generation, {asked.seat}}}}});
  return wanted;
}

} // namespace usher::orders

// The draw: the order of those who came before the opening.

#include "storage/audit/draw.hpp"
#include "storage/audit/room_judge.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace event = waiting_room::event;

namespace {

bool is_ahead(const room& where) {
  return !where.draw.drawn &&
         (where.mode == room_mode::scheduled || where.mode == room_mode::prequeue);
}

/// The smallest ticket that one of them lacks, or has once too often; both hold what they hold in
/// any order.
std::optional<slot_t> first_difference(std::vector<slot_t> one, std::vector<slot_t> other) {
  std::ranges::sort(one);
  std::ranges::sort(other);
  const auto [in_one, in_other] = std::ranges::mismatch(one, other);
  if (in_one == one.end() && in_other == other.end())
    return std::nullopt;
  if (in_one == one.end() || in_other == other.end())
    return in_one == one.end() ? *in_other : *in_one;
  return std::min(*in_one, *in_other);
}

} // namespace

void room_judge::take(const event::beacon_given& e) {
  const auto wrong = [&](const std::string& why) {
    report(fault::beacon_wrong, "A beacon's value was given, but " + why + ".");
  };
  if (!is_ahead(room_))
    wrong("no draw is ahead");
  else if (!room_.draw.source)
    wrong("this draw was committed to none");
  else if (e.value.empty())
    wrong("it is empty");
  else if (!room_.draw.beacon.empty())
    wrong("there was one already");
  room_.draw.beacon = e.value;
}

void room_judge::take(const event::places_drawn& e) {
  if (room_.draw.drawn)
    report(fault::drawn_twice, "Places were drawn again, and the room was not scheduled again.");
  else if (!is_ahead(room_))
    wrong_state("drawn");
  else
    together_.places_drawn(id_, here_);
  if (commitment_of(e.seed) != room_.draw.commitment)
    report(fault::draw_seed_wrong, "The seed is not the one that was committed to.");
  if (e.beacon != room_.draw.beacon)
    report(fault::draw_beacon_wrong,
           "The draw used " + (e.beacon.empty() ? "no beacon" : "beacon " + e.beacon) +
               ", given was " + (room_.draw.beacon.empty() ? "none" : room_.draw.beacon) + ".");
  else if (room_.set.beacon != room_.draw.source)
    report(fault::draw_beacon_wrong,
           "The settings name another beacon than the one that was committed to.");
  const auto by_tier = room_.waiting_by_tier();
  const auto right = drawn_order(by_tier, e.seed, e.beacon);
  if (const auto differs = first_difference(right, e.order))
    report(fault::draw_members_wrong, ticket(*differs) + " waits and was not drawn once, or was "
                                                         "drawn and does not wait.");
  else if (const auto wrong = std::ranges::mismatch(e.order, right).in1; wrong != e.order.end())
    report(fault::draw_order_wrong,
           "The first that stands wrongly is " + ticket(*wrong) + " at place " +
               std::to_string(wrong - e.order.begin() + 1) + ", where " +
               ticket(right[static_cast<std::size_t>(wrong - e.order.begin())]) + " belongs.");
  stand_as_drawn(e.order, by_tier);
  room_.draw.drawn = true;
  room_.drawn_just_now = true;
}

/// Tier by tier in this order; whoever waits and is not in it comes behind.
void room_judge::stand_as_drawn(const std::vector<slot_t>& order,
                                const std::vector<std::vector<slot_t>>& by_tier) {
  std::vector<bool> stands_nowhere(room_.fans.size());
  for (const auto& tier : by_tier)
    for (const auto slot : tier)
      stands_nowhere[slot - room_.base] = true;
  room_.lines = {};
  room_.waiting = 0;
  const auto stand = [&](slot_t slot) {
    if (slot < room_.base || slot >= room_.joined() || !stands_nowhere[slot - room_.base])
      return;
    stands_nowhere[slot - room_.base] = false;
    room_.stand_at_end(slot, room_.at(slot).tier);
  };
  std::ranges::for_each(order, stand);
  for (const auto& tier : by_tier)
    std::ranges::for_each(tier, stand);
}

} // namespace usher::storage::audit

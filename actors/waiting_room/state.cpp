#include "actors/waiting_room/state.hpp"

#include <map>
#include <tuple>

namespace usher::waiting_room {
namespace {

/// Live identities and their places, in a canonical order: two indexes are equal if they answer
/// alike, however they came to be laid out.
std::map<identity, slot_t> live_places(const state& room) {
  std::map<identity, slot_t> places;
  const auto note = [&](const identity& who) {
    if (const auto slot = room.place_of(who))
      places.emplace(who, *slot);
  };
  for (slot_t slot = room.lane_start; slot < room.joined(); ++slot)
    note(room.identities[slot]);
  for (const auto& [who, slot] : room.seconds)
    note(who);
  return places;
}

} // namespace

state::state() = default;

ticket_status state::status_of(slot_t slot) const {
  if (slot >= joined())
    return ticket_status::unknown;
  const auto own = tickets[slot];
  return slot < lane_start && is_live(own) ? ticket_status::closed : own;
}

std::optional<slot_t> state::place_of(const identity& who) const {
  if (who.is_none())
    return std::nullopt;
  if (const auto slot = index.find(who, identities); slot && is_live(status_of(*slot)))
    return slot;
  if (const auto found = seconds.find(who);
      found != seconds.end() && is_live(status_of(found->second)))
    return found->second;
  return std::nullopt;
}

std::uint64_t state::credit_micro_at(time_ms now) const {
  const auto cap = credit_cap_micro(set);
  const auto rate = set.admit_per_second_micro;
  if (now <= credit_at || rate == 0)
    return std::min(cap, credit_micro);
  // Beyond this many milliseconds the bucket is full from any start; it also keeps the product
  // small.
  const auto until_full_ms = cap * 1000 / rate + 1;
  const auto elapsed_ms = std::min(static_cast<std::uint64_t>(now - credit_at), until_full_ms);
  return std::min(cap, credit_micro + rate * elapsed_ms / 1000);
}

std::size_t state::bytes_used() const {
  constexpr std::size_t pointer = sizeof(void*);
  constexpr auto second_node = sizeof(std::pair<identity, slot_t>) + 2 * pointer;
  constexpr auto admission_node = sizeof(std::pair<slot_t, admission>) + 2 * pointer;
  constexpr auto deadline_node = sizeof(std::pair<time_ms, slot_t>) + 4 * pointer;
  return tickets.bytes_used() + identities.bytes_used() + index.bytes_used() +
         seconds.size() * second_node + seconds.bucket_count() * pointer +
         admissions.size() * (admission_node + deadline_node) + admissions.bucket_count() * pointer;
}

bool state::operator==(const state& other) const {
  const auto plain = [](const state& room) {
    return std::tie(room.status, room.set, room.lane_start, room.head, room.waiting, room.tickets,
                    room.identities, room.admissions, room.deadlines, room.credit_micro,
                    room.credit_at);
  };
  return plain(*this) == plain(other) && live_places(*this) == live_places(other);
}

std::uint64_t credit_cap_micro(const settings& set) {
  const auto tick_ms = static_cast<std::uint64_t>(std::max<duration_ms>(set.tick_ms, 0));
  return set.admit_per_second_micro * tick_ms / 1000 + 999'999;
}

} // namespace usher::waiting_room

#include "actors/waiting_room/state.hpp"

#include <limits>
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

/// Bytes of a table that allocates a node an entry.
template <class Table>
std::size_t node_bytes(const Table& table, std::size_t links) {
  constexpr std::size_t pointer = sizeof(void*);
  auto bytes = table.size() * (sizeof(typename Table::value_type) + links * pointer);
  if constexpr (requires { table.bucket_count(); })
    bytes += table.bucket_count() * pointer;
  return bytes;
}

constexpr std::size_t hash_links = 2;
constexpr std::size_t tree_links = 4;

} // namespace

state::state() = default;

bool state::admits() const {
  if (mode == room_mode::standby)
    return left == stock::on_sale;
  return status() == room_status::open;
}

ticket_status state::status_of(slot_t slot) const {
  if (slot >= joined())
    return ticket_status::unknown;
  const auto own = tickets[slot];
  return slot < lane_start && is_live(own) ? ticket_status::closed : own;
}

std::array<std::optional<slot_t>, 2> state::places_named(const identity& who) const {
  if (who.is_none())
    return {};
  const auto second = seconds.find(who);
  return {index.find(who, identities),
          second != seconds.end() ? std::optional{second->second} : std::nullopt};
}

std::optional<slot_t> state::place_of(const identity& who) const {
  for (const auto& slot : places_named(who))
    if (slot && is_live(status_of(*slot)))
      return slot;
  return std::nullopt;
}

std::optional<place_in_line> state::stands(slot_t slot) const {
  if (const auto early = early_places.find(slot); early != early_places.end())
    return early->second;
  if (const auto claimed = claims.find(slot); claimed != claims.end())
    return claimed->second.from;
  if (status_of(slot) != ticket_status::waiting)
    return std::nullopt;
  const auto tier = tiers[slot];
  const auto& those = lines[tier];
  // With neither tiers nor a draw, arrival is the place.
  const auto guess = slot - lane_start;
  if (guess < those.order.size() && those.order[guess] == slot)
    return place_in_line{tier, those.base + guess};
  for (auto at = those.head; at < those.end(); ++at)
    if (those.order[at - those.base] == slot)
      return place_in_line{tier, at};
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

std::uint64_t state::room_left(time_ms now, std::size_t ended) const {
  auto most = std::numeric_limits<std::uint64_t>::max();
  const auto busy = admissions.size() - ended;
  if (set.max_active)
    most = *set.max_active > busy ? *set.max_active - busy : 0;
  if (!set.max_per_tick)
    return most;
  // On standby fans are also admitted between two ticks.
  const bool counted =
      mode == room_mode::standby && ramp_tick == now / std::max<time_ms>(set.tick_ms, 1);
  const std::uint64_t used = counted ? ramp_used : 0;
  return std::min<std::uint64_t>(most, *set.max_per_tick > used ? *set.max_per_tick - used : 0);
}

std::size_t state::bytes_used() const {
  auto bytes = tickets.bytes_used() + identities.bytes_used() + tiers.bytes_used() +
               index.bytes_used() + node_bytes(seconds, hash_links) +
               node_bytes(seconds_of, hash_links) + node_bytes(customers, hash_links) +
               node_bytes(admissions, hash_links) + node_bytes(deadlines, tree_links) +
               node_bytes(claims, hash_links) + node_bytes(claim_deadlines, tree_links) +
               node_bytes(early_places, hash_links) + node_bytes(chances, hash_links) +
               node_bytes(chance_deadlines, tree_links) + node_bytes(chance_of, hash_links) +
               node_bytes(reentered, tree_links) + node_bytes(codes, hash_links) +
               node_bytes(wishes, hash_links);
  for (const auto& each : lines)
    bytes += each.order.bytes_used() + node_bytes(each.early, tree_links);
  return bytes;
}

bool state::operator==(const state& other) const {
  const auto plain = [](const state& room) {
    return std::tie(room.mode, room.paused, room.left, room.set, room.draws_scheduled,
                    room.commitment, room.beacon, room.lane_start, room.drawn_below, room.waiting,
                    room.seconds_of, room.customers, room.opened_at, room.lines, room.tickets,
                    room.identities, room.tiers, room.admissions, room.deadlines, room.claims,
                    room.claim_deadlines, room.early_places, room.chances, room.chance_of,
                    room.reentered, room.codes, room.code_batches, room.wishes, room.credit_micro,
                    room.credit_at, room.ramp_tick, room.ramp_used);
  };
  return plain(*this) == plain(other) && live_places(*this) == live_places(other);
}

std::uint64_t credit_cap_micro(const settings& set) {
  const auto tick_ms = static_cast<std::uint64_t>(std::max<duration_ms>(set.tick_ms, 0));
  return set.admit_per_second_micro * tick_ms / 1000 + 999'999;
}

std::vector<identity> known(const state& room, const std::vector<slot_t>& slots) {
  std::vector<identity> who;
  who.reserve(slots.size());
  bool anybody = false;
  for (const auto slot : slots) {
    const auto signed_in = room.customers.find(slot);
    who.push_back(signed_in == room.customers.end() ? room.identities[slot] : signed_in->second);
    anybody = anybody || !who.back().is_none();
  }
  if (!anybody)
    who.clear();
  return who;
}

std::optional<step_due> next_step(const state& room) {
  if (!room.set.opens_at)
    return std::nullopt;
  if (room.mode == room_mode::prequeue)
    return step_due{step_due::kind::open, *room.set.opens_at};
  if (room.mode != room_mode::scheduled)
    return std::nullopt;
  if (room.set.prequeue_ms > 0)
    return step_due{step_due::kind::prequeue, *room.set.opens_at - room.set.prequeue_ms};
  return step_due{step_due::kind::open, *room.set.opens_at};
}

std::vector<std::vector<slot_t>> draw_participants(const state& room) {
  std::vector<std::vector<slot_t>> all(std::size_t{room.general_tier()} + 1);
  for (std::uint8_t tier = 0; tier <= room.general_tier(); ++tier) {
    const auto& those = room.lines[tier];
    auto& in = all[tier];
    in.reserve(those.order.size());
    for (std::size_t at = 0; at < those.order.size(); ++at) {
      const auto slot = those.order[at];
      if (slot != line::nobody && room.tickets[slot] == ticket_status::waiting)
        in.push_back(slot);
    }
    if (!std::is_sorted(in.begin(), in.end())) // promoted fans stand behind later arrivals
      std::sort(in.begin(), in.end());
  }
  return all;
}

} // namespace usher::waiting_room

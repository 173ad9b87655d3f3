#include "storage/audit/room.hpp"

#include <cstring>

namespace usher::storage::audit {

namespace {

bool waits_at(const room& where, std::size_t tier, slot_t index) {
  const auto slot = where.lines[tier].order[index];
  const auto& who = where.at(slot);
  return who.is == ticket_state::waiting && where.place_of(slot) == line_place{tier, index};
}

} // namespace

std::uint32_t mark_of(const identity& who) {
  std::array<std::uint32_t, 4> words{};
  std::memcpy(words.data(), who.bytes.data(), sizeof words);
  return words[0] ^ words[1] ^ words[2] ^ words[3];
}

std::optional<slot_t> room::first() {
  for (std::size_t tier = 0; tier < lines.size(); ++tier) {
    auto& those = lines[tier];
    while (those.head < those.order.size() && !waits_at(*this, tier, those.head))
      ++those.head;
    if (!those.early.empty())
      return those.order[*those.early.begin()];
    if (those.head < those.order.size())
      return those.order[those.head];
  }
  return std::nullopt;
}

void room::stand_at_end(slot_t slot, std::size_t tier) {
  auto& who = at(slot);
  who.is = ticket_state::waiting;
  who.tier = static_cast<std::uint8_t>(tier);
  who.index = static_cast<slot_t>(lines[tier].order.size());
  lines[tier].order.push_back(slot);
  ++waiting;
}

void room::stand_again(slot_t slot) {
  auto& who = at(slot);
  who.is = ticket_state::waiting;
  if (auto& those = lines[who.tier]; who.index < those.head)
    those.early.insert(who.index);
  ++waiting;
}

void room::leave_line(slot_t slot) {
  lines[at(slot).tier].early.erase(at(slot).index);
  --waiting;
}

std::vector<std::vector<slot_t>> room::waiting_by_tier() const {
  std::vector<std::vector<slot_t>> all(lines.size());
  for (slot_t slot = base; slot < joined(); ++slot)
    if (at(slot).is == ticket_state::waiting)
      all[at(slot).tier].push_back(slot);
  return all;
}

std::string_view status_of(const room& which) {
  using waiting_room::stock;
  switch (which.mode) {
  case room_mode::off:
    return "OFF";
  case room_mode::scheduled:
    return "SCHEDULED";
  case room_mode::prequeue:
    return "PREQUEUE";
  case room_mode::standby:
    return "STANDBY";
  case room_mode::open:
    break;
  }
  if (which.left == stock::sold_out)
    return "ENDED";
  return which.paused || which.left == stock::all_taken ? "PAUSED" : "OPEN";
}

} // namespace usher::storage::audit

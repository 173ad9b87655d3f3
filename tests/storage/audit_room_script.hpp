#pragma once

#include "tests/storage/audit_script.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// More lines for logs made by hand: waiting rooms with a prequeue and a draw. The orders were
// computed with Python's hmac and hashlib.
namespace usher::storage::test {

inline constexpr time_ms opens_ms = 100'000;
inline constexpr duration_ms prequeue_ms = 50'000;

/// 00 01 02 … 1f
inline waiting_room::bytes32 seed() {
  waiting_room::bytes32 bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}

inline waiting_room::bytes32 commitment() {
  return {0x63, 0x0d, 0xcd, 0x29, 0x66, 0xc4, 0x33, 0x66, 0x91, 0x12, 0x54,
          0x48, 0xbb, 0xb2, 0x5b, 0x4f, 0xf4, 0x12, 0xa4, 0x9c, 0x73, 0x2d,
          0xb2, 0xc8, 0xab, 0xc1, 0xb8, 0x58, 0x1b, 0xd7, 0x10, 0xdd};
}

/// These tickets as the seed draws them, without a beacon or with the value `abc`. Below 10 only.
inline std::vector<slot_t> drawn(const std::vector<slot_t>& those, bool with_abc = false) {
  std::vector<slot_t> all = with_abc ? std::vector<slot_t>{1, 7, 9, 5, 3, 8, 4, 0, 2, 6}
                                     : std::vector<slot_t>{8, 7, 3, 1, 0, 5, 4, 9, 6, 2};
  std::erase_if(all, [&](slot_t slot) { return std::ranges::find(those, slot) == those.end(); });
  return all;
}

inline waiting_room::settings draw_settings() {
  auto set = settings();
  set.opens_at = start_ms + opens_ms;
  set.prequeue_ms = prequeue_ms;
  set.tiers = {"vip", "members"};
  return set;
}
inline waiting_room::settings with_beacon(waiting_room::settings set) {
  set.beacon = {"drand", "7"};
  return set;
}

inline script scheduled(const waiting_room::settings& set = draw_settings()) {
  return {
      {directory(0, created(0, "s")), block(0, seat_event::block_planned{{"A-1", "A-2", "A-3"}})},
      {queue(0, configured(set)), queue(0, room_event::room_scheduled{commitment()})}};
}

inline line prequeue_opened(time_ms later = opens_ms - prequeue_ms) {
  return by_clock(queue(later, room_event::prequeue_opened{}));
}

/// Fans 0 to 5 are in, all without a code.
inline script in_prequeue(const waiting_room::settings& set = draw_settings()) {
  return scheduled(set) + script{{prequeue_opened()}, {queue(50'001, joined(0, 6))}};
}

inline line places_drawn(std::vector<slot_t> order, const std::string& beacon = "",
                         time_ms later = opens_ms) {
  return by_clock(queue(later, room_event::places_drawn{seed(), beacon, std::move(order)}));
}
inline line opened(time_ms later = opens_ms) {
  return by_clock(queue(later, room_event::room_opened{}));
}

inline identity who(std::uint8_t number) {
  identity id;
  id.bytes[0] = number;
  return id;
}

/// One fan with a code.
inline room_event::fans_joined joined_with(slot_t slot, std::uint8_t code, std::uint8_t tier) {
  return {slot, {7}, {}, {}, {who(code)}, {tier}};
}

/// Codes 1 and 2 are for vip and good once; code 3 is for members, from second 55 to second 60.
inline batch_lines codes(time_ms later = 10) {
  return {queue(later, room_event::codes_added{"a", "vip", true, {}, {}, {who(1), who(2)}}),
          queue(later, room_event::codes_added{
                           "b", "members", false, start_ms + 55'000, start_ms + 60'000, {who(3)}})};
}

inline line ended(time_ms later, waiting_room::end_reason reason, std::vector<slot_t> slots) {
  return queue(later, room_event::tickets_ended{reason, std::move(slots)});
}
inline line passed_over(time_ms later, std::vector<slot_t> slots, time_ms seen) {
  const std::vector<time_ms> all(slots.size(), start_ms + seen);
  return queue(later, room_event::fans_passed_over{std::move(slots), all});
}
inline line returned(time_ms later, std::vector<slot_t> slots, time_ms seen) {
  const std::vector<time_ms> all(slots.size(), start_ms + seen);
  return queue(later, room_event::fans_returned{std::move(slots), all});
}

} // namespace usher::storage::test

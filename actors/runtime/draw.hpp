#pragma once

#include "actors/waiting_room/event.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

// The draw of a prequeue: what is secret, what is published, and the order that follows from it.
// docs/draw.md says how anybody checks it.
namespace usher::runtime {

using waiting_room::bytes32;

/// The seed of the n-th draw (from 1) that a room schedules. `key` is secret for ever, the seed
/// until the draw; nothing has to be stored for a draw, so no crash can lose its seed.
[[nodiscard]] bytes32 draw_seed(const bytes32& key, std::string_view subject, std::uint32_t number);

/// SHA-256 of the seed: published when the room is scheduled.
[[nodiscard]] bytes32 commitment_of(const bytes32& seed);

/// Each tier's tickets, sorted by HMAC-SHA256(seed ‖ beacon, slot as 4 bytes, big-endian), one tier
/// after the other. A million take about half a second.
[[nodiscard]] std::vector<slot_t> draw_order(const bytes32& seed, std::string_view beacon,
                                             const std::vector<std::vector<slot_t>>& tiers);

} // namespace usher::runtime

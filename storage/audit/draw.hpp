#pragma once

#include "actors/waiting_room/event.hpp"

#include <string>
#include <vector>

// The draw, computed again, with OpenSSL directly. docs/draw.md says how.
namespace usher::storage::audit {

/// SHA-256 of the seed.
[[nodiscard]] waiting_room::bytes32 commitment_of(const waiting_room::bytes32& seed);

/// One list: tier by tier, within each by HMAC-SHA256(seed ‖ the beacon's bytes, slot as 4 bytes,
/// big-endian), compared as bytes; should two be equal, by slot. 36 bytes a ticket of the largest
/// tier while it works; a million take about a second.
[[nodiscard]] std::vector<slot_t> drawn_order(const std::vector<std::vector<slot_t>>& by_tier,
                                              const waiting_room::bytes32& seed,
                                              const std::string& beacon);

} // namespace usher::storage::audit

#pragma once

#include "storage/audit/findings.hpp"
#include "storage/audit/world.hpp"

namespace usher::storage::audit {

/// Judges an event of `queue/<show>` against the room as it was, then changes the room.
void take(room& where, const waiting_room::any_event& happened, const spot& here);

/// Why an admission of `owner` does not cover something done at `at`; empty if it does, and if the
/// room is off, which asks nobody for one.
[[nodiscard]] std::string no_admission(const room& where, std::optional<slot_t> owner, time_ms at);

} // namespace usher::storage::audit

#pragma once

#include "storage/audit/batch_audit.hpp"
#include "storage/audit/findings.hpp"
#include "storage/audit/world.hpp"

namespace usher::storage::audit {

/// Judges an event of `queue/<show>` against the room as it was, then changes the room.
void take(room& where, const show_id& id, const waiting_room::any_event& happened,
          batch_audit& together, const spot& here);

/// After the last record: judges what only the events behind could have explained.
void settle(room& where);

/// Why an admission of `owner` does not cover something done at `at`; empty if it does, and if the
/// room is off, which asks nobody for one.
[[nodiscard]] std::string no_admission(const room& where, std::optional<slot_t> owner, time_ms at);

} // namespace usher::storage::audit

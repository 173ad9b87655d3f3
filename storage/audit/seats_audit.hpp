#pragma once

#include "storage/audit/batch_audit.hpp"
#include "storage/audit/findings.hpp"
#include "storage/audit/world.hpp"

namespace usher::storage::audit {

/// Where an event of a block belongs.
struct block_place {
  const show_id& show;
  const block_id& id;
};

/// Judges an event of `block/<show>/<block>` against the seats as they were, then changes them.
void take(block& where, const block_place& place, const seating::any_event& happened,
          batch_audit& together, const spot& here);

/// Whether the seat is this hold's, in time or not.
[[nodiscard]] bool has_now(const block& where, const seat_id& id, const hold_id& hold);

/// Whether something but this hold has or lately had the seat, so that a sale to the hold's order
/// may have been refused at `at`. Lately: a minute, since a refusal and the event that tells of it
/// are not one moment.
[[nodiscard]] bool is_in_the_way(const block& where, const seat_id& id, const hold_id& its_hold,
                                 time_ms at);

} // namespace usher::storage::audit

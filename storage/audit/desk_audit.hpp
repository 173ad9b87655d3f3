#pragma once

#include "storage/audit/batch_audit.hpp"
#include "storage/audit/findings.hpp"
#include "storage/audit/world.hpp"

namespace usher::storage::audit {

/// Judges an event of `desk/<show>` or `cashier` (without an id) against the show as it was, its
/// room and seats too, then changes its holds and orders.
void take(show& where, const show_id& id, const orders::any_event& happened, batch_audit& together,
          const spot& here);

} // namespace usher::storage::audit

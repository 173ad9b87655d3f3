#pragma once

#include "storage/audit/world.hpp"

#include <iosfwd>

namespace usher::storage::audit {

/// The world as it was at `at`: rooms, seats, holds, orders and money of every show, and of
/// the cashier if there is any, and the breakers that ever changed. Holds and held seats are over
/// from their time on, whether or not an event has said so. For people a table, for
/// machines one JSON object.
void write_state(std::ostream& out, const world& what, time_ms at, bool as_json);

} // namespace usher::storage::audit

#pragma once

#include "storage/audit/findings.hpp"
#include "storage/audit/world.hpp"

#include <string>

namespace usher::storage::audit {

/// Judges an event of `gateway/<NAME>` against the breaker as it was, then changes it.
void take(breaker& which, const std::string& name, const payments::any_event& happened,
          const spot& here);

} // namespace usher::storage::audit

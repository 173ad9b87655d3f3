#pragma once

#include "storage/audit/reader.hpp"

#include <string>

namespace usher::storage::audit {

/// What happened, in one line. `show`: the number that stands in the ids of holds and orders.
[[nodiscard]] std::string describe(const any_fact& what, show_number show);

} // namespace usher::storage::audit

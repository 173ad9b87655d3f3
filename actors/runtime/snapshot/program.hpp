#pragma once

#include "storage/record.hpp"

#include <optional>

namespace usher::runtime::snapshot {

/// Names the program that runs, by the build id that its linker put into it: any other code is
/// another name. None if it has no build id.
[[nodiscard]] std::optional<storage::digest> program_name();

} // namespace usher::runtime::snapshot

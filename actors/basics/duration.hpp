#pragma once

#include "actors/basics/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher {

/// Reads "250ms", "5s", "5m", "4h", "1d" (a whole number and a unit, nothing else).
[[nodiscard]] std::optional<duration_ms> read_duration(std::string_view text);

/// The shortest text that read_duration reads back: 300000 -> "5m".
[[nodiscard]] std::string to_text(duration_ms length);

} // namespace usher

#pragma once

#include "actors/basics/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher {

/// Reads a full date-time as in RFC 3339, e.g. "2026-12-31T20:00:00.25-03:00": a real calendar
/// date, 'T', a time of day, perhaps a fraction of a second (of any length, cut to milliseconds),
/// and 'Z' or an offset; both letters in either case. The year as written and the year in UTC lie
/// in 1970..9999. A leap second (":60") is refused: the process's clock has none.
[[nodiscard]] std::optional<time_ms> read_rfc3339(std::string_view text);

/// The other way, in UTC to the millisecond: "2026-12-31T23:00:00.250Z".
[[nodiscard]] std::string write_rfc3339(time_ms at);

} // namespace usher

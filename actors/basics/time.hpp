#pragma once

#include <cstdint>

namespace usher {

/// Milliseconds since the Unix epoch, on the process's own clock that never runs backwards
/// (see actors/runtime/clock.hpp). Rules get it with the command and read no clock.
using time_ms = std::int64_t;

/// A length of time in milliseconds.
using duration_ms = std::int64_t;

} // namespace usher

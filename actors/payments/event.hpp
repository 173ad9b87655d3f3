#pragma once

#include "actors/basics/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// What can have happened to a gateway. Subject in the log: `gateway/<NAME>`.
namespace usher::payments {

/// The states of a circuit breaker. The names are stored: append, never rename.
enum class breaker_status : std::uint8_t {
  closed,    ///< calls are made
  open,      ///< none is made
  half_open, ///< a few are made, to see whether it works again
};

[[nodiscard]] std::string_view to_string(breaker_status status);
[[nodiscard]] std::optional<breaker_status> breaker_status_of(std::string_view name);

/// Most bytes of the `why` of an event.
inline constexpr std::size_t why_bytes_max = 200;

} // namespace usher::payments

namespace usher::payments::event {

/// The breaker went from one state to another.
struct breaker_changed {
  std::string gateway;
  breaker_status from = breaker_status::closed;
  breaker_status to = breaker_status::open;
  time_ms until = 0;          ///< to OPEN: when trials may begin; else 0
  std::uint32_t calls = 0;    ///< that decided it: the full window, or the trials that reported
  std::uint32_t failures = 0; ///< among them
  std::string why{};          ///< to OPEN: the last error, at most why_bytes_max; else empty
  bool operator==(const breaker_changed&) const = default;
};

} // namespace usher::payments::event

namespace usher::payments {

using any_event = std::variant<event::breaker_changed>;

} // namespace usher::payments

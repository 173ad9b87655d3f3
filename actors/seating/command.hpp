#pragma once

#include "actors/seating/event.hpp"

#include <string_view>
#include <variant>
#include <vector>

// What may be asked of a seat block, and how it says no.
namespace usher::seating {

/// Why a seat cannot be had. Part of the 409 answer (`HELD`, `SOLD`, `BLOCKED`, `UNKNOWN`).
enum class unavailable_reason : std::uint8_t { held, sold, blocked, unknown };

[[nodiscard]] std::string_view to_string(unavailable_reason reason);

struct unavailable {
  seat_id seat;
  unavailable_reason reason = unavailable_reason::unknown;
  bool operator==(const unavailable&) const = default;
};

/// Every seat of the command that stood in the way; nothing was changed.
using refusal = std::vector<unavailable>;

namespace command {

/// These seats and no others. Refused with the held (and not yet lapsed) or sold seats that would
/// vanish.
struct plan {
  std::vector<seat_id> seats;
  time_ms now = 0;
};

/// All of these seats for this hold, or none. A seat whose hold has lapsed (`now >= until`) is
/// free.
struct hold {
  hold_id hold;
  std::vector<seat_id> seats;
  time_ms until = 0;
  time_ms now = 0;
};

/// Gives back what these holds still have here. Never refused; seats that another hold took since,
/// or that were sold, are not touched.
struct release {
  std::vector<hold_id> holds; ///< each once; several when an admission ends
};

/// Sells all of these seats or none: each must be held by this hold (even if its time has come and
/// nobody else took it) or be free at `now`.
struct sell {
  hold_id hold;
  order_id order;
  std::vector<seat_id> seats;
  time_ms now = 0;
};

} // namespace command

using any_command = std::variant<command::plan, command::hold, command::release, command::sell>;

/// Accepted: these events in this order (none: nothing changes), or every seat in the way.
using decision = std::variant<std::vector<any_event>, refusal>;

} // namespace usher::seating

#pragma once

#include "actors/seating/event.hpp"

#include <cstdint>
#include <string>
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
  hold_id hold{};   ///< that has it, if HELD. For operators: a fan is not told whose
  order_id order{}; ///< that it was sold to, if SOLD. Likewise
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
/// free; one that the same hold has from an earlier generation gets this one and its `until`.
struct hold {
  hold_id hold;
  std::vector<seat_id> seats;
  time_ms until = 0;
  time_ms now = 0;
  std::uint32_t generation = 1;
};

/// What one hold gives back in this block.
struct part {
  hold_id hold;
  std::uint32_t generation = 1; ///< what a later one took or kept is not touched
  std::vector<seat_id> seats;
};

/// Gives back of these seats what the holds still have. Never refused; seats that another hold took
/// since, or that were sold, are not touched.
struct release {
  std::vector<part> parts; ///< each hold once; several when an admission ends
};

/// Sells all of these seats or none: each must be held by this hold (even if its time has come and
/// nobody else took it) or be free at `now`.
struct sell {
  hold_id hold;
  order_id order;
  std::vector<seat_id> seats;
  time_ms now = 0;
  std::uint32_t generation = 1;
};

/// Takes all of these seats off sale or none. Those that are held are in the way, unless they are
/// among what is `taken` from their holds. Those that are BLOCKED already stay so.
struct block {
  std::vector<seat_id> seats;
  std::vector<part> taken;
  std::string note;
  time_ms now = 0;
};

/// Puts all of these seats back on sale or none. Those that are free already stay so.
struct unblock {
  std::vector<seat_id> seats;
  time_ms now = 0;
};

/// Puts all of these seats, sold to this order, back on sale, or none.
struct return_sold {
  order_id order;
  std::vector<seat_id> seats;
};

} // namespace command

using any_command = std::variant<command::plan, command::hold, command::release, command::sell,
                                 command::block, command::unblock, command::return_sold>;

/// Accepted: these events in this order (none: nothing changes), or every seat in the way.
using decision = std::variant<std::vector<any_event>, refusal>;

} // namespace usher::seating

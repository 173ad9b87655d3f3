#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

// What can have happened in a waiting room. Subject in the log: `queue/<show>`.
namespace usher::waiting_room {

/// What an operator sets. Every field has the default of the HTTP API.
struct settings {
  std::uint64_t admit_per_second_micro = 20'000'000; ///< fans per second, in millionths
  std::optional<std::uint32_t> max_active = 5000;    ///< hard limit of admissions; none: no limit
  std::optional<std::uint32_t> max_per_tick; ///< most admissions in one tick; none: no limit
  duration_ms tick_ms = 1000;                ///< time between two admission ticks
  duration_ms admission_ttl_ms = 300'000;    ///< from being admitted to the deadline
  std::uint32_t max_queue = 5'000'000;       ///< most fans waiting at once

  bool operator==(const settings&) const = default;
};

/// Why a ticket ended. The names are stored: append, never rename.
enum class end_reason : std::uint8_t { left, expired, used, closed, merged };

[[nodiscard]] std::string_view to_string(end_reason reason);
[[nodiscard]] std::optional<end_reason> end_reason_of(std::string_view name);

namespace event {

/// The settings as they are from now on (all of them, not a difference).
struct room_configured {
  settings to;
  bool operator==(const room_configured&) const = default;
};

struct room_opened {
  bool operator==(const room_opened&) const = default;
};

/// Ends every waiting or admitted ticket with the reason `closed`; the gate is off from here on.
struct room_closed {
  bool operator==(const room_closed&) const = default;
};

/// Fans took the slots [first, first + nonces.size()). Columns of equal length, one entry a fan;
/// `customers` or `keys` may be empty as a whole (nobody had one), and an entry may be "none".
struct fans_joined {
  slot_t first = 0;
  std::vector<std::uint64_t> nonces;
  std::vector<identity> customers; ///< keyed hash of the customer id
  std::vector<identity> keys;      ///< keyed hash of an idempotency key
  bool operator==(const fans_joined&) const = default;
};

/// A second identity of a fan who already has a place (signed in midway, or a retry with a key).
struct fan_identified {
  slot_t slot = 0;
  identity who;
  bool operator==(const fan_identified&) const = default;
};

/// Left the queue and were admitted, in one step, in this order.
struct fans_admitted {
  std::vector<slot_t> slots;
  time_ms until = 0;                   ///< deadline of these admissions
  std::uint64_t credit_left_micro = 0; ///< what the token bucket holds after this
  bool operator==(const fans_admitted&) const = default;
};

/// The admission lives until the later of its own deadline and `busy_until` (a live hold, an unpaid
/// order). `spent`: an order is paid, so that it ends as `used` when nothing keeps it any more.
struct admission_kept {
  slot_t slot = 0;
  time_ms busy_until = 0; ///< 0: nothing keeps it
  bool spent = false;
  bool operator==(const admission_kept&) const = default;
};

/// The one event that ends these tickets (waiting or admitted), except for room_closed.
struct tickets_ended {
  end_reason reason = end_reason::left;
  std::vector<slot_t> slots;
  bool operator==(const tickets_ended&) const = default;
};

} // namespace event

using any_event = std::variant<event::room_configured, event::room_opened, event::room_closed,
                               event::fans_joined, event::fan_identified, event::fans_admitted,
                               event::admission_kept, event::tickets_ended>;

} // namespace usher::waiting_room

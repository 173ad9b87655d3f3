#pragma once

#include "actors/basics/ids.hpp"
#include "actors/waiting_room/event.hpp"

#include <cstdint>
#include <string_view>

namespace usher::waiting_room {

/// OFF: no gate, no joins. OPEN: gate, joins and admissions.
enum class room_status : std::uint8_t { off, open };

/// Where a ticket stands. `unknown` is for readers only: no such ticket, or a wrong nonce.
enum class ticket_status : std::uint8_t {
  unknown,
  waiting,
  admitted,
  left,
  expired,
  used,
  closed,
  merged,
};

/// As the HTTP API writes them: `OFF`, `OPEN`; `WAITING`, `ADMITTED`, …
[[nodiscard]] std::string_view to_string(room_status status);
[[nodiscard]] std::string_view to_string(ticket_status status);

/// The status of a ticket that ended for this reason.
[[nodiscard]] ticket_status status_after(end_reason reason);

/// Waiting or admitted: not ended.
[[nodiscard]] constexpr bool is_live(ticket_status status) {
  return status == ticket_status::waiting || status == ticket_status::admitted;
}

/// Most slots one show can give in its life; the board's fixed tables end there.
inline constexpr slot_t slots_max = 16'777'216;

} // namespace usher::waiting_room

#pragma once

#include "actors/basics/ids.hpp"
#include "actors/waiting_room/event.hpp"

#include <cstdint>
#include <string_view>

namespace usher::waiting_room {

/// What a room is, as everybody sees it.
///
/// | status    | gate | join | admits |
/// |-----------|------|------|--------|
/// | off       | no   | no   | no     |
/// | scheduled | yes  | no   | no     |
/// | prequeue  | yes  | yes  | no     |
/// | open      | yes  | yes  | yes    |
/// | paused    | yes  | yes  | no     |  by an operator, or nothing is AVAILABLE
/// | standby   | yes  | yes: at once while nobody waits and there is room | yes |
/// | ended     | yes  | no: sold out | no |
enum class room_status : std::uint8_t { off, scheduled, prequeue, open, paused, standby, ended };

/// What operators and the clock did to a room; with `paused` and the stock it makes the status.
enum class room_mode : std::uint8_t { off, scheduled, prequeue, open, standby };

[[nodiscard]] constexpr room_status status_of(room_mode mode, bool paused, stock left) {
  switch (mode) {
  case room_mode::off:
    return room_status::off;
  case room_mode::scheduled:
    return room_status::scheduled;
  case room_mode::prequeue:
    return room_status::prequeue;
  case room_mode::standby:
    return room_status::standby;
  case room_mode::open:
    break;
  }
  if (left == stock::sold_out)
    return room_status::ended;
  return paused || left == stock::all_taken ? room_status::paused : room_status::open;
}

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
  absent,  ///< passed over: waits, keeps the claim, counts in no position
  no_show, ///< passed over, and the claim's time came
  idle,    ///< ended: not heard of while admitted
  revoked,
};

/// As the HTTP API writes them: `OFF`, `OPEN`; `WAITING`, `ADMITTED`, …
[[nodiscard]] std::string_view to_string(room_status status);
[[nodiscard]] std::string_view to_string(ticket_status status);

/// The status of a ticket that ended for this reason.
[[nodiscard]] ticket_status status_after(end_reason reason);

/// Waiting, passed over, or admitted: not ended.
[[nodiscard]] constexpr bool is_live(ticket_status status) {
  return status == ticket_status::waiting || status == ticket_status::absent ||
         status == ticket_status::admitted;
}

/// Waiting or passed over: has a place in the order.
[[nodiscard]] constexpr bool stands(ticket_status status) {
  return status == ticket_status::waiting || status == ticket_status::absent;
}

/// Most slots one show can give in its life; the board's fixed tables end there.
inline constexpr slot_t slots_max = 16'777'216;

/// Most places one tier's lane can have: every slot joins it at most once and is drawn at most
/// once.
inline constexpr slot_t places_max = 2 * slots_max;

} // namespace usher::waiting_room

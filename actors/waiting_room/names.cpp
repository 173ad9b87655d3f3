#include "actors/waiting_room/command.hpp"
#include "actors/waiting_room/status.hpp"

#include <array>

namespace usher::waiting_room {

std::string_view to_string(rejection reason) {
  switch (reason) {
  case rejection::room_off:
    return "room-off";
  case rejection::not_yet:
    return "not-yet";
  case rejection::sold_out:
    return "sold-out";
  case rejection::room_full:
    return "room-full";
  case rejection::code_unknown:
    return "access-code-unknown";
  case rejection::code_used:
    return "access-code-used";
  case rejection::code_not_yet:
    return "access-code-not-yet";
  case rejection::code_expired:
    return "access-code-expired";
  case rejection::not_admitted:
    return "not-admitted";
  case rejection::unknown_ticket:
    return "unknown-ticket";
  case rejection::already_ended:
    return "already-ended";
  case rejection::not_waiting:
    return "not-waiting";
  case rejection::opens_at_past:
    return "opens-at-past";
  case rejection::room_running:
    return "room-running";
  case rejection::tier_in_use:
    return "tier-in-use";
  case rejection::tier_unknown:
    return "tier-unknown";
  case rejection::too_many_codes:
    return "too-many-codes";
  case rejection::code_exists:
    return "access-code-exists";
  case rejection::not_open:
    return "not-open";
  case rejection::no_draw:
    return "no-draw";
  case rejection::beacon_fixed:
    return "beacon-fixed";
  }
  return "?";
}

std::string_view to_string(end_reason reason) {
  switch (reason) {
  case end_reason::left:
    return "left";
  case end_reason::expired:
    return "expired";
  case end_reason::used:
    return "used";
  case end_reason::closed:
    return "closed";
  case end_reason::merged:
    return "merged";
  case end_reason::absent:
    return "absent";
  case end_reason::idle:
    return "idle";
  case end_reason::revoked:
    return "revoked";
  }
  return "?";
}

std::optional<end_reason> end_reason_of(std::string_view name) {
  using enum end_reason;
  for (const auto reason : std::array{left, expired, used, closed, merged, absent, idle, revoked})
    if (to_string(reason) == name)
      return reason;
  return std::nullopt;
}

std::string_view to_string(stock left) {
  switch (left) {
  case stock::on_sale:
    return "on_sale";
  case stock::all_taken:
    return "all_taken";
  case stock::sold_out:
    return "sold_out";
  }
  return "?";
}

std::optional<stock> stock_of(std::string_view name) {
  for (const auto left : {stock::on_sale, stock::all_taken, stock::sold_out})
    if (to_string(left) == name)
      return left;
  return std::nullopt;
}

std::string_view to_string(room_status status) {
  switch (status) {
  case room_status::off:
    return "OFF";
  case room_status::scheduled:
    return "SCHEDULED";
  case room_status::prequeue:
    return "PREQUEUE";
  case room_status::open:
    return "OPEN";
  case room_status::paused:
    return "PAUSED";
  case room_status::standby:
    return "STANDBY";
  case room_status::ended:
    return "ENDED";
  }
  return "?";
}

std::string_view to_string(ticket_status status) {
  switch (status) {
  case ticket_status::unknown:
    return "UNKNOWN";
  case ticket_status::waiting:
    return "WAITING";
  case ticket_status::admitted:
    return "ADMITTED";
  case ticket_status::left:
    return "LEFT";
  case ticket_status::expired:
    return "EXPIRED";
  case ticket_status::used:
    return "USED";
  case ticket_status::closed:
    return "CLOSED";
  case ticket_status::merged:
    return "MERGED";
  case ticket_status::absent:
    return "ABSENT";
  case ticket_status::no_show:
    return "NO_SHOW";
  case ticket_status::idle:
    return "IDLE";
  case ticket_status::revoked:
    return "REVOKED";
  }
  return "?";
}

ticket_status status_after(end_reason reason) {
  switch (reason) {
  case end_reason::left:
    return ticket_status::left;
  case end_reason::expired:
    return ticket_status::expired;
  case end_reason::used:
    return ticket_status::used;
  case end_reason::closed:
    return ticket_status::closed;
  case end_reason::merged:
    return ticket_status::merged;
  case end_reason::absent:
    return ticket_status::no_show;
  case end_reason::idle:
    return ticket_status::idle;
  case end_reason::revoked:
    return ticket_status::revoked;
  }
  return ticket_status::unknown;
}

} // namespace usher::waiting_room

#include "actors/waiting_room/command.hpp"
#include "actors/waiting_room/status.hpp"

namespace usher::waiting_room {

std::string_view to_string(rejection reason) {
  switch (reason) {
  case rejection::room_off:
    return "room-off";
  case rejection::room_full:
    return "room-full";
  case rejection::not_admitted:
    return "not-admitted";
  case rejection::unknown_ticket:
    return "unknown-ticket";
  case rejection::already_ended:
    return "already-ended";
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
  }
  return "?";
}

std::optional<end_reason> end_reason_of(std::string_view name) {
  for (const auto reason : {end_reason::left, end_reason::expired, end_reason::used,
                            end_reason::closed, end_reason::merged})
    if (to_string(reason) == name)
      return reason;
  return std::nullopt;
}

std::string_view to_string(room_status status) {
  switch (status) {
  case room_status::off:
    return "OFF";
  case room_status::open:
    return "OPEN";
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
  }
  return ticket_status::unknown;
}

} // namespace usher::waiting_room

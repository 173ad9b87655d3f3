#pragma once

#include "http/api/fields.hpp"

// A waiting room as JSON: its settings as an operator sends them, and the room as all see it.
namespace usher::http {

/// The `waitingRoom` section of a show, and the body of PATCH …/waiting-room.
[[nodiscard]] shows::settings_patch read_settings(const json& section, const std::string& where,
                                                  std::vector<fault>& faults);

/// Every setting under its name in the API, as text or number.
[[nodiscard]] ordered_json settings_json(const waiting_room::settings& set);

/// The settings, and `state`, `waiting`, `absent`, `active`, `message`.
[[nodiscard]] ordered_json room_json(const waiting_room::board& room);

/// Languages and texts as an object.
[[nodiscard]] ordered_json
message_json(const std::vector<std::pair<std::string, std::string>>& texts);

} // namespace usher::http

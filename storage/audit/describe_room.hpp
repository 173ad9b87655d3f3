#pragma once

#include "actors/waiting_room/event.hpp"

#include <optional>
#include <string>

namespace usher::storage::audit {

/// What happened in a room, in one line. `show`: the number that stands in the ids of holds. With
/// `of`, an event that lists tickets is told of this one alone, which has to be among them.
[[nodiscard]] std::string describe_room(const waiting_room::any_event& what, show_number show,
                                        std::optional<slot_t> of = {});

} // namespace usher::storage::audit

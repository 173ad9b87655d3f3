#pragma once

#include "actors/concierge/actor.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/waiting_room/actor.hpp"

#include <string_view>

namespace usher::concierge {

/// Takes the wishes of admitted fans to the concierge of the show, and what became of them back to
/// its room. A wish that is taken twice, before and after a crash, finds the same hold.
[[nodiscard]] waiting_room::wish_taker wish_taker_of(const shows::registry* shows, show_id show,
                                                     actor chooses);

/// Why nothing could be held, in kebab-case.
[[nodiscard]] std::string_view reason_of(const orders::answer& no);

} // namespace usher::concierge

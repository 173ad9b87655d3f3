#pragma once

#include "actors/waiting_room/command.hpp"
#include "actors/waiting_room/state.hpp"

// The rules of a waiting room: `decide` looks and answers, `apply` is the only thing that changes
// a state. Neither reads a clock, throws, logs or allocates ids. Expiry is `now >= deadline`.
namespace usher::waiting_room {

[[nodiscard]] decision decide(const state& room, const command::configure& asked);
[[nodiscard]] decision decide(const state& room, const command::open& asked);
[[nodiscard]] decision decide(const state& room, const command::close& asked);
[[nodiscard]] join_decision decide(const state& room, const command::join& asked);
[[nodiscard]] decision decide(const state& room, const command::tick& asked);
[[nodiscard]] decision decide(const state& room, const command::enter& asked);
[[nodiscard]] decision decide(const state& room, const command::settle& asked);
[[nodiscard]] decision decide(const state& room, const command::leave& asked);

/// `at` is the event's time in the log: the token bucket and the admissions count from it.
/// An event that contradicts the state is a bug or a damaged log: it asserts.
void apply(state& room, const any_event& happened, time_ms at);

} // namespace usher::waiting_room

#pragma once

#include "actors/waiting_room/command.hpp"
#include "actors/waiting_room/state.hpp"

// The rules of a waiting room: `decide` looks and answers, `apply` is the only thing that changes
// a state. Neither reads a clock, throws, logs or allocates ids. Expiry is `now >= deadline`.
namespace usher::waiting_room {

[[nodiscard]] decision decide(const state& room, const command::configure& asked);
[[nodiscard]] decision decide(const state& room, const command::open& asked);
[[nodiscard]] decision decide(const state& room, const command::close& asked);
[[nodiscard]] decision decide(const state& room, const command::pause& asked);
[[nodiscard]] decision decide(const state& room, const command::resume& asked);
[[nodiscard]] decision decide(const state& room, const command::standby& asked);
[[nodiscard]] decision decide(const state& room, const command::begin_prequeue& asked);
[[nodiscard]] decision decide(const state& room, const command::give_beacon& asked);
[[nodiscard]] decision decide(const state& room, const command::set_message& asked);
[[nodiscard]] decision decide(const state& room, const command::add_codes& asked);
[[nodiscard]] join_decision decide(const state& room, const command::join& asked);
[[nodiscard]] decision decide(const state& room, const command::tick& asked);
[[nodiscard]] decision decide(const state& room, const command::enter& asked);
[[nodiscard]] decision decide(const state& room, const command::settle& asked);
[[nodiscard]] decision decide(const state& room, const command::settle_all& asked);
[[nodiscard]] decision decide(const state& room, const command::leave& asked);
[[nodiscard]] decision decide(const state& room, const command::set_wish& asked);
[[nodiscard]] decision decide(const state& room, const command::answer_wish& asked);

/// Most fans passed over in one tick; the rest of the absent are passed over in the next.
inline constexpr std::size_t passed_per_tick_max = 200'000;

/// `at` is the event's time in the log: the token bucket and the admissions count from it.
/// An event that contradicts the state is a bug or a damaged log: it asserts.
void apply(state& room, const any_event& happened, time_ms at);

} // namespace usher::waiting_room

#pragma once

#include "actors/seating/command.hpp"
#include "actors/seating/state.hpp"

// The rules of one seat block. `decide` looks and answers, `apply` alone changes a state.
// No clock, no I/O, no randomness. A hold is over at `now >= until`, judged at each use.
namespace usher::seating {

[[nodiscard]] decision decide(const state& block, const any_command& asked);

/// `at` is the event's time in the log. An event that contradicts the state (a seat sold twice, a
/// live hold overwritten, an unknown seat) is a bug or a damaged log: it throws nothing and
/// asserts.
void apply(state& block, const any_event& happened, time_ms at);

} // namespace usher::seating

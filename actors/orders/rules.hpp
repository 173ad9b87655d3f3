#pragma once

#include "actors/orders/command.hpp"
#include "actors/orders/state.hpp"

#include <vector>

// The rules of the sales desk of one show. Pure: ids and time come with the command.
namespace usher::orders {

[[nodiscard]] decision decide(const state& desk, const command::place_hold& asked);
[[nodiscard]] decision decide(const state& desk, const command::extend_hold& asked);
[[nodiscard]] decision decide(const state& desk, const command::add_seats& asked);
[[nodiscard]] decision decide(const state& desk, const command::release_seat& asked);
[[nodiscard]] decision decide(const state& desk, const command::release_hold& asked);
[[nodiscard]] decision decide(const state& desk, const command::leave& asked);
[[nodiscard]] decision decide(const state& desk, const command::place_order& asked);
[[nodiscard]] decision decide(const state& desk, const command::sell_seats& asked);
[[nodiscard]] decision decide(const state& desk, const command::block_seats& asked);
[[nodiscard]] decision decide(const state& desk, const command::unblock_seats& asked);
[[nodiscard]] decision decide(const state& desk, const command::return_seats& asked);
[[nodiscard]] decision decide(const state& desk, const command::start_payment& asked);
[[nodiscard]] decision decide(const state& desk, const command::take_payment& asked);
[[nodiscard]] decision decide(const state& desk, const command::cancel& asked);
[[nodiscard]] decision decide(const state& desk, const command::refund& asked);
[[nodiscard]] decision decide(const state& desk, const command::begin_due_refund& asked);
[[nodiscard]] decision decide(const state& desk, const command::use_ticket& asked);

/// Money came. If the seats can be had, PAID and SOLD in one batch; the blocks may refuse, then ask
/// again with `seats_lost`, which gives REFUND_DUE with a refund. Money for an order that has some
/// goes back. A second report of the same money is `repeated`. What came for an order that was
/// cancelled while it was being paid goes back, too.
[[nodiscard]] decision decide(const state& desk, const command::confirm& asked, bool seats_lost);
[[nodiscard]] decision decide(const state& desk, const command::settle_payment& asked,
                              bool seats_lost);
[[nodiscard]] decision decide(const state& desk, const command::keep_report& asked,
                              bool seats_lost);

/// A refund that is done puts its seats back on sale, if it is to. If the blocks refuse that (the
/// plan has them no more), ask again with `seats_lost`.
[[nodiscard]] decision decide(const state& desk, const command::settle_refund& asked,
                              bool seats_lost);

/// What time has ended: one proposal for each hold or order that is over at `now` and has not
/// ended yet, at most `limit` of them, earliest deadline first. A hold ends with its order, if it
/// has one. An order that is PAYING is over when its attempt is given up; money that comes after
/// that finds the seats or becomes REFUND_DUE.
/// Applying one of the proposals leaves the others true; anything else decided in between may not.
[[nodiscard]] std::vector<proposal> expire(const state& desk, time_ms now, std::size_t limit);

/// Kept reports whose order is there now, as commands to be decided.
[[nodiscard]] std::vector<command::confirm> due_reports(const state& desk);

void apply(state& desk, const any_event& happened, time_ms at);

} // namespace usher::orders

#pragma once

#include "actors/orders/state.hpp"

// What the files that apply events share. Of no use outside this folder.
namespace usher::orders::applying {

/// What contradicts the state is a bug or a damaged log: these end the process.
[[nodiscard]] hold& must_have(state& desk, const hold_id& id);
[[nodiscard]] order& must_have(state& desk, const order_id& id);

/// What a key led to, beside the thing itself.
struct began {
  payment_id payment{};
  refund_id refund{};
};

void remember(state& desk, const std::optional<idempotency>& asked,
              const std::variant<hold_id, order_id>& what, const began& with, time_ms at);

void note(order& it, step_kind what, std::size_t index, time_ms at, std::string why = {});

/// Keeps `unsettled` true to the order.
void look_for_unsettled(state& desk, const order_id& id, const order& it);

/// Money is on record: no report of it waits any more.
void record_money(state& desk, const order_id& id, const std::string& gateway,
                  const std::string& reference);

// apply.cpp
void apply_one(state& desk, const event::hold_placed& e, time_ms at);
void apply_one(state& desk, const event::hold_changed& e, time_ms at);
void apply_one(state& desk, const event::hold_ended& e, time_ms at);
void apply_one(state& desk, const event::order_placed& e, time_ms at);
void apply_one(state& desk, const event::order_expired& e, time_ms at);
void apply_one(state& desk, const event::order_cancelled& e, time_ms at);

// apply_payments.cpp
void apply_one(state& desk, const event::payment_started& e, time_ms at);
void apply_one(state& desk, const event::payment_settled& e, time_ms at);
void apply_one(state& desk, const event::payment_reported& e, time_ms at);
void apply_one(state& desk, const event::report_kept& e, time_ms at);
void apply_one(state& desk, const event::order_paid& e, time_ms at);
void apply_one(state& desk, const event::order_refund_due& e, time_ms at);

// apply_refunds.cpp
void apply_one(state& desk, const event::refund_started& e, time_ms at);
void apply_one(state& desk, const event::refund_tried& e, time_ms at);
void apply_one(state& desk, const event::refund_settled& e, time_ms at);
void apply_one(state& desk, const event::order_seats_returned& e, time_ms at);
void apply_one(state& desk, const event::tickets_issued& e, time_ms at);
void apply_one(state& desk, const event::ticket_used& e, time_ms at);

} // namespace usher::orders::applying

#pragma once

#include "actors/orders/state.hpp"
#include "actors/payments/state.hpp"
#include "actors/runtime/snapshot/pass.hpp"
#include "actors/runtime/snapshot/waiting_room_fields.hpp"
#include "actors/seating/board.hpp"
#include "actors/seating/state.hpp"

// What a snapshot keeps of everything but waiting rooms; see there for how.
namespace usher::seating {

template <class Io>
void snapshot_fields(Io& io, state& block) {
  auto& [seats, index_of] = block;
  runtime::snapshot::pass_all(io, seats, index_of);
}

/// Reads into a new board. Earlier versions of the plan are left out: only readers that have one
/// read it.
template <class Io>
void snapshot_fields(Io& io, board& whole) {
  auto& [index_of, views, current, packed_tally, as_of_ms, version] = whole;
  runtime::snapshot::pass_all(io, packed_tally, as_of_ms, version);
  if constexpr (Io::reads) {
    std::vector<seat_id> ids;
    runtime::snapshot::pass(io, ids);
    for (std::size_t index = 0; index < ids.size(); ++index)
      index_of.emplace(ids[index], index);
    views.push_back(std::make_shared<board::view>(std::move(ids)));
    current = &views.back();
  } else {
    runtime::snapshot::pass(io, views.back()->ids_);
  }
  auto& [ids, states] = *views.back();
  for (std::size_t index = 0; index < ids.size(); ++index)
    runtime::snapshot::pass(io, states[index]);
}

} // namespace usher::seating

namespace usher::orders {

template <class Io>
void snapshot_fields(Io& io, state& desk) {
  auto& [holds, orders, keys, key_ages, by_hold_ref, holds_of, holds_of_customer, orders_of,
         order_of, hold_deadlines, order_deadlines, kept_reports, order_of_money, unsettled] = desk;
  runtime::snapshot::pass_all(io, holds, orders, keys, key_ages, by_hold_ref, holds_of,
                              holds_of_customer, orders_of, order_of, hold_deadlines,
                              order_deadlines, kept_reports, order_of_money, unsettled);
}

} // namespace usher::orders

namespace usher::payments {

template <class Io>
void snapshot_fields(Io& io, breaker_state& breaker) {
  auto& [is, until, changed_at] = breaker;
  runtime::snapshot::pass_all(io, is, until, changed_at);
}

} // namespace usher::payments

#pragma once

#include "actors/orders/calls.hpp"
#include "actors/orders/gateway_calls.hpp"
#include "actors/orders/locks.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/coordinator.hpp"

#include <caf/stateful_actor.hpp>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace usher::orders {

using sweep_atom = caf::atom_constant<caf::atom("sweep")>;

/// The blocks of the show, as of the plan that is about to be published.
struct use_blocks {
  std::map<block_id, seating::actor> blocks;
};
using use_blocks_ptr = std::shared_ptr<use_blocks>;

} // namespace usher::orders

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::orders::use_blocks_ptr)

namespace usher::orders {

/// One actor per show: the sales desk. Owns holds and orders, and coordinates every decision in
/// which blocks or the waiting room take part. One more, the cashier, has no show: its orders are
/// payments for services that sell elsewhere.
using actor =
    runtime::coordinator_port::extend<caf::reacts_to<call_ptr>, caf::reacts_to<lookup_ptr>,
                                      caf::reacts_to<use_blocks_ptr>, caf::reacts_to<charged>,
                                      caf::reacts_to<refunded>, caf::reacts_to<ask_again>,
                                      caf::reacts_to<sweep_atom>>;

/// How often the desk looks for holds and orders whose time has come. Rules judge by time at every
/// use, so this only decides how soon a display shows it.
inline constexpr duration_ms sweep_interval_ms = 500;

/// Most holds and orders ended in one sweep.
inline constexpr std::size_t sweep_max = 4096;

/// How often seats are taken from whoever holds them before the answer is that they are held.
inline constexpr unsigned withdraw_tries_max = 3;

/// What an actor starts with: empty, or as recovered from the log.
struct desk_seed {
  std::string subject; ///< `desk/<show>`, or `cashier`
  orders::state desk;
  std::map<block_id, seating::actor> blocks;
  waiting_room::actor room;
  journal::actor journal;
  const usher::clock* clock = nullptr; ///< outlives the actor
  std::shared_ptr<const payments::switchboard> gateways;
  show_number number = cashier_number;    ///< stands in what gateways are told
  duration_ms payment_limit_ms = 600'000; ///< an attempt that is unknown for so long is given up
  std::shared_ptr<desk_board> board = std::make_shared<desk_board>();
};

struct actor_state {
  static constexpr const char* name = "sales-desk";
  explicit actor_state() = default;

  desk_seed seed;
  runtime::coordinator coordinator;
  lock_table locks;
  std::deque<call_ptr> waiting; ///< calls whose locks are taken, in order of arrival
  std::unordered_map<payment_id, call_ptr, id_hash> paying; ///< pay calls that wait for a gateway
  std::optional<gateway_calls> at_gateways;                 ///< made with the actor
  bool sweeping = false;
};

actor::behavior_type desk_actor(actor::stateful_pointer<actor_state> self,
                                std::shared_ptr<desk_seed> seed);

} // namespace usher::orders

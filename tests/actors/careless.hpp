#pragma once

#include "actors/orders/actor.hpp"
#include "actors/runtime/coordinator.hpp"
#include "actors/seating/actor.hpp"
#include "tests/actors/reply.hpp"

#include <map>
#include <memory>
#include <vector>

// Actors of the tests' own that leave out one guard each, made of the same public pieces as the
// real ones. They exist so that a check can be shown to find what the guard prevents.
namespace usher::testing {

struct careless_block_state {
  static constexpr const char* name = "careless-block";
  explicit careless_block_state() = default;
  seating::block_seed seed;
  std::map<runtime::undertaking_id, std::vector<seating::any_event>> open;
};

/// A block that keeps nothing back: it decides again while a reservation is open.
seating::actor::behavior_type
careless_block(seating::actor::stateful_pointer<careless_block_state> self,
               std::shared_ptr<seating::block_seed> seed);

/// Seats of several blocks for one hold, asked for in the order given here.
struct pair_call {
  std::vector<std::pair<seating::actor, seating::command::hold>> steps;
  std::function<void(bool)> done; ///< did it get them all?
};
using pair_call_ptr = std::shared_ptr<pair_call>;

} // namespace usher::testing

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::testing::pair_call_ptr)

namespace usher::testing {

using plain_coordinator = runtime::coordinator_port::extend<caf::reacts_to<pair_call_ptr>>;

struct plain_coordinator_state {
  static constexpr const char* name = "plain-coordinator";
  explicit plain_coordinator_state() = default;
  runtime::coordinator coordinator;
};

/// The coordinator with nothing around it that sorts.
plain_coordinator::behavior_type
unsorted_coordinator(plain_coordinator::stateful_pointer<plain_coordinator_state> self,
                     journal::actor log);

struct careless_desk_state {
  static constexpr const char* name = "careless-desk";
  explicit careless_desk_state() = default;
  orders::desk_seed seed;
  runtime::coordinator coordinator;
};

/// A desk without locks, for place_hold only: every call is decided at once, whatever runs.
orders::actor::behavior_type
careless_desk(orders::actor::stateful_pointer<careless_desk_state> self,
              std::shared_ptr<orders::desk_seed> seed);

} // namespace usher::testing

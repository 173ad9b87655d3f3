#pragma once

#include "actors/runtime/messages.hpp"
#include "actors/seating/board.hpp"
#include "actors/seating/state.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace usher::seating {

/// One actor per block: the only truth about its seats. Whatever changes a seat comes as a
/// reservation; while one is open, the next ones wait.
using actor = caf::typed_actor<caf::reacts_to<runtime::reserve>, caf::reacts_to<runtime::commit>,
                               caf::reacts_to<runtime::release>>;

/// What an actor starts with: empty, or as recovered from the log.
struct block_seed {
  std::string subject; ///< `block/<show>/<block>`
  seating::state block;
  std::shared_ptr<seating::board> board;
};

struct actor_state {
  static constexpr const char* name = "seat-block";
  explicit actor_state() = default;

  std::string subject;
  seating::state block;
  std::shared_ptr<seating::board> board;

  std::optional<runtime::reserve> open; ///< the reservation under way
  std::vector<any_event> kept_back;     ///< what it decided
  time_ms last_now = 0;
  std::deque<runtime::reserve> waiting;
};

actor::behavior_type block_actor(actor::stateful_pointer<actor_state> self,
                                 std::shared_ptr<block_seed> seed);

} // namespace usher::seating

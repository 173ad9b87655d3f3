#pragma once

#include "actors/orders/calls.hpp"
#include "actors/shows/best_available.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace usher::concierge {

/// Somebody wants the best seats there are.
struct request {
  shows::best_ask ask;
  orders::command::place_hold hold; ///< all but the seats
  storage::cause cause;
  /// Called once, any thread: as the desk answered, or a refusal of no seats if none fit.
  std::function<void(orders::answer)> done;

  unsigned tries = 0;                                          ///< the actor's own
  std::vector<std::pair<std::uint32_t, std::uint32_t>> chosen; ///< block and seat; the actor's own
};
using request_ptr = std::shared_ptr<request>;

/// What the desk said to a choice.
struct outcome {
  request_ptr of;
  std::shared_ptr<orders::answer> answer;
};

} // namespace usher::concierge

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::concierge::request_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::concierge::outcome)

namespace usher::concierge {

/// One actor per show: chooses seats for whoever does not name them, and asks the desk to hold
/// them. It looks at the boards, which may be a moment old, but remembers what it has chosen and
/// not heard of yet: so two who ask at once get different seats. The blocks decide; if somebody who
/// named seats was faster, it chooses again.
using actor = caf::typed_actor<caf::reacts_to<request_ptr>, caf::reacts_to<outcome>>;

} // namespace usher::concierge

#pragma once

#include "actors/orders/calls.hpp"
#include "actors/shows/best_available.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/atom.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace usher::shows {
struct published;
}

namespace usher::concierge {

/// So many places of an area of general admission.
struct area_ask {
  block_id area;
  std::uint32_t quantity = 1;
};

/// What is to be done with the seats, all but the seats.
using purpose = std::variant<orders::command::place_hold, orders::command::add_seats,
                             orders::command::sell_seats>;

/// Somebody wants seats and does not name them.
struct request {
  std::variant<shows::best_ask, area_ask> ask;
  purpose wanted;
  storage::cause cause;
  /// Called once, any thread: as the desk answered, or a refusal of no seats if none fit.
  std::function<void(orders::answer)> done;

  // The actor's own.
  unsigned tries = 0;
  bool none_left = false;                              ///< asked only whether it was done before
  std::shared_ptr<const shows::published> chosen_from; ///< what the indexes in `chosen` mean
  std::vector<std::pair<std::uint32_t, std::uint32_t>> chosen; ///< block and seat
};
using request_ptr = std::shared_ptr<request>;

/// What the desk said to a choice.
struct outcome {
  request_ptr of;
  std::shared_ptr<orders::answer> answer;
};

/// Look again for whoever waits for what others may give back.
using again_atom = caf::atom_constant<caf::atom("again")>;

} // namespace usher::concierge

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::concierge::request_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::concierge::outcome)

namespace usher::concierge {

/// One actor per show: chooses seats for whoever does not name them, and asks the desk to hold
/// them. It looks at the boards, which may be a moment old, but remembers what it has chosen and
/// not heard of yet: so two who ask at once get different seats. Who finds nothing but what is
/// chosen for others waits for what becomes of that, so nobody is sent away while seats may come
/// back. The blocks decide; if somebody who named seats was faster, it chooses again.
using actor = caf::typed_actor<caf::reacts_to<request_ptr>, caf::reacts_to<outcome>,
                               caf::reacts_to<again_atom>>;

} // namespace usher::concierge

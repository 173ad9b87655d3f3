#pragma once

#include "actors/concierge/messages.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/shows/registry.hpp"

#include <caf/stateful_actor.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_set>

namespace usher::concierge {

/// How often it chooses for one request before the answer is that seats are taken.
inline constexpr unsigned tries_max = 10;

struct actor_state {
  static constexpr const char* name = "concierge";
  explicit actor_state() = default;

  const shows::registry* shows = nullptr; ///< outlives the actor
  const usher::clock* clock = nullptr;    ///< likewise
  show_id show;
  std::shared_ptr<const shows::published> charted; ///< what `chart` is of
  std::unique_ptr<const shows::seat_chart> chart;
  std::unordered_set<std::uint64_t> in_flight; ///< block and seat in `charted`: not decided yet
  std::deque<request_ptr> waiting;             ///< for what is in flight; in order of arrival
  bool looking_again = false;                  ///< again_atom is on its way
};

actor::behavior_type concierge_actor(actor::stateful_pointer<actor_state> self,
                                     const shows::registry* shows, const usher::clock* clock,
                                     show_id show);

} // namespace usher::concierge

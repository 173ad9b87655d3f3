#pragma once

#include "actors/concierge/actor.hpp"
#include "actors/orders/actor.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/recovered.hpp"
#include "actors/seating/actor.hpp"
#include "actors/shows/registry.hpp"
#include "actors/waiting_room/actor.hpp"

#include <caf/actor_system.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace usher::shows {

/// What every actor of a show is given; all of it outlives them.
struct resources {
  caf::actor_system* system = nullptr;
  registry* published = nullptr;
  journal::actor journal;
  const usher::clock* clock = nullptr;
  std::shared_ptr<const payments::switchboard> gateways;
  duration_ms payment_limit_ms = 600'000;
  waiting_room::bytes32 draw_key{};                    ///< secret: see runtime/draw.hpp
  const std::atomic<time_ms>* excused_until = nullptr; ///< see room_seed
  const std::atomic<bool>* accepts_writes = nullptr;   ///< likewise
};

/// The actors of one show, and their read sides.
struct crew {
  waiting_room::actor room;
  std::shared_ptr<waiting_room::board> room_board;
  orders::actor desk;
  std::shared_ptr<orders::desk_board> desk_board = std::make_shared<orders::desk_board>();
  concierge::actor concierge;
  std::map<block_id, seating::actor> blocks;
  std::map<block_id, std::shared_ptr<seating::board>> boards;
};

/// Starts a show's actors with what the log told of them (nothing, for a new show).
[[nodiscard]] crew start_crew(const resources& with, const show_id& id, show_number number,
                              runtime::recovered_show found);

/// Starts one more block.
void add_block(const resources& with, crew& mates, const show_id& id, const block_id& block,
               runtime::recovered_block found);

/// Makes a show, or its new description, visible. The desk hears of the blocks before anybody can
/// ask for their seats.
void publish(registry& where, const show_id& id, show_number number,
             std::shared_ptr<const published> what, const crew& mates);

/// Ends the actors of a show. (Blocks end when nobody refers to them any more.)
void dismiss(const crew& mates);

} // namespace usher::shows

#include "actors/shows/crew.hpp"

#include "actors/concierge/wishes.hpp"

#include <caf/send.hpp>

#include <utility>

namespace usher::shows {

namespace {

/// As the boards show them. Before a show is published there is nothing to sell or to miss.
waiting_room::seats_left seats_left_of(const registry& where, const show_id& id) {
  waiting_room::seats_left left;
  const auto* const entry = where.find(id);
  if (entry == nullptr)
    return left;
  const auto now = entry->now();
  left.counted = now->what.plan.has_value();
  for (const auto& board : now->boards) {
    const auto one = board->count();
    left.available += one.available;
    left.held += one.held;
    left.sold += one.sold;
    left.blocked += one.blocked;
  }
  return left;
}

void start_room(const resources& with, crew& mates, const show_id& id,
                runtime::recovered_show& found) {
  auto seed = std::make_shared<waiting_room::room_seed>();
  seed->subject = "queue/" + id;
  seed->room = std::move(found.room);
  seed->board = mates.room_board = found.room_board;
  seed->journal = with.journal;
  seed->clock = with.clock;
  seed->draw_key = with.draw_key;
  seed->excused_until = with.excused_until;
  seed->accepts_writes = with.accepts_writes;
  seed->take_wish = concierge::wish_taker_of(with.published, id, mates.concierge);
  seed->count_seats = [where = with.published, id] { return seats_left_of(*where, id); };
  mates.room = with.system->spawn(waiting_room::room_actor, std::move(seed));
}

void start_desk(const resources& with, crew& mates, const show_id& id, show_number number,
                orders::state found) {
  auto seed = std::make_shared<orders::desk_seed>();
  seed->subject = "desk/" + id;
  seed->desk = std::move(found);
  seed->blocks = mates.blocks;
  seed->room = mates.room;
  seed->journal = with.journal;
  seed->clock = with.clock;
  seed->gateways = with.gateways;
  seed->payment_limit_ms = with.payment_limit_ms;
  seed->number = number;
  seed->board = mates.desk_board;
  mates.desk = with.system->spawn(orders::desk_actor, std::move(seed));
}

} // namespace

crew start_crew(const resources& with, const show_id& id, show_number number,
                runtime::recovered_show found) {
  crew mates;
  for (auto& [block, seed] : found.blocks)
    add_block(with, mates, id, block, std::move(seed));
  mates.concierge = with.system->spawn(concierge::concierge_actor, with.published, with.clock, id);
  start_room(with, mates, id, found);
  start_desk(with, mates, id, number, std::move(found.desk));
  return mates;
}

void add_block(const resources& with, crew& mates, const show_id& id, const block_id& block,
               runtime::recovered_block found) {
  auto seed = std::make_shared<seating::block_seed>();
  seed->subject = "block/" + id + "/" + block;
  seed->block = std::move(found.block);
  seed->board = mates.boards[block] = found.board;
  mates.blocks[block] = with.system->spawn(seating::block_actor, std::move(seed));
}

void publish(registry& where, const show_id& id, show_number number,
             std::shared_ptr<const published> what, const crew& mates) {
  auto blocks = std::make_shared<orders::use_blocks>();
  blocks->blocks = mates.blocks;
  caf::anon_send(mates.desk, std::move(blocks));
  if (auto* known = where.find(id)) {
    known->publish(std::move(what));
    return;
  }
  auto entry = std::make_unique<show_entry>(id, number, mates.room_board, mates.room, mates.desk,
                                            mates.concierge, mates.desk_board);
  entry->publish(std::move(what));
  where.add(std::move(entry));
  caf::anon_send(mates.room, waiting_room::begin{});
}

void dismiss(const crew& mates) {
  caf::anon_send_exit(mates.concierge, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(mates.desk, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(mates.room, caf::exit_reason::user_shutdown);
}

} // namespace usher::shows

#pragma once

#include "actors/concierge/messages.hpp"
#include "actors/orders/actor.hpp"
#include "actors/seating/board.hpp"
#include "actors/shows/state.hpp"
#include "actors/waiting_room/actor.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace usher::shows {

/// Where a seat is and what it costs, as published.
struct seat_place {
  std::uint32_t block = 0;    ///< index into plan.blocks
  std::uint32_t category = 0; ///< index into plan.categories
  std::uint32_t index = 0;    ///< in its block, in the plan's order: as in the board's view
  bool in_area = false;       ///< a place of an area, which only operators name
};

/// A show as it was described when this was published. Immutable.
struct published {
  description what;
  std::unordered_map<seat_id, seat_place> seats;
  std::vector<std::shared_ptr<seating::board>> boards; ///< as plan.blocks

  [[nodiscard]] static std::shared_ptr<const published>
  of(description what, const std::map<block_id, std::shared_ptr<seating::board>>& boards);
};

/// Everything the edge needs of one show. Lives as long as the registry; its address is stable.
class show_entry {
public:
  show_entry(show_id its_id, show_number its_number, std::shared_ptr<waiting_room::board> its_board,
             waiting_room::actor its_room, orders::actor its_desk, concierge::actor its_concierge,
             std::shared_ptr<const orders::desk_board> its_desk_board)
      : id{std::move(its_id)},
        number{its_number},
        board{std::move(its_board)},
        room{std::move(its_room)},
        desk{std::move(its_desk)},
        concierge{std::move(its_concierge)},
        desk_board{std::move(its_desk_board)} {}

  const show_id id;
  const show_number number;
  const std::shared_ptr<waiting_room::board> board;
  const waiting_room::actor room;
  const orders::actor desk;
  const concierge::actor concierge;
  const std::shared_ptr<const orders::desk_board> desk_board;

  [[nodiscard]] std::shared_ptr<const published> now() const { return std::atomic_load(&now_); }
  void publish(std::shared_ptr<const published> what) { std::atomic_store(&now_, std::move(what)); }

private:
  std::shared_ptr<const published> now_;
};

/// The read side of the directory: which shows there are, and how to reach their actors. Written
/// after commits, read by any thread.
class registry {
public:
  /// Null if there is none. The pointer stays valid as long as the registry.
  [[nodiscard]] show_entry* find(std::string_view id) const;
  [[nodiscard]] show_entry* find(show_number number) const;
  [[nodiscard]] std::vector<show_entry*> all() const; ///< by number

  void add(std::unique_ptr<show_entry> entry);

private:
  struct text_hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  mutable std::shared_mutex mutex_;
  std::vector<std::unique_ptr<show_entry>> entries_; ///< index: number
  std::unordered_map<std::string, show_entry*, text_hash, std::equal_to<>> by_id_;
};

} // namespace usher::shows

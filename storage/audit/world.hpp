#pragma once

#include "actors/orders/event.hpp"
#include "actors/seating/event.hpp"
#include "actors/shows/event.hpp"
#include "storage/audit/room.hpp"
#include "storage/record.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// The world as the audit sees it: plain maps, folded from the events alone. A few bytes a fan, and
// a struct each for whoever is admitted, for a hold, an order and a seat.
namespace usher::storage::audit {

enum class seat_state : std::uint8_t { available, held, sold, blocked };
inline constexpr std::size_t seat_state_count = 4;

struct seat {
  seat_state is = seat_state::available;
  hold_id hold;                 ///< of a held seat
  time_ms until = 0;            ///< of a held seat: from then on it is free
  std::uint32_t generation = 0; ///< of a held seat: of its hold
  order_id order;               ///< of a sold seat
  /// Of a free seat that was not always free: since when, and whose hold had it. None: it was no
  /// hold's, but BLOCKED or sold.
  std::optional<time_ms> free_since;
  hold_id had_by;
};

struct block {
  std::map<seat_id, seat> seats;
  std::size_t planned = 0; ///< how many its plan lists
  /// By state, moved with every seat that changes. A hold that is over counts as held until an
  /// event takes its seats.
  std::array<std::size_t, seat_state_count> counts{};
};
using seat_place = std::pair<block_id, seat_id>;

struct promised_seat {
  seat_place where;
  std::int64_t price_minor = 0;
  bool returned = false; ///< sold, and back on sale since
};

struct hold {
  std::optional<slot_t> owner;
  bool box_office = false;
  std::vector<promised_seat> seats;
  std::string currency;
  time_ms placed_at = 0;
  time_ms until = 0;
  std::uint32_t generation = 1; ///< one more with each change
  order_id order;               ///< none until one is placed
  bool ended = false;
  bool sold = false;

  [[nodiscard]] money total() const;
  /// Without those that are back on sale.
  [[nodiscard]] std::size_t seats_left() const;
};

enum class order_state : std::uint8_t { pending, paying, paid, refund_due, expired, cancelled };
[[nodiscard]] std::string_view to_string(order_state state);

struct order {
  std::optional<slot_t> owner;
  hold_id hold;
  std::string hold_ref;
  money total;
  time_ms until = 0;
  order_state is = order_state::pending;
  std::map<payment_id, bool> attempts; ///< settled or not

  [[nodiscard]] bool has_money() const {
    return is == order_state::paid || is == order_state::refund_due;
  }
  /// Whether it may still be paid or is being paid.
  [[nodiscard]] bool is_open(time_ms at) const {
    return is == order_state::paying || (is == order_state::pending && at < until);
  }
};

/// What a description says of holds.
struct hold_limits {
  std::uint32_t max_seats = 0;
  duration_ms max_life_ms = 0;
};

/// Those of an earlier description, which commands on their way may still have known.
struct earlier_limits {
  hold_limits were;
  time_ms changed_at = 0;
};

struct show {
  show_number number = 0;
  std::string title;
  hold_limits limits;
  std::deque<earlier_limits> earlier;
  audit::room room;
  std::map<block_id, block> blocks;
  std::unordered_map<hold_id, hold, id_hash> holds; ///< live, or with an order
  std::unordered_map<order_id, order, id_hash> orders;
  std::unordered_map<slot_t, std::set<hold_id>> holds_of;
  std::unordered_map<std::string, std::vector<order_id>> orders_of_ref;
};

struct world {
  std::map<show_id, show> shows;
  std::vector<show_id> by_number;
  position_t position = 0; ///< the last record that is in it
  time_ms at = 0;          ///< the latest time of its records
};

} // namespace usher::storage::audit

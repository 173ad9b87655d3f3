#pragma once

#include "actors/orders/event.hpp"
#include "actors/seating/event.hpp"
#include "actors/shows/event.hpp"
#include "storage/audit/room.hpp"
#include "storage/record.hpp"

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

enum class seat_state : std::uint8_t { available, held, sold };

struct seat {
  seat_state is = seat_state::available;
  hold_id hold;          ///< of a held seat
  time_ms until = 0;     ///< of a held seat: from then on it is free
  order_id order;        ///< of a sold seat
  hold_id given_back_by; ///< the hold that released it last, and when
  time_ms given_back_at = 0;
};

using block = std::map<seat_id, seat>;
using seat_place = std::pair<block_id, seat_id>;

struct hold {
  std::optional<slot_t> owner;
  std::vector<seat_place> seats;
  money total;
  time_ms until = 0;
  order_id order; ///< none until one is placed
  bool ended = false;
  bool sold = false;
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

/// A number of an earlier description, which commands on their way may still have known.
struct earlier_limit {
  std::uint32_t max_seats = 0;
  time_ms changed_at = 0;
};

struct show {
  show_number number = 0;
  std::string title;
  std::uint32_t max_seats = 0;
  std::deque<earlier_limit> earlier_limits;
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

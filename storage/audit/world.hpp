#pragma once

#include "actors/orders/event.hpp"
#include "actors/payments/event.hpp"
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
  time_ms until_unpaid = 0; ///< while a payment keeps it longer: until when it would last; else 0
  std::uint32_t generation = 1; ///< one more with each change
  order_id order;               ///< none until one is placed
  bool ended = false;
  bool sold = false;

  [[nodiscard]] money total() const;
  /// Without those that are back on sale.
  [[nodiscard]] std::size_t seats_left() const;
};

enum class order_state : std::uint8_t {
  pending,
  paying,
  paid,
  refund_due,
  expired,
  cancelled,
  partly_refunded,
  refunded,
};
inline constexpr std::size_t order_state_count = 8;
[[nodiscard]] std::string_view to_string(order_state state);

/// An attempt to take money.
struct attempt {
  std::string gateway;
  bool chosen = false; ///< the fan chose the gateway
  /// When it is given up; 0: never. Such a one began in an older log, or goes on from one that did:
  /// nothing else was promised with it yet.
  time_ms until = 0;
  std::optional<orders::payment_outcome> outcome; ///< none: not known yet
  position_t settled_in = 0;                      ///< where the batch begins
  bool was_followed = false;

  [[nodiscard]] bool is_of_older_log() const { return until == 0; }
};

/// Money that came for an order.
struct money_in {
  payment_id payment; ///< none: reported from outside
  std::string gateway;
  std::string reference;
  std::int64_t amount_minor = 0;
  bool is_kept = false;              ///< what the order is PAID with or REFUND_DUE for
  bool may_stay = false;             ///< surplus of an older log, which refunded nothing by itself
  std::int64_t going_back_minor = 0; ///< of refunds that were not refused
  std::int64_t gone_back_minor = 0;  ///< of those that are done
};

struct refund {
  std::size_t of = 0; ///< which of the money that came
  std::int64_t amount_minor = 0;
  std::vector<seat_id> seats;
  bool resell = false;
  orders::refund_cause cause = orders::refund_cause::asked;
  std::optional<orders::refund_outcome> outcome; ///< none: under way
  position_t settled_in = 0;                     ///< where the batch begins
};

struct order {
  std::optional<slot_t> owner;
  hold_id hold;
  std::string hold_ref;
  money total;
  time_ms until = 0;
  order_state is = order_state::pending;
  time_ms paying_until = 0; ///< of the attempt, while PAYING
  std::map<payment_id, attempt> attempts;
  std::vector<money_in> came; ///< in order
  std::map<refund_id, refund> refunds;
  bool has_tickets = false;
  std::set<seat_id> used; ///< of its tickets

  /// Its seats are the customer's, but for those that were given back.
  [[nodiscard]] bool is_sold() const {
    return is == order_state::paid || is == order_state::partly_refunded;
  }
  [[nodiscard]] bool has_money() const {
    return is_sold() || is == order_state::refund_due || is == order_state::refunded;
  }
  /// Whether it may still be paid or is being paid.
  [[nodiscard]] bool is_open(time_ms at) const {
    return is == order_state::paying || (is == order_state::pending && at < until);
  }
  /// A refund gives the seat back, or gave it.
  [[nodiscard]] bool gives_back(const seat_id& seat) const;
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
  /// Money for orders that were not there, by gateway and reference: when it was reported.
  std::map<std::pair<std::string, std::string>, time_ms> kept_reports;
  /// Money that is on record for an order, likewise.
  std::set<std::pair<std::string, std::string>> money_on_record;
};

/// Of a gateway.
struct breaker {
  payments::breaker_status is = payments::breaker_status::closed;
  time_ms until = 0; ///< while OPEN: when it may be tried again
};

struct world {
  world() { cashier.number = cashier_number; }

  std::map<show_id, show> shows;
  show cashier; ///< payments without a show: a desk without room, seats and holds
  std::vector<show_id> by_number;
  std::map<std::string, breaker> breakers; ///< by gateway, if it ever changed
  position_t position = 0;                 ///< the last record that is in it
  time_ms at = 0;                          ///< the latest time of its records
};

} // namespace usher::storage::audit

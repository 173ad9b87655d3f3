#pragma once

#include "actors/orders/event.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace usher::orders {

enum class hold_status : std::uint8_t { live, ordered, sold, ended };
enum class order_status : std::uint8_t { pending, paying, paid, expired, cancelled, refund_due };

/// `PENDING`, `PAYING`, `PAID`, …: as the HTTP API writes them.
[[nodiscard]] std::string_view to_string(order_status status);

struct hold {
  std::optional<slot_t> owner;
  std::vector<offered_seat> seats;
  std::string currency;
  time_ms until = 0;
  hold_status status = hold_status::live; ///< `live` and `ordered` are over at now >= until
  std::optional<hold_end> end;            ///< set when `ended`
  order_id order;                         ///< none until one is placed
  identity customer{};                    ///< none: unknown
  bool box_office = false;
  std::uint32_t generation = 1;     ///< one more with each change
  time_ms placed_at = 0;            ///< what the longest life counts from
  std::vector<seat_id> withdrawn{}; ///< seats it had until an operator took them off sale
  std::vector<seat_id> returned{};  ///< sold seats that are back on sale; `seats` still has them

  [[nodiscard]] std::int64_t total_minor() const;
  [[nodiscard]] bool has(const seat_id& seat) const;
  bool operator==(const hold&) const = default;
};

struct payment {
  payment_id id;
  std::string gateway;
  std::string method;
  std::string reference;
  std::optional<payment_outcome> outcome; ///< none: unknown yet
  time_ms at = 0;                         ///< when it was started, or reported from outside

  bool operator==(const payment&) const = default;
};

struct order {
  std::optional<slot_t> owner;
  hold_id hold;
  std::string hold_ref;
  money total;
  std::string customer;
  id128 fingerprint; ///< of the body it was placed with; none if it came without
  time_ms placed_at = 0;
  time_ms until = 0;
  order_status status = order_status::pending;
  std::vector<payment> payments; ///< in order; one reported from outside has no id

  bool operator==(const order&) const = default;
};

/// What a key led to, and what body it came with. A hold's key may be of its placing or of a
/// change; the scope in the key keeps those apart.
struct remembered {
  id128 fingerprint;
  std::variant<hold_id, order_id> what;
  payment_id payment; ///< none unless the key began a payment
  time_ms at = 0;     ///< keys are forgotten 24 h later

  bool operator==(const remembered&) const = default;
};

/// The whole state of the desk of one show: the fold of its events.
struct state {
  state() = default; ///< keeps it from being an aggregate, which CAF would construct wrongly

  std::unordered_map<hold_id, hold, id_hash> holds;
  std::unordered_map<order_id, order, id_hash> orders;
  std::unordered_map<request_key, remembered, id_hash> keys;
  std::deque<std::pair<time_ms, request_key>> key_ages; ///< of `keys`, oldest first
  /// Shows without a plan: the latest order of a reference, or the one that was paid.
  std::unordered_map<std::string, order_id> by_hold_ref;
  std::unordered_map<slot_t, std::vector<hold_id>> holds_of; ///< all holds of an admission
  /// All holds of a customer, over all places.
  std::unordered_map<identity, std::vector<hold_id>, id_hash> holds_of_customer;
  std::unordered_map<slot_t, std::vector<order_id>> orders_of; ///< all orders of an admission
  std::set<std::pair<time_ms, hold_id>> hold_deadlines;        ///< live holds and ordered ones
  std::set<std::pair<time_ms, order_id>> order_deadlines;      ///< pending orders

  bool operator==(const state&) const = default;
};

/// How long an idempotency key is remembered.
inline constexpr duration_ms key_life_ms = 24LL * 60 * 60 * 1000;

} // namespace usher::orders

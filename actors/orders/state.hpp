#pragma once

#include "actors/orders/event.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace usher::orders {

enum class hold_status : std::uint8_t { live, ordered, sold, ended };
enum class order_status : std::uint8_t {
  pending,
  paying,
  paid,
  expired,
  cancelled,
  refund_due,
  partly_refunded,
  refunded,
};

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
  time_ms until_unpaid = 0; ///< while a payment keeps it longer: until when it would last; else 0

  [[nodiscard]] std::int64_t total_minor() const;
  [[nodiscard]] bool has(const seat_id& seat) const;
  bool operator==(const hold&) const = default;
};

struct payment {
  payment_id id; ///< none: reported from outside
  std::string gateway;
  std::string method;
  std::string reference;
  std::optional<payment_outcome> outcome; ///< none: unknown yet
  time_ms at = 0;                         ///< when it was started, or reported from outside
  std::int64_t amount_minor = 0;          ///< in the order's currency
  std::string token{};                    ///< sealed, or empty
  std::string country{};
  bool chosen = false;
  payment_id follows{};
  std::vector<payments::passed_over> skipped{};
  time_ms until = 0; ///< 0: it is asked for until known
  std::string reason{};
  bool known = false; ///< approved, and on record as another entry that was reported from outside
  bool kept = false;  ///< the money that the order is PAID with, or REFUND_DUE for

  bool operator==(const payment&) const = default;
};

struct refund {
  refund_id id;
  payment_id payment;
  std::string gateway;
  std::string payment_reference;
  std::int64_t amount_minor = 0;
  std::vector<seat_id> seats;
  bool resell = false;
  refund_cause cause = refund_cause::asked;
  std::string note;
  time_ms at = 0;
  std::optional<refund_outcome> outcome; ///< none: not done yet
  std::uint32_t attempt = 1;             ///< one more after each answer that it was not done
  std::uint32_t tries = 0;               ///< how often the gateway was asked in vain
  std::string reference;                 ///< the gateway's id of it
  std::string reason;                    ///< of the last time in vain, or why it was refused

  bool operator==(const refund&) const = default;
};

struct used_ticket {
  seat_id seat;
  time_ms at = 0;
  std::string gate;

  bool operator==(const used_ticket&) const = default;
};

enum class step_kind : std::uint8_t {
  placed,
  payment_started,  ///< `index` is of `payments`
  payment_settled,  ///< likewise
  payment_reported, ///< likewise
  paid,
  refund_due,
  expired,
  cancelled,
  refund_started, ///< `index` is of `refunds`
  refund_tried,   ///< likewise
  refund_settled, ///< likewise
  seats_returned,
  ticket_used, ///< `index` is of `used`
};

/// One line of an order's history.
struct step {
  time_ms at = 0;
  step_kind what = step_kind::placed;
  std::uint32_t index = 0;
  std::string note{}; ///< payment_settled, refund_settled: the outcome; refund_tried: the reason

  bool operator==(const step&) const = default;
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
  std::vector<payment> payments; ///< in order
  time_ms paying_until = 0;      ///< while PAYING: when it is given up; 0: never
  std::vector<refund> refunds{};
  std::vector<used_ticket> used{};
  std::vector<step> history{};

  [[nodiscard]] const payment* find(const payment_id& id) const;
  [[nodiscard]] const refund* find(const refund_id& id) const;
  /// Approved money with this id of the gateway's; null if there is none, or no id.
  [[nodiscard]] const payment* money_of(const std::string& gateway,
                                        const std::string& reference) const;
  /// Approved money that was reported without an id and may be this gateway's; null: none.
  [[nodiscard]] const payment* nameless(const std::string& gateway) const;
  /// The money it is PAID with or REFUND_DUE for; null: none yet.
  [[nodiscard]] const payment* kept() const;
  /// The last attempt of those that fell back from this one, perhaps itself.
  [[nodiscard]] const payment& last_after(const payment& first) const;
  /// Of this payment's money: what has not gone back and is not on its way back.
  [[nodiscard]] std::int64_t refundable_minor(const payment& money) const;
  /// Money came for it, whatever became of that.
  [[nodiscard]] bool has_money() const;
  /// PAID, perhaps partly refunded: the seats that were not given back are the customer's.
  [[nodiscard]] bool is_sold() const;
  /// Is the seat being given back, or was it?
  [[nodiscard]] bool gives_back(const seat_id& seat) const;

  bool operator==(const order&) const = default;
};

/// Money for an order that is not there yet.
struct kept_report {
  std::string gateway;
  std::string reference;
  order_id order;
  std::string hold_ref;
  money amount;
  time_ms at = 0;

  bool operator==(const kept_report&) const = default;
};

/// What a key led to, and what body it came with. A hold's key may be of its placing or of a
/// change; the scope in the key keeps those apart.
struct remembered {
  id128 fingerprint;
  std::variant<hold_id, order_id> what;
  payment_id payment; ///< none unless the key began a payment: the first attempt
  refund_id refund;   ///< none unless the key began a refund
  time_ms at = 0;     ///< keys are forgotten 24 h later

  bool operator==(const remembered&) const = default;
};

/// Names the money of one gateway's id.
[[nodiscard]] std::string money_key(const std::string& gateway, const std::string& reference);

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
  std::unordered_map<payment_id, order_id, id_hash> order_of;  ///< of every attempt
  std::set<std::pair<time_ms, hold_id>> hold_deadlines;        ///< live holds and ordered ones
  /// Orders that are PENDING, and those that are PAYING and not asked for for ever.
  std::set<std::pair<time_ms, order_id>> order_deadlines;
  std::deque<kept_report> kept_reports; ///< oldest first
  /// Which order has the money of a gateway's id (see money_key): the first, if several claim it.
  std::unordered_map<std::string, order_id> order_of_money;
  /// Orders with an attempt whose outcome is unknown, or a refund that is not settled: what
  /// somebody has to go on with.
  std::set<order_id> unsettled;

  bool operator==(const state&) const = default;
};

/// How long an idempotency key is remembered.
inline constexpr duration_ms key_life_ms = 24LL * 60 * 60 * 1000;

/// Stands for a gateway's id where nothing was to be paid.
inline constexpr std::string_view free_reference = "free";

/// Stands for the gateway in a report that names none.
inline constexpr std::string_view reported_gateway = "EXTERNAL";

/// How long, and how many, reports of money are kept for an order that does not come.
inline constexpr duration_ms kept_report_life_ms = 7LL * 24 * 60 * 60 * 1000;
inline constexpr std::size_t kept_reports_max = 10'000;

/// Attempts, and refunds, that one order may have.
inline constexpr std::size_t payments_max = 30;
inline constexpr std::size_t refunds_max = 100;

} // namespace usher::orders

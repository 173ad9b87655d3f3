#pragma once

#include "actors/basics/money.hpp"
#include "actors/basics/time.hpp"
#include "http/sandbox/protocol.hpp"
#include "http/sandbox/rules.hpp"

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Who was charged and what was paid back: the one place that decides whether money was taken. It
// reads no clock, draws no ids and does no I/O. Thread-safe; what it hands out are copies. A reset
// may come at any time: whoever moves something that is gone gets an empty copy that has not
// changed.
namespace usher::sandbox {

enum class charge_status : std::uint8_t {
  created,  ///< known, and waits for the call that charges
  pending,  ///< waits for the payer
  approved, ///< the money was taken
  declined,
  voided,
};
[[nodiscard]] std::string_view to_string(charge_status status);

struct charge {
  std::string id{}; ///< the provider's
  protocol by = protocol::plain;
  std::string account{}; ///< whose: the key or client id of the caller
  std::string order_id{};
  std::string payment_id{};
  std::string key{}; ///< the idempotency key that opened it
  money amount{};
  std::string means{};      ///< the means of payment as it was named; empty: none yet
  std::string capture_id{}; ///< the id that the provider gives the money once it is taken
  fault rule{};
  charge_status status = charge_status::created;
  std::string reason{};       ///< why it was declined
  bool payer_agreed = false;  ///< the payer came back from `pending` and has agreed
  bool single_step = false;   ///< PayPal: charged by the call that made the order
  std::int64_t refunded = 0;  ///< minor units, done
  std::int64_t refunding = 0; ///< minor units, pending
  /// What can still be given back.
  [[nodiscard]] std::int64_t left() const { return amount.amount_minor - refunded - refunding; }
  unsigned calls = 0; ///< with an idempotency key of this charge
  time_ms created_ms = 0;
  time_ms settled_ms = 0; ///< 0: not yet
};

enum class refund_status : std::uint8_t { pending, done, refused };
[[nodiscard]] std::string_view to_string(refund_status status);

struct refund {
  std::string id{};
  protocol by = protocol::plain;
  std::string account{};
  std::string charge_id{};
  std::string refund_id{}; ///< as the caller names it; empty if it did not
  std::string key{};
  money amount{};
  refund_status status = refund_status::done;
  std::string reason{};
  unsigned calls = 0;
  time_ms created_ms = 0;
};

/// An idempotency key belongs to one account of one protocol.
struct key_name {
  protocol by = protocol::plain;
  std::string account{};
  std::string key{};

  auto operator<=>(const key_name&) const = default;
};

class ledger {
public:
  /// Charges, refunds, keys and voided payments, each.
  static constexpr std::size_t entries_max = 200'000;

  /// What is known of the key of a call.
  struct entered {
    enum class state : std::uint8_t {
      good,
      other_request, ///< the key was used for something else
      full,          ///< there is no room; a reset makes some
    };
    state is = state::good;
    fault rule{};          ///< chosen at the key's first call
    std::string subject{}; ///< the charge or refund that it is about; empty: none yet
  };

  /// To be called first by each call that has a key. `request` is what the key stands for: the same
  /// text each time. `choose` is asked for the rule the first time.
  entered enter(const key_name& key, std::string_view request,
                const std::function<fault()>& choose);

  /// True once per key: the call that gets it suffers the fault.
  bool strike(const key_name& key);

  /// From now on the key is about that charge.
  void bind(const key_name& key, const std::string& charge_id);

  /// The charge of that key; if it has none yet, this one, with `created` as its status, or
  /// `voided` if the payment was voided before it came.
  charge open(const key_name& key, charge wanted);

  struct settled {
    charge now{};
    bool changed = false;
  };
  /// Moves a charge on. `created` may become anything, `pending` anything (`created`: the payer has
  /// agreed); whatever is final stays as it is.
  settled settle(const std::string& id, charge_status to, const std::string& reason, time_ms at);

  /// What is not approved of that payment never will be. Nothing if the payment never came.
  std::optional<settled> void_payment(protocol by, const std::string& account,
                                      const std::string& payment_id, time_ms at);

  struct paid_back {
    refund now{};
    charge of{};
    bool changed = false;
  };
  /// The refund of that key; if it has none yet, this one, with the status it has, or `refused`
  /// (the reason is `not_charged` or `amount_exceeded`) if that would be more than was charged.
  paid_back give_back(const key_name& key, refund wanted);
  /// Of a pending one: `done` or `refused`.
  paid_back settle_refund(const std::string& id, refund_status to, const std::string& reason);

  [[nodiscard]] std::optional<charge> find(protocol by, const std::string& account,
                                           const std::string& id) const;
  /// By the provider's id, or else the caller's payment id, of whatever account.
  [[nodiscard]] std::optional<charge> find_any(const std::string& id) const;
  [[nodiscard]] std::optional<charge> find_capture(const std::string& account,
                                                   const std::string& capture_id) const;
  [[nodiscard]] std::vector<charge> of_payment(protocol by, const std::string& account,
                                               const std::string& payment_id) const;
  [[nodiscard]] std::optional<refund> find_refund(protocol by, const std::string& account,
                                                  const std::string& id) const;
  [[nodiscard]] std::optional<refund> find_any_refund(const std::string& id) const;
  [[nodiscard]] std::vector<refund> refunds_of(const std::string& charge_id) const;

  struct snapshot {
    std::vector<charge> charges{};
    std::vector<refund> refunds{};
    std::int64_t charged = 0;  ///< minor units, whatever the currency
    std::int64_t refunded = 0; ///< done ones
  };
  /// Everything, or of one order.
  [[nodiscard]] snapshot look(const std::string& order_id = {}) const;

  void reset();

private:
  struct key_entry {
    std::string request{};
    fault rule{};
    bool struck = false;
    std::string subject{};
    unsigned calls = 0;
  };

  [[nodiscard]] const charge* charge_at(const std::string& id) const;
  charge* charge_at(const std::string& id);
  refund* refund_at(const std::string& id);
  void count_call(const std::string& subject, unsigned calls);

  mutable std::mutex mutex_;
  std::map<key_name, key_entry> keys_;
  std::deque<charge> charges_; ///< in the order in which they came
  std::deque<refund> refunds_;
  std::map<std::string, std::size_t> charge_index_; ///< by id
  std::map<std::string, std::size_t> refund_index_;
  std::map<std::string, std::size_t> capture_index_;
  std::multimap<std::string, std::size_t> payment_index_; ///< by payment id
  std::multimap<std::string, std::size_t> refunds_of_;    ///< by charge id
  std::set<key_name> voided_; ///< payments that were voided; the key is the payment id
};

} // namespace usher::sandbox

#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/events.hpp"
#include "http/sandbox/ledger.hpp"
#include "http/sandbox/webhooks.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// What the protocols share: which rule a payment has, what the rule does, and who is told.
namespace usher::sandbox {

class desk {
public:
  static constexpr std::size_t queued_rules_max = 1000;

  /// Both outlive the desk's last call. `base` is `http://HOST:PORT`, where the gateway listens.
  desk(ledger& book, post_office& office, std::string base)
      : book_{book}, office_{office}, base_{std::move(base)} {}

  [[nodiscard]] ledger& book() { return book_; }
  [[nodiscard]] post_office& office() { return office_; }

  // --- rules ---

  /// For the next payments (or refunds, if it is a rule for refunds). False: the queue is full.
  bool queue_rules(const std::vector<fault>& next);
  /// Where nothing else names a rule.
  void set_default(const fault& to);
  void reset();

  /// The rule that the caller names by header or means of payment: nothing if it names none, a
  /// sentence if it names one that does not exist.
  using named_rule = std::variant<std::optional<fault>, std::string>;
  [[nodiscard]] static named_rule named(const call& by, const std::string& means);

  /// For a new payment: takes from the queue.
  fault choose(const std::optional<fault>& named, std::int64_t amount_minor);
  /// For the call that charges a payment which an earlier call has opened: what was chosen then
  /// holds, unless that was nothing in particular.
  [[nodiscard]] static fault choose_later(const std::optional<fault>& named, const charge& of);
  /// For a new refund of that payment.
  fault choose_refund(const std::optional<fault>& named, const charge& of);

  // --- calls that move money ---

  /// What the move came to.
  struct moved {
    answer what{};
    std::vector<event> events{};
  };
  /// Moves the money, or suffers what the rule does instead, or both. `trouble` writes an error of
  /// that status (401, 429, 500) in the protocol's words.
  delivery run(const key_name& key, const fault& by, const std::function<moved()>& move,
               const std::function<answer(unsigned)>& trouble);

  /// Charges, or does what the charge's rule makes of that; the events say what has changed.
  charge settle(const std::string& charge_id, const fault& by, time_ms at,
                std::vector<event>& events);

  /// Pays back, or does what the rule makes of that.
  ledger::paid_back give_back(const key_name& key, refund wanted, const fault& by,
                              std::vector<event>& events);

  // --- what a person does to what is pending ---

  /// What became of it: nothing if there is no such charge or it is not pending.
  std::optional<charge> resolve_charge(const std::string& id, bool approve, time_ms at);
  std::optional<refund> resolve_refund(const std::string& id, bool approve, time_ms at);

private:
  static std::optional<fault> take(std::deque<fault>& from);
  [[nodiscard]] std::vector<notice> notices(event what) const;
  void send(const event& what);

  ledger& book_;
  post_office& office_;
  std::string base_;
  std::mutex mutex_;
  std::deque<fault> for_charges_;
  std::deque<fault> for_refunds_;
  fault default_;
};

} // namespace usher::sandbox

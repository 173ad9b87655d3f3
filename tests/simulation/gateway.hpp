#pragma once

#include "actors/payments/provider.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/options.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace usher::simulation {

/// A payment provider outside of the process: its ledger outlives every crash. Idempotent as real
/// ones are, and with every fault that they have.
class gateway final : public payments::provider {
public:
  enum class state : std::uint8_t { nothing, charged, declined, voided };

  struct charge_entry {
    state is = state::nothing;
    order_id order;
    show_number show = 0;
    money amount;
    std::string reference;
    std::int64_t given_back_minor = 0;
    std::map<std::pair<refund_id, std::uint32_t>, bool> refunds; ///< attempts, and which were done
    bool webhook_sent = false;
  };

  /// Tells the process of a payment, once or twice, sooner or later.
  using tell_webhook = std::function<void(const std::string& gateway, const payment_id&,
                                          const charge_entry&, duration_ms delay)>;

  gateway(std::string name, const options& drawn, random_source& random, network& wire,
          tell_webhook webhook)
      : name_{std::move(name)},
        drawn_{&drawn},
        random_{&random},
        wire_{&wire},
        webhook_{std::move(webhook)} {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  void charge(const payments::charge_request& asked, payments::on_result done) override;
  void void_charge(const payments::charge_request& asked, payments::on_result done) override;
  void refund(const payments::refund_request& asked, payments::on_result done) override;
  void read_webhook(const payments::webhook&,
                    std::function<void(payments::webhook_reading)> done) override {
    done(payments::not_for_us{});
  }

  /// Looks at every request before it is served; false: it comes from a process that is dead.
  /// `what` is the attempt or the refund.
  std::function<bool(const order_id&, const id128& what)> accepts;
  /// Hears of every call, for the story.
  std::function<void(const std::string&)> say;

  /// From now on it works.
  void heal() { heals_ = true; }

  [[nodiscard]] const std::map<payment_id, charge_entry>& ledger() const { return ledger_; }
  [[nodiscard]] bool has_taken(const std::string& reference, std::int64_t amount_minor) const;
  /// Of one order: taken less given back.
  [[nodiscard]] std::int64_t kept_minor(const order_id& order) const;
  /// It was asked to give back more than it took.
  [[nodiscard]] bool was_asked_too_much() const { return asked_too_much_; }

private:
  [[nodiscard]] bool draw(chance of) { return !heals_ && random_->below(10'000) < of; }
  void take(const payment_id& payment, charge_entry& entry);
  payments::result settle(const payment_id& payment, charge_entry& entry);
  payments::result give_back(charge_entry& entry, const payments::refund_request& asked);
  /// At once, later, too late, or never.
  void answer(const std::string& call, payments::on_result done, payments::result what);

  std::string name_;
  const options* drawn_;
  random_source* random_;
  network* wire_;
  tell_webhook webhook_;
  bool heals_ = false;
  bool asked_too_much_ = false;
  std::map<payment_id, charge_entry> ledger_;
};

} // namespace usher::simulation

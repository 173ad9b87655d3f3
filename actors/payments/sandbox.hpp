#pragma once

#include "actors/payments/provider.hpp"

#include <mutex>
#include <unordered_set>

namespace usher::payments {

/// A gateway in this process that moves no money: it approves everything at once. The reference
/// derives from the payment id alone, so asking again, also after a restart, gives the same. For
/// declines and faults see `usher sandbox-gateway`.
class sandbox final : public provider {
public:
  [[nodiscard]] std::string_view name() const override { return "SANDBOX"; }
  void charge(const charge_request& asked, on_result done) override;
  void void_charge(const charge_request& asked, on_result done) override;
  void refund(const refund_request& asked, on_result done) override;
  /// It sends none: whatever comes is not believed.
  void read_webhook(const webhook& got, std::function<void(webhook_reading)> done) override;

private:
  std::mutex mutex_;
  std::unordered_set<payment_id, id_hash> charged_; ///< since the process started
};

} // namespace usher::payments

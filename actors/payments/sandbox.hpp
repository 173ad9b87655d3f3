#pragma once

#include "actors/payments/gateway.hpp"

namespace usher::payments {

/// A gateway in this process that moves no money: it approves everything at once. The reference
/// derives from the payment id alone, so asking again, also after a restart, gives the same.
class sandbox final : public gateway {
public:
  [[nodiscard]] std::string_view name() const override { return "SANDBOX"; }
  void charge(const charge_request& asked, std::function<void(charge_result)> done) override;
};

} // namespace usher::payments

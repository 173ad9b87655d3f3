#pragma once

#include "http/gateways/protocol.hpp"

namespace usher::gateways {

/// Stripe's PaymentIntents. An intent is created, which charges nothing, and then confirmed.
class stripe final : public speech {
public:
  stripe(std::string gateway, std::string secret_key, std::vector<std::string> webhook_secrets,
         std::string return_url)
      : gateway_{std::move(gateway)},
        secret_key_{std::move(secret_key)},
        webhook_secrets_{std::move(webhook_secrets)},
        return_url_{std::move(return_url)} {}

  [[nodiscard]] charge_step charge(const attempt& what) const override;
  [[nodiscard]] charge_step void_charge(const attempt& what) const override;
  [[nodiscard]] charge_step refund(const refunding& what) const override;
  [[nodiscard]] webhook_step read_webhook(const payments::webhook& got) const override;
  [[nodiscard]] std::vector<client::header> headers() const override;

private:
  std::string gateway_;
  std::string secret_key_;
  std::vector<std::string> webhook_secrets_;
  std::string return_url_;
};

} // namespace usher::gateways

#pragma once

#include "http/gateways/protocol.hpp"

namespace usher::gateways {

/// Mercado Pago's payments.
class mercado_pago final : public speech {
public:
  mercado_pago(std::string gateway, std::string access_token,
               std::vector<std::string> webhook_secrets)
      : gateway_{std::move(gateway)},
        access_token_{std::move(access_token)},
        webhook_secrets_{std::move(webhook_secrets)} {}

  [[nodiscard]] charge_step charge(const attempt& what) const override;
  [[nodiscard]] charge_step void_charge(const attempt& what) const override;
  [[nodiscard]] charge_step refund(const refunding& what) const override;
  [[nodiscard]] webhook_step read_webhook(const payments::webhook& got) const override;
  /// A webhook names a payment; what became of it has to be asked.
  [[nodiscard]] bool asks_about_webhooks() const override { return true; }
  [[nodiscard]] std::vector<client::header> headers() const override;

private:
  std::string gateway_;
  std::string access_token_;
  std::vector<std::string> webhook_secrets_;
};

} // namespace usher::gateways

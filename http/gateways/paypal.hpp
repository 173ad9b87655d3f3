#pragma once

#include "http/gateways/paypal_token.hpp"
#include "http/gateways/protocol.hpp"

#include <memory>

namespace usher::gateways {

/// PayPal's orders (v2). An order is made and then captured, which takes the money; without a token
/// of the fan's the fan has to approve it in between.
class paypal final : public speech {
public:
  paypal(std::string gateway, std::string client_id, std::string secret,
         std::vector<std::string> webhook_ids, std::string return_url)
      : gateway_{std::move(gateway)},
        webhook_ids_{std::move(webhook_ids)},
        return_url_{std::move(return_url)},
        tokens_{std::make_shared<paypal_token>(std::move(client_id), std::move(secret))} {}

  [[nodiscard]] charge_step charge(const attempt& what) const override;
  [[nodiscard]] charge_step void_charge(const attempt& what) const override;
  [[nodiscard]] charge_step refund(const refunding& what) const override;
  [[nodiscard]] webhook_step read_webhook(const payments::webhook& got) const override;
  /// Only PayPal can verify its signatures.
  [[nodiscard]] bool asks_about_webhooks() const override { return true; }
  [[nodiscard]] std::vector<client::header> headers() const override { return {}; }
  [[nodiscard]] std::vector<std::string> secrets() const override { return {tokens_->last()}; }

private:
  /// `again`: what a missing token means for the attempt.
  [[nodiscard]] charge_step authorised(charge_step inner, bool again) const;

  std::string gateway_;
  std::vector<std::string> webhook_ids_;
  std::string return_url_;
  std::shared_ptr<paypal_token> tokens_;
};

} // namespace usher::gateways

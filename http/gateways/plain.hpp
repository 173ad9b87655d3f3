#pragma once

#include "http/gateways/protocol.hpp"

namespace usher::gateways {

/// The plain protocol, which the sandbox speaks and whoever writes a gateway of their own may
/// speak.
class plain final : public speech {
public:
  /// `key` may be empty. `webhook_keys` are those of Standard Webhooks, decoded.
  plain(std::string gateway, std::string key, std::vector<std::string> webhook_keys)
      : gateway_{std::move(gateway)},
        key_{std::move(key)},
        webhook_keys_{std::move(webhook_keys)} {}

  [[nodiscard]] charge_step charge(const attempt& what) const override;
  [[nodiscard]] charge_step void_charge(const attempt& what) const override;
  [[nodiscard]] charge_step refund(const refunding& what) const override;
  [[nodiscard]] webhook_step read_webhook(const payments::webhook& got) const override;
  [[nodiscard]] std::vector<client::header> headers() const override;

private:
  std::string gateway_;
  std::string key_;
  std::vector<std::string> webhook_keys_;
};

} // namespace usher::gateways

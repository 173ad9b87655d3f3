#pragma once

#include "actors/payments/provider.hpp"
#include "http/gateways/step.hpp"

#include <string>
#include <vector>

namespace usher::gateways {

/// A charge as a protocol needs it: ids written out, sealed things opened.
struct attempt {
  std::string payment; ///< our reference, and what idempotency keys are made of
  std::string order;
  money amount;
  std::string method;
  std::string token{};
  std::string email{};
  std::string reference{}; ///< the provider's id, if it is known
  /// Was asked before, so perhaps charged by then: that a request now fails says nothing of that.
  bool again = false;
};

struct refunding {
  std::string refund; ///< our reference
  std::string key;    ///< of this attempt to refund
  money amount;
  std::string payment_reference;
  std::string refund_reference{};
  bool again = false;
};

using charge_step = step<payments::result>;
using webhook_step = step<payments::webhook_reading>;

/// How one provider is spoken to: which requests, and what their answers mean. Knows no network.
class speech {
public:
  virtual ~speech() = default;

  [[nodiscard]] virtual charge_step charge(const attempt& what) const = 0;
  [[nodiscard]] virtual charge_step void_charge(const attempt& what) const = 0;
  [[nodiscard]] virtual charge_step refund(const refunding& what) const = 0;
  [[nodiscard]] virtual webhook_step read_webhook(const payments::webhook& got) const = 0;
  [[nodiscard]] virtual bool asks_about_webhooks() const { return false; }

  /// What came to be known on the way and must stand in no reason, e.g. a token for the account.
  [[nodiscard]] virtual std::vector<std::string> secrets() const { return {}; }

  /// Of every request.
  [[nodiscard]] virtual std::vector<client::header> headers() const = 0;
};

} // namespace usher::gateways

#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/money.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

// What Usher needs of a payment provider.
namespace usher::payments {

struct charge_request {
  payment_id payment;          ///< our id of the attempt
  std::string idempotency_key; ///< what the provider is given to recognise a repeated call
  money amount;
  std::string method;     ///< as the fan chose it, e.g. "card"
  std::string order_text; ///< for the fan's statement; no personal data
};

struct charge_result {
  /// `approved`: the money came. `declined`: the provider said no. `failed`: it was not charged and
  /// may be tried elsewhere. `unknown`: perhaps charged; ask again with the same payment id, and
  /// never pay it elsewhere.
  enum class outcome_t : std::uint8_t { approved, declined, failed, unknown };

  outcome_t outcome = outcome_t::unknown;
  std::string reference; ///< the provider's id of the payment; never empty when approved
  std::string reason;    ///< for people, when not approved

  bool operator==(const charge_result&) const = default;
};

class gateway {
public:
  virtual ~gateway() = default;

  /// `SANDBOX`, `STRIPE`, ...: as the HTTP API writes it.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Asynchronous. `done` is called exactly once, from any thread, perhaps before charge returns.
  /// The gateway outlives the call. Charging the same payment id again does not charge twice and
  /// gives its result. May be called from any thread.
  virtual void charge(const charge_request& asked, std::function<void(charge_result)> done) = 0;
};

} // namespace usher::payments

#pragma once

#include "actors/basics/money.hpp"

#include <optional>
#include <string>

namespace usher::gateways {

/// The value of an amount as PayPal takes it: two decimals, and none for JPY, HUF and TWD although
/// ISO 4217 gives the latter two. Nothing if it cannot be said exactly, is not positive, or is in
/// a currency without two decimals, which PayPal does not take.
[[nodiscard]] std::optional<std::string> paypal_value(const money& amount);

} // namespace usher::gateways

#pragma once

#include "actors/basics/money.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace usher::gateways {

/// Stripe counts in minor units too, but for some currencies in others than ISO 4217: ISK and UGX
/// have two decimals there, MGA has none, and the last digit of three decimals has to be zero.
/// Nothing if the amount cannot be said exactly or is not positive.
[[nodiscard]] std::optional<std::int64_t> stripe_amount(const money& amount);

/// Back again; nothing if it is no whole number of our minor units, or the currency is unknown.
[[nodiscard]] std::optional<money> from_stripe_amount(std::string_view digits,
                                                      std::string_view currency);

} // namespace usher::gateways

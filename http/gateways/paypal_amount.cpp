#include "http/gateways/paypal_amount.hpp"

namespace usher::gateways {

std::optional<std::string> paypal_value(const money& amount) {
  if (amount.amount_minor <= 0)
    return std::nullopt;
  if (amount.currency == "JPY")
    return decimal_of(amount);
  if (minor_digits(amount.currency) != 2)
    return std::nullopt;
  if (amount.currency == "HUF" || amount.currency == "TWD") {
    if (amount.amount_minor % 100 != 0)
      return std::nullopt;
    return std::to_string(amount.amount_minor / 100);
  }
  return decimal_of(amount);
}

} // namespace usher::gateways

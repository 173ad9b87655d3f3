#include "http/gateways/stripe_amount.hpp"

#include "http/gateways/news.hpp"

#include <limits>

namespace usher::gateways {

namespace {

bool has_two_more_decimals(std::string_view currency) {
  return currency == "ISK" || currency == "UGX";
}

bool has_two_fewer_decimals(std::string_view currency) {
  return currency == "MGA";
}

} // namespace

std::optional<std::int64_t> stripe_amount(const money& amount) {
  const auto minor = amount.amount_minor;
  const auto digits = minor_digits(amount.currency);
  if (minor <= 0 || !digits || *digits > 3)
    return std::nullopt;
  if (has_two_more_decimals(amount.currency))
    return minor > std::numeric_limits<std::int64_t>::max() / 100 ? std::nullopt
                                                                  : std::optional{minor * 100};
  if (has_two_fewer_decimals(amount.currency))
    return minor % 100 != 0 ? std::nullopt : std::optional{minor / 100};
  if (*digits == 3 && minor % 10 != 0)
    return std::nullopt;
  return minor;
}

std::optional<money> from_stripe_amount(std::string_view digits, std::string_view currency) {
  auto amount = minor_amount(digits, currency);
  if (!amount)
    return std::nullopt;
  if (has_two_more_decimals(currency)) {
    if (amount->amount_minor % 100 != 0)
      return std::nullopt;
    amount->amount_minor /= 100;
  }
  if (has_two_fewer_decimals(currency)) {
    if (amount->amount_minor > std::numeric_limits<std::int64_t>::max() / 100)
      return std::nullopt;
    amount->amount_minor *= 100;
  }
  return amount;
}

} // namespace usher::gateways

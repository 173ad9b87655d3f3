#include "actors/basics/money.hpp"

#include "actors/basics/bug.hpp"

#include <algorithm>
#include <limits>

namespace usher {

namespace {

// ISO 4217 list one without the codes that have no minor unit (metals, XDR, XTS, XXX, ...).
// Each string is one number of decimals; codes stand in order, three letters and a space each.
constexpr std::string_view decimals_0 = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV "
                                        "XAF XOF XPF ";
constexpr std::string_view decimals_2 =
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD "
    "CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS "
    "GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD "
    "LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB "
    "PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP "
    "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW "
    "ZWG ";
constexpr std::string_view decimals_3 = "BHD IQD JOD KWD LYD OMR TND ";
constexpr std::string_view decimals_4 = "CLF UYW ";

constexpr bool lists(std::string_view codes, std::string_view currency) {
  for (std::size_t at = 0; at < codes.size(); at += 4)
    if (codes.substr(at, 3) == currency)
      return true;
  return false;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Value of the digits, with zeros appended, or nothing if it does not fit.
std::optional<std::int64_t> scaled(std::string_view whole, std::string_view fraction, int digits) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  std::int64_t value = 0;
  const auto push = [&value](int digit) {
    if (value > (most - digit) / 10)
      return false;
    value = value * 10 + digit;
    return true;
  };
  for (const auto part : {whole, fraction})
    for (const char c : part)
      if (!push(c - '0'))
        return std::nullopt;
  for (auto done = fraction.size(); done < static_cast<std::size_t>(digits); ++done)
    if (!push(0))
      return std::nullopt;
  return value;
}

} // namespace

std::string_view to_string(money_error error) {
  switch (error) {
  case money_error::unknown_currency:
    return "unknown currency";
  case money_error::not_a_decimal:
    return "not a decimal";
  case money_error::negative:
    return "negative";
  case money_error::too_many_decimals:
    return "too many decimals";
  case money_error::too_large:
    return "too large";
  }
  return "?";
}

std::optional<int> minor_digits(std::string_view currency) {
  if (lists(decimals_2, currency))
    return 2;
  if (lists(decimals_0, currency))
    return 0;
  if (lists(decimals_3, currency))
    return 3;
  if (lists(decimals_4, currency))
    return 4;
  return std::nullopt;
}

std::variant<money, money_error> read_money(std::string_view decimal, std::string_view currency) {
  const auto digits = minor_digits(currency);
  if (!digits)
    return money_error::unknown_currency;

  const bool minus = decimal.starts_with('-');
  if (minus)
    decimal.remove_prefix(1);
  const auto point = decimal.find('.');
  const auto whole = decimal.substr(0, point);
  const auto fraction =
      point == std::string_view::npos ? std::string_view{} : decimal.substr(point + 1);
  if (!all_digits(whole) || (point != std::string_view::npos && !all_digits(fraction)))
    return money_error::not_a_decimal;
  if (whole.size() > 1 && whole.front() == '0') // "007": somebody formats numbers strangely
    return money_error::not_a_decimal;

  if (minus)
    return money_error::negative;
  if (fraction.size() > static_cast<std::size_t>(*digits))
    return money_error::too_many_decimals;
  const auto amount_minor = scaled(whole, fraction, *digits);
  if (!amount_minor)
    return money_error::too_large;
  return money{*amount_minor, std::string(currency)};
}

std::string decimal_of(const money& value) {
  const auto known = minor_digits(value.currency);
  bug_unless(known.has_value(), "an amount in an unknown currency");
  bug_unless(value.amount_minor >= 0, "a negative amount");
  const auto digits = static_cast<std::size_t>(*known);
  auto text = std::to_string(value.amount_minor);
  if (digits == 0)
    return text;
  if (text.size() <= digits)
    text.insert(0, digits + 1 - text.size(), '0');
  text.insert(text.size() - digits, 1, '.');
  return text;
}

} // namespace usher

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Money is an integer of the currency's minor unit and an ISO 4217 code; never a float.
namespace usher {

struct money {
  std::int64_t amount_minor = 0;
  std::string currency; ///< ISO 4217, upper case

  bool operator==(const money&) const = default;
};

enum class money_error : std::uint8_t {
  unknown_currency,
  not_a_decimal,
  negative,
  too_many_decimals,
  too_large,
};

[[nodiscard]] std::string_view to_string(money_error error);

/// Number of decimals of the currency's minor unit (ISO 4217, list one), or nothing if unknown.
[[nodiscard]] std::optional<int> minor_digits(std::string_view currency);

/// Reads a plain decimal ("350.00", "0.1", "101") exactly. No sign but '-', which is refused as
/// negative; no exponent; trailing zeros beyond the minor unit are refused too (too_many_decimals).
[[nodiscard]] std::variant<money, money_error> read_money(std::string_view decimal,
                                                          std::string_view currency);

/// "350.00": the inverse of read_money, for the drop-in paths. The currency must be known.
[[nodiscard]] std::string decimal_of(const money& value);

} // namespace usher

#pragma once

#include <cstdint>
#include <string_view>

namespace usher::sandbox {

/// What a caller speaks; told by the first part of the path.
enum class protocol : std::uint8_t { plain, stripe, mercado_pago, paypal };

/// As Usher names the provider, which is also the last part of its webhook's address.
[[nodiscard]] constexpr std::string_view to_string(protocol which) {
  switch (which) {
  case protocol::plain:
    return "SANDBOX";
  case protocol::stripe:
    return "STRIPE";
  case protocol::mercado_pago:
    return "MERCADO_PAGO";
  case protocol::paypal:
    return "PAYPAL";
  }
  return {};
}

} // namespace usher::sandbox

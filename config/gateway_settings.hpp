#pragma once

#include "actors/basics/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace usher::config {

struct settings;
struct key;

/// Our account with one payment provider, and which payments it is to take.
struct gateway_settings {
  std::string base_url;
  std::string secret_key;
  std::string client_id; ///< PayPal only
  std::vector<std::string> webhook_secrets;
  std::string return_url;
  std::vector<std::string> currencies;
  std::vector<std::string> methods;
  std::vector<std::string> countries;
  std::int64_t amount_min_minor = 0;
  std::optional<std::int64_t> amount_max_minor;
  std::uint32_t priority = 100;
  std::uint32_t weight = 1;
  duration_ms breaker_open_ms = 20'000;

  /// Is there anything to reach it with?
  [[nodiscard]] bool is_configured() const { return !base_url.empty() || !secret_key.empty(); }
};

/// The providers there are, in the order of `settings::gateways`.
enum class provider_kind : std::uint8_t { sandbox, stripe, mercado_pago, paypal };
inline constexpr std::size_t provider_kinds = 4;

using gateway_table = std::array<gateway_settings, provider_kinds>;

/// All at their defaults: Mercado Pago's breaker is open for 15 s, the others' for 20 s.
[[nodiscard]] gateway_table default_gateways();

/// The keys of all of them, for the table of config/settings.hpp.
[[nodiscard]] std::vector<key> gateway_keys();

} // namespace usher::config

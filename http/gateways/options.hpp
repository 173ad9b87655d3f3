#pragma once

#include "actors/payments/provider.hpp"
#include "http/client/client_thread.hpp"
#include "storage/personal_data.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace usher::gateways {

enum class protocol : std::uint8_t { plain, stripe, mercado_pago, paypal };

/// One payment provider and our account with it. docs/gateways.md says what each protocol needs.
struct options {
  protocol speaks = protocol::plain;
  std::string name{};     ///< empty: SANDBOX, STRIPE, MERCADO_PAGO, PAYPAL
  std::string base_url{}; ///< empty: the provider's own; plain has none
  std::string ca_file{};  ///< PEM; empty: the system's certificates
  /// plain: bearer key, or empty; Stripe: secret key; Mercado Pago: access token; PayPal: secret.
  std::string key{};
  std::string client_id{}; ///< PayPal only
  /// Any may match, so that one can follow another. PayPal has none: the ids of the webhooks.
  std::vector<std::string> webhook_secrets{};
  std::string return_url{}; ///< Stripe, PayPal: where a fan comes back to; empty: not told
  std::chrono::milliseconds call_deadline{10'000}; ///< for all requests of one call together
  std::chrono::milliseconds connect_timeout{3'000};
  std::size_t connections_max = 16;
};

/// `thread` outlives the provider. `open` opens tokens and customers, which are sealed with the
/// payment's and the order's id as associated data. The text says which option is wrong,
/// and never what is in it.
[[nodiscard]] std::variant<std::unique_ptr<payments::provider>, std::string>
make_provider(const options& how, http::client::client_thread& thread, storage::opener open);

} // namespace usher::gateways

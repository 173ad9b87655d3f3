#pragma once

#include <cstdint>
#include <string_view>

// What the sandbox gateway signs with unless flags say otherwise, so that tests and examples can
// name the same values. None of these is a secret: whoever reads this page can forge a webhook of
// the sandbox.
namespace usher::sandbox::defaults {

inline constexpr std::string_view host = "127.0.0.1";
inline constexpr std::uint16_t port = 8085;

/// Standard Webhooks: `whsec_` and the key in base64.
inline constexpr std::string_view plain_secret =
    "whsec_dXNoZXItc2FuZGJveC13ZWJob29rcy1hcmUtbm8tc2VjcmV0";
/// Stripe: the whole text is the key.
inline constexpr std::string_view stripe_secret = "whsec_sandbox_stripe_is_no_secret";
inline constexpr std::string_view mercado_pago_secret = "sandbox_mercado_pago_is_no_secret";
/// Which webhook of PayPal's it plays; part of what is signed.
inline constexpr std::string_view paypal_webhook_id = "SANDBOX-WEBHOOK-1";
/// With what it signs PayPal's webhooks; only its own verify endpoint needs to know.
inline constexpr std::string_view paypal_secret = "sandbox_paypal_is_no_secret";

/// A Mercado Pago account has one currency; requests do not name it.
inline constexpr std::string_view mercado_pago_currency = "BRL";

} // namespace usher::sandbox::defaults

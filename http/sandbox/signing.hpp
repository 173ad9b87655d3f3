#pragma once

#include "actors/basics/time.hpp"
#include "http/sandbox/defaults.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// How each provider signs its webhooks.
namespace usher::sandbox {

struct notice;

struct secrets {
  std::string plain{defaults::plain_secret};
  std::string stripe{defaults::stripe_secret};
  std::string mercado_pago{defaults::mercado_pago_secret};
  std::string paypal_webhook_id{defaults::paypal_webhook_id};
};

using header_lines = std::vector<std::pair<std::string, std::string>>;

/// The headers that make the notice genuine at that time, or almost if it is to be forged: then the
/// key is another one. `base` is where the gateway listens.
[[nodiscard]] header_lines sign(const notice& what, const secrets& with, const std::string& base,
                                time_ms at);

/// What PayPal's verify endpoint is asked. `event` is the body of the webhook, byte for byte.
struct paypal_signed {
  std::string_view transmission_id;
  std::string_view time;
  std::string_view webhook_id;
  std::string_view event;
};
[[nodiscard]] std::string paypal_signature(const paypal_signed& what);

/// What is wrong with the secret of the plain protocol; empty: nothing.
[[nodiscard]] std::string fault_of_plain_secret(std::string_view secret);

/// HMAC-SHA256, 32 bytes.
[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view bytes);
[[nodiscard]] std::string hex(std::string_view bytes);

/// "2026-12-31T20:00:00Z", or with milliseconds, in UTC.
[[nodiscard]] std::string write_time(time_ms at, bool with_millis = false);

} // namespace usher::sandbox

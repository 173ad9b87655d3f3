#pragma once

#include "actors/payments/provider.hpp"
#include "http/client/message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace usher::gateways {

namespace client = http::client;

/// What PayPal is to be asked about a webhook, but for the webhook's id.
struct paypal_transmission {
  std::string id;
  std::string time;
  std::string signature;
  std::string certificate_url;
  std::string algorithm;
  std::string body; ///< the very bytes, known to be one JSON object
};

/// Or why it need not be asked. The body is spliced into the question as it came, so anything that
/// is not one JSON object, which could end the question early and go on with another, is refused.
[[nodiscard]] std::variant<paypal_transmission, payments::not_believed>
read_transmission(const payments::webhook& got);

[[nodiscard]] client::request verify_request(const paypal_transmission& what,
                                             const std::string& webhook_id);

/// True, false, or nothing if PayPal could not tell.
[[nodiscard]] std::optional<bool> read_verification(const client::outcome& got);

/// What a webhook says that is known to be genuine.
[[nodiscard]] payments::webhook_reading read_paypal_event(std::string_view body,
                                                          const std::string& gateway);

} // namespace usher::gateways

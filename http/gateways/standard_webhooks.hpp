#pragma once

#include "http/crypto/standard_webhooks.hpp"
#include "http/gateways/signature.hpp"

#include <string>
#include <string_view>
#include <vector>

// Standard Webhooks, checked.
namespace usher::gateways {

using http::standard_webhooks_key;

struct standard_webhook {
  std::string_view id;         ///< webhook-id
  std::string_view timestamp;  ///< webhook-timestamp, seconds
  std::string_view signatures; ///< webhook-signature: `v1,BASE64`, several with blanks between them
  std::string_view body;
};

/// HMAC-SHA256 of `id.timestamp.body` with one of the keys.
[[nodiscard]] signature check_standard_webhook(const standard_webhook& got,
                                               const std::vector<std::string>& keys, time_ms now);

} // namespace usher::gateways

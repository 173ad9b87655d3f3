#pragma once

#include <optional>
#include <string>
#include <string_view>

// Standard Webhooks (standardwebhooks.com), the symmetric scheme: what those who sign and those who
// check have in common.
namespace usher::http {

/// The key of `whsec_<base64>`; nothing if it is none, or shorter than 16 bytes.
[[nodiscard]] std::optional<std::string> standard_webhooks_key(std::string_view secret);

/// What is signed: `id.timestamp.body`.
[[nodiscard]] std::string standard_webhooks_text(std::string_view id, std::string_view timestamp,
                                                 std::string_view body);

/// One entry of webhook-signature: `v1,` and the HMAC-SHA256 in base64.
[[nodiscard]] std::string sign_standard_webhook(std::string_view key, std::string_view id,
                                                std::string_view timestamp, std::string_view body);

} // namespace usher::http

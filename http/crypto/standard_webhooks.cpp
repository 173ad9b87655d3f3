#include "http/crypto/standard_webhooks.hpp"

#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"

namespace usher::http {

namespace {

constexpr std::size_t key_bytes_min = 16;

} // namespace

std::optional<std::string> standard_webhooks_key(std::string_view secret) {
  constexpr std::string_view prefix = "whsec_";
  if (!secret.starts_with(prefix))
    return std::nullopt;
  auto key = decode_base64(secret.substr(prefix.size()));
  return key && key->size() >= key_bytes_min ? key : std::nullopt;
}

std::string standard_webhooks_text(std::string_view id, std::string_view timestamp,
                                   std::string_view body) {
  std::string text{id};
  text.append(".").append(timestamp).append(".").append(body);
  return text;
}

std::string sign_standard_webhook(std::string_view key, std::string_view id,
                                  std::string_view timestamp, std::string_view body) {
  const auto mac = hmac_sha256(key, standard_webhooks_text(id, timestamp, body));
  return "v1," + encode_base64({reinterpret_cast<const char*>(mac.data()), mac.size()});
}

} // namespace usher::http

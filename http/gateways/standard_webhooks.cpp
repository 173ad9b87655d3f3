#include "http/gateways/standard_webhooks.hpp"

#include "http/crypto/base64.hpp"

namespace usher::gateways {

namespace {

/// The base64 of each `v1,…`; other versions are passed over.
std::vector<std::string_view> first_version(std::string_view signatures) {
  constexpr std::string_view version = "v1,";
  std::vector<std::string_view> given;
  while (!signatures.empty() && given.size() < signatures_max) {
    const auto blank = signatures.find(' ');
    const auto part = signatures.substr(0, blank);
    signatures.remove_prefix(blank == std::string_view::npos ? signatures.size() : blank + 1);
    if (part.starts_with(version))
      given.push_back(part.substr(version.size()));
  }
  return given;
}

std::string in_base64(const http::sha256_digest& digest) {
  return http::encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

} // namespace

signature check_standard_webhook(const standard_webhook& got, const std::vector<std::string>& keys,
                                 time_ms now) {
  if (got.id.empty() || got.timestamp.empty() || got.signatures.empty())
    return signature::missing;
  const auto seconds = read_timestamp(got.timestamp);
  const auto given = first_version(got.signatures);
  if (!seconds || given.empty())
    return signature::malformed;

  const auto signed_text = http::standard_webhooks_text(got.id, got.timestamp, got.body);
  return judge(given, keys, signed_text, in_base64, *seconds * 1000, now);
}

} // namespace usher::gateways

#include "http/gateways/signature_mercado_pago.hpp"

#include "http/gateways/pairs.hpp"
#include "http/server/ascii.hpp"

#include <algorithm>

namespace usher::gateways {

namespace {

/// Nothing that could end its part of the signed text.
bool is_id(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return http::is_alnum(c) || c == '-' || c == '_';
  });
}

std::string signed_text(const mercado_pago_webhook& got, std::string_view timestamp) {
  std::string text = "id:";
  for (const char c : got.data_id)
    text.push_back(http::to_lower(c));
  text += ";";
  if (!got.request_id.empty())
    text.append("request-id:").append(got.request_id).append(";");
  return text.append("ts:").append(timestamp).append(";");
}

time_ms to_milliseconds(std::int64_t timestamp) {
  constexpr std::int64_t seconds_max = 100'000'000'000; // the year 5138
  return timestamp < seconds_max ? timestamp * 1000 : timestamp;
}

} // namespace

signature check_mercado_pago(const mercado_pago_webhook& got,
                             const std::vector<std::string>& secrets, time_ms now) {
  if (got.signature.empty())
    return signature::missing;
  std::string_view timestamp;
  std::vector<std::string_view> given;
  const bool pairs = each_pair(got.signature, [&](std::string_view name, std::string_view value) {
    if (name == "ts")
      timestamp = value;
    else if (name == "v1" && given.size() < signatures_max)
      given.push_back(value);
  });
  const auto time = read_timestamp(timestamp);
  if (!pairs || !time || given.empty() || !is_id(got.data_id))
    return signature::malformed;

  return judge(
      given, secrets, signed_text(got, timestamp),
      [](const http::sha256_digest& digest) { return http::to_hex(digest); },
      to_milliseconds(*time), now);
}

} // namespace usher::gateways

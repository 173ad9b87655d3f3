#include "http/gateways/signature.hpp"

#include <charconv>

namespace usher::gateways {

std::string_view to_string(signature what) {
  switch (what) {
  case signature::good:
    return "good";
  case signature::missing:
    return "signature missing";
  case signature::malformed:
    return "signature malformed";
  case signature::too_old:
    return "signature too old";
  case signature::too_new:
    return "signature too new";
  case signature::wrong:
    return "signature wrong";
  }
  return "?";
}

std::optional<std::int64_t> read_timestamp(std::string_view text) {
  constexpr std::size_t digits_max = 13; // milliseconds until the year 2286
  std::int64_t value = 0;
  const auto* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (text.size() > digits_max || error != std::errc{} || at != end || value < 0 ||
      text.starts_with('-'))
    return std::nullopt;
  return value;
}

signature judge(const std::vector<std::string_view>& given, const std::vector<std::string>& keys,
                std::string_view signed_text, std::string (*write)(const http::sha256_digest&),
                time_ms signed_at, time_ms now) {
  bool right = false;
  for (const auto& key : keys) {
    const auto expected = write(http::hmac_sha256(key, signed_text));
    for (const auto each : given)
      right = http::equal_bytes(each, expected) || right;
  }
  if (!right)
    return signature::wrong;
  if (signed_at < now - signature_age_max_ms)
    return signature::too_old;
  return signed_at > now + signature_age_max_ms ? signature::too_new : signature::good;
}

} // namespace usher::gateways

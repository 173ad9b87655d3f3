#include "http/gateways/text.hpp"

#include "http/server/ascii.hpp"

#include <algorithm>

namespace usher::gateways {

namespace {

/// Shorter ones stand in any text by chance.
constexpr std::size_t secret_bytes_min = 4;

bool is_unreserved(char c) {
  return http::is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

} // namespace

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (is_unreserved(c)) {
      encoded.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded.push_back('%');
    encoded.push_back(digits[byte >> 4U]);
    encoded.push_back(digits[byte & 15U]);
  }
  return encoded;
}

std::string form(const std::vector<std::pair<std::string_view, std::string_view>>& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    if (!text.empty())
      text.push_back('&');
    text.append(percent_encoded(name)).append("=").append(percent_encoded(value));
  }
  return text;
}

std::string clean_reason(std::string_view reason, const std::vector<std::string_view>& secrets) {
  for (const auto secret : secrets)
    if (secret.size() >= secret_bytes_min && reason.find(secret) != std::string_view::npos)
      return "withheld";
  std::string clean{reason.substr(0, reason_bytes_max)};
  std::ranges::replace_if(
      clean, [](char c) { return c < ' ' || c > '~'; }, '?');
  return clean;
}

} // namespace usher::gateways

#include "http/crypto/base64.hpp"

#include <array>
#include <cstdint>

namespace usher::http {

namespace {

constexpr std::string_view plain_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

using value_table = std::array<std::int8_t, 256>;

constexpr value_table values_of(std::string_view alphabet) {
  value_table values{};
  values.fill(-1);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  return values;
}
constexpr auto plain_values = values_of(plain_alphabet);
constexpr auto url_values = values_of(url_alphabet);

/// Without padding.
std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t kept = 0;
  int kept_bits = 0;
  for (const char c : bytes) {
    kept = (kept << 8) | static_cast<unsigned char>(c);
    kept_bits += 8;
    while (kept_bits >= 6) {
      kept_bits -= 6;
      text.push_back(alphabet[(kept >> kept_bits) & 63U]);
    }
    kept &= (1U << kept_bits) - 1;
  }
  if (kept_bits > 0)
    text.push_back(alphabet[(kept << (6 - kept_bits)) & 63U]);
  return text;
}

/// Without padding.
std::optional<std::string> decode(std::string_view text, const value_table& values) {
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t kept = 0;
  int kept_bits = 0;
  for (const char c : text) {
    const auto value = values[static_cast<unsigned char>(c)];
    if (value < 0)
      return std::nullopt;
    kept = (kept << 6) | static_cast<std::uint32_t>(value);
    kept_bits += 6;
    if (kept_bits >= 8) {
      kept_bits -= 8;
      bytes.push_back(static_cast<char>(kept >> kept_bits));
      kept &= (1U << kept_bits) - 1;
    }
  }
  // One character alone says nothing, and left-over bits would make a second text for these bytes.
  if (text.size() % 4 == 1 || kept != 0)
    return std::nullopt;
  return bytes;
}

} // namespace

std::string encode_base64url(std::string_view bytes) {
  return encode(bytes, url_alphabet);
}

std::optional<std::string> decode_base64url(std::string_view text) {
  return decode(text, url_values);
}

std::string encode_base64(std::string_view bytes) {
  auto text = encode(bytes, plain_alphabet);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0)
    return std::nullopt;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
    text.remove_suffix(1);
  return decode(text, plain_values);
}

} // namespace usher::http

#include "actors/basics/reference.hpp"

#include <charconv>

namespace usher {

namespace {

constexpr std::string_view shard_part = "-0-"; // one shard on one machine

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

std::string show_text(show_number show) {
  char text[8];
  const auto [end, error] = std::to_chars(text, text + sizeof text, show, 16);
  return {text, end};
}

} // namespace

std::string write_reference(std::string_view kind, show_number show, const id128& id) {
  constexpr std::string_view digits = "0123456789abcdef";
  auto text = std::string{kind}.append(shard_part) + show_text(show) + "-";
  for (const auto byte : id.bytes) {
    text += digits[byte >> 4U];
    text += digits[byte & 0xFU];
  }
  return text;
}

std::optional<reference> read_reference(std::string_view kind, std::string_view text) {
  if (!text.starts_with(kind) || !text.substr(kind.size()).starts_with(shard_part))
    return std::nullopt;
  text.remove_prefix(kind.size() + shard_part.size());
  const auto dash = text.find('-');
  if (dash == std::string_view::npos || text.size() - dash - 1 != 32)
    return std::nullopt;
  reference found;
  const auto [end, error] = std::from_chars(text.data(), text.data() + dash, found.show, 16);
  // One way to write a number, so that one thing has one name.
  if (error != std::errc{} || show_text(found.show) != text.substr(0, dash))
    return std::nullopt;
  const auto digits = text.substr(dash + 1);
  for (std::size_t i = 0; i < found.id.bytes.size(); ++i) {
    const int high = hex_value(digits[2 * i]);
    const int low = hex_value(digits[2 * i + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    found.id.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  if (found.id.is_none()) // means "none" further in, and is never given out
    return std::nullopt;
  return found;
}

} // namespace usher

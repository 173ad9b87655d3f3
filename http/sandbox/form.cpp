#include "http/sandbox/form.hpp"

#include <charconv>
#include <cstdint>

namespace usher::sandbox {

namespace {

std::string decode(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint8_t byte = 0;
    const auto* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      made.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      made.push_back(text[i] == '+' ? ' ' : text[i]);
    }
  }
  return made;
}

} // namespace

std::map<std::string, std::string> read_form(std::string_view text) {
  std::map<std::string, std::string> all;
  while (!text.empty()) {
    const auto pair = text.substr(0, text.find('&'));
    text.remove_prefix(pair.size() == text.size() ? pair.size() : pair.size() + 1);
    const auto equals = pair.find('=');
    if (!pair.empty())
      all[decode(pair.substr(0, equals))] =
          equals == std::string_view::npos ? std::string{} : decode(pair.substr(equals + 1));
  }
  return all;
}

} // namespace usher::sandbox

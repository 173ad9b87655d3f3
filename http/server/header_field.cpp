#include "http/server/ascii.hpp"
#include "http/server/exchange.hpp"

namespace usher::http {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && blank(text.back()))
    text.remove_suffix(1);
  return text;
}

} // namespace

std::string_view header_field(const request& what, std::string_view name) {
  auto rest = what.fields;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    if (const auto colon = line.find(':');
        colon != std::string_view::npos && iequals(line.substr(0, colon), name))
      return trimmed(line.substr(colon + 1));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return {};
}

} // namespace usher::http

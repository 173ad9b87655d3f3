#include "http/server/path.hpp"

namespace usher::http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

} // namespace

std::optional<std::string> decode_path_segment(std::string_view segment) {
  std::string out;
  out.reserve(segment.size());
  for (std::size_t i = 0; i < segment.size(); ++i) {
    char c = segment[i];
    if (c == '%') {
      if (segment.size() - i < 3)
        return std::nullopt;
      const int high = hex_digit(segment[i + 1]);
      const int low = hex_digit(segment[i + 2]);
      if (high < 0 || low < 0)
        return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (is_control(c))
      return std::nullopt;
    out.push_back(c);
  }
  return out;
}

} // namespace usher::http

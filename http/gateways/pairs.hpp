#pragma once

#include <cstddef>
#include <string_view>

namespace usher::gateways {

/// Calls `take(name, value)` for each part of "t=1,v1=ab,v1=cd", without blanks around them; false
/// if a part has no '='.
template <class Take>
[[nodiscard]] bool each_pair(std::string_view text, Take take) {
  while (!text.empty()) {
    const auto comma = text.find(',');
    auto part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    while (part.starts_with(' '))
      part.remove_prefix(1);
    while (part.ends_with(' '))
      part.remove_suffix(1);
    const auto equals = part.find('=');
    if (equals == std::string_view::npos)
      return false;
    take(part.substr(0, equals), part.substr(equals + 1));
  }
  return true;
}

} // namespace usher::gateways

#pragma once

#include "http/server/path.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher::http {

/// The first parameter of this name, decoded; an empty text if it has no value or a broken escape.
/// Nothing if there is none.
[[nodiscard]] inline std::optional<std::string> query_parameter(std::string_view query,
                                                                std::string_view name) {
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto pair = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view{} : query.substr(end + 1);
    const auto equals = pair.find('=');
    if (pair.substr(0, equals) == name)
      return equals == std::string_view::npos
                 ? std::string{}
                 : decode_path_segment(pair.substr(equals + 1)).value_or("");
  }
  return std::nullopt;
}

} // namespace usher::http

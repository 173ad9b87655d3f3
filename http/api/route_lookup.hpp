#pragma once

#include "http/api/router.hpp"

#include <array>
#include <string>
#include <string_view>

namespace usher::http {

/// The segments of a path or pattern, without copying: what it points to must outlive it.
struct path_segments {
  static constexpr std::size_t segments_max = 10;

  std::array<std::string_view, segments_max> part;
  std::size_t count = 0;
  bool too_many = false; ///< no route has so many

  explicit path_segments(std::string_view path);
};

/// `{show}`: matches any segment that is not empty.
[[nodiscard]] bool is_parameter(std::string_view segment);

struct known_route {
  const route* is;
  path_segments pattern;
};

struct route_lookup {
  const known_route* found = nullptr; ///< null: none for this method
  std::string allowed;                ///< then the methods of the routes that match the path
};

/// The line of the route table that answers it. HEAD is answered as GET is; the server leaves the
/// body out.
[[nodiscard]] route_lookup find_route(const request& what);

} // namespace usher::http

#include "http/api/route_lookup.hpp"

#include <vector>

namespace usher::http {

path_segments::path_segments(std::string_view path) {
  path.remove_prefix(path.empty() ? 0 : 1); // the leading slash
  while (true) {
    const auto slash = path.find('/');
    if (count == segments_max) {
      too_many = true;
      return;
    }
    part[count++] = path.substr(0, slash);
    if (slash == std::string_view::npos)
      return;
    path.remove_prefix(slash + 1);
  }
}

bool is_parameter(std::string_view segment) {
  return segment.starts_with('{');
}

namespace {

bool matches(const path_segments& pattern, const path_segments& path) {
  if (path.too_many || pattern.count != path.count)
    return false;
  for (std::size_t i = 0; i < path.count; ++i)
    if (is_parameter(pattern.part[i]) ? path.part[i].empty() : pattern.part[i] != path.part[i])
      return false;
  return true;
}

const std::vector<known_route>& compiled() {
  static const auto table = [] {
    std::vector<known_route> made;
    for (const auto& each : routes())
      made.push_back({&each, path_segments{each.pattern}});
    return made;
  }();
  return table;
}

http::method effective(http::method asked) {
  return asked == method::head ? method::get : asked;
}

std::string_view name_of(http::method which) {
  switch (which) {
  case method::get:
    return "GET, HEAD";
  case method::head:
    return "HEAD";
  case method::post:
    return "POST";
  case method::put:
    return "PUT";
  case method::patch:
    return "PATCH";
  case method::delete_:
    return "DELETE";
  case method::options:
  case method::other:
    break;
  }
  return "OPTIONS";
}

} // namespace

route_lookup find_route(const request& what) {
  const path_segments path{what.path};
  const auto wanted = effective(what.method);
  route_lookup result;
  for (const auto& each : compiled()) {
    if (!matches(each.pattern, path))
      continue;
    if (each.is->method == wanted) {
      result.found = &each;
      return result;
    }
    if (result.allowed.empty())
      result.allowed = "OPTIONS";
    result.allowed.append(", ").append(name_of(each.is->method));
  }
  return result;
}

} // namespace usher::http

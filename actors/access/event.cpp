#include "actors/access/event.hpp"

namespace usher::access {

std::string_view to_string(role value) {
  switch (value) {
  case role::admin:
    return "admin";
  case role::operator_:
    return "operator";
  case role::service:
    return "service";
  case role::gate:
    return "gate";
  case role::viewer:
    return "viewer";
  }
  return "?";
}

std::optional<role> role_of(std::string_view name) {
  for (const auto value : {role::admin, role::operator_, role::service, role::gate, role::viewer})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

} // namespace usher::access

#include "actors/payments/event.hpp"

namespace usher::payments {

std::string_view to_string(breaker_status status) {
  switch (status) {
  case breaker_status::closed:
    return "closed";
  case breaker_status::open:
    return "open";
  case breaker_status::half_open:
    return "half_open";
  }
  return "?";
}

std::optional<breaker_status> breaker_status_of(std::string_view name) {
  for (const auto value : {breaker_status::closed, breaker_status::open, breaker_status::half_open})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

} // namespace usher::payments

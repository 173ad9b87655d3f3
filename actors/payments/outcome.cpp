#include "actors/payments/provider.hpp"

namespace usher::payments {

std::string_view to_string(outcome what) {
  switch (what) {
  case outcome::approved:
    return "approved";
  case outcome::declined:
    return "declined";
  case outcome::not_sent:
    return "not_sent";
  case outcome::failed:
    return "failed";
  case outcome::unknown:
    return "unknown";
  }
  return "?";
}

std::optional<outcome> outcome_of(std::string_view name) {
  for (const auto value :
       {outcome::approved, outcome::declined, outcome::not_sent, outcome::failed, outcome::unknown})
    if (to_string(value) == name)
      return value;
  return std::nullopt;
}

} // namespace usher::payments

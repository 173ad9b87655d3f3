#include "actors/seating/command.hpp"

namespace usher::seating {

std::string_view to_string(unavailable_reason reason) {
  switch (reason) {
  case unavailable_reason::held:
    return "HELD";
  case unavailable_reason::sold:
    return "SOLD";
  case unavailable_reason::blocked:
    return "BLOCKED";
  case unavailable_reason::unknown:
    return "UNKNOWN";
  }
  return "?";
}

} // namespace usher::seating

#include "http/client/message.hpp"

#include "http/server/ascii.hpp"

namespace usher::http::client {

std::string_view answer::header_of(std::string_view name) const {
  for (const auto& each : headers)
    if (iequals(each.name, name))
      return each.value;
  return {};
}

} // namespace usher::http::client

#pragma once

#include "http/api/call.hpp"
#include "http/json/fields.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace usher::http {

/// An integer, or null for "no limit".
std::optional<shows::limit> read_limit(fields& from, std::string_view name);

/// The one text that a body has, not empty.
[[nodiscard]] std::string read_only_text(const json& body, std::string_view name,
                                         std::size_t bytes_max, std::vector<fault>& faults);

/// What `read(body, faults)` makes of the body; answers and gives nothing if the body is no object
/// or anything in it is wrong.
template <class Read>
auto read_checked(call& at, Read read)
    -> std::optional<decltype(read(std::declval<const json&>(),
                                   std::declval<std::vector<fault>&>()))> {
  const auto body = read_object(at);
  if (!body)
    return std::nullopt;
  std::vector<fault> faults;
  auto made = read(*body, faults);
  if (faults.empty())
    return made;
  send_invalid(at, faults);
  return std::nullopt;
}

} // namespace usher::http

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace usher::gateways {

inline constexpr std::size_t reason_bytes_max = 200;

/// For a segment of a path, or a value of a query or a form: all but A-Z a-z 0-9 - . _ ~.
[[nodiscard]] std::string percent_encoded(std::string_view text);

/// application/x-www-form-urlencoded
[[nodiscard]] std::string
form(const std::vector<std::pair<std::string_view, std::string_view>>& fields);

/// A reason fit for events and logs: printable ASCII, short, and none of the secrets in it, even if
/// a provider says them back to us.
[[nodiscard]] std::string clean_reason(std::string_view reason,
                                       const std::vector<std::string_view>& secrets);

} // namespace usher::gateways

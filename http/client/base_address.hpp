#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace usher::http::client {

/// Where a server is, and below which path: `https://api.example.com/v2` without the `/` at the
/// end.
struct base_address {
  bool tls = true;
  std::string host;   ///< without the brackets of an IPv6 address
  std::string port;   ///< decimal
  std::string prefix; ///< of every target; empty or "/something"

  /// As the Host field says it: with brackets where they belong, without the scheme's own port.
  [[nodiscard]] std::string host_field() const;
};

/// Nothing for anything but http and https, for user names, queries and fragments.
[[nodiscard]] std::optional<base_address> read_base_address(std::string_view text);

} // namespace usher::http::client

#include "http/client/base_address.hpp"

#include "http/client/request_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace usher::http::client {

namespace {

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, port);
  return error == std::errc{} && at == end && port > 0;
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_';
}

bool is_ipv6_character(char c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' ||
         c == '.';
}

/// The host of "host", "host:port", "[v6]" or "[v6]:port", taken off the front.
std::optional<std::string> take_host(std::string_view& authority) {
  std::string_view host;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos)
      return std::nullopt;
    host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
  } else {
    host = authority.substr(0, authority.find(':'));
    authority.remove_prefix(host.size());
    if (!std::ranges::all_of(host, is_host_character))
      return std::nullopt;
    return host.empty() ? std::nullopt : std::optional{std::string{host}};
  }
  if (host.empty() || !std::ranges::all_of(host, is_ipv6_character))
    return std::nullopt;
  return std::string{host};
}

} // namespace

std::string base_address::host_field() const {
  auto field = host.find(':') == std::string::npos ? host : "[" + host + "]";
  if (port != (tls ? "443" : "80"))
    field += ":" + port;
  return field;
}

std::optional<base_address> read_base_address(std::string_view text) {
  base_address address;
  if (text.starts_with("https://"))
    text.remove_prefix(8);
  else if (text.starts_with("http://")) {
    text.remove_prefix(7);
    address.tls = false;
  } else
    return std::nullopt;

  const auto slash = std::min(text.find('/'), text.size());
  auto authority = text.substr(0, slash);
  address.prefix = text.substr(slash);
  while (address.prefix.ends_with('/'))
    address.prefix.pop_back();
  if (address.prefix.find_first_of("?#") != std::string::npos ||
      (!address.prefix.empty() && !is_target(address.prefix)))
    return std::nullopt;

  auto host = take_host(authority);
  if (!host)
    return std::nullopt;
  address.host = std::move(*host);
  address.port = address.tls ? "443" : "80";
  if (authority.empty())
    return address;
  if (authority.front() != ':' || !is_port(authority.substr(1)))
    return std::nullopt;
  address.port = authority.substr(1);
  return address;
}

} // namespace usher::http::client

#include "http/client/request_text.hpp"

#include "http/server/ascii.hpp"

#include <algorithm>

namespace usher::http::client {

namespace {

std::string_view name_of(verb method) {
  switch (method) {
  case verb::get:
    return "GET";
  case verb::post:
    return "POST";
  case verb::put:
    return "PUT";
  }
  return "?";
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '-'; });
}

bool is_value(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

} // namespace

bool is_target(std::string_view text) {
  return text.starts_with('/') &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~' && c != '#'; });
}

std::optional<std::string> request_text(const request& asked, const base_address& to) {
  if (!is_target(asked.target))
    return std::nullopt;
  std::string text;
  text.reserve(512 + asked.body.size());
  text.append(name_of(asked.method)).append(" ").append(to.prefix).append(asked.target);
  text.append(" HTTP/1.1\r\nHost: ").append(to.host_field()).append("\r\n");
  text.append("User-Agent: usher\r\n");
  for (const auto& [name, value] : asked.headers) {
    if (!is_name(name) || !is_value(value))
      return std::nullopt;
    text.append(name).append(": ").append(value).append("\r\n");
  }
  if (asked.method != verb::get)
    text.append("Content-Length: ").append(std::to_string(asked.body.size())).append("\r\n");
  text.append("\r\n").append(asked.body);
  return text;
}

} // namespace usher::http::client

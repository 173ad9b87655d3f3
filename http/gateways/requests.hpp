#pragma once

#include "http/client/message.hpp"

#include <string>
#include <utility>

namespace usher::gateways {

namespace client = http::client;

[[nodiscard]] inline client::request get(std::string target) {
  return {.method = client::verb::get, .target = std::move(target)};
}

[[nodiscard]] inline client::request post_json(std::string target, std::string body) {
  return {.method = client::verb::post,
          .target = std::move(target),
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

[[nodiscard]] inline client::request post_form(std::string target, std::string body) {
  return {.method = client::verb::post,
          .target = std::move(target),
          .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
          .body = std::move(body)};
}

[[nodiscard]] inline client::request with(client::request what, std::string name,
                                          std::string value) {
  what.headers.push_back({std::move(name), std::move(value)});
  return what;
}

} // namespace usher::gateways

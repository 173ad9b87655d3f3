#pragma once

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"

#include <optional>
#include <utility>

namespace usher::test {

/// A server with data of its own that can be killed and started again, and who talks to it.
struct killable_server {
  explicit killable_server(launch with = server_process::with_operator_key())
      : how{std::move(with)} {
    start();
  }

  void start() {
    server.emplace(place.data(), how);
    fan.turn_to(server->port());
    as_operator.turn_to(server->port());
  }
  void kill() {
    server->kill9();
    server.reset();
  }
  void crash_and_start() {
    kill();
    start();
  }

  launch how;
  scratch_directory place;
  std::optional<server_process> server;
  api_client fan{0};
  api_client as_operator{0, {{"Authorization", "Bearer " + operator_key}}};
};

} // namespace usher::test

#pragma once

#include "http/client/message.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace usher::http::client {

/// A server that will be asked, and how much of it.
struct origin_options {
  std::string base_url;  ///< "https://api.example.com"; http is for tests and the same machine
  std::string ca_file{}; ///< PEM; empty: the system's certificates
  std::size_t connections_max = 16;
  std::size_t waiting_max = 256; ///< requests without a connection; more are `not_sent`
  std::chrono::milliseconds connect_timeout{3'000}; ///< name, connection and TLS together
  std::chrono::milliseconds idle_max{30'000};       ///< that a connection is kept unused
  /// Refuses addresses that are not public (`private-address`), whatever name leads there.
  bool public_only = false;
};

/// An HTTP/1.1 client for a few known servers, on a thread of its own. Each server has a pool of
/// connections that are kept. Redirects are not followed, and nothing is sent twice but as
/// `request::idempotent` says. Answers have at most 16 KiB of header and 1 MiB of body.
class client_thread {
public:
  client_thread();
  /// Stops.
  ~client_thread();
  client_thread(const client_thread&) = delete;
  client_thread& operator=(const client_thread&) = delete;

  /// From any thread. What it returns may be used as long as this object lives, also after `stop`.
  /// Throws std::invalid_argument for an address or a file that cannot be used.
  [[nodiscard]] sender& open(const origin_options& options);

  /// From any thread but its own. All calls that are not answered are told (`stopping`), later ones
  /// are `not_sent`; then the thread ends. A name that is being resolved just now may hold it up
  /// for as long as the system's resolver takes.
  void stop();

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

} // namespace usher::http::client

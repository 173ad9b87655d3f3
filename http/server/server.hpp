#pragma once

#include "http/server/exchange.hpp"
#include "http/server/options.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace usher::http {

/// Why the server cannot listen: a sentence for the operator.
struct failure {
  std::string what;
};

/// Listens and serves on threads of its own. Installs no signal handlers. One thread owns it; the
/// handler must outlive it. Raise RLIMIT_NOFILE above connections_max before: without descriptors
/// the server pauses accepting, and says nothing.
class server {
public:
  server(server_options options, handler& to);
  ~server(); ///< drains without patience
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// Once. On return connections are accepted, or it says why not.
  [[nodiscard]] std::optional<failure> start();

  /// Where it listens, after start.
  [[nodiscard]] std::uint16_t port() const;

  [[nodiscard]] std::size_t io_threads() const;

  /// Stops accepting, closes idle connections, ends streams, answers what has begun with
  /// `Connection: close`, and returns when all is done, at the latest after `deadline`: then
  /// deferred answers that are still due become 503 outcome-unknown, and what is left is cut.
  void drain(std::chrono::milliseconds deadline);

  // For metrics; any thread.
  [[nodiscard]] std::size_t connections() const;
  [[nodiscard]] std::size_t in_flight() const;
  [[nodiscard]] std::size_t streams() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace usher::http

#pragma once

#include "http/sandbox/signing.hpp"
#include "http/sandbox/webhooks.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace usher::sandbox {

/// Carries one request at a time, waiting for it, on a connection of its own.
class courier {
public:
  struct outcome {
    int status = 0;      ///< 0: no answer
    std::string trouble; ///< why there is none
  };

  [[nodiscard]] outcome carry(const webhook_target& to, const std::string& target,
                              const header_lines& headers, const std::string& body,
                              std::chrono::milliseconds at_most);

  /// From another thread: what is on its way is given up, and nothing is carried any more.
  void stop();

private:
  boost::asio::io_context io_;
  std::atomic<bool> stopped_{false};
};

} // namespace usher::sandbox

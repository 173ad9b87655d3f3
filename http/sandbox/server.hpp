#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/webhooks.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

// Listens and answers: a thread for each connection, so that a fault is a few plain steps.
namespace usher::sandbox {

class server {
public:
  /// Whoever comes when so many are there is cut off.
  static constexpr std::size_t connections_max = 256;

  /// Answers a call whose path is the whole path; called from many threads at once.
  using handler = std::function<delivery(call)>;

  /// Binds. Throws std::runtime_error with a sentence if it cannot. Port 0: the kernel chooses.
  server(const std::string& host, std::uint16_t port);
  ~server();
  server(server&&) = delete;
  server& operator=(server&&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// `http://HOST:PORT`.
  [[nodiscard]] const std::string& base() const { return base_; }

  /// `office` outlives the server.
  void start(handler answers, post_office& office);
  /// Ends every connection where it is, and comes back when no thread is left.
  void stop();

private:
  struct connection;
  struct listener;

  void accept_next();
  void serve(connection& with);
  /// False: the connection is over.
  bool serve_one(connection& with);
  bool deliver(connection& with, delivery what, bool keep_alive);
  void drop_finished();

  std::string base_;
  std::uint16_t port_ = 0;
  std::unique_ptr<listener> listener_;
  handler answers_;
  post_office* office_ = nullptr;
  std::mutex mutex_;
  std::list<std::unique_ptr<connection>> connections_;
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace usher::sandbox

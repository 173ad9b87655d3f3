#pragma once

#include "http/server/completion_queue.hpp"
#include "http/server/options.hpp"
#include "http/server/session.hpp"
#include "http/server/wheel.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>

namespace usher::http {

/// One event loop with its own listener, timer wheel and sessions; shares nothing with the other
/// I/O threads but the counters and the handler. What it holds is touched on its thread only.
class io_thread {
public:
  using executor_type = boost::asio::io_context::executor_type;

  io_thread(const server_options& options, http::handler& handler, std::shared_ptr<counters> counts,
            std::size_t index);
  ~io_thread();
  io_thread(const io_thread&) = delete;
  io_thread& operator=(const io_thread&) = delete;

  /// Before run. With `shared` several I/O threads listen on one port. The endpoint's port is set.
  boost::system::error_code listen(boost::asio::ip::tcp::endpoint& endpoint, bool shared);

  /// The thread's main function; returns when drained or stopped.
  void run();

  /// From any thread: no new connections, no further requests; ends when the last one is answered,
  /// at the latest after `deadline`.
  void drain(std::chrono::milliseconds deadline);

  // For the sessions.
  void remove(session& which);
  [[nodiscard]] const server_options& options() const { return options_; }
  [[nodiscard]] http::handler& handler() { return handler_; }
  [[nodiscard]] const std::shared_ptr<counters>& counts() const { return counts_; }
  [[nodiscard]] const std::shared_ptr<completion_queue>& completions() const {
    return completions_;
  }
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] http::wheel& wheel() { return wheel_; }
  [[nodiscard]] boost::asio::io_context& context() { return context_; }
  [[nodiscard]] bool draining() const { return draining_; }

private:
  using clock = std::chrono::steady_clock;
  using timer =
      boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, executor_type>;

  void accept();
  void on_accept(boost::system::error_code ec, session::socket_type socket);
  void admit(session::socket_type socket);
  void begin_drain(std::chrono::milliseconds deadline);
  void give_up();
  template <class F>
  void for_each_session(F what);
  void end_if_drained();

  const server_options& options_;
  http::handler& handler_;
  std::shared_ptr<counters> counts_;
  std::size_t index_;
  boost::asio::io_context context_{1};
  http::wheel wheel_;
  boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, executor_type> acceptor_;
  timer accept_timer_;
  timer drain_timer_;
  boost::asio::ip::tcp::endpoint peer_;
  std::shared_ptr<completion_queue> completions_;
  std::list<session> sessions_;
  bool draining_ = false;
};

} // namespace usher::http

#pragma once

#include "http/client/answer_reader.hpp"
#include "http/client/message.hpp"
#include "http/client/wire.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace usher::http::client {

class pool;

/// One request on its way to its answer: waits for a place in the pool, takes a kept connection or
/// makes one, writes, reads, tells. On the I/O thread, but for its construction and `refuse`.
class exchange : public std::enable_shared_from_this<exchange> {
public:
  exchange(pool& in, std::string text, bool idempotent,
           std::chrono::steady_clock::time_point deadline, on_outcome done);

  /// Before it was let into the pool: tells, and nothing else.
  void refuse(failure why);

  [[nodiscard]] bool is_late() const;
  void watch_deadline();
  /// It has a place.
  void start();
  /// Tells `stopping`.
  void stop();

private:
  using error_code = boost::system::error_code;

  void connect();
  void on_connected(error_code ec, bool tls_failed);
  void write();
  void on_written(error_code ec);
  void read();
  void on_read(error_code ec, std::size_t bytes);
  void on_lost();
  [[nodiscard]] bool may_be_sent_again() const;
  void fail(std::string why);
  void finish(outcome result, std::shared_ptr<wire> kept);

  /// A handler of the connection at hand: is not called once that is another, or all is told.
  template <class F>
  auto guarded(F what);

  pool& pool_;
  std::string text_;
  bool idempotent_;
  std::chrono::steady_clock::time_point deadline_;
  on_outcome done_; ///< empty once told
  boost::asio::steady_timer deadline_timer_;
  boost::asio::steady_timer connect_timer_;
  boost::asio::ip::tcp::resolver resolver_;
  std::shared_ptr<wire> wire_;
  std::optional<answer_reader> reader_;
  bool has_place_ = false;
  bool kept_ = false;        ///< the wire carried other requests before
  bool written_ = false;     ///< some byte may have left, now or on a connection before
  bool all_written_ = false; ///< on this connection
};

} // namespace usher::http::client

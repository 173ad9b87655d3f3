#pragma once

#include "http/client/base_address.hpp"
#include "http/client/client_thread.hpp"
#include "http/client/loop.hpp"
#include "http/client/wire.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace usher::http::client {

class exchange;

/// The connections to one server and the requests for them. All but `send` on the I/O thread.
class pool final : public sender {
public:
  /// Throws std::invalid_argument. `in` outlives this.
  pool(loop& in, const origin_options& options);

  void send(request asked, on_outcome done) override;

  /// Tells all requests, and closes all connections.
  void stop();

  // For the exchanges.

  /// A connection that was kept, or none; then the exchange makes one with `fresh_wire`.
  [[nodiscard]] std::shared_ptr<wire> kept_wire();
  [[nodiscard]] std::shared_ptr<wire> fresh_wire();
  /// It is over: `kept` is its connection if it can carry more, `had_place` whether it was let in.
  void leave(const std::shared_ptr<exchange>& one, std::shared_ptr<wire> kept, bool had_place);

  [[nodiscard]] const origin_options& options() const { return options_; }
  [[nodiscard]] const base_address& address() const { return address_; }
  [[nodiscard]] boost::asio::io_context& context() { return loop_.context(); }

private:
  using clock = std::chrono::steady_clock;
  struct idle_wire {
    std::shared_ptr<client::wire> wire;
    clock::time_point until;
  };

  void enter(std::shared_ptr<exchange> one);
  void let_in();
  void sweep_later();
  void sweep();

  loop& loop_;
  origin_options options_;
  base_address address_;
  std::optional<boost::asio::ssl::context> tls_;
  std::set<std::shared_ptr<exchange>> live_;      ///< all that are not told yet
  std::deque<std::shared_ptr<exchange>> waiting_; ///< of those, without a place
  std::size_t places_taken_ = 0;                  ///< exchanges with a connection of their own
  std::vector<idle_wire> idle_;                   ///< the one used last at the end
  boost::asio::steady_timer sweep_timer_;
  bool sweeping_ = false;
  bool stopped_ = false;
};

} // namespace usher::http::client

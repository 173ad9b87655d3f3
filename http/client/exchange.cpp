#include "http/client/exchange.hpp"

#include "http/client/pool.hpp"
#include "http/client/public_address.hpp"

#include <boost/asio/error.hpp>

#include <utility>

namespace usher::http::client {

namespace asio = boost::asio;

exchange::exchange(pool& in, std::string text, bool idempotent,
                   std::chrono::steady_clock::time_point deadline, on_outcome done)
    : pool_{in},
      text_{std::move(text)},
      idempotent_{idempotent},
      deadline_{deadline},
      done_{std::move(done)},
      deadline_timer_{in.context()},
      connect_timer_{in.context()},
      resolver_{in.context()} {}

void exchange::refuse(failure why) {
  std::exchange(done_, nullptr)(std::move(why));
}

bool exchange::is_late() const {
  return std::chrono::steady_clock::now() >= deadline_;
}

void exchange::watch_deadline() {
  deadline_timer_.expires_at(deadline_);
  deadline_timer_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled && self->done_)
      self->fail("timeout");
  });
}

template <class F>
auto exchange::guarded(F what) {
  return [self = shared_from_this(), mine = wire_, what](error_code ec, auto... more) {
    if (self->done_ && self->wire_ == mine)
      what(*self, ec, more...);
  };
}

void exchange::start() {
  has_place_ = true;
  wire_ = pool_.kept_wire();
  kept_ = wire_ != nullptr;
  if (kept_)
    write();
  else
    connect();
}

void exchange::connect() {
  kept_ = false;
  wire_ = pool_.fresh_wire();
  connect_timer_.expires_after(pool_.options().connect_timeout);
  connect_timer_.async_wait(guarded([](exchange& self, error_code cancelled) {
    if (!cancelled)
      self.fail("connect-timeout");
  }));
  const auto& to = pool_.address();
  resolver_.async_resolve(
      to.host, to.port,
      guarded([](exchange& self, error_code ec, const wire::endpoints& endpoints) {
        if (ec)
          return self.fail("name-not-resolved");
        // The very addresses that were looked at are connected to: a name is asked for once.
        const auto allowed = self.pool_.options().public_only ? public_ones(endpoints) : endpoints;
        if (allowed.empty())
          return self.fail("private-address");
        self.wire_->open(allowed,
                         self.guarded([](exchange& opened, error_code failed, bool tls_failed) {
                           opened.on_connected(failed, tls_failed);
                         }));
      }));
}

void exchange::on_connected(error_code ec, bool tls_failed) {
  if (tls_failed)
    return fail("tls-failed");
  if (ec == asio::error::connection_refused)
    return fail("connect-refused");
  if (ec)
    return fail("connect-failed");
  connect_timer_.cancel();
  write();
}

void exchange::write() {
  written_ = true;
  all_written_ = false;
  reader_.emplace();
  wire_->write(asio::buffer(text_),
               guarded([](exchange& self, error_code ec, std::size_t) { self.on_written(ec); }));
  // At the same time: a server may answer, and close, before it has read everything.
  read();
}

/// What became of the request the reading end tells, which also has an answer that came before a
/// loss.
void exchange::on_written(error_code ec) {
  all_written_ = !ec;
}

void exchange::read() {
  const auto space = reader_->space();
  wire_->read_some(space, guarded([](exchange& self, error_code ec, std::size_t bytes) {
                     self.on_read(ec, bytes);
                   }));
}

void exchange::on_read(error_code ec, std::size_t bytes) {
  using state = answer_reader::state;
  if (ec && ec != asio::error::eof)
    return on_lost();
  const auto now = ec ? reader_->ended() : reader_->got(bytes);
  if (now == state::more)
    return ec ? on_lost() : read();
  if (now == state::wrong)
    return ec ? on_lost() : fail(std::string{reader_->why()});
  const bool keep = !ec && all_written_ && reader_->keeps_alive();
  finish(reader_->take(), keep ? wire_ : nullptr);
}

void exchange::on_lost() {
  if (!may_be_sent_again())
    return fail("connection-lost");
  wire_->close();
  connect();
}

/// Servers close connections that were idle for long, and that may cross with a request.
bool exchange::may_be_sent_again() const {
  return idempotent_ && kept_ && !reader_->any();
}

void exchange::stop() {
  fail("stopping");
}

void exchange::fail(std::string why) {
  finish(failure{written_ ? fault::unknown : fault::not_sent, std::move(why)}, nullptr);
}

void exchange::finish(outcome result, std::shared_ptr<wire> kept) {
  const auto self = shared_from_this();
  const auto done = std::exchange(done_, nullptr);
  deadline_timer_.cancel();
  connect_timer_.cancel();
  resolver_.cancel();
  const auto used = std::exchange(wire_, nullptr);
  if (used && !kept)
    used->close();
  pool_.leave(self, std::move(kept), has_place_);
  done(std::move(result));
}

} // namespace usher::http::client

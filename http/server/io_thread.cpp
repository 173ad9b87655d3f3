#include "http/server/io_thread.hpp"

#include <boost/asio/post.hpp>
#include <cerrno>
#include <iterator>
#include <sys/socket.h>
#include <utility>

namespace usher::http {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr int listen_backlog = 4096; // the kernel caps it at net.core.somaxconn

bool is_loopback(const boost::asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address.to_v6())
        .is_loopback();
  return address.is_loopback();
}

} // namespace

io_thread::io_thread(const server_options& options, http::handler& handler,
                     std::shared_ptr<counters> counts, std::size_t index)
    : options_(options),
      handler_(handler),
      counts_(std::move(counts)),
      index_(index),
      wheel_(context_, options.tick),
      acceptor_(context_.get_executor()),
      accept_timer_(context_.get_executor()),
      drain_timer_(context_.get_executor()),
      completions_(std::make_shared<completion_queue>(context_)) {}

io_thread::~io_thread() {
  completions_->close();
  while (!sessions_.empty())
    remove(sessions_.front());
}

error_code io_thread::listen(tcp::endpoint& endpoint, bool shared) {
  error_code ec;
  if (acceptor_.open(endpoint.protocol(), ec))
    return ec;
  if (acceptor_.set_option(tcp::acceptor::reuse_address(true), ec))
    return ec;
  const int yes = 1;
  if (shared &&
      ::setsockopt(acceptor_.native_handle(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0)
    return {errno, boost::system::system_category()};
  if (acceptor_.bind(endpoint, ec) || acceptor_.listen(listen_backlog, ec))
    return ec;
  endpoint = acceptor_.local_endpoint(ec);
  accept();
  return ec;
}

void io_thread::run() {
  context_.run();
}

void io_thread::accept() {
  acceptor_.async_accept(
      context_.get_executor(), peer_,
      [this](error_code ec, session::socket_type socket) { on_accept(ec, std::move(socket)); });
}

void io_thread::on_accept(error_code ec, session::socket_type socket) {
  if (draining_)
    return;
  if (ec && ec != boost::asio::error::connection_aborted) {
    // Out of descriptors or memory: whoever waits in the backlog waits until some are free again.
    accept_timer_.expires_after(options_.accept_pause);
    accept_timer_.async_wait([this](error_code cancelled) {
      if (!cancelled && !draining_)
        accept();
    });
    return;
  }
  if (!ec)
    admit(std::move(socket));
  accept();
}

void io_thread::admit(session::socket_type socket) {
  const bool over_cap = counts_->connections >= options_.connections_max;
  if (over_cap && options_.on_turned_away)
    options_.on_turned_away();
  if (over_cap && counts_->refusals >= options_.refusals_max)
    return; // closed
  error_code ec;
  socket.set_option(tcp::no_delay(true), ec);
  socket.non_blocking(true, ec);
  auto& added = sessions_.emplace_back(*this, std::move(socket), is_loopback(peer_.address()));
  added.self = std::prev(sessions_.end());
  added.over_cap = over_cap;
  ++(over_cap ? counts_->refusals : counts_->connections);
  if (over_cap)
    added.start_refused();
  else
    added.start();
}

void io_thread::remove(session& which) {
  --(which.over_cap ? counts_->refusals : counts_->connections);
  sessions_.erase(which.self);
  end_if_drained();
}

void io_thread::drain(std::chrono::milliseconds deadline) {
  boost::asio::post(context_, [this, deadline] { begin_drain(deadline); });
}

void io_thread::begin_drain(std::chrono::milliseconds deadline) {
  if (std::exchange(draining_, true))
    return;
  error_code ec;
  acceptor_.close(ec);
  accept_timer_.cancel();
  drain_timer_.expires_after(deadline);
  drain_timer_.async_wait([this](error_code cancelled) {
    if (!cancelled)
      give_up();
  });
  for_each_session([](session& one) { one.drain(); });
  end_if_drained();
}

void io_thread::give_up() {
  for_each_session([](session& one) { one.abandon_deferred(); });
  context_.stop();
}

/// `what` may end the session it is given, and no other.
template <class F>
void io_thread::for_each_session(F what) {
  for (auto it = sessions_.begin(); it != sessions_.end();)
    what(*it++);
}

void io_thread::end_if_drained() {
  if (!draining_ || !sessions_.empty())
    return;
  wheel_.stop();
  drain_timer_.cancel();
}

} // namespace usher::http

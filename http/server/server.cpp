#include "http/server/server.hpp"

#include "http/server/io_thread.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace usher::http {

struct server::impl {
  boost::asio::io_context probing;
  impl(server_options chosen, handler& h) : options(std::move(chosen)), to(h) {
    if (options.io_threads == 0)
      options.io_threads = std::max(1U, std::thread::hardware_concurrency());
  }

  server_options options;
  handler& to;
  std::shared_ptr<counters> counts = std::make_shared<counters>();
  std::uint16_t port = 0;
  std::vector<std::unique_ptr<io_thread>> loops;
  std::vector<std::thread> threads;
};

server::server(server_options options, handler& to)
    : impl_(std::make_unique<impl>(std::move(options), to)) {}

server::~server() {
  drain(std::chrono::milliseconds(0));
}

std::optional<failure> server::start() {
  boost::system::error_code ec;
  const auto address = boost::asio::ip::make_address(impl_->options.host, ec);
  if (ec)
    return failure{"'" + impl_->options.host + "' is not an IP address to listen on"};
  boost::asio::ip::tcp::endpoint endpoint(address, impl_->options.port);
  const bool shared = impl_->options.io_threads > 1;
  if (shared && endpoint.port() != 0) {
    // Sockets that share a port would share it with another server's too, and split the fans.
    boost::asio::ip::tcp::acceptor probe{impl_->probing, endpoint.protocol()};
    probe.set_option(boost::asio::ip::tcp::acceptor::reuse_address(true), ec);
    if (probe.bind(endpoint, ec) || probe.listen(1, ec))
      return failure{"cannot listen on " + impl_->options.host + " port " +
                     std::to_string(endpoint.port()) + ": " + ec.message()};
  }
  for (std::size_t i = 0; i < impl_->options.io_threads; ++i) {
    auto loop = std::make_unique<io_thread>(impl_->options, impl_->to, impl_->counts, i);
    if (ec = loop->listen(endpoint, shared); ec) {
      impl_->loops.clear();
      return failure{"cannot listen on " + impl_->options.host + " port " +
                     std::to_string(endpoint.port()) + ": " + ec.message()};
    }
    impl_->loops.push_back(std::move(loop));
  }
  impl_->port = endpoint.port();
  for (const auto& loop : impl_->loops)
    impl_->threads.emplace_back([&one = *loop] { one.run(); });
  return std::nullopt;
}

std::uint16_t server::port() const {
  return impl_->port;
}

std::size_t server::io_threads() const {
  return impl_->options.io_threads;
}

void server::drain(std::chrono::milliseconds deadline) {
  for (const auto& loop : impl_->loops)
    loop->drain(deadline);
  for (auto& thread : impl_->threads)
    thread.join();
  impl_->threads.clear();
  impl_->loops.clear();
}

std::size_t server::connections() const {
  return impl_->counts->connections;
}

std::size_t server::in_flight() const {
  return impl_->counts->in_flight;
}

std::size_t server::streams() const {
  return impl_->counts->streams;
}

} // namespace usher::http

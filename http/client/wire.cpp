#include "http/client/wire.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <sys/socket.h>

#include <cerrno>
#include <stdexcept>

namespace usher::http::client {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

/// Nothing to be read and not closed by the peer.
bool socket_is_quiet(tcp::socket& socket) {
  if (!socket.is_open())
    return false;
  char byte = 0;
  const auto got = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void close_socket(tcp::socket& socket) {
  boost::system::error_code ignored;
  socket.close(ignored);
}

class plain_wire final : public wire, public std::enable_shared_from_this<plain_wire> {
public:
  explicit plain_wire(asio::io_context& context) : socket_{context} {}

  void open(const endpoints& to, on_open done) override {
    asio::async_connect(socket_, to,
                        [self = shared_from_this(), done = std::move(done)](error_code ec, auto) {
                          if (!ec)
                            self->socket_.set_option(tcp::no_delay(true), ec);
                          done(ec, false);
                        });
  }

  void write(asio::const_buffer bytes, on_bytes done) override {
    asio::async_write(socket_, bytes,
                      [self = shared_from_this(),
                       done = std::move(done)](error_code ec, std::size_t n) { done(ec, n); });
  }

  void read_some(std::span<char> into, on_bytes done) override {
    socket_.async_read_some(asio::buffer(into.data(), into.size()),
                            [self = shared_from_this(), done = std::move(done)](
                                error_code ec, std::size_t n) { done(ec, n); });
  }

  void close() override { close_socket(socket_); }
  bool is_quiet() override { return socket_is_quiet(socket_); }

private:
  tcp::socket socket_;
};

class tls_wire final : public wire, public std::enable_shared_from_this<tls_wire> {
public:
  tls_wire(asio::io_context& context, asio::ssl::context& tls, const std::string& host)
      : stream_{context, tls} {
    stream_.set_verify_mode(asio::ssl::verify_peer);
    stream_.set_verify_callback(asio::ssl::host_name_verification(host));
    // An address is no server name (RFC 6066, 3).
    error_code not_an_address;
    asio::ip::make_address(host, not_an_address);
    if (not_an_address)
      SSL_set_tlsext_host_name(stream_.native_handle(), host.c_str());
  }

  void open(const endpoints& to, on_open done) override {
    asio::async_connect(stream_.next_layer(), to,
                        [self = shared_from_this(), done = std::move(done)](error_code ec, auto) {
                          if (!ec)
                            self->stream_.next_layer().set_option(tcp::no_delay(true), ec);
                          if (ec)
                            return done(ec, false);
                          self->shake_hands(done);
                        });
  }

  void write(asio::const_buffer bytes, on_bytes done) override {
    asio::async_write(stream_, bytes,
                      [self = shared_from_this(),
                       done = std::move(done)](error_code ec, std::size_t n) { done(ec, n); });
  }

  void read_some(std::span<char> into, on_bytes done) override {
    stream_.async_read_some(asio::buffer(into.data(), into.size()),
                            [self = shared_from_this(), done = std::move(done)](
                                error_code ec, std::size_t n) { done(ec, n); });
  }

  void close() override { close_socket(stream_.next_layer()); }
  bool is_quiet() override { return socket_is_quiet(stream_.next_layer()); }

private:
  void shake_hands(on_open done) {
    stream_.async_handshake(asio::ssl::stream_base::client,
                            [self = shared_from_this(), done = std::move(done)](error_code ec) {
                              done(ec, static_cast<bool>(ec));
                            });
  }

  asio::ssl::stream<tcp::socket> stream_;
};

} // namespace

std::shared_ptr<wire> make_wire(asio::io_context& context, asio::ssl::context* tls,
                                const base_address& to) {
  if (tls == nullptr)
    return std::make_shared<plain_wire>(context);
  return std::make_shared<tls_wire>(context, *tls, to.host);
}

asio::ssl::context make_tls_context(const std::string& ca_file) {
  asio::ssl::context tls{asio::ssl::context::tls_client};
  SSL_CTX_set_min_proto_version(tls.native_handle(), TLS1_2_VERSION);
  boost::system::error_code ec;
  if (ca_file.empty())
    tls.set_default_verify_paths(ec);
  else
    tls.load_verify_file(ca_file, ec);
  if (ec)
    throw std::invalid_argument{"the certificates cannot be read: " + ca_file};
  return tls;
}

} // namespace usher::http::client

#pragma once

#include "http/client/base_address.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace usher::http::client {

/// A connection, with TLS or without. One operation of a kind at a time; each keeps the wire alive
/// until its handler was called. Used on the I/O thread only.
class wire {
public:
  using error_code = boost::system::error_code;
  using endpoints = boost::asio::ip::tcp::resolver::results_type;
  using on_open = std::function<void(error_code, bool tls_failed)>;
  using on_bytes = std::function<void(error_code, std::size_t)>;

  virtual ~wire() = default;

  /// Connects to the first endpoint that takes it, then shakes hands.
  virtual void open(const endpoints& to, on_open done) = 0;
  /// All of it; `bytes` stay alive until `done`.
  virtual void write(boost::asio::const_buffer bytes, on_bytes done) = 0;
  virtual void read_some(std::span<char> into, on_bytes done) = 0;
  /// Cuts the connection; what runs ends with an error.
  virtual void close() = 0;
  /// Of a connection that nothing is asked of: still open, and nothing came uncalled for?
  [[nodiscard]] virtual bool is_quiet() = 0;
};

/// `tls` outlives the wires; null: none.
[[nodiscard]] std::shared_ptr<wire>
make_wire(boost::asio::io_context& context, boost::asio::ssl::context* tls, const base_address& to);

/// Verifies peers against the system's certificates, or those of `ca_file` alone if it is named.
/// Throws std::invalid_argument if that file cannot be read.
[[nodiscard]] boost::asio::ssl::context make_tls_context(const std::string& ca_file);

} // namespace usher::http::client

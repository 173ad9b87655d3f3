#pragma once

#include "tests/system/api_client.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include <chrono>
#include <cstdint>
#include <string>

// Thousands of connections on one thread: each fan is a coroutine and waits for its own answers.
// (GCC 12 loses the frame of `if (!co_await …)`: wait into a variable first, and make lists and
// headers before the line that waits.)
namespace usher::test {

template <class T>
using task = boost::asio::awaitable<T>;

task<void> pause_for(std::chrono::milliseconds time);

/// One connection that is kept, and opened again if the server has closed it between two calls.
class async_client {
public:
  async_client(boost::asio::io_context& runs_on, std::uint16_t port)
      : port_{port}, socket_{runs_on} {}

  task<void> connect();

  /// What the server answers. Throws boost::system::system_error if the connection is lost.
  task<api_answer> call(std::string method, std::string path, json body = nullptr,
                        header_map headers = {});

private:
  std::uint16_t port_;
  boost::asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
};

} // namespace usher::test

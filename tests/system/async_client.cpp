#include "tests/system/async_client.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cctype>
#include <utility>

namespace usher::test {

namespace asio = boost::asio;
namespace http = boost::beast::http;

task<void> pause_for(std::chrono::milliseconds time) {
  asio::steady_timer timer{co_await asio::this_coro::executor, time};
  co_await timer.async_wait(asio::use_awaitable);
}

task<void> async_client::connect() {
  const asio::ip::tcp::endpoint to{asio::ip::address_v4::loopback(), port_};
  co_await socket_.async_connect(to, asio::use_awaitable);
  socket_.set_option(asio::ip::tcp::no_delay{true});
}

task<api_answer> async_client::call(std::string method, std::string path, json body,
                                    header_map headers) {
  if (!socket_.is_open())
    co_await connect();
  const auto bytes =
      request_bytes(method, path, body.is_null() ? std::string{} : body.dump(), headers);
  co_await asio::async_write(socket_, asio::buffer(bytes), asio::use_awaitable);
  http::response<http::string_body> got;
  co_await http::async_read(socket_, buffer_, got, asio::use_awaitable);
  api_answer made;
  made.status = static_cast<int>(got.result_int());
  for (const auto& field : got) {
    std::string name{field.name_string()};
    for (auto& c : name)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    made.headers.emplace(std::move(name), field.value());
  }
  made.text = std::move(got.body());
  if (made.header("content-type").find("json") != std::string::npos)
    made.body = json::parse(made.text);
  if (!got.keep_alive())
    socket_.close();
  co_return made;
}

} // namespace usher::test

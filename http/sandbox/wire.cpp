#include "http/sandbox/wire.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <sys/socket.h>

namespace usher::sandbox {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;

} // namespace

wire::error_code wire::run(const std::function<void(std::function<void(error_code)>)>& start) {
  io_.restart();
  if (ended_) // and whoever ends it from here on stops the step
    return boost::asio::error::operation_aborted;
  error_code outcome = boost::asio::error::operation_aborted;
  start([&outcome](error_code came) { outcome = came; });
  io_.run();
  return outcome;
}

wire::got wire::read() {
  http::request_parser<http::string_body> parser;
  parser.header_limit(header_bytes_max);
  parser.body_limit(body_bytes_max);
  stream_.expires_after(idle_max);
  const auto error = run([&](auto done) {
    http::async_read(stream_, buffer_, parser,
                     [done](error_code came, std::size_t) { done(came); });
  });
  if (!error)
    return {parser.release(), 0};
  if (error == http::error::body_limit)
    return {std::nullopt, 413};
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return {std::nullopt, 431};
  // What is not of HTTP is the network's: there is nobody to tell.
  const bool malformed =
      error.category() == http::make_error_code(http::error::bad_method).category();
  return {std::nullopt,
          malformed && error != http::error::end_of_stream && error != http::error::partial_message
              ? 400U
              : 0U};
}

bool wire::write(response answer) {
  answer.prepare_payload();
  stream_.expires_after(idle_max);
  return !run([&](auto done) {
    http::async_write(stream_, answer, [done](error_code came, std::size_t) { done(came); });
  });
}

void wire::ignore_until_closed(std::chrono::seconds at_most) {
  const auto until = std::chrono::steady_clock::now() + at_most;
  std::array<char, 1024> ignored{};
  error_code error;
  while (!error) {
    stream_.expires_at(until);
    error = run([&](auto done) {
      stream_.async_read_some(boost::asio::buffer(ignored),
                              [done](error_code came, std::size_t) { done(came); });
    });
  }
}

void wire::reset() {
  error_code ignored;
  stream_.socket().set_option(boost::asio::socket_base::linger(true, 0), ignored);
  stream_.socket().close(ignored);
}

bool wire::pause(std::chrono::milliseconds how_long) {
  std::unique_lock lock{mutex_};
  return !woken_.wait_for(lock, how_long, [this] { return ended_.load(); });
}

void wire::finish() {
  error_code ignored;
  stream_.socket().shutdown(boost::asio::socket_base::shutdown_send, ignored);
  if (!ignored)
    ignore_until_closed(farewell_max);
  stream_.socket().close(ignored);
}

void wire::end() {
  {
    const std::lock_guard lock{mutex_};
    ended_ = true;
    woken_.notify_all();
  }
  io_.stop();
}

} // namespace usher::sandbox

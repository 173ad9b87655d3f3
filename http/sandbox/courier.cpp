#include "http/sandbox/courier.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

namespace usher::sandbox {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;

/// One request as a chain of steps; each runs the next unless there was trouble.
class errand {
public:
  errand(boost::asio::io_context& io, http::request<http::string_body> what)
      : resolver_{io}, stream_{io}, request_{std::move(what)} {}

  void start(const webhook_target& to, std::chrono::milliseconds at_most) {
    stream_.expires_after(at_most);
    resolver_.async_resolve(to.host, to.port, [this](auto error, const auto& found) {
      if (went_well(error))
        stream_.async_connect(found, [this](auto failed, const auto&) { write(failed); });
    });
  }

  [[nodiscard]] courier::outcome result() const {
    if (read_)
      return {static_cast<int>(response_.result_int()), {}};
    return {0, trouble_.empty() ? "stopped" : trouble_};
  }

private:
  void write(beast::error_code error) {
    if (!went_well(error))
      return;
    http::async_write(stream_, request_, [this](auto failed, std::size_t) { read(failed); });
  }
  void read(beast::error_code error) {
    if (!went_well(error))
      return;
    http::async_read(stream_, buffer_, response_,
                     [this](auto failed, std::size_t) { read_ = went_well(failed); });
  }
  bool went_well(beast::error_code error) {
    if (error)
      trouble_ = error.message();
    return !error;
  }

  tcp::resolver resolver_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{std::size_t{1024} * 1024};
  http::request<http::string_body> request_;
  http::response<http::string_body> response_;
  std::string trouble_;
  bool read_ = false;
};

} // namespace

courier::outcome courier::carry(const webhook_target& to, const std::string& target,
                                const header_lines& headers, const std::string& body,
                                std::chrono::milliseconds at_most) {
  http::request<http::string_body> request{http::verb::post, target, 11};
  request.set(http::field::host, to.host + ":" + to.port);
  request.set(http::field::content_type, "application/json");
  request.set(http::field::connection, "close");
  request.set(http::field::user_agent, "usher-sandbox-gateway");
  for (const auto& [name, value] : headers)
    request.set(name, value);
  request.body() = body;
  request.prepare_payload();

  io_.restart();
  if (stopped_)
    return {0, "stopped"};
  errand carried{io_, std::move(request)};
  carried.start(to, at_most);
  io_.run();
  return carried.result();
}

void courier::stop() {
  stopped_ = true;
  io_.stop();
}

} // namespace usher::sandbox

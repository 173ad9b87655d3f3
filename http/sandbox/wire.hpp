#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>

namespace usher::sandbox {

/// A connection that one thread uses, waiting for each step; another may end it at any time.
class wire {
public:
  static constexpr std::size_t header_bytes_max = 8192;
  static constexpr std::size_t body_bytes_max = std::size_t{64} * 1024;
  static constexpr std::chrono::seconds idle_max{30};
  static constexpr std::chrono::seconds silence_max{120};
  static constexpr std::chrono::seconds farewell_max{2};

  using request = boost::beast::http::request<boost::beast::http::string_body>;
  using response = boost::beast::http::response<boost::beast::http::string_body>;

  wire() : stream_{io_} {}

  /// To be accepted into, before anything else.
  [[nodiscard]] boost::asio::ip::tcp::socket& socket() { return stream_.socket(); }

  struct got {
    std::optional<request> asked; ///< nothing: it is over, or the request was no good
    unsigned fault = 0;           ///< then the status to answer with; 0: none
  };
  [[nodiscard]] got read();
  /// False: it is over.
  bool write(response answer);
  /// Says nothing until the peer closes, or so long.
  void ignore_until_closed(std::chrono::seconds at_most);
  /// Cuts the connection with a RST.
  void reset();
  /// False: the connection was ended meanwhile.
  bool pause(std::chrono::milliseconds how_long);
  /// The orderly end: what was written arrives, also if the peer is still sending.
  void finish();

  /// From any thread.
  void end();

private:
  using error_code = boost::beast::error_code;
  /// Runs one step to its end.
  error_code run(const std::function<void(std::function<void(error_code)>)>& start);

  boost::asio::io_context io_{1};
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_{header_bytes_max + body_bytes_max};
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
};

} // namespace usher::sandbox

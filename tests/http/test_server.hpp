#pragma once

#include "http/server/problem.hpp"
#include "http/server/server.hpp"
#include "raw_client.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A server on a free port with a handler that logs what it is asked, for the tests of this folder.
namespace usher::test {

using namespace std::chrono_literals;

/// What a path does: /defer waits for the test to answer, /poll is never shed, /large is 32 MiB,
/// /refused is refused before its body, /throw and /silent misbehave, all else echoes the body.
class logging_handler final : public http::handler {
public:
  static constexpr std::size_t large_bytes = std::size_t{32} * 1024 * 1024;

  http::route_limits limits_for(const http::request& head) const override {
    http::route_limits limits;
    limits.sheddable = head.path != "/poll";
    if (head.path == "/small")
      limits.body_bytes_max = 10;
    if (head.path == "/plan")
      limits.body_bytes_max = std::size_t{2} * 1024 * 1024;
    if (head.path == "/refused")
      limits.refusal = std::make_unique<http::response>(
          http::problem_response(405, "method-not-allowed", "Not here.", "Allow: GET\r\n"));
    return limits;
  }

  void handle(const http::request& r, http::reply& to) override {
    log(r);
    if (r.path == "/defer")
      return keep(to.defer());
    if (r.path == "/throw")
      throw std::runtime_error("on purpose");
    if (r.path == "/silent")
      return;
    if (r.path == "/turn")
      return answer_at_end_of_turn(to);
    if (r.path == "/large")
      return to.send({.status = 200,
                      .content_type = "application/octet-stream",
                      .headers = "Cache-Control: max-age=60\r\n",
                      .shared_body = large()});
    if (r.path == "/no-content")
      return to.send({.status = 204, .content_type = ""});
    to.send_json(200, "X-Path: " + std::string(r.path) + "\r\n", r.body.empty() ? "{}" : r.body);
    to.send_json(500, "", "a second answer, which is dropped");
  }

  [[nodiscard]] std::vector<std::string> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

  /// Waits until `n` deferred answers are due, and takes them.
  std::vector<http::deferred> take(std::size_t n) {
    std::unique_lock lock(mutex_);
    if (!came_.wait_for(lock, 20s, [&] { return deferred_.size() >= n; }))
      throw std::runtime_error("the requests do not come");
    return std::exchange(deferred_, {});
  }

private:
  static const std::shared_ptr<const std::string>& large() {
    static const auto bytes = std::make_shared<const std::string>(large_bytes, 'x');
    return bytes;
  }
  void log(const http::request& r) {
    const std::lock_guard lock(mutex_);
    calls_.emplace_back(r.path);
  }
  void keep(http::deferred d) {
    const std::lock_guard lock(mutex_);
    deferred_.push_back(std::move(d));
    came_.notify_all();
  }
  static void answer_at_end_of_turn(http::reply& to) {
    auto when_done = to.defer();
    to.at_end_of_turn([when_done] {
      when_done.send({.status = 200, .content_type = "text/plain", .body = "turned"});
    });
  }

  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::string> calls_;
  std::vector<http::deferred> deferred_;
};

inline http::response text_answer(std::string body) {
  return {.status = 200, .content_type = "text/plain", .body = std::move(body)};
}

/// One I/O thread and a fine tick, so that short deadlines pass quickly.
inline http::server_options quick_options() {
  http::server_options o;
  o.io_threads = 1;
  o.tick = 5ms;
  return o;
}

struct test_server {
  explicit test_server(http::server_options options = quick_options())
      : server(std::in_place, std::move(options), handler) {
    if (const auto failed = server->start())
      throw std::runtime_error(failed->what);
  }

  [[nodiscard]] raw_client connect() const { return raw_client::to(server->port()); }

  /// One request on a connection of its own.
  std::optional<answer> ask(std::string_view bytes) const {
    auto c = connect();
    c.send(bytes);
    return c.read();
  }

  logging_handler handler;
  std::optional<http::server> server;
};

inline std::string get(std::string_view path, std::string_view more = "") {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: usher\r\n" + std::string(more) + "\r\n";
}

inline std::string post(std::string_view path, std::string_view body, std::string_view more = "") {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: usher\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(more) + "\r\n" + std::string(body);
}

} // namespace usher::test

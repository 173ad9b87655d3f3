#pragma once

#include "test_server.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

// A server whose paths are streams, for the tests of streams.
namespace usher::test {

using turn = http::event_source::turn;

inline std::string event(int number) {
  return "id: " + std::to_string(number) + "\ndata: x\n\n";
}

/// What the test sees of the sources.
struct observed {
  std::atomic<int> made{0};
  std::atomic<int> gone{0};
  std::atomic<int> looks{0}; ///< at /flood
  std::atomic<bool> told_to_end{false};
};

class scripted_source final : public http::event_source {
public:
  using script = std::function<turn(int look)>; ///< the first look is 1

  scripted_source(observed& by, script plays) : by_(by), plays_(std::move(plays)) { ++by_.made; }
  ~scripted_source() override { ++by_.gone; }
  turn look() override { return plays_(++looks_); }

private:
  observed& by_;
  script plays_;
  int looks_ = 0;
};

/// /four says nothing in its second look and ends with its fourth, /ticks has an event with every
/// tick, /until-told the same until the test says so, /silent has none, /flood more than a socket
/// takes; all else is answered at once.
class streaming_handler final : public http::handler {
public:
  static constexpr std::size_t flood_bytes = http::stream_turn_bytes_max;

  void handle(const http::request& r, http::reply& to) override {
    if (r.path == "/four")
      return stream(to, [](int look) {
        return turn{.bytes = look == 2 ? "" : event(look), .last = look == 4};
      });
    if (r.path == "/ticks")
      return stream(to, [](int look) { return turn{.bytes = event(look)}; });
    if (r.path == "/until-told")
      return stream(
          to, [this](int look) { return turn{.bytes = event(look), .last = seen.told_to_end}; });
    if (r.path == "/silent")
      return stream(to, [](int) { return turn{.next = 1h}; });
    if (r.path == "/flood")
      return stream(to, [this](int) {
        ++seen.looks;
        return turn{.bytes = std::string(flood_bytes, 'x')};
      });
    to.send_json(200, "X-Path: " + std::string(r.path) + "\r\n", "{}");
  }

  observed seen;

private:
  void stream(http::reply& to, scripted_source::script plays) {
    to.send_stream(std::make_unique<scripted_source>(seen, std::move(plays)));
    to.send_json(500, "", "a second answer, which is dropped");
  }
};

struct stream_server {
  explicit stream_server(http::server_options options = quick_options())
      : server(std::in_place, std::move(options), handler) {
    if (const auto failed = server->start())
      throw std::runtime_error(failed->what);
  }

  [[nodiscard]] raw_client connect() const { return raw_client::to(server->port()); }

  /// A connection whose stream has begun.
  [[nodiscard]] raw_client open(std::string_view path) const {
    auto c = connect();
    c.send(get(path));
    const auto head = c.read(true);
    if (!head || head->status != 200)
      throw std::runtime_error("no stream");
    return c;
  }

  streaming_handler handler;
  observed& seen = handler.seen;
  std::optional<http::server> server;
};

inline void wait_until(const auto& condition) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!condition()) {
    BOOST_REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::yield();
  }
}

/// A client that reads nothing of /flood, connected. Returns when its source is asked no more: not
/// once in fifty ticks, as another stream of the same I/O thread counts them.
inline void stall(stream_server& s, raw_client& slow) {
  BOOST_REQUIRE(slow.connect(s.server->port()));
  slow.send(get("/flood"));
  wait_until([&] { return s.seen.looks > 0; });
  auto clock = s.open("/ticks");
  int before = 0;
  for (int round = 0; before != s.seen.looks; ++round) {
    BOOST_REQUIRE(round < 100); // and the kernel's buffers are long full
    before = s.seen.looks;
    for (int tick = 0; tick < 50; ++tick)
      clock.read_chunk();
  }
}

inline constexpr int tiny_buffer = 4096;

} // namespace usher::test

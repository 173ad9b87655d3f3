// The orderly end: what has begun is answered, what is idle is closed, nobody new comes in, and the
// deadline holds.

#include "test_server.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>

namespace usher::test {

BOOST_AUTO_TEST_CASE(a_drain_answers_what_is_in_flight_closes_the_idle_and_lets_nobody_in) {
  test_server s;
  const auto port = s.server->port();
  auto idle = s.connect();
  idle.send(get("/"));
  BOOST_TEST(idle.read()->status == 200);
  auto busy = s.connect();
  busy.send(get("/defer") + get("/pipelined-after-it"));
  const auto due = s.handler.take(1);
  auto half = s.connect();
  half.send(get("/")); // so that it is known to be accepted
  BOOST_TEST(half.read()->status == 200);

  std::thread drain([&] { s.server->drain(20s); });
  BOOST_TEST(idle.ends());
  BOOST_TEST(half.ends());
  raw_client late;
  BOOST_TEST(!late.connect(port));
  due[0].send(text_answer("kept"));
  const auto a = busy.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->body == "kept");
  BOOST_TEST(a->closes());
  BOOST_TEST(busy.ends());
  busy.close();
  drain.join();
  BOOST_TEST(s.server->connections() == 0U);
  for (const auto& path : s.handler.calls())
    BOOST_TEST(path != "/pipelined-after-it");
}

BOOST_AUTO_TEST_CASE(a_request_that_has_begun_to_arrive_is_finished_during_a_drain) {
  test_server s;
  auto idle = s.connect();
  auto c = s.connect();
  const auto bytes = post("/defer", "hello", "Expect: 100-continue\r\n");
  c.send(bytes.substr(0, bytes.size() - 5));
  BOOST_TEST(c.read()->status == 100);
  idle.send(get("/"));
  BOOST_TEST(idle.read()->status == 200);
  std::thread drain([&] { s.server->drain(20s); });
  BOOST_TEST(idle.ends());
  c.send("hello");
  s.handler.take(1)[0].send(text_answer("whole"));
  const auto a = c.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->body == "whole");
  BOOST_TEST(a->closes());
  c.close();
  drain.join();
}

BOOST_AUTO_TEST_CASE(at_the_drains_deadline_who_still_waits_hears_that_the_outcome_is_unknown) {
  test_server s;
  auto c = s.connect();
  c.send(get("/defer"));
  const auto due = s.handler.take(1);
  s.server->drain(20ms);
  const auto a = c.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 503);
  BOOST_TEST(a->body.find("outcome-unknown") != std::string::npos);
  BOOST_TEST(c.ends());
  due[0].send(text_answer("too late"));
}

// A tick that was due when the drain came used to arm the next one, and the drain never returned:
// with ticks as dense as here that shows within a few rounds.
BOOST_AUTO_TEST_CASE(a_drain_returns_though_ticks_are_due) {
  auto options = quick_options();
  options.tick = 1ms;
  for (int i = 0; i < 200; ++i) {
    test_server s(options);
    BOOST_TEST(s.ask(get("/"))->status == 200);
    s.server->drain(20s);
  }
}

BOOST_AUTO_TEST_CASE(a_server_ends_with_connections_in_every_state) {
  auto options = quick_options();
  options.io_threads = 2;
  test_server s(options);
  auto silent = s.connect();
  auto header = s.connect();
  header.send("GET / HT");
  auto body = s.connect();
  body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx");
  auto reading = s.connect();
  reading.send(get("/large"));
  auto lingering = s.connect();
  lingering.send(get("/", "Connection: close\r\n"));
  BOOST_TEST(lingering.read()->status == 200);
  auto waiting = s.connect();
  waiting.send(get("/defer"));
  const auto due = s.handler.take(1);
  s.server.reset();
  BOOST_TEST(body.ends());
}

} // namespace usher::test

// Answers that come later, from other threads: many at once, too late, twice, to a connection or a
// server that is gone. The answer deadline and the limit on what is in flight are tested here too.

#include "test_server.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <vector>

namespace usher::test {
namespace {

void wait_until(const auto& condition) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!condition()) {
    BOOST_REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::yield();
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(answers_from_many_threads_reach_their_own_connections) {
  constexpr std::size_t connections = 60;
  auto options = quick_options();
  options.io_threads = 2;
  test_server s(options);
  std::vector<raw_client> clients;
  for (std::size_t i = 0; i < connections; ++i)
    clients.push_back(s.connect());
  for (int round = 0; round < 20; ++round) {
    // One at a time in, so that it is known whose answer is whose; all at once out.
    std::vector<http::deferred> due;
    for (auto& c : clients) {
      c.send(post("/defer", "x"));
      due.push_back(s.handler.take(1)[0]);
    }
    BOOST_TEST(s.server->in_flight() == connections);
    std::vector<std::thread> workers;
    for (std::size_t w = 0; w < 4; ++w)
      workers.emplace_back([&, w] {
        for (std::size_t i = w; i < due.size(); i += 4)
          due[i].send(text_answer("to " + std::to_string(i)));
      });
    for (auto& t : workers)
      t.join();
    for (std::size_t i = 0; i < connections; ++i)
      BOOST_TEST(clients[i].read()->body == "to " + std::to_string(i));
    BOOST_TEST(s.server->in_flight() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(only_the_first_of_many_answers_is_sent) {
  test_server s;
  auto c = s.connect();
  for (int round = 0; round < 100; ++round) {
    c.send(get("/defer"));
    const auto due = s.handler.take(1)[0];
    std::thread other([copy = due] { copy.send(text_answer("one")); });
    due.send(text_answer("two"));
    other.join();
    due.send(text_answer("three"));
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST((a->body == "one" || a->body == "two"));
  }
  c.send(get("/next"));
  BOOST_TEST(c.read()->header("x-path") == "/next");
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_connection_that_is_gone_is_dropped) {
  auto options = quick_options();
  options.answer_deadline = 1ms;
  options.linger_deadline = 1ms;
  test_server s(options);
  auto c = s.connect();
  c.send(get("/defer", "Connection: close\r\n"));
  const auto due = s.handler.take(1)[0];
  c.close();
  wait_until([&] { return s.server->connections() == 0; });
  BOOST_TEST(s.server->in_flight() == 1U); // whoever works on it still does
  due.send(text_answer("to nobody"));
  BOOST_TEST(s.server->in_flight() == 0U);
  BOOST_TEST(s.ask(get("/next"))->status == 200);
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_reset_connection_is_harmless) {
  test_server s;
  for (int i = 0; i < 50; ++i) {
    auto c = s.connect();
    c.send(get("/defer"));
    const auto due = s.handler.take(1)[0];
    c.close();
    due.send(text_answer("to nobody"));
  }
  wait_until([&] { return s.server->connections() == 0; });
  BOOST_TEST(s.ask(get("/next"))->status == 200);
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_server_that_is_gone_is_dropped) {
  std::vector<http::deferred> due;
  {
    test_server s;
    auto c = s.connect();
    c.send(get("/defer"));
    due = s.handler.take(1);
  }
  due[0].send(text_answer("to nobody"));
  due.clear();
}

BOOST_AUTO_TEST_CASE(
    past_the_answer_deadline_the_outcome_is_unknown_and_a_late_answer_goes_nowhere) {
  auto options = quick_options();
  options.answer_deadline = 20ms;
  test_server s(options);
  auto c = s.connect();
  c.send(post("/defer", "{}"));
  const auto due = s.handler.take(1)[0];
  const auto a = c.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 503);
  BOOST_TEST(a->body.find("\"code\":\"outcome-unknown\"") != std::string::npos);
  BOOST_TEST(a->body.find("same Idempotency-Key") != std::string::npos);
  BOOST_TEST(!a->closes());
  due.send(text_answer("too late"));
  c.send(get("/next"));
  BOOST_TEST(c.read()->header("x-path") == "/next");
}

BOOST_AUTO_TEST_CASE(when_too_much_is_in_flight_all_but_polls_are_turned_away) {
  auto options = quick_options();
  options.in_flight_max = 2;
  test_server s(options);
  auto first = s.connect();
  auto second = s.connect();
  auto third = s.connect();
  first.send(get("/defer"));
  second.send(get("/defer"));
  const auto due = s.handler.take(2);
  third.send(post("/joins", "{}") + get("/poll"));
  const auto a = third.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 503);
  BOOST_TEST(a->body.find("\"code\":\"overloaded\"") != std::string::npos);
  BOOST_TEST(!a->header("retry-after").empty());
  BOOST_TEST(third.read()->header("x-path") == "/poll");
  due[0].send(text_answer("done"));
  third.send(post("/joins", "{}"));
  BOOST_TEST(third.read()->status == 200);
}

BOOST_AUTO_TEST_CASE(a_deferred_answer_that_is_forgotten_is_no_longer_in_flight) {
  auto options = quick_options();
  options.answer_deadline = 20ms;
  test_server s(options);
  auto c = s.connect();
  c.send(get("/defer"));
  (void)s.handler.take(1);
  BOOST_TEST(c.read()->status == 503);
  wait_until([&] { return s.server->in_flight() == 0; });
}

BOOST_AUTO_TEST_CASE(work_put_off_to_the_end_of_the_turn_is_done) {
  test_server s;
  auto c = s.connect();
  c.send(get("/turn") + get("/turn"));
  BOOST_TEST(c.read()->body == "turned");
  BOOST_TEST(c.read()->body == "turned");
}

} // namespace usher::test

// Clients that are too many, too slow or too greedy: the connection cap, running out of
// descriptors, body limits, and the deadlines for header, body, idling and reading, made short by
// options. The tests wait for the server's reaction and measure no time.

#include "test_server.hpp"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace usher::test {

BOOST_AUTO_TEST_CASE(a_second_server_on_a_busy_port_is_refused_also_where_threads_share_it) {
  usher::test::logging_handler none;
  usher::http::server_options options;
  options.io_threads = 2; // they share the port, and must not share it with another server
  usher::http::server first{options, none};
  BOOST_REQUIRE(!first.start());
  options.port = first.port();
  usher::http::server second{options, none};
  const auto failed = second.start();
  BOOST_REQUIRE(failed);
  BOOST_TEST(failed->what.find(std::to_string(first.port())) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(past_the_connection_cap_a_connection_hears_503_and_is_closed) {
  auto options = quick_options();
  options.connections_max = 2;
  test_server s(options);
  auto first = s.connect();
  auto second = s.connect();
  for (auto* c : {&first, &second}) {
    c->send(get("/"));
    BOOST_TEST(c->read()->status == 200);
  }
  auto third = s.connect();
  const auto a = third.read(); // without having asked
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 503);
  BOOST_TEST(a->closes());
  BOOST_TEST(a->body.find("\"code\":\"overloaded\"") != std::string::npos);
  third.send(get("/"));
  BOOST_TEST(third.ends());
  first.close();
  int status = 503;
  for (int tries = 0; status == 503 && tries < 10'000; ++tries)
    status = s.ask(get("/after")).value_or(answer{.status = 503}).status;
  BOOST_TEST(status == 200);
}

BOOST_AUTO_TEST_CASE(past_the_refusals_too_a_connection_is_closed_unanswered) {
  auto options = quick_options();
  options.connections_max = 0;
  options.refusals_max = 1;
  options.linger_deadline = 20s;
  test_server s(options);
  auto first = s.connect();
  BOOST_TEST(first.read()->status == 503);
  auto second = s.connect(); // the first one has not closed yet
  BOOST_TEST(second.ends());
}

BOOST_AUTO_TEST_CASE(without_descriptors_accepting_pauses_and_goes_on_later) {
  auto options = quick_options();
  options.accept_pause = 1ms;
  test_server s(options);
  raw_client waiting; // its descriptor exists before the last one is taken
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 200;
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<int> taken;
  for (int fd = 0; (fd = ::open("/dev/null", O_RDONLY)) >= 0;)
    taken.push_back(fd);
  BOOST_TEST(!taken.empty());
  BOOST_TEST(waiting.connect(s.server->port()));
  waiting.send(get("/patient"));
  BOOST_TEST(s.server->connections() == 0U);
  for (const int fd : taken)
    ::close(fd);
  setrlimit(RLIMIT_NOFILE, &before);
  const auto a = waiting.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->header("x-path") == "/patient");
}

BOOST_AUTO_TEST_CASE(a_body_over_the_routes_limit_is_refused_and_one_at_the_limit_is_not) {
  test_server s;
  BOOST_TEST(s.ask(post("/small", std::string(10, 'x')))->status == 200);
  for (const auto& bytes :
       {post("/small", std::string(11, 'x')), post("/any", std::string(65'537, 'x')),
        std::string("POST /small HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    "6\r\n123456\r\n6\r\n123456\r\n0\r\n\r\n")}) {
    auto c = s.connect();
    c.send(bytes);
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->status == 413);
    BOOST_TEST(a->closes());
    BOOST_TEST(c.ends());
  }
  BOOST_TEST(s.handler.calls().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_slow_header_is_cut_off) {
  auto options = quick_options();
  options.header_deadline = 30ms;
  test_server s(options);
  auto c = s.connect();
  c.send("GET / HTTP/1.1\r\nHo");
  const auto a = c.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 408);
  BOOST_TEST(a->closes());
  BOOST_TEST(c.ends());
  auto silent = s.connect();
  BOOST_TEST(silent.ends());
}

BOOST_AUTO_TEST_CASE(a_slow_header_is_cut_off_on_a_connection_that_was_idle_too) {
  auto options = quick_options();
  options.header_deadline = 30ms; // and the idle deadline is half a minute
  test_server s(options);
  auto c = s.connect();
  c.send(get("/"));
  BOOST_TEST(c.read()->status == 200);
  c.send("GET");
  BOOST_TEST(c.read()->status == 408);
}

BOOST_AUTO_TEST_CASE(a_slow_body_is_cut_off) {
  auto options = quick_options();
  options.body_deadline = 30ms;
  test_server s(options);
  for (const auto& bytes :
       {std::string("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel"),
        std::string("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")}) {
    auto c = s.connect();
    c.send(bytes);
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->status == 408);
    BOOST_TEST(c.ends());
  }
  BOOST_TEST(s.handler.calls().empty());
}

BOOST_AUTO_TEST_CASE(a_body_that_trickles_is_cut_off_though_bytes_keep_coming) {
  auto options = quick_options();
  options.body_deadline = 30ms;
  options.linger_deadline = 1ms;
  test_server s(options);
  auto c = s.connect();
  c.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n");
  bool cut = false;
  for (int i = 0; i < 10'000 && !cut; ++i) {
    cut = !c.send("x");
    std::this_thread::sleep_for(1ms); // the pace of the client; the proof is that it ends
  }
  BOOST_TEST(cut);
  BOOST_TEST(s.handler.calls().empty());
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_without_a_word) {
  auto options = quick_options();
  options.idle_deadline = 20ms;
  test_server s(options);
  auto c = s.connect();
  c.send(get("/"));
  BOOST_TEST(c.read()->status == 200);
  BOOST_TEST(c.ends());
}

BOOST_AUTO_TEST_CASE(a_slow_reader_is_cut_off) {
  auto options = quick_options();
  options.write_deadline = 30ms;
  options.write_bytes_per_second_min = std::size_t{1} << 30;
  test_server s(options);
  raw_client c(4096);
  BOOST_TEST(c.connect(s.server->port()));
  c.send(get("/large"));
  while (s.handler.calls().empty() || s.server->connections() != 0)
    std::this_thread::yield(); // until the server gives up, or the test's own timeout
  BOOST_TEST(c.read_to_end().size() < logging_handler::large_bytes);
  BOOST_TEST(s.ask(get("/"))->status == 200);
}

} // namespace usher::test

// One connection on a real socket: keep-alive, pipelining and its order, HTTP/1.0, HEAD, Expect,
// what every answer carries, and handlers that misbehave.

#include "test_server.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace usher::test {

BOOST_AUTO_TEST_CASE(every_answer_is_framed_dated_and_not_stored) {
  test_server s;
  const auto a = s.ask(get("/hello"));
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 200);
  BOOST_TEST(a->body == "{}");
  BOOST_TEST(a->header("content-type") == "application/json");
  BOOST_TEST(a->header("cache-control") == "no-store");
  BOOST_TEST(a->header("server") == "usher");
  BOOST_TEST(a->header("date").ends_with(" GMT"));
  BOOST_TEST(a->header("x-path") == "/hello");
  BOOST_TEST(!a->headers.contains("connection"));
}

BOOST_AUTO_TEST_CASE(one_connection_serves_many_requests_cut_anywhere) {
  test_server s;
  auto c = s.connect();
  const auto bytes = post("/echo", "hello");
  for (std::size_t cut = 1; cut <= bytes.size(); ++cut) {
    c.send(bytes.substr(0, cut));
    c.send(bytes.substr(cut));
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->body == "hello");
  }
  for (const char one : bytes)
    c.send({&one, 1});
  BOOST_TEST(c.read()->body == "hello");
  BOOST_TEST(s.handler.calls().size() == bytes.size() + 1);
}

BOOST_AUTO_TEST_CASE(pipelined_requests_are_answered_in_order) {
  test_server s;
  auto c = s.connect();
  std::string all;
  for (int i = 0; i < 300; ++i)
    all += post("/" + std::to_string(i), "body " + std::to_string(i));
  c.send(all);
  for (int i = 0; i < 300; ++i) {
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->header("x-path") == "/" + std::to_string(i));
    BOOST_TEST(a->body == "body " + std::to_string(i));
  }
}

BOOST_AUTO_TEST_CASE(a_deferred_answer_holds_back_what_was_pipelined_after_it) {
  test_server s;
  auto c = s.connect();
  c.send(get("/defer") + get("/second"));
  const auto due = s.handler.take(1);
  BOOST_TEST(s.handler.calls() == std::vector<std::string>{"/defer"},
             boost::test_tools::per_element());
  due[0].send(text_answer("first"));
  BOOST_TEST(c.read()->body == "first");
  BOOST_TEST(c.read()->header("x-path") == "/second");
}

BOOST_AUTO_TEST_CASE(connection_close_and_http_1_0_end_the_connection_unless_asked_otherwise) {
  test_server s;
  const std::pair<std::string, bool> rows[] = {
      {get("/", "Connection: close\r\n"), true},
      {get("/", "Connection: Keep-Alive, Close\r\n"), true},
      {"GET / HTTP/1.0\r\n\r\n", true},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false},
  };
  for (const auto& [bytes, closes] : rows) {
    BOOST_TEST_CONTEXT(bytes) {
      auto c = s.connect();
      c.send(bytes);
      const auto a = c.read();
      BOOST_REQUIRE(a);
      BOOST_TEST(a->closes() == closes);
      if (closes) {
        BOOST_TEST(c.ends());
      } else {
        BOOST_TEST(a->header("connection") == "keep-alive");
        c.send(bytes);
        BOOST_TEST(c.read()->status == 200);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_half_closed_client_still_gets_its_answer) {
  test_server s;
  auto c = s.connect();
  c.send(get("/defer"));
  c.shutdown_send();
  s.handler.take(1)[0].send(text_answer("late"));
  BOOST_TEST(c.read()->body == "late");
  BOOST_TEST(c.ends());
}

BOOST_AUTO_TEST_CASE(head_has_the_length_and_no_body) {
  test_server s;
  auto c = s.connect();
  c.send("HEAD /large HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"));
  const auto a = c.read(true);
  BOOST_REQUIRE(a);
  BOOST_TEST(a->header("content-length") == std::to_string(logging_handler::large_bytes));
  BOOST_TEST(c.read()->header("x-path") == "/next");
}

BOOST_AUTO_TEST_CASE(no_content_has_neither_body_nor_length) {
  test_server s;
  auto c = s.connect();
  c.send(get("/no-content") + get("/next"));
  const auto a = c.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 204);
  BOOST_TEST(!a->headers.contains("content-length"));
  BOOST_TEST(c.read()->header("x-path") == "/next");
}

BOOST_AUTO_TEST_CASE(a_large_shared_body_arrives_whole) {
  test_server s;
  const auto a = s.ask(get("/large"));
  BOOST_REQUIRE(a);
  BOOST_TEST(a->body.size() == logging_handler::large_bytes);
  BOOST_TEST(a->header("cache-control") == "max-age=60");
}

BOOST_AUTO_TEST_CASE(a_body_of_megabytes_arrives_whole_in_chunks_or_in_one) {
  test_server s;
  std::string body;
  for (int i = 0; body.size() < 1'500'000; ++i)
    body += std::to_string(i);
  auto c = s.connect();
  c.send(post("/plan", body));
  BOOST_TEST((c.read()->body == body));
  std::string chunks = "POST /plan HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (std::size_t at = 0; at < body.size(); at += 1000) {
    const auto part = body.substr(at, 1000);
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", part.size());
    chunks += size + part + "\r\n";
  }
  c.send(chunks + "0\r\n\r\n" + get("/next"));
  BOOST_TEST((c.read()->body == body));
  BOOST_TEST(c.read()->header("x-path") == "/next");
}

BOOST_AUTO_TEST_CASE(who_expects_100_continue_gets_it_before_sending_the_body) {
  test_server s;
  auto c = s.connect();
  const auto bytes = post("/echo", "hello", "Expect: 100-Continue\r\n");
  c.send(bytes.substr(0, bytes.size() - 5));
  BOOST_TEST(c.read()->status == 100);
  c.send("hello");
  const auto a = c.read();
  BOOST_TEST(a->status == 200);
  BOOST_TEST(a->body == "hello");
}

BOOST_AUTO_TEST_CASE(who_expects_100_continue_may_be_refused_before_the_body) {
  test_server s;
  for (const auto& [path, status] : {std::pair("/small", 413), std::pair("/refused", 405)}) {
    auto c = s.connect();
    const auto bytes = post(path, "more than ten bytes", "Expect: 100-continue\r\n");
    c.send(bytes.substr(0, bytes.find("more than")));
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->status == status);
    BOOST_TEST(a->closes());
    BOOST_TEST(c.ends());
  }
  BOOST_TEST(s.handler.calls().empty());
}

BOOST_AUTO_TEST_CASE(an_early_refusal_without_a_body_keeps_the_connection) {
  test_server s;
  auto c = s.connect();
  c.send(get("/refused") + get("/next"));
  const auto a = c.read();
  BOOST_REQUIRE(a);
  BOOST_TEST(a->status == 405);
  BOOST_TEST(a->header("allow") == "GET");
  BOOST_TEST(c.read()->header("x-path") == "/next");
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_or_forgets_to_answer_is_a_500_and_no_more) {
  test_server s;
  auto c = s.connect();
  c.send(get("/throw") + get("/silent") + get("/next"));
  for (int i = 0; i < 2; ++i) {
    const auto a = c.read();
    BOOST_REQUIRE(a);
    BOOST_TEST(a->status == 500);
    BOOST_TEST(a->body.find("purpose") == std::string::npos);
  }
  BOOST_TEST(c.read()->header("x-path") == "/next");
}

BOOST_AUTO_TEST_CASE(two_io_threads_serve_one_port) {
  auto options = quick_options();
  options.io_threads = 2;
  test_server s(options);
  BOOST_TEST(s.server->io_threads() == 2U);
  std::vector<std::thread> clients;
  std::atomic<int> served{0};
  for (int i = 0; i < 4; ++i)
    clients.emplace_back([&] {
      for (int n = 0; n < 50; ++n)
        served += s.ask(post("/echo", "x"))->body == "x" ? 1 : 0;
    });
  for (auto& t : clients)
    t.join();
  BOOST_TEST(served == 200);
}

BOOST_AUTO_TEST_CASE(a_port_that_is_taken_is_said_so) {
  test_server s;
  auto options = quick_options();
  options.port = s.server->port();
  logging_handler other;
  http::server second(options, other);
  const auto failed = second.start();
  BOOST_REQUIRE(failed);
  BOOST_TEST(failed->what.find("cannot listen on 127.0.0.1 port") == 0U);
  options.host = "somewhere";
  http::server third(options, other);
  BOOST_TEST(third.start().has_value());
}

} // namespace usher::test

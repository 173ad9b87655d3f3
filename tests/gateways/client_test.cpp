// The HTTP client against a server that does as it is told: what it sends, what it reads, what it
// keeps, and above all that `not_sent` is said only where the server cannot have heard anything.
//
// That it bites was shown by breaking the client: a write that is not noted, a second sending of
// requests that are not idempotent or when a part of an answer came, no check of the certificate or
// of the host's name, idle connections kept for ever, no limit before a chunk, surplus bytes kept.
#include "http/client/answer_reader.hpp"
#include "http/client/base_address.hpp"
#include "http/client/client_thread.hpp"
#include "tests/gateways/asking.hpp"
#include "tests/gateways/scripted_server.hpp"

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace {

using namespace usher::test;
using namespace std::chrono_literals;
using client::client_thread;
using client::origin_options;
using client::verb;
using kind = reaction::kind;

client::request get(std::string target, std::chrono::milliseconds time = 10s) {
  return {.method = verb::get, .target = std::move(target), .deadline = within(time)};
}

client::request post(std::string target, std::string body, bool idempotent = true) {
  return {.method = verb::post,
          .target = std::move(target),
          .headers = {{"Idempotency-Key", "k-1"}},
          .body = std::move(body),
          .idempotent = idempotent,
          .deadline = within(10s)};
}

std::string ok(const std::string& body) {
  return json_answer(200, body).bytes;
}

reaction echo(const seen_request& got) {
  return json_answer(200, got.method + " " + got.target + " " + got.body);
}

/// A file that is gone when this is.
struct pem_file {
  explicit pem_file(const std::string& text)
      : path{"/tmp/usher-test-" + std::to_string(::getpid()) + ".pem"} {
    std::ofstream{path} << text;
  }
  ~pem_file() { std::remove(path.c_str()); }
  std::string path;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_request_arrives_as_it_was_given_below_the_base_path) {
  scripted_server server{echo};
  client_thread thread;
  auto& origin = thread.open({.base_url = server.url() + "/stripe/"});
  BOOST_TEST(text_of(ask(origin, post("/v1/x?a=b", "hello"))) == "200 POST /stripe/v1/x?a=b hello");
  const auto seen = server.seen();
  BOOST_TEST(seen.at(0).headers.at("host") == "127.0.0.1:" + std::to_string(server.port()));
  BOOST_TEST(seen.at(0).headers.at("idempotency-key") == "k-1");
  BOOST_TEST(seen.at(0).headers.at("content-length") == "5");
}

BOOST_AUTO_TEST_CASE(status_headers_and_body_come_back) {
  scripted_server server{[](const seen_request&) {
    return reaction{kind::answer, "HTTP/1.1 422 No\r\nRetry-After: 7\r\nX: \r\nTransfer-Encoding: "
                                  "chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"};
  }};
  client_thread thread;
  const auto got = ask(thread.open({.base_url = server.url()}), get("/"));
  const auto& answer = std::get<client::answer>(got);
  BOOST_TEST(answer.status == 422);
  BOOST_TEST(answer.header_of("retry-AFTER") == "7");
  BOOST_TEST(answer.header_of("absent").empty());
  BOOST_TEST(answer.body == "abcde");
}

BOOST_AUTO_TEST_CASE(what_the_server_does_is_told_as_what_it_can_mean) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: ";
  struct row {
    const char* what;
    reaction does;
    std::string told;
  };
  const std::vector<row> rows{
      {"closes at once", {kind::close, ""}, "unknown: connection-lost"},
      {"resets at once", {kind::reset, ""}, "unknown: connection-lost"},
      {"never answers", {kind::never, ""}, "unknown: timeout"},
      {"half a header", {kind::close, "HTTP/1.1 200 OK\r\nConte"}, "unknown: connection-lost"},
      {"half a header, then silence", {kind::never, "HTTP/1.1 200 OK\r\nC"}, "unknown: timeout"},
      {"half a body", {kind::close, head + "10\r\n\r\nhalf"}, "unknown: connection-lost"},
      {"half a body, then silence", {kind::never, head + "10\r\n\r\nhalf"}, "unknown: timeout"},
      {"half a body, then a reset",
       {kind::reset, head + "10\r\n\r\nhalf"},
       "unknown: connection-lost"},
      {"no HTTP", {kind::close, "220 mail.example.com ESMTP\r\n\r\n"}, "unknown: not-http"},
      {"two lengths",
       {kind::close, head + "2\r\nContent-Length: 3\r\n\r\nabc"},
       "unknown: not-http"},
      {"a body to the close", {kind::close, "HTTP/1.1 200 OK\r\n\r\nall"}, "200 all"},
      {"a header that is too large",
       {kind::close,
        "HTTP/1.1 200 OK\r\nX: " + std::string(client::answer_header_bytes_max, 'x') + "\r\n\r\n"},
       "unknown: answer-too-large"},
      {"a header without an end",
       {kind::never, "HTTP/1.1 200 OK\r\nX: " + std::string(99999, 'x')},
       "unknown: answer-too-large"},
      {"a body that says it is too large",
       {kind::never, head + std::to_string(client::answer_body_bytes_max + 1) + "\r\n\r\n"},
       "unknown: answer-too-large"},
      {"a chunk's size without an end",
       {kind::never,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(99999, 'x')},
       "unknown: answer-too-large"},
      {"an endless body",
       {kind::close,
        "HTTP/1.1 200 OK\r\n\r\n" + std::string(client::answer_body_bytes_max + 1, 'x')},
       "unknown: answer-too-large"},
      {"a redirect, which is not followed",
       {kind::answer, "HTTP/1.1 302 F\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"},
       "302 "},
      {"100 Continue first", {kind::answer, "HTTP/1.1 100 C\r\n\r\n" + ok("then")}, "200 then"},
      {"no body", {kind::answer, "HTTP/1.1 204 No\r\n\r\n"}, "204 "},
  };
  for (const auto& [what, does, told] : rows) {
    BOOST_TEST_CONTEXT(what) {
      scripted_server server{[&does = does](const seen_request&) { return does; }};
      client_thread thread;
      const bool silent = told.ends_with("timeout");
      const auto got = ask(thread.open({.base_url = server.url()}),
                           get("/", silent ? 300ms : std::chrono::milliseconds{10s}));
      BOOST_TEST(text_of(got) == told);
      BOOST_TEST(server.seen().size() == 1U);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_body_of_the_largest_size_is_read) {
  const std::string body(client::answer_body_bytes_max, 'x');
  scripted_server server{[&](const seen_request&) { return json_answer(200, body); }};
  client_thread thread;
  const auto got = ask(thread.open({.base_url = server.url()}), get("/"));
  BOOST_TEST((std::get<client::answer>(got).body == body));
}

BOOST_AUTO_TEST_CASE(what_cannot_reach_the_server_is_not_sent) {
  client_thread thread;
  const auto nobody = "http://127.0.0.1:" + std::to_string(closed_port());
  BOOST_TEST(text_of(ask(thread.open({.base_url = nobody}), get("/"))) ==
             "not_sent: connect-refused");
  BOOST_TEST(text_of(ask(thread.open({.base_url = "http://no-such-host.invalid"}), get("/"))) ==
             "not_sent: name-not-resolved");
  // A server that takes the connection and never shakes hands.
  scripted_server plain{[](const seen_request&) { return reaction{kind::never, ""}; }};
  const auto as_tls = "https://127.0.0.1:" + std::to_string(plain.port());
  BOOST_TEST(text_of(ask(thread.open({.base_url = as_tls, .connect_timeout = 200ms}), get("/"))) ==
             "not_sent: connect-timeout");
  BOOST_TEST(text_of(ask(thread.open({.base_url = as_tls}), get("/", 200ms))) ==
             "not_sent: timeout");
  BOOST_TEST(text_of(ask(thread.open({.base_url = plain.url()}), get("/", -1ms))) ==
             "not_sent: timeout");
}

BOOST_AUTO_TEST_CASE(what_http_could_not_carry_is_refused) {
  scripted_server server{echo};
  client_thread thread;
  auto& origin = thread.open({.base_url = server.url()});
  for (const std::string target : {"", "x", "/a b", "/a\r\nX: y", "/\x80", "/#f"})
    BOOST_TEST(text_of(ask(origin, get(target))) == "not_sent: bad-request", target);
  auto injected = get("/");
  injected.headers = {{"X", "a\r\nY: b"}};
  BOOST_TEST(text_of(ask(origin, injected)) == "not_sent: bad-request");
  injected.headers = {{"X: y\r\nZ", "a"}};
  BOOST_TEST(text_of(ask(origin, injected)) == "not_sent: bad-request");
  BOOST_TEST(server.seen().empty());
}

BOOST_AUTO_TEST_CASE(a_connection_is_kept_and_used_again) {
  scripted_server server{echo};
  client_thread thread;
  auto& origin = thread.open({.base_url = server.url()});
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(text_of(ask(origin, post("/", "x"))) == "200 POST / x");
  BOOST_TEST(server.connections() == 1U);
}

BOOST_AUTO_TEST_CASE(a_connection_is_not_kept_when_the_answer_says_so_or_is_followed_by_more) {
  for (const auto& answer :
       {std::string{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx"},
        std::string{"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"}, ok("x") + "surplus"}) {
    scripted_server server{[&](const seen_request&) { return reaction{kind::answer, answer}; }};
    client_thread thread;
    auto& origin = thread.open({.base_url = server.url()});
    BOOST_TEST(text_of(ask(origin, get("/"))) == "200 x");
    BOOST_TEST(text_of(ask(origin, get("/"))) == "200 x");
    BOOST_TEST(server.connections() == 2U);
  }
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_not_used_beyond_its_time) {
  scripted_server server{echo};
  client_thread thread;
  auto& origin = thread.open({.base_url = server.url(), .idle_max = 0ms});
  ask(origin, get("/"));
  ask(origin, get("/"));
  BOOST_TEST(server.connections() == 2U);
}

// The server answers once and resets the connection when it is used again.
BOOST_AUTO_TEST_CASE(a_kept_connection_that_breaks_is_replaced_once_for_idempotent_requests) {
  const auto breaks = [seconds = std::map<std::size_t, int>{}](const seen_request& got) mutable {
    return ++seconds[got.connection] == 1 ? echo(got) : reaction{kind::reset, ""};
  };
  for (const bool idempotent : {true, false}) {
    scripted_server server{breaks};
    client_thread thread;
    auto& origin = thread.open({.base_url = server.url()});
    ask(origin, get("/"));
    BOOST_TEST(text_of(ask(origin, post("/", "x", idempotent))) ==
               (idempotent ? "200 POST / x" : "unknown: connection-lost"));
    BOOST_TEST(server.seen().size() == (idempotent ? 3U : 2U));
  }
}

BOOST_AUTO_TEST_CASE(
    it_is_not_sent_again_once_any_byte_of_an_answer_came_or_on_a_fresh_connection) {
  for (const auto& partial : {std::string{"H"}, std::string{"HTTP/1.1 200 OK\r\n"}}) {
    scripted_server server{[&, count = 0](const seen_request& got) mutable {
      return ++count == 1 ? echo(got) : reaction{kind::reset, partial};
    }};
    client_thread thread;
    auto& origin = thread.open({.base_url = server.url()});
    ask(origin, get("/"));
    BOOST_TEST(text_of(ask(origin, post("/", "x"))) == "unknown: connection-lost");
    BOOST_TEST(server.seen().size() == 2U);
  }
  scripted_server resets{[](const seen_request&) { return reaction{kind::reset, ""}; }};
  client_thread thread;
  BOOST_TEST(text_of(ask(thread.open({.base_url = resets.url()}), post("/", "x"))) ==
             "unknown: connection-lost");
  BOOST_TEST(resets.seen().size() == 1U);
}

// The second time the server is gone altogether: something was written before, so it is unknown.
BOOST_AUTO_TEST_CASE(a_second_sending_that_does_not_get_through_stays_unknown) {
  std::optional<scripted_server> server;
  client_thread thread;
  bool answered = false;
  server.emplace([&](const seen_request& got) {
    if (!std::exchange(answered, true))
      return echo(got);
    return reaction{kind::never, ""};
  });
  auto& origin = thread.open({.base_url = server->url()});
  ask(origin, get("/"));
  auto later = ask_later(origin, post("/", "x"));
  while (server->seen().size() < 2)
    std::this_thread::yield();
  server.reset();
  BOOST_TEST(text_of(wait_for(later)).starts_with("unknown: "));
}

BOOST_AUTO_TEST_CASE(no_more_connections_and_waiting_requests_than_allowed) {
  std::promise<void> go;
  const auto gone = go.get_future().share();
  std::atomic<bool> first{true};
  scripted_server server{[&](const seen_request& got) {
    if (first.exchange(false))
      gone.wait();
    return echo(got);
  }};
  client_thread thread;
  auto& origin = thread.open({.base_url = server.url(), .connections_max = 1, .waiting_max = 2});
  auto running = ask_later(origin, get("/0"));
  while (server.seen().empty())
    std::this_thread::yield();
  auto second = ask_later(origin, get("/1"));
  auto late = ask_later(origin, get("/late", 100ms));
  BOOST_TEST(text_of(ask(origin, get("/3"))) == "not_sent: too-many-waiting");
  BOOST_TEST(text_of(wait_for(late)) == "not_sent: timeout");
  go.set_value();
  BOOST_TEST(text_of(wait_for(running)) == "200 GET /0 ");
  BOOST_TEST(text_of(wait_for(second)) == "200 GET /1 ");
  BOOST_TEST(server.connections() == 1U);
}

BOOST_AUTO_TEST_CASE(many_requests_from_many_threads_each_get_their_own_answer) {
  scripted_server server{echo};
  client_thread thread;
  auto& origin = thread.open({.base_url = server.url(), .connections_max = 4});
  std::atomic<int> wrong{0};
  std::vector<std::thread> askers;
  for (int asker = 0; asker < 8; ++asker)
    askers.emplace_back([&, asker] {
      for (int i = 0; i < 50; ++i) {
        const auto body = std::to_string(asker) + "-" + std::to_string(i);
        if (text_of(ask(origin, post("/", body))) != "200 POST / " + body)
          ++wrong;
      }
    });
  for (auto& each : askers)
    each.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(server.connections() <= 4U);
}

BOOST_AUTO_TEST_CASE(stopping_tells_everybody_whether_the_server_may_have_heard) {
  scripted_server server{[](const seen_request&) { return reaction{kind::never, ""}; }};
  client_thread thread;
  auto& origin = thread.open({.base_url = server.url(), .connections_max = 1});
  auto asked = ask_later(origin, get("/"));
  while (server.seen().empty())
    std::this_thread::yield();
  auto waiting = ask_later(origin, get("/"));
  thread.stop();
  BOOST_TEST(text_of(wait_for(asked)) == "unknown: stopping");
  BOOST_TEST(text_of(wait_for(waiting)) == "not_sent: stopping");
  BOOST_TEST(text_of(ask(origin, get("/"))) == "not_sent: stopping");
  thread.stop();
}

BOOST_AUTO_TEST_CASE(tls_takes_a_server_whose_certificate_and_name_are_right_and_no_other) {
  const auto good = make_certificate("localhost");
  const auto other = make_certificate("other.example");
  const pem_file trusted{good.certificate_pem + other.certificate_pem};
  scripted_server right{echo, &good};
  scripted_server wrong_name{echo, &other};
  client_thread thread;
  auto& origin = thread.open({.base_url = right.url("localhost"), .ca_file = trusted.path});
  BOOST_TEST(text_of(ask(origin, post("/", "x"))) == "200 POST / x");
  BOOST_TEST(text_of(ask(origin, post("/", "y"))) == "200 POST / y");
  BOOST_TEST(right.connections() == 1U);

  // Trusted, but for another name; the right name, but unknown to the system's store.
  BOOST_TEST(
      text_of(ask(thread.open({.base_url = wrong_name.url("localhost"), .ca_file = trusted.path}),
                  get("/"))) == "not_sent: tls-failed");
  BOOST_TEST(text_of(ask(thread.open({.base_url = right.url(), .ca_file = trusted.path}),
                         get("/"))) == "not_sent: tls-failed");
  BOOST_TEST(text_of(ask(thread.open({.base_url = right.url("localhost")}), get("/"))) ==
             "not_sent: tls-failed");
  BOOST_TEST(wrong_name.seen().empty());
}

BOOST_AUTO_TEST_CASE(tls_connections_that_break_are_told_as_without) {
  const auto own = make_certificate("localhost");
  const pem_file trusted{own.certificate_pem};
  for (const auto& does :
       {reaction{kind::reset, ""}, reaction{kind::close, ""},
        reaction{kind::reset, ok("x").substr(0, 50)},
        // Without a length only an orderly close is an end, or anybody could cut an answer.
        reaction{kind::reset, "HTTP/1.1 200 OK\r\n\r\ncut"}}) {
    scripted_server server{[&](const seen_request&) { return does; }, &own};
    client_thread thread;
    auto& origin = thread.open({.base_url = server.url("localhost"), .ca_file = trusted.path});
    BOOST_TEST(text_of(ask(origin, get("/"))) == "unknown: connection-lost");
  }
}

BOOST_AUTO_TEST_CASE(addresses_are_read_exactly) {
  struct row {
    std::string text;
    std::string host_field;
    std::string prefix;
  };
  for (const auto& [text, host_field, prefix] :
       std::vector<row>{{"https://api.stripe.com", "api.stripe.com", ""},
                        {"https://api.stripe.com/", "api.stripe.com", ""},
                        {"https://api.stripe.com:443/v1", "api.stripe.com", "/v1"},
                        {"http://127.0.0.1:8085/plain/", "127.0.0.1:8085", "/plain"},
                        {"http://[::1]:8085", "[::1]:8085", ""},
                        {"http://[::1]", "[::1]", ""}}) {
    const auto address = client::read_base_address(text);
    BOOST_TEST_REQUIRE(address.has_value(), text);
    BOOST_TEST(address->host_field() == host_field);
    BOOST_TEST(address->prefix == prefix);
  }
  for (const std::string text :
       {"", "api.stripe.com", "ftp://x", "https://", "https://:1", "https://x:", "https://x:0",
        "https://x:65536", "https://x:1a", "https://user@x", "https://x/a?b", "https://x/#a",
        "https://x/a b", "https://[::1", "https://[x]", "https://x y", "https://x\r\n"})
    BOOST_TEST(!client::read_base_address(text).has_value(), text);
}

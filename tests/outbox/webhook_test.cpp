// The webhook sink against a server that does as it is told: what is sent and how it is signed (the
// payment gateways' own check reads it), what each answer means, and where nothing is sent at all.

#include "http/crypto/base64.hpp"
#include "http/gateways/standard_webhooks.hpp"
#include "http/outbox/webhook_answer.hpp"
#include "http/outbox/webhook_sink.hpp"
#include "tests/gateways/scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <future>

using namespace usher;
using namespace usher::test;
using namespace std::chrono_literals;
namespace outbox = usher::storage::outbox;
namespace client = usher::http::client;
using http::webhook_sink_options;

namespace {

constexpr time_ms at = 1'767'225'600'000;
const std::string key_one = "0123456789abcdef";
const std::string key_two = "fedcba9876543210";

outbox::delivery two_events(const std::string& show = "hamlet") {
  return {.show = show,
          .events = {{.position = 17, .at = at, .json = R"({"id":"0/17"})"},
                     {.position = 21, .at = at, .json = R"({"id":"0/21"})"}}};
}

std::string said(const outbox::outcome& what) {
  if (const auto* again = std::get_if<outbox::retry>(&what))
    return "retry: " + again->why +
           (again->not_before ? " at " + std::to_string(*again->not_before - at) : "");
  if (const auto* left = std::get_if<outbox::gone>(&what))
    return "gone: " + left->why;
  return "delivered";
}

/// A sink of a client that lives as long.
struct open_sink {
  explicit open_sink(webhook_sink_options options) {
    options.name = "shop";
    if (options.keys.empty())
      options.keys = {key_one};
    its = http::open_webhook_sink(std::move(options), thread, [this] { return now; });
  }

  std::string give(const outbox::delivery& what) {
    std::promise<std::string> told;
    its->deliver(what, [&](const outbox::outcome& got) { told.set_value(said(got)); });
    return told.get_future().get();
  }

  time_ms now = at;
  client::client_thread thread;
  std::unique_ptr<http::webhook_sink> its;
};

gateways::signature check(const seen_request& got, const std::vector<std::string>& keys,
                          time_ms now = at) {
  return gateways::check_standard_webhook({.id = got.headers.at("webhook-id"),
                                           .timestamp = got.headers.at("webhook-timestamp"),
                                           .signatures = got.headers.at("webhook-signature"),
                                           .body = got.body},
                                          keys, now);
}

std::string answered(int status, const std::string& headers = {}) {
  client::answer made;
  made.status = status;
  if (!headers.empty())
    made.headers = {{"retry-after", headers}};
  return said(http::judge_webhook(made, at));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_batch_is_sent_in_one_signed_request) {
  scripted_server server{[](const seen_request&) { return json_answer(204, ""); }};
  open_sink sink{{.url = server.url() + "/hook?shop=1", .allow_private = true}};
  BOOST_TEST(sink.give(two_events()) == "delivered");
  const auto got = server.seen().at(0);
  BOOST_TEST(got.method == "POST");
  BOOST_TEST(got.target == "/hook?shop=1");
  BOOST_TEST(got.headers.at("content-type").starts_with("application/cloudevents-batch+json"));
  BOOST_TEST(got.body == "[{\"id\":\"0/17\"},\n{\"id\":\"0/21\"}]");
  BOOST_TEST(got.headers.at("webhook-id") == "shop-0-17-21");
  BOOST_TEST((check(got, {key_one}) == gateways::signature::good));
  BOOST_TEST((check(got, {key_two}) == gateways::signature::wrong));
}

BOOST_AUTO_TEST_CASE(a_single_event_stands_alone_where_that_is_wanted) {
  scripted_server server{[](const seen_request&) { return json_answer(200, ""); }};
  open_sink sink{{.url = server.url(), .allow_private = true, .batch_max = 1}};
  BOOST_TEST(sink.its->events_max() == 1U);
  auto one = two_events();
  one.events.pop_back();
  BOOST_TEST(sink.give(one) == "delivered");
  const auto got = server.seen().at(0);
  BOOST_TEST(got.target == "/");
  BOOST_TEST(got.headers.at("content-type").starts_with("application/cloudevents+json"));
  BOOST_TEST(got.body == R"({"id":"0/17"})");
}

BOOST_AUTO_TEST_CASE(sent_again_it_has_the_same_id_and_a_new_time) {
  scripted_server server{[](const seen_request&) { return json_answer(500, ""); }};
  open_sink sink{{.url = server.url(), .allow_private = true}};
  BOOST_TEST(sink.give(two_events()) == "retry: HTTP 500");
  sink.now += 300'000;
  BOOST_TEST(sink.give(two_events()) == "retry: HTTP 500");
  const auto seen = server.seen();
  BOOST_TEST(seen.at(0).headers.at("webhook-id") == seen.at(1).headers.at("webhook-id"));
  BOOST_TEST(seen.at(0).headers.at("webhook-timestamp") == "1767225600");
  BOOST_TEST(seen.at(1).headers.at("webhook-timestamp") == "1767225900");
  BOOST_TEST((check(seen.at(1), {key_one}, sink.now) == gateways::signature::good));
}

BOOST_AUTO_TEST_CASE(while_a_secret_changes_both_sign) {
  scripted_server server{[](const seen_request&) { return json_answer(200, ""); }};
  open_sink sink{{.url = server.url(), .keys = {key_one, key_two}, .allow_private = true}};
  BOOST_TEST(sink.give(two_events()) == "delivered");
  const auto got = server.seen().at(0);
  BOOST_TEST((check(got, {key_one}) == gateways::signature::good));
  BOOST_TEST((check(got, {key_two}) == gateways::signature::good));
}

BOOST_AUTO_TEST_CASE(each_answer_means_one_thing) {
  for (const auto status : {200, 201, 202, 204, 299})
    BOOST_TEST(answered(status) == "delivered", status);
  for (const auto status : {301, 302, 307, 308, 304, 400, 401, 403, 404, 408, 409, 413, 422, 429,
                            500, 502, 503, 504, 599})
    BOOST_TEST(answered(status) == "retry: HTTP " + std::to_string(status), status);
  BOOST_TEST(answered(410) == "gone: HTTP 410: gone");
  BOOST_TEST(answered(503, "120") == "retry: HTTP 503 at 120000");
  BOOST_TEST(said(http::judge_webhook(client::failure{client::fault::unknown, "timeout"}, at)) ==
             "retry: timeout");
}

BOOST_AUTO_TEST_CASE(retry_after_is_seconds_or_a_date) {
  const auto read = [](const std::string& text) {
    const auto when = http::read_retry_after(text, at);
    return when ? std::to_string(*when - at) : "none";
  };
  BOOST_TEST(read("0") == "0");
  BOOST_TEST(read("90") == "90000");
  BOOST_TEST(read("Thu, 01 Jan 2026 00:02:00 GMT") == "120000");
  BOOST_TEST(read("Thursday, 01-Jan-26 00:02:00 GMT") == "120000");
  BOOST_TEST(read("Thu Jan  1 00:02:00 2026") == "120000");
  for (const std::string text : {"", "-1", "1.5", "soon", "12 s", "Thu, 01 Jan 2026 00:02:00 CET",
                                 "99999999999999999999999"})
    BOOST_TEST(read(text) == "none", text);
}

BOOST_AUTO_TEST_CASE(a_redirect_is_not_followed) {
  scripted_server other{[](const seen_request&) { return json_answer(200, ""); }};
  scripted_server server{[&](const seen_request&) {
    return reaction{reaction::kind::answer, "HTTP/1.1 307 X\r\nLocation: " + other.url() +
                                                "/\r\nContent-Length: 0\r\n\r\n"};
  }};
  open_sink sink{{.url = server.url(), .allow_private = true}};
  BOOST_TEST(sink.give(two_events()) == "retry: HTTP 307");
  BOOST_TEST(other.seen().empty());
}

BOOST_AUTO_TEST_CASE(an_answer_that_never_comes_is_given_up) {
  scripted_server server{[](const seen_request&) { return reaction{reaction::kind::never, {}}; }};
  open_sink sink{{.url = server.url(), .allow_private = true, .deadline = 200ms}};
  BOOST_TEST(sink.give(two_events()) == "retry: timeout");
}

BOOST_AUTO_TEST_CASE(addresses_that_are_not_public_are_refused_whatever_their_name) {
  scripted_server server{[](const seen_request&) { return json_answer(200, ""); }};
  const auto port = std::to_string(server.port());
  for (const std::string& url :
       {"http://127.0.0.1:" + port, "http://localhost:" + port, "http://[::1]:" + port,
        "http://[::ffff:127.0.0.1]:" + port, std::string{"http://169.254.169.254/latest"},
        std::string{"http://10.0.0.1/"}}) {
    open_sink sink{{.url = url}};
    BOOST_TEST(sink.give(two_events()) == "retry: private-address", url);
  }
  BOOST_TEST(server.connections() == 0U);
}

BOOST_AUTO_TEST_CASE(an_address_is_taken_apart_or_refused) {
  const auto read = [](const std::string& url) {
    const auto parts = http::read_webhook_url(url);
    return parts ? parts->origin + " " + parts->target : "none";
  };
  BOOST_TEST(read("https://a.example") == "https://a.example /");
  BOOST_TEST(read("https://a.example/h?x=1&y=/2") == "https://a.example /h?x=1&y=/2");
  BOOST_TEST(read("https://a.example?x=1") == "https://a.example /?x=1");
  BOOST_TEST(read("http://[::1]:80/h") == "http://[::1]:80 /h");
  for (const std::string url : {"", "a.example", "ftp://a.example", "https://", "https://u:p@a/",
                                "https://a/#x", "https://a/ b", "https://a:0/", "https://a:x/"})
    BOOST_TEST(read(url) == "none", url);
}

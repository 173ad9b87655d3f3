// `usher admin outbox` as the command line has it, and what it says to a server: one that keeps the
// request and answers what the test wants. (Against the real server: tests/system.) Made to fail
// once: with the escaping of names in addresses left out, with `now` sent as a number, and with an
// answer of 404 taken for a good one.
#include "tests/config/admin_line.hpp"
#include "tests/gateways/scripted_server.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace usher;
using namespace usher::test;
using nlohmann::json;

namespace {

outcome usher_admin_outbox(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "outbox");
  return run_admin(std::move(arguments));
}

/// One answer for everything, and the environment's key.
struct server {
  explicit server(int status, std::string body)
      : its{[=](const seen_request&) { return json_answer(status, body); }} {
    ::setenv("USHER_OPERATOR_KEY", "the-key", 1);
  }
  ~server() { ::unsetenv("USHER_OPERATOR_KEY"); }
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  outcome asked(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--server", its.url()});
    return usher_admin_outbox(std::move(arguments));
  }
  [[nodiscard]] seen_request request() const {
    const auto all = its.seen();
    BOOST_REQUIRE_EQUAL(all.size(), 1U);
    return all.front();
  }

  scripted_server its;
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string good_sink =
    R"({"sink":"archive","kind":"file","state":"RUNNING","position":118200,"lagEvents":0,)"
    R"("lagSeconds":0,"delivered":9,"failures":0,"behind":[]})";
const std::string bad_sink =
    R"({"sink":"shop","kind":"webhook","state":"RETRYING","position":118200,"lagEvents":42,)"
    R"("lagSeconds":17,"delivered":9,"failures":2,"behind":[{"show":"hamlet","position":118158}],)"
    R"("nextTryAt":"2026-11-30T08:46:32.901Z",)"
    R"("lastError":{"what":"HTTP 503","at":"2026-11-30T08:46:27.837Z"}})";

} // namespace

BOOST_AUTO_TEST_CASE(the_list_is_told_as_the_page_shows_it) {
  const server with{200, R"({"sinks":[)" + good_sink + "," + bad_sink + "]}"};
  const auto got = with.asked({"list"});
  BOOST_TEST(got.exit_code == 0, got.err);
  BOOST_TEST(got.out == "archive  file  RUNNING  position 118200, behind by 0 events, 0 s\n"
                        "shop  webhook  RETRYING  position 118200, behind by 42 events, 17 s\n"
                        "  last error: HTTP 503 2026-11-30T08:46:27.837Z\n"
                        "  next try: 2026-11-30T08:46:32.901Z\n"
                        "  waits: hamlet at position 118158\n");
  BOOST_TEST(got.err == "");
  const auto request = with.request();
  BOOST_TEST(request.method == "GET");
  BOOST_TEST(request.target == "/v1/outbox");
  BOOST_TEST(request.headers.at("authorization") == "Bearer the-key");
  BOOST_TEST(request.body == "");
}

BOOST_AUTO_TEST_CASE(no_sinks_are_told_too) {
  const server with{200, R"({"sinks":[]})"};
  BOOST_TEST(with.asked({"list"}).out == "no sinks are configured\n");
}

BOOST_AUTO_TEST_CASE(a_show_is_asked_for_by_a_name_that_cannot_end_the_address) {
  const server with{200, R"({"sinks":[{"sink":"a","kind":"file","state":"RUNNING","position":7,)"
                         R"("lagEvents":0,"lagSeconds":0,"behind":[],)"
                         R"("show":{"show":"h&x=1/ä","position":5}}]})"};
  const auto got = with.asked({"list", "--show", "h&x=1/ä"});
  BOOST_TEST(with.request().target == "/v1/outbox?show=h%26x%3D1%2F%C3%A4");
  BOOST_TEST(says(got.out, "\n  show h&x=1/ä: position 5\n"), got.out);
}

BOOST_AUTO_TEST_CASE(json_is_the_answer_as_it_is) {
  const auto body = R"({"sinks":[)" + good_sink + "]}";
  for (const std::string command : {"list", "reset", "resume"}) {
    const server with{200, body};
    std::vector<std::string> arguments{command, "--json"};
    if (command != "list")
      arguments.push_back("archive");
    if (command == "reset")
      arguments.insert(arguments.end(), {"--position", "0"});
    const auto got = with.asked(arguments);
    BOOST_TEST(got.exit_code == 0, got.err);
    BOOST_TEST(got.out == body + "\n");
  }
}

BOOST_AUTO_TEST_CASE(a_reset_says_what_is_wanted) {
  const struct {
    std::vector<std::string> arguments;
    std::string target;
    json body;
  } cases[] = {
      {{"reset", "shop", "--position", "0"}, "/v1/outbox/shop/reset", {{"position", 0}}},
      {{"reset", "shop", "--position", "now"}, "/v1/outbox/shop/reset", {{"position", "now"}}},
      {{"reset", "shop", "--show", "hamlet", "--position", "118158"},
       "/v1/outbox/shop/reset",
       {{"show", "hamlet"}, {"position", 118158}}},
      {{"reset", "a/../b?c", "--position", "9223372036854775807"},
       "/v1/outbox/a%2F..%2Fb%3Fc/reset",
       {{"position", 9223372036854775807}}},
      {{"resume", "shop"}, "/v1/outbox/shop/resume", json::object()},
  };
  for (const auto& one : cases)
    BOOST_TEST_CONTEXT(one.target << " " << one.body.dump()) {
      const server with{200, bad_sink};
      const auto got = with.asked(one.arguments);
      BOOST_TEST(got.exit_code == 0, got.err);
      BOOST_TEST(says(got.out, "shop  webhook  RETRYING  position 118200, behind by 42"), got.out);
      const auto request = with.request();
      BOOST_TEST(request.method == "POST");
      BOOST_TEST(request.target == one.target);
      BOOST_TEST(request.headers.at("content-type") == "application/json");
      BOOST_TEST(json::parse(request.body).dump() == one.body.dump());
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_position_is_not_sent) {
  for (const std::string position : {"", "then", "-1", "1.5", "0x10", "18446744073709551616"}) {
    const server with{200, bad_sink};
    const auto got = with.asked({"reset", "shop", "--position=" + position});
    BOOST_TEST(got.exit_code == 2, position);
    BOOST_TEST(with.its.seen().empty());
    BOOST_TEST(!got.err.empty());
  }
}

BOOST_AUTO_TEST_CASE(bad_usage_is_2) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{},
                                                                     {"erase"},
                                                                     {"reset"},
                                                                     {"reset", "shop"},
                                                                     {"reset", "--position", "0"},
                                                                     {"resume"},
                                                                     {"list", "--colour"}})
    BOOST_TEST(usher_admin_outbox(arguments).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_told_and_is_1) {
  const struct {
    int status;
    std::string body;
    std::string err;
  } cases[] = {
      {404, R"({"code":"unknown-sink","detail":"There is no sink 'shop'."})",
       "the server refused: HTTP 404 unknown-sink: There is no sink 'shop'.\n"},
      {404, R"({"code":"unknown-show","detail":"There is no show 'h'."})",
       "the server refused: HTTP 404 unknown-show: There is no show 'h'.\n"},
      {409, R"({"code":"cursor-not-moved","detail":"expected at most 7"})",
       "the server refused: HTTP 409 cursor-not-moved: expected at most 7\n"},
      {400,
       R"({"code":"invalid-request","detail":"bad","errors":[{"field":"show","expected":"a show"}]})",
       "the server refused: HTTP 400 invalid-request: bad\n  show: a show\n"},
      {401, R"({"code":"key-required","detail":"Send a key."})",
       "the server refused: HTTP 401 key-required: Send a key.\n"
       "set USHER_OPERATOR_KEY in the environment to a key that may do this\n"},
      {403, R"({"code":"forbidden","detail":"Not you."})",
       "the server refused: HTTP 403 forbidden: Not you.\n"
       "set USHER_OPERATOR_KEY in the environment to a key that may do this\n"},
      {502, "<html>", "the server refused: HTTP 502\n"},
      {302, "", "the server refused: HTTP 302\n"},
      {400, R"({"code":"x","detail":"y","errors":[{"field":7,"expected":null}]})",
       "the server refused: HTTP 400 x: y\n  : \n"},
      {400, "{\"code\":\"x\",\"detail\":\"\\u001b[2J\"}", "the server refused: HTTP 400 x: ?[2J\n"},
  };
  for (const auto& one : cases)
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"list"}, {"reset", "shop", "--position", "0"}, {"resume", "shop"}}) {
      const server with{one.status, one.body};
      const auto got = with.asked(arguments);
      BOOST_TEST(got.exit_code == 1, one.body);
      BOOST_TEST(got.out == "");
      BOOST_TEST(got.err == one.err);
    }
}

BOOST_AUTO_TEST_CASE(an_answer_of_another_form_is_2_and_not_believed) {
  for (const std::string body :
       {"<html>", "[]", "7", R"({"sinks":7})", R"({"sinks":[{"lastError":{"what":7}}]})"}) {
    const server with{200, body};
    const auto got = with.asked({"list"});
    BOOST_TEST(got.exit_code == 2, body);
    BOOST_TEST(got.err == "usher admin outbox: the answer has an unusual form\n");
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_is_told_from_one_that_refuses) {
  const auto nobody = "http://127.0.0.1:" + std::to_string(closed_port());
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"list", "--server", nobody},
           {"reset", "shop", "--position", "0", "--server", nobody},
           {"resume", "shop", "--server", nobody, "--json"}}) {
    const auto got = usher_admin_outbox(arguments);
    BOOST_TEST(got.exit_code == 2);
    BOOST_TEST(got.out == "");
    BOOST_TEST(says(got.err, "usher admin outbox: no answer from " + nobody + ": "), got.err);
  }
  const auto other = usher_admin_outbox({"list", "--server", "file:///etc"});
  BOOST_TEST(other.exit_code == 2);
  BOOST_TEST(says(other.err, "no answer from file:///etc"), other.err);
}

BOOST_AUTO_TEST_CASE(without_a_key_none_is_sent) {
  const server with{200, R"({"sinks":[]})"};
  ::unsetenv("USHER_OPERATOR_KEY");
  BOOST_TEST(with.asked({"list"}).exit_code == 0);
  BOOST_TEST(!with.request().headers.contains("authorization"));
}

// The route table over a real socket: which addresses exist, which methods, who may call them, and
// what is said before a body is read. The table below is written out by hand from the names that
// other programs rely on; a route that is added or renamed has to be added or renamed here.

#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace usher::test {

namespace {

enum class who { everybody, admins, operators, services, readers, doors };

struct named {
  std::string method;
  std::string path; ///< {show} etc. are filled in by the case
  who may = who::everybody;
};

const std::vector<named>& table() {
  using enum who;
  static const std::vector<named> all{
      {"GET", "/v1/shows/{show}/waiting-room/tickets/{ticket}"},
      {"GET", "/orders/waiting-room/{show}/tickets/{ticket}"},
      {"POST", "/v1/shows/{show}/waiting-room/join"},
      {"POST", "/v1/shows/{show}/waiting-room/tickets/{ticket}/heartbeat"},
      {"DELETE", "/v1/shows/{show}/waiting-room/tickets/{ticket}"},
      {"GET", "/v1/shows/{show}/waiting-room/tickets/{ticket}/stream"},
      {"GET", "/v1/shows/{show}/waiting-room/tickets/{ticket}/history"},
      {"GET", "/v1/shows/{show}/waiting-room/tickets/{ticket}/wish"},
      {"PUT", "/v1/shows/{show}/waiting-room/tickets/{ticket}/wish"},
      {"DELETE", "/v1/shows/{show}/waiting-room/tickets/{ticket}/wish"},
      {"POST", "/v1/shows/{show}/waiting-room/tickets/{ticket}/revoke", operators},
      {"GET", "/v1/shows/{show}/waiting-room/challenge"},
      {"POST", "/v1/shows/{show}/waiting-room/open", operators},
      {"POST", "/v1/shows/{show}/waiting-room/close", operators},
      {"POST", "/v1/shows/{show}/waiting-room/pause", operators},
      {"POST", "/v1/shows/{show}/waiting-room/resume", operators},
      {"POST", "/v1/shows/{show}/waiting-room/standby", operators},
      {"PUT", "/v1/shows/{show}/waiting-room/message", operators},
      {"DELETE", "/v1/shows/{show}/waiting-room/message", operators},
      {"POST", "/v1/shows/{show}/waiting-room/access-codes", operators},
      {"GET", "/v1/shows/{show}/waiting-room/draw"},
      {"POST", "/v1/shows/{show}/waiting-room/draw/beacon", operators},
      {"PATCH", "/v1/shows/{show}/waiting-room", operators},
      {"GET", "/v1/shows"},
      {"GET", "/v1/shows/{show}"},
      {"PUT", "/v1/shows/{show}", operators},
      {"GET", "/v1/shows/{show}/seats"},
      {"GET", "/v1/shows/{show}/seats/stream"},
      {"POST", "/v1/shows/{show}/holds"},
      {"GET", "/v1/shows/{show}/holds/{hold}"},
      {"DELETE", "/v1/shows/{show}/holds/{hold}"},
      {"POST", "/v1/shows/{show}/holds/{hold}/extend"},
      {"POST", "/v1/shows/{show}/holds/{hold}/seats"},
      {"DELETE", "/v1/shows/{show}/holds/{hold}/seats/{seat}"},
      {"POST", "/v1/shows/{show}/seats/block", operators},
      {"POST", "/v1/shows/{show}/seats/unblock", operators},
      {"POST", "/v1/shows/{show}/seats/return", operators},
      {"POST", "/v1/shows/{show}/box-office/sales", operators},
      {"PATCH", "/v1/shows/{show}/prices", operators},
      {"POST", "/v1/orders"},
      {"GET", "/v1/orders/{order}"},
      {"POST", "/v1/orders/{order}/pay"},
      {"POST", "/v1/orders/{order}/cancel"},
      {"POST", "/v1/orders/{order}/confirm", services},
      {"POST", "/v1/orders/{order}/refund", services},
      {"POST", "/v1/payments", services},
      {"GET", "/v1/payments/{payment}", services},
      {"POST", "/v1/payments/{payment}/refund", services},
      {"GET", "/v1/gateways", readers},
      {"POST", "/v1/webhooks/{gateway}"},
      {"GET", "/v1/outbox", readers},
      {"POST", "/v1/outbox/{sink}/reset", operators},
      {"POST", "/v1/outbox/{sink}/resume", operators},
      {"POST", "/v1/tickets/verify", doors},
      {"GET", "/.well-known/jwks.json"},
      {"POST", "/v1/customers/erase", admins},
      {"POST", "/v1/backup", admins},
      {"GET", "/v1/backup", admins},
      {"POST", "/orders/waiting-room/{show}/open", operators},
      {"POST", "/orders/waiting-room/{show}/close", operators},
      {"POST", "/orders/waiting-room/{show}/join"},
      {"POST", "/orders"},
      {"GET", "/orders/{order}"},
      {"POST", "/orders/{order}/confirm", services},
      {"POST", "/events/{show}/queue"},
      {"GET", "/events/{show}/queue/{ticket}"},
      {"POST", "/events/{show}/holds"},
      {"POST", "/api/v1/queue"},
      {"GET", "/api/v1/queue/allowed"},
      {"GET", "/api/v1/queue/rank"},
      {"GET", "/healthz"},
      {"GET", "/readyz"},
      {"GET", "/metrics"},
      {"GET", "/openapi.json"},
  };
  return all;
}

/// Every {parameter} becomes something that does not exist.
std::string nowhere(std::string path) {
  for (auto at = path.find('{'); at != std::string::npos; at = path.find('{'))
    path.replace(at, path.find('}') - at + 1, "nowhere");
  return path;
}

std::map<std::string, std::set<std::string>> methods_by_path() {
  std::map<std::string, std::set<std::string>> by_path;
  for (const auto& each : table()) {
    auto& methods = by_path[nowhere(each.path)];
    methods.insert("OPTIONS");
    methods.insert(each.method);
    if (each.method == "GET")
      methods.insert("HEAD");
  }
  return by_path;
}

std::set<std::string> split(const std::string& list) {
  std::set<std::string> parts;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find(", ", at), list.size());
    parts.insert(list.substr(at, end - at));
    at = end + 2;
  }
  return parts;
}

} // namespace

BOOST_AUTO_TEST_SUITE(routes)

BOOST_AUTO_TEST_CASE(the_table_here_and_the_servers_are_the_same) {
  std::multiset<std::string> here;
  for (const auto& each : table())
    here.insert(each.path);
  std::multiset<std::string> there;
  for (const auto& each : http::routes())
    there.insert(std::string{each.pattern});
  BOOST_TEST(here == there, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_method_that_an_address_has_not_is_405_and_allow_names_those_it_has) {
  for (const auto& [path, methods] : methods_by_path())
    for (const std::string method : {"GET", "POST", "PUT", "PATCH", "DELETE", "BREW"}) {
      if (methods.contains(method))
        continue;
      const auto got = server().ask(method, path, "", {.key = "admin-key"});
      BOOST_TEST_INFO(method << ' ' << path << ": " << got);
      BOOST_TEST(got.brief() == "405 method-not-allowed");
      BOOST_TEST(split(got.header("allow")) == methods, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(options_names_the_methods_and_asks_for_no_key) {
  for (const auto& [path, methods] : methods_by_path()) {
    const auto got = server().ask("OPTIONS", path);
    BOOST_TEST_INFO(path << ": " << got);
    BOOST_TEST(got.status == 204);
    BOOST_TEST(split(got.header("allow")) == methods, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(head_answers_as_get_does_without_the_body) {
  const show hamlet;
  for (const std::string& path : {std::string{"/v1/shows/nowhere"}, hamlet.path,
                                  hamlet.path + "/seats", std::string{"/healthz"}}) {
    const auto got = server().get(path);
    const auto head = server().ask("HEAD", path);
    BOOST_TEST_INFO(path);
    BOOST_TEST(head.status == got.status);
    BOOST_TEST(head.header("content-type") == got.header("content-type"));
    BOOST_TEST(head.header("content-length") == std::to_string(got.raw.body.size()));
  }
}

BOOST_AUTO_TEST_CASE(calls_of_operators_and_services_need_a_key_of_that_role) {
  struct attempt {
    std::string key;
    std::set<who> passes; ///< the check of such a route
    int refused;
  };
  const std::set<who> all{who::operators, who::services, who::readers, who::doors};
  auto everything = all;
  everything.insert(who::admins);
  const attempt attempts[]{{"", {}, 401},
                           {"not-a-key", {}, 401},
                           {"admin-key", everything, 0},
                           {"operator-key", all, 403},
                           {"service-key", {who::services, who::readers, who::doors}, 403},
                           {"gate-key", {who::doors}, 403},
                           {"viewer-key", {who::readers}, 403}};
  for (const auto& route : table()) {
    if (route.path == "/orders/waiting-room/{show}/open") // would make the show
      continue;
    for (const auto& each : attempts) {
      const auto got = server().ask(route.method, nowhere(route.path), "", {.key = each.key});
      const bool passes = route.may == who::everybody || each.passes.contains(route.may);
      BOOST_TEST_INFO(route.method << ' ' << route.path << " with " << each.key << ": " << got);
      if (passes) {
        BOOST_TEST(got.status != 401);
        BOOST_TEST(got.status != 403);
      } else {
        BOOST_TEST(got.status == each.refused);
        BOOST_TEST(got.code() == (each.refused == 401 ? "key-required" : "forbidden"));
        BOOST_TEST(got.header("www-authenticate") == (each.refused == 401 ? "Bearer" : ""));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_scheme_of_a_key_is_bearer_in_any_case_and_nothing_else) {
  const show hamlet;
  struct attempt {
    std::string header;
    int status;
  };
  const attempt attempts[]{{"Bearer operator-key", 204},
                           {"bearer operator-key", 204},
                           {"BEARER operator-key", 204},
                           {"Basic operator-key", 401},
                           {"operator-key", 401},
                           {"Bearer", 401},
                           {"Bearer ", 401},
                           {"Bearer operator-key2", 401},
                           {"Bearer\toperator-key", 401}};
  for (const auto& each : attempts) {
    const auto got = server().ask("POST", hamlet.room("close"), "",
                                  {.headers = "Authorization: " + each.header + "\r\n"});
    BOOST_TEST(got.status == each.status, each.header << ": " << got);
  }
}

BOOST_AUTO_TEST_CASE(whoever_may_not_upload_is_refused_before_the_body) {
  // The body is announced and never sent: an answer proves that it was not waited for.
  struct attempt {
    std::string line;
    std::string headers;
    int status;
  };
  const attempt attempts[]{
      {"PUT /v1/shows/nowhere", "", 401},
      {"PUT /v1/shows/nowhere", "Authorization: Bearer service-key\r\n", 403},
      {"POST /v1/orders/nowhere/confirm", "", 401},
      {"PUT /nowhere", "", 404},
      {"PUT /v1/orders", "", 405},
      {"POST /v1/shows/nowhere/waiting-room/join", "", 413},
      {"PUT /v1/shows/nowhere", "Authorization: Bearer admin-key\r\nExpect: 100-continue\r\n", 100},
  };
  for (const auto& each : attempts) {
    auto line = server().connect();
    line.send(each.line + " HTTP/1.1\r\nHost: usher\r\nContent-Length: 10000000\r\n" +
              each.headers + "\r\n");
    const auto got = line.read();
    BOOST_TEST_REQUIRE(got.has_value());
    BOOST_TEST(got->status == each.status, each.line << ": " << got->status << ' ' << got->body);
  }
}

BOOST_AUTO_TEST_CASE(an_open_loopback_asks_for_no_key) {
  const api_server demo{{.open_loopback = true}};
  BOOST_TEST(demo.put("/v1/shows/hamlet", hall(), {}).status == 201);
  BOOST_TEST(demo.post("/v1/shows/hamlet/waiting-room/open").status == 204);
  BOOST_TEST(demo.post("/v1/orders/nowhere/confirm").brief() == "404 unknown-order");
}

BOOST_AUTO_TEST_CASE(an_address_without_a_route_is_404) {
  for (const std::string path :
       {"/", "//", "/v1", "/v1/shows/", "/v1/shows//seats", "/V1/shows", "/v1/shows/a/seats/",
        "/v1/orders", "/orders/", "/a/b/c/d/e/f/g/h/i/j/k/l", "/v1%2Fshows"}) {
    const auto got = server().get(path);
    if (path == "/v1/orders")
      BOOST_TEST(got.status == 405);
    else
      BOOST_TEST(got.brief() == "404 not-found", path << ": " << got);
  }
}

BOOST_AUTO_TEST_CASE(calls_about_a_show_that_does_not_exist_are_404) {
  const extra with{.key = "admin-key", .idempotency = "k"};
  for (const auto& route : table()) {
    if (route.path.find("{show}") == std::string::npos ||
        (route.method == "PUT" && route.path == "/v1/shows/{show}") ||
        route.path == "/orders/waiting-room/{show}/open")
      continue;
    const auto got = server().ask(route.method, nowhere(route.path), "", with);
    BOOST_TEST(got.status == 404, route.path << ": " << got);
    if (route.path.starts_with("/v1"))
      BOOST_TEST(got.code() == "unknown-show", route.path << ": " << got);
  }
  const auto order = server().post("/v1/orders", {{"holdId", "h"}, {"showId", "nowhere"}}, with);
  BOOST_TEST(order.brief() == "404 unknown-show", order);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_no_text_breaks_neither_the_answer_nor_the_server) {
  BOOST_TEST(server().get("/v1/shows/%zz").brief() == "400 invalid-request");
  BOOST_TEST(server().get("/v1/shows/%00").status == 400);
  for (const std::string name : {"%22%2C%22x%22%3A", "%FF%FE", "%3Cscript%3E", "a%2Fb"}) {
    BOOST_TEST(server().get("/v1/shows/" + name).brief() == "404 unknown-show");
    const show hamlet;
    const auto ticket = hamlet.ticket(name);
    BOOST_TEST(ticket.brief() == "404 UNKNOWN");
    BOOST_TEST(ticket.text("ticketId") == "");
  }
}

BOOST_AUTO_TEST_CASE(a_body_is_json_or_what_curl_says_when_it_is_told_nothing) {
  const show hamlet;
  hamlet.open();
  struct attempt {
    std::string type;
    int status;
  };
  const attempt attempts[]{{"application/json", 202},
                           {"application/json; charset=utf-8", 202},
                           {"application/json ;charset=utf-8", 202},
                           {"application/merge-patch+json", 202},
                           {"application/x-www-form-urlencoded", 202},
                           {"", 202},
                           {"text/plain", 415},
                           {"text/json", 415},
                           {"multipart/form-data; boundary=x", 415}};
  for (const auto& each : attempts) {
    const auto got = server().ask("POST", hamlet.room("join"), "{}", {.type = each.type});
    BOOST_TEST(got.status == each.status, each.type << ": " << got);
  }
  // Without a body there is nothing to be of a type.
  BOOST_TEST(hamlet.join({.type = "", .headers = "Content-Type: text/plain\r\n"}).status == 202);
}

BOOST_AUTO_TEST_CASE(a_body_that_is_no_json_object_is_400_and_too_long_a_one_413) {
  const show hamlet;
  hamlet.open();
  for (const std::string body : {"{", "nonsense", "{\"a\":1,}", "{} {}", "[]", "\"text\"", "12",
                                 "null", "{\"a\":\"\xff\"}", "{\"a\":NaN}", "{\"a\":1e999}"}) {
    const auto got = server().ask("POST", hamlet.room("join"), body);
    BOOST_TEST(got.brief() == "400 invalid-request", body << ": " << got);
  }
  const auto padded = [&](std::size_t bytes) {
    return server().ask("POST", hamlet.room("join"), "{}" + std::string(bytes - 2, ' ')).status;
  };
  BOOST_TEST(padded(64 * 1024) == 202);
  BOOST_TEST(padded(64 * 1024 + 1) == 413);
}

BOOST_AUTO_TEST_CASE(a_body_that_nests_without_end_is_refused) {
  // Writing JSON out recurses, and a key makes the server write the body out: depth is stack.
  const show hamlet;
  constexpr std::size_t depth = 32'000;
  const auto deep =
      R"({"seats":["A-1"],"x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  const auto got = server().ask("POST", hamlet.path + "/holds", deep, {.idempotency = "deep"});
  BOOST_TEST(got.brief() == "400 invalid-request", got.status);
  // Brackets in a text are text.
  auto flat = json::parse(R"({"seats": ["A-1"]})");
  flat["x"] = std::string(depth, '[') + "\"\\";
  BOOST_TEST(server().post(hamlet.path + "/holds", flat, {.idempotency = "flat"}).status == 201);
}

BOOST_AUTO_TEST_CASE(the_server_says_how_it_is) {
  BOOST_TEST(server().get("/healthz").brief() == "200 ok");
  BOOST_TEST(server().get("/readyz").brief() == "200 ready");
  api_server stopping;
  stopping.app.ready = false;
  const auto got = stopping.get("/readyz");
  BOOST_TEST(got.brief() == "503 draining");
  BOOST_TEST(got.header("retry-after") == "5");
  BOOST_TEST(stopping.get("/healthz").status == 200);
}

BOOST_AUTO_TEST_CASE(a_problem_is_a_document_that_says_what_to_do_and_is_not_kept) {
  const auto got = server().get("/v1/shows/nowhere");
  BOOST_TEST(got.header("content-type") == "application/problem+json");
  BOOST_TEST(got.header("cache-control") == "no-store");
  BOOST_TEST(got.text("title") == "Not Found");
  BOOST_TEST(got.body["status"] == 404);
  BOOST_TEST(got.text("detail") == "There is no show 'nowhere'.");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

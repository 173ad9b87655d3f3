// The addresses of the usual designs: the same handlers in their dialects, decimal amounts above
// all.

#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

const extra operates{.key = "operator-key"};

/// An order as those clients write it; `amount` as it stands in the text.
said plain_order(const show& which, const std::string& hold, const std::string& amount,
                 const extra& with = {}) {
  return server().ask("POST", "/orders",
                      R"({"showId": ")" + which.id + R"(", "holdId": ")" + hold +
                          R"(", "customerEmail": "ana@example.org", "amount": )" + amount + "}",
                      with);
}

said register_at(const api_server& at, const std::string& body) {
  return at.ask("POST", "/api/v1/queue", body);
}

} // namespace

BOOST_AUTO_TEST_SUITE(drop_in)

BOOST_AUTO_TEST_CASE(opening_an_unknown_show_makes_one_without_a_plan) {
  BOOST_TEST(server().post("/orders/waiting-room/dropped/open").status == 401);
  BOOST_TEST(server().get("/v1/shows/dropped").status == 404);
  BOOST_TEST(server().post("/orders/waiting-room/dropped/open", nullptr, operates).status == 204);
  const auto made = server().get("/v1/shows/dropped").body;
  BOOST_TEST(made["waitingRoom"]["state"] == "OPEN");
  BOOST_TEST(made["currency"] == "BRL");
  BOOST_TEST(!made.contains("categories"));
  BOOST_TEST(server().post("/orders/waiting-room/dropped/open", nullptr, operates).status == 204);
  BOOST_TEST(server().post("/orders/waiting-room/a%20b/open", nullptr, operates).status == 400);

  const auto joined =
      server().post("/orders/waiting-room/dropped/join", nullptr, {.idempotency = "k"});
  BOOST_TEST(joined.status == 202, joined);
  BOOST_TEST(
      server().post("/orders/waiting-room/dropped/join", nullptr, {.idempotency = "k"}).status ==
      200);
  const auto path = "/orders/waiting-room/dropped/tickets/" + joined.text("ticketId");
  BOOST_TEST(eventually([&] { return server().get(path).text("status") == "ADMITTED"; }));
  BOOST_TEST(server().post("/orders/waiting-room/dropped/close", nullptr, operates).status == 204);
  // Whatever is neither waiting nor admitted is not known there.
  BOOST_TEST(server().get(path).brief() == "404 UNKNOWN");
  BOOST_TEST(server().get("/orders/waiting-room/dropped/tickets/x").brief() == "404 UNKNOWN");
  BOOST_TEST(server().get("/orders/waiting-room/nowhere/tickets/x").brief() == "404 UNKNOWN");
  BOOST_TEST(server().post("/orders/waiting-room/dropped/join").brief() == "409 room-off");
}

BOOST_AUTO_TEST_CASE(amounts_are_decimal_numbers_read_to_the_letter) {
  struct attempt {
    std::string currency;
    std::string amount;
    std::int64_t minor; ///< -1: refused
  };
  const attempt attempts[]{
      {"CHF", "100.99", 10'099},
      {"JPY", "101", 101},
      {"JPY", "101.5", -1}, // too many decimals
      {"BHD", "101.000", 101'000},
      {"BRL", "350.00", 35'000},
      {"BRL", "\"350.00\"", 35'000},
      {"BRL", "350", 35'000},
      {"EUR", "0.1", 10},
      {"EUR", "0.29", 29},
      {"EUR", "1.005", -1},
      {"EUR", "0.30000000000000004", -1},
      {"EUR", "-1.00", -1},
      {"EUR", "1e3", -1},
      {"EUR", "9999999999.99", 999'999'999'999},
      {"EUR", "10000000000.01", -1}, // over what any order may be
      {"EUR", "92233720368547758.08", -1},
      {"EUR", "92233720368547758.07", -1},
      {"EUR", "true", -1},
      {"EUR", "[350]", -1},
      {"EUR", "null", -1},
      {"EUR", "\"\"", -1},
      {"EUR", "\"NaN\"", -1},
  };
  for (const auto& each : attempts) {
    const show one{plain(each.currency)};
    const auto got = plain_order(one, "theirs", each.amount);
    BOOST_TEST_INFO(each.currency << ' ' << each.amount << ": " << got);
    if (each.minor < 0) {
      BOOST_TEST(got.brief() == "400 invalid-request");
      BOOST_TEST(got.fields() == "amount");
    } else {
      BOOST_TEST(got.status == 201);
      BOOST_TEST(got.body["total"]["amount"] == each.minor);
      BOOST_TEST(got.body["total"]["currency"] == each.currency);
    }
  }
  BOOST_TEST(server().put("/v1/shows/no-such-money", plain("XXQ")).fields() == "currency");
}

BOOST_AUTO_TEST_CASE(the_same_show_and_hold_again_is_the_same_order) {
  const show one{plain()};
  const auto first = plain_order(one, "theirs", "350.00");
  BOOST_TEST(first.brief() == "201 PENDING", first);
  BOOST_TEST(first.body["amount"] == 350.0);
  const auto again = plain_order(one, "theirs", "350.00");
  BOOST_TEST(again.status == 200);
  BOOST_TEST(again.text("id") == first.text("id"));
  const auto got = server().get("/orders/" + first.text("id"));
  BOOST_TEST(got.status == 200);
  BOOST_TEST(got.body["amount"] == 350.0);
  BOOST_TEST(server()
                 .post("/orders/" + first.text("id") + "/confirm", nullptr, {.key = "service-key"})
                 .brief() == "200 PAID");
  BOOST_TEST(server().get("/orders/" + first.text("id")).brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(a_hold_of_ours_is_bought_at_its_price) {
  const show hall_show;
  const auto hold = hall_show.hold({"A-1"}).text("holdId");
  BOOST_TEST(plain_order(hall_show, hold, "349.99").brief() == "409 amount-differs");
  BOOST_TEST(plain_order(hall_show, hold, "350.00").status == 201);
  BOOST_TEST(plain_order(hall_show, hold, "350.00").status == 200);
  BOOST_TEST(plain_order(hall_show, "theirs", "350.00").brief() == "404 unknown-hold");
  const show other;
  BOOST_TEST(plain_order(other, hold, "350.00").brief() == "404 unknown-hold");
}

BOOST_AUTO_TEST_CASE(the_gate_stands_there_too_and_a_hold_ordered_is_nobody_elses) {
  const show hall_show;
  hall_show.open();
  const auto ana = hall_show.admitted();
  const auto bob = hall_show.admitted();
  const auto none = plain_order(hall_show, "x", "350.00");
  BOOST_TEST(none.brief() == "403 not-admitted", none);
  BOOST_TEST(none.text("join") == "/orders/waiting-room/" + hall_show.id + "/join");
  const auto hold = hall_show.hold({"A-1"}, {.ticket = ana}).text("holdId");
  BOOST_TEST(plain_order(hall_show, hold, "350.00", {.ticket = ana}).status == 201);
  BOOST_TEST(plain_order(hall_show, hold, "350.00", {.ticket = bob}).brief() ==
             "403 not-the-owner");

  const show one{hall_with(R"({"plan": null})")};
  one.open();
  const auto eva = one.admitted();
  const auto tom = one.admitted();
  BOOST_TEST(plain_order(one, "theirs", "1", {.ticket = eva}).status == 201);
  BOOST_TEST(plain_order(one, "theirs", "1", {.ticket = eva}).status == 200);
  BOOST_TEST(plain_order(one, "theirs", "1", {.ticket = tom}).brief() == "409 hold-has-order");
}

BOOST_AUTO_TEST_CASE(what_is_missing_in_a_plain_order_is_named) {
  const show one{plain()};
  const auto ask = [&](const json& body) { return server().post("/orders", body); };
  const json base{{"showId", one.id}, {"holdId", "h"}, {"customerEmail", "a@b"}, {"amount", 1}};
  for (const std::string member : {"showId", "holdId", "customerEmail"}) {
    auto body = base;
    body.erase(member);
    BOOST_TEST(ask(body).fields() == member);
  }
  auto body = base;
  body.erase("amount");
  BOOST_TEST(ask(body).brief() == "400 invalid-request");
  body["showId"] = "nowhere";
  BOOST_TEST(ask(body).brief() == "404 unknown-show");
}

BOOST_AUTO_TEST_CASE(the_queue_of_an_event_gives_a_token_that_holds) {
  const show hall_show{hall_with(R"({"waitingRoom": {"maxActive": 1}})")};
  const auto queue = "/events/" + hall_show.id + "/queue";
  BOOST_TEST(server().post(queue).brief() == "409 room-off");
  hall_show.open();
  const auto first = server().post(queue);
  BOOST_TEST(first.status == 202, first);
  const auto place = queue + "/" + first.text("queueId");
  BOOST_TEST(eventually([&] { return server().get(place).body.contains("accessToken"); }));
  const auto token = server().get(place).text("accessToken");
  const auto second = server().post(queue).text("queueId");
  BOOST_TEST(server().get(queue + "/" + second).body == json::parse(R"({"position": 1})"));
  BOOST_TEST(server().get(queue + "/nonsense").status == 404);

  const auto hold = [&](const std::string& with) {
    return server().post("/events/" + hall_show.id + "/holds", {{"seats", json::array({"A-1"})}},
                         {.headers = "X-Queue-Token: " + with + "\r\n"});
  };
  const auto no = hold(second);
  BOOST_TEST(no.brief() == "403 not-admitted");
  BOOST_TEST(hold(token).status == 201);
}

BOOST_AUTO_TEST_CASE(calls_that_believe_a_user_id_are_off_until_they_are_wanted) {
  BOOST_TEST(register_at(server(), R"({"queue": "q", "userId": "1"})").brief() == "404 not-found");
  BOOST_TEST(server().get("/api/v1/queue/rank?queue=q&userId=1").brief() == "404 not-found");
  BOOST_TEST(server().get("/api/v1/queue/allowed?queue=q&userId=1").brief() == "404 not-found");
}

BOOST_AUTO_TEST_CASE(where_they_are_wanted_a_user_registers_once_and_sees_the_rank) {
  const api_server trusting{{.trust_user_ids = true}};
  const auto rank = [&](const std::string& query) {
    return trusting.get("/api/v1/queue/rank?" + query).body["rank"];
  };
  const auto allowed = [&](const std::string& query) {
    return trusting.get("/api/v1/queue/allowed?" + query).body["allowed"];
  };
  BOOST_TEST(register_at(trusting, R"({"userId": 100})").brief() == "404 unknown-show");
  BOOST_TEST(
      trusting.put("/v1/shows/default", hall_with(R"({"waitingRoom": {"admitPerSecond": 0}})"))
          .status == 201);
  BOOST_TEST(register_at(trusting, R"({"userId": 100})").brief() == "409 room-off");
  BOOST_TEST(trusting.post("/v1/shows/default/waiting-room/open", nullptr, operates).status == 204);

  BOOST_TEST(register_at(trusting, R"({"queue": "default", "userId": 100})").body["rank"] == 1);
  BOOST_TEST(register_at(trusting, R"({"userId": 101})").body["rank"] == 2);
  BOOST_TEST(register_at(trusting, R"({"userId": "100"})").brief() == "409 already-registered");
  for (const std::string body :
       {"{}", R"({"userId": ""})", R"({"userId": 1.5})", R"({"userId": []})"})
    BOOST_TEST(register_at(trusting, body).fields() == "userId", body);
  BOOST_TEST(rank("queue=default&userId=100") == 1);
  BOOST_TEST(rank("userId=101&queue=default") == 2);
  BOOST_TEST(rank("userId=101") == 2);
  BOOST_TEST(rank("userId=102") == -1);
  BOOST_TEST(rank("queue=nowhere&userId=100") == -1);
  BOOST_TEST(rank("") == -1);
  BOOST_TEST(allowed("userId=100") == false);

  const auto faster = trusting.patch("/v1/shows/default/waiting-room", {{"admitPerSecond", 1000}});
  BOOST_TEST(faster.status == 200);
  BOOST_TEST(eventually([&] { return allowed("userId=101") == true; }));
  BOOST_TEST(rank("userId=101") == -1);
  BOOST_TEST(allowed("userId=102") == false);
}

BOOST_AUTO_TEST_CASE(show_and_hold_are_the_key_so_another_body_is_refused) {
  const show at{plain("EUR")}; // its room is OFF: no ticket needed
  const auto first = plain_order(at, "ref-1", "3.00");
  BOOST_TEST(first.status == 201, first);
  const auto again = plain_order(at, "ref-1", "3.00");
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.text("id") == first.text("id"));
  BOOST_TEST(plain_order(at, "ref-1", "4.00").brief() == "422 idempotency-key-reused");
  const auto stranger = server().ask("POST", "/orders",
                                     R"({"showId": ")" + at.id +
                                         R"(", "holdId": "ref-1", "amount": 3.00,)"
                                         R"( "customerEmail": "eve@example.org"})");
  BOOST_TEST(stranger.brief() == "422 idempotency-key-reused");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

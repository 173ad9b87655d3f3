// The other ways in which front ends ask for a place in a queue and for seats: the events dialect
// (queueId, accessToken, X-Queue-Token) and the one that trusts the caller's userId.

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher::test;

BOOST_AUTO_TEST_CASE(the_events_dialect_goes_from_the_queue_to_a_confirmed_order) {
  const scratch_directory place;
  const server_process server{place.data(), server_process::demo()};
  api_client fan{server.port()};

  const auto joined = fan.post("/events/hamlet/queue");
  BOOST_TEST(joined.status == 202, joined);
  const auto queue_id = joined.body.at("queueId").get<std::string>();
  api_answer seen;
  BOOST_TEST(eventually([&] {
    seen = fan.get("/events/hamlet/queue/" + queue_id);
    if (seen.body.contains("position"))
      BOOST_TEST(seen.body.at("position") == 1, seen);
    return seen.body.contains("accessToken");
  }));
  BOOST_TEST(seen.status == 200, seen);
  const auto token = seen.body.at("accessToken").get<std::string>();

  const json wish{{"seats", {"E-1", "E-2"}}};
  BOOST_TEST(fan.post("/events/hamlet/holds", wish).status == 403);
  const auto held = fan.post("/events/hamlet/holds", wish, {{"X-Queue-Token", token}});
  BOOST_REQUIRE_MESSAGE(held.status == 201, held);
  const auto order = fan.post("/orders",
                              {{"showId", "hamlet"},
                               {"holdId", held.body.at("holdId")},
                               {"customerEmail", "fan@example.com"},
                               {"amount", 56.00}},
                              {{"X-Queue-Token", token}});
  BOOST_REQUIRE_MESSAGE(order.status == 201, order);
  const auto id = order.body.at("id").get<std::string>();
  const auto confirmed =
      fan.post("/orders/" + id + "/confirm", {{"gateway", "STRIPE"}, {"paymentId", "p-1"}});
  BOOST_TEST(confirmed.status == 200, confirmed);
  BOOST_TEST(confirmed.body.at("status") == "PAID", confirmed);
  BOOST_TEST(seat_map(fan, "hamlet").at("E-2") == "SOLD");
  BOOST_TEST(fan.get("/events/hamlet/queue/" + queue_id).status == 404);
}

BOOST_AUTO_TEST_CASE(users_register_once_and_ask_for_their_rank) {
  const scratch_directory place;
  const server_process server{place.data(), server_process::demo()};
  api_client fan{server.port()};
  put_show(fan, "still", {{"waitingRoom", still_room()}});

  const auto of = [](const std::string& queue, const std::string& user) {
    return "?queue=" + queue + "&userId=" + user;
  };
  for (int user = 1; user <= 3; ++user) {
    const auto got = fan.post("/api/v1/queue", {{"queue", "still"}, {"userId", user}});
    BOOST_TEST(got.status == 200, got);
    BOOST_TEST(got.body == json({{"rank", user}}));
  }
  BOOST_TEST(fan.post("/api/v1/queue", {{"queue", "still"}, {"userId", 2}}).status == 409);
  BOOST_TEST(fan.post("/api/v1/queue", {{"queue", "still"}, {"userId", "2"}}).status == 409);
  BOOST_TEST(fan.get("/api/v1/queue/rank" + of("still", "3")).body == json({{"rank", 3}}));
  BOOST_TEST(fan.get("/api/v1/queue/rank" + of("still", "9")).body == json({{"rank", -1}}));
  BOOST_TEST(fan.get("/api/v1/queue/allowed" + of("still", "1")).body ==
             json({{"allowed", false}}));

  BOOST_TEST(fan.post("/api/v1/queue", {{"queue", "hamlet"}, {"userId", 7}}).status == 200);
  BOOST_TEST(eventually([&] {
    return fan.get("/api/v1/queue/allowed" + of("hamlet", "7")).body == json({{"allowed", true}});
  }));
  BOOST_TEST(fan.get("/api/v1/queue/rank" + of("hamlet", "7")).body == json({{"rank", -1}}));
}

BOOST_AUTO_TEST_CASE(calls_that_trust_the_user_id_are_off_unless_they_are_turned_on) {
  const scratch_directory place;
  const server_process server{place.data()};
  api_client fan{server.port()};
  BOOST_TEST(fan.post("/api/v1/queue", {{"queue", "x"}, {"userId", 1}}).status == 404);
  BOOST_TEST(fan.get("/api/v1/queue/rank?queue=x&userId=1").status == 404);
}

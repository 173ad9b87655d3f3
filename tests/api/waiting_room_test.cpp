// The waiting room over a real socket: joining and joining again, places of many fans, who is let
// in and when that ends, and tickets that are no tickets.

#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

namespace usher::test {

namespace {

/// A hall whose room admits nobody by itself.
json closed_door() {
  return hall_with(R"({"waitingRoom": {"admitPerSecond": 0}})");
}

said join_as(const show& which, const json& body, const extra& with) {
  return server().post(which.room("join"), body, with);
}

std::string place_of(const said& got) {
  const auto& b = got.body;
  return std::to_string(b["position"].get<int>()) + ": " + std::to_string(b["ahead"].get<int>()) +
         " ahead, " + std::to_string(b["behind"].get<int>()) + " behind";
}

int active(const show& which) {
  return which.description()["waitingRoom"]["active"].get<int>();
}
int waiting(const show& which) {
  return which.description()["waitingRoom"]["waiting"].get<int>();
}

} // namespace

BOOST_AUTO_TEST_SUITE(waiting_room)

BOOST_AUTO_TEST_CASE(a_room_that_is_off_takes_nobody) {
  const show hall_show;
  BOOST_TEST(hall_show.join().brief() == "409 room-off");
  hall_show.open();
  BOOST_TEST(hall_show.description()["waitingRoom"]["state"] == "OPEN");
  BOOST_TEST(hall_show.join().status == 202);
}

BOOST_AUTO_TEST_CASE(a_join_gives_a_ticket_with_its_place_and_when_to_ask_again) {
  const show hall_show{closed_door()};
  hall_show.open();
  const auto got = hall_show.join();
  BOOST_TEST(got.brief() == "202 WAITING", got);
  BOOST_TEST(got.text("showId") == hall_show.id);
  BOOST_TEST(got.text("ticketId").size() == 44U);
  BOOST_TEST(place_of(got) == "1: 0 ahead, 0 behind");
  BOOST_TEST(got.body["etaSeconds"].is_null()); // nobody is ever let in at this rate
  BOOST_TEST(got.header("cache-control") == "no-store");
  const auto again = got.body["pollAfterSeconds"].get<int>();
  BOOST_TEST(got.header("retry-after") == std::to_string(again));
  BOOST_TEST(again >= 2);
  BOOST_TEST(again <= 4);

  const auto poll = hall_show.ticket(got.text("ticketId"));
  BOOST_TEST(poll.brief() == "200 WAITING");
  BOOST_TEST(poll.text("ticketId") == got.text("ticketId"));
  BOOST_TEST(poll.header("retry-after") ==
             std::to_string(poll.body["pollAfterSeconds"].get<int>()));
  BOOST_TEST(poll.header("cache-control") == "no-store");
}

BOOST_AUTO_TEST_CASE(an_eta_follows_from_the_position_and_the_rate) {
  const show slow{hall_with(R"({"waitingRoom": {"admitPerSecond": 0.001, "tick": "60s"}})")};
  slow.open();
  BOOST_TEST(slow.join().body["etaSeconds"] == 1000);
  const auto second = slow.join();
  BOOST_TEST(second.body["etaSeconds"] == 2000);
  BOOST_TEST(second.body["etaRange"] == json::parse("[1500, 2500]"));
}

BOOST_AUTO_TEST_CASE(the_same_key_is_the_same_place_quoted_or_bare) {
  const show hall_show{closed_door()};
  hall_show.open();
  const auto first = hall_show.join({.idempotency = "page-1"});
  BOOST_TEST(first.status == 202);
  BOOST_TEST(hall_show.join().status == 202); // somebody behind
  for (const std::string key : {"page-1", "\"page-1\""}) {
    const auto again = hall_show.join({.idempotency = key});
    BOOST_TEST(again.brief() == "200 WAITING", again);
    BOOST_TEST(again.text("ticketId") == first.text("ticketId"));
    BOOST_TEST(place_of(again) == "1: 0 ahead, 1 behind");
  }
  BOOST_TEST(hall_show.join({.idempotency = "page-2"}).body["position"] == 3);
  // A key means something in its show only.
  const show other{closed_door()};
  other.open();
  BOOST_TEST(other.join({.idempotency = "page-1"}).status == 202);
}

BOOST_AUTO_TEST_CASE(a_key_is_up_to_255_visible_characters) {
  const show hall_show{closed_door()};
  hall_show.open();
  for (const std::string& key :
       {std::string{"a b"}, std::string{"\"\""}, std::string(256, 'k'), std::string{"\xc3\xa9"}})
    BOOST_TEST(hall_show.join({.idempotency = key}).brief() == "400 invalid-request", key);
  BOOST_TEST(hall_show.join({.idempotency = std::string(255, 'k')}).status == 202);
  BOOST_TEST(hall_show.join({.idempotency = "\""}).status == 202);
}

BOOST_AUTO_TEST_CASE(a_page_that_still_has_its_ticket_keeps_it) {
  const show hall_show{closed_door()};
  hall_show.open();
  const auto first = hall_show.join();
  const auto again = hall_show.join({.ticket = first.text("ticketId")});
  BOOST_TEST(again.brief() == "200 WAITING");
  BOOST_TEST(again.text("ticketId") == first.text("ticketId"));
  BOOST_TEST(waiting(hall_show) == 1);
  // A ticket that is over, foreign or none is no reason not to get a place.
  const show other{closed_door()};
  other.open();
  BOOST_TEST(other.join({.ticket = first.text("ticketId")}).status == 202);
  BOOST_TEST(hall_show.join({.ticket = "nonsense"}).status == 202);
  BOOST_TEST(server().del(hall_show.room("tickets/" + first.text("ticketId"))).status == 204);
  const auto fresh = hall_show.join({.ticket = first.text("ticketId")});
  BOOST_TEST(fresh.status == 202);
  BOOST_TEST(fresh.text("ticketId") != first.text("ticketId"));
}

BOOST_AUTO_TEST_CASE(a_customer_is_believed_with_the_key_of_an_operator_or_service_only) {
  const show hall_show{closed_door()};
  hall_show.open();
  const json ana{{"customerId", "ana"}};
  for (const std::string key : {"", "wrong", "gate-key", "viewer-key"})
    BOOST_TEST(join_as(hall_show, ana, {.key = key}).brief() == "403 customer-not-trusted", key);
  BOOST_TEST(waiting(hall_show) == 0);

  const auto first = join_as(hall_show, ana, {.key = "service-key", .idempotency = "phone"});
  BOOST_TEST(first.status == 202, first);
  for (const auto& with :
       {extra{.key = "service-key", .idempotency = "laptop"}, extra{.key = "service-key"},
        extra{.key = "operator-key"}, extra{.key = "admin-key"}}) {
    const auto again = join_as(hall_show, ana, with);
    BOOST_TEST(again.status == 200);
    BOOST_TEST(again.text("ticketId") == first.text("ticketId"));
  }
  // The laptop's key is hers now, too.
  BOOST_TEST(hall_show.join({.idempotency = "laptop"}).text("ticketId") == first.text("ticketId"));
  BOOST_TEST(join_as(hall_show, {{"customerId", "bob"}}, {.key = "service-key"}).status == 202);
  BOOST_TEST(waiting(hall_show) == 2);

  struct attempt {
    std::string body;
    std::string field;
  };
  for (const auto& each :
       {attempt{R"({"customerId": ""})", "customerId"},
        attempt{R"({"customerId": 7})", "customerId"},
        attempt{R"({"customerId": ")" + std::string(257, 'a') + "\"}", "customerId"}}) {
    const auto got =
        server().ask("POST", hall_show.room("join"), each.body, {.key = "service-key"});
    BOOST_TEST(got.status == 400);
    BOOST_TEST(got.fields() == each.field);
  }
  // What a fan sends besides is ignored.
  BOOST_TEST(join_as(hall_show, {{"wish", "front"}}, {}).status == 202);
}

BOOST_AUTO_TEST_CASE(who_joined_twice_and_then_signs_in_keeps_the_better_place) {
  const show hall_show{closed_door()};
  hall_show.open();
  const auto anonymous = hall_show.join({.idempotency = "tab"});
  const auto signed_in = join_as(hall_show, {{"customerId", "ana"}}, {.key = "service-key"});
  const auto both =
      join_as(hall_show, {{"customerId", "ana"}}, {.key = "service-key", .idempotency = "tab"});
  BOOST_TEST(both.status == 200);
  BOOST_TEST(both.text("ticketId") == anonymous.text("ticketId"));
  const auto other = hall_show.ticket(signed_in.text("ticketId"));
  BOOST_TEST(other.brief() == "410 LEFT");
  BOOST_TEST(other.text("reason") == "merged");
}

BOOST_AUTO_TEST_CASE(a_full_room_says_so_and_records_nothing) {
  const show small{hall_with(R"({"waitingRoom": {"admitPerSecond": 0, "maxQueue": 2}})")};
  small.open();
  const auto first = small.join({.idempotency = "first"});
  BOOST_TEST(small.join().status == 202);
  const auto no = small.join({.idempotency = "third"});
  BOOST_TEST(no.brief() == "503 room-full", no);
  BOOST_TEST(no.header("retry-after") == "30");
  BOOST_TEST(waiting(small) == 2);
  BOOST_TEST(small.join({.idempotency = "first"}).status == 200); // has a place
  BOOST_TEST(server().del(small.room("tickets/" + first.text("ticketId"))).status == 204);
  const auto then = small.join({.idempotency = "third"});
  BOOST_TEST(then.status == 202);
  BOOST_TEST(then.body["position"] == 2);
}

BOOST_AUTO_TEST_CASE(many_fans_stand_in_the_order_in_which_they_came_and_move_up) {
  const show hall_show{closed_door()};
  hall_show.open();
  constexpr int fans = 30;
  std::vector<std::string> tickets;
  for (int i = 0; i < fans; ++i) {
    const auto got = hall_show.join();
    BOOST_TEST(got.body["position"] == i + 1);
    tickets.push_back(got.text("ticketId"));
  }
  const auto expect_place = [&](int index, int position, int left) {
    BOOST_TEST_INFO("fan " << index);
    BOOST_TEST(place_of(hall_show.ticket(tickets[static_cast<std::size_t>(index)])) ==
               std::to_string(position) + ": " + std::to_string(position - 1) + " ahead, " +
                   std::to_string(left - position) + " behind");
  };
  for (int i = 0; i < fans; ++i)
    expect_place(i, i + 1, fans);
  // Every third leaves.
  int left = fans;
  for (int i = 0; i < fans; i += 3, --left)
    BOOST_TEST(
        server().del(hall_show.room("tickets/" + tickets[static_cast<std::size_t>(i)])).status ==
        204);
  for (int i = 0, position = 0; i < fans; ++i)
    if (i % 3 != 0)
      expect_place(i, ++position, left);
  BOOST_TEST(std::set<std::string>(tickets.begin(), tickets.end()).size() == tickets.size());
}

BOOST_AUTO_TEST_CASE(joins_at_the_same_moment_get_every_place_once) {
  const show hall_show{closed_door()};
  hall_show.open();
  constexpr std::size_t fans = 40;
  std::vector<said> got(fans);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < fans; ++i)
    threads.emplace_back([&, i] { got[i] = hall_show.join(); });
  for (auto& thread : threads)
    thread.join();
  std::set<int> places;
  for (const auto& each : got) {
    BOOST_TEST(each.status == 202);
    places.insert(hall_show.ticket(each.text("ticketId")).body["position"].get<int>());
  }
  BOOST_TEST(places.size() == fans);
  BOOST_TEST(*places.begin() == 1);
  BOOST_TEST(*places.rbegin() == static_cast<int>(fans));
}

BOOST_AUTO_TEST_CASE(who_leaves_has_left_and_a_heartbeat_says_so) {
  const show hall_show{closed_door()};
  hall_show.open();
  const auto ticket = hall_show.join({.idempotency = "k"}).text("ticketId");
  const auto path = hall_show.room("tickets/" + ticket);
  BOOST_TEST(server().post(path + "/heartbeat").status == 204);
  BOOST_TEST(server().del(path).status == 204);
  for (const auto& got :
       {server().get(path), server().del(path), server().post(path + "/heartbeat")}) {
    BOOST_TEST(got.brief() == "410 LEFT", got);
    BOOST_TEST(got.text("reason") == "left");
    BOOST_TEST(got.header("cache-control") == "no-store");
  }
  BOOST_TEST(hall_show.join({.idempotency = "k"}).status == 202); // a new place, at the end
}

BOOST_AUTO_TEST_CASE(a_ticket_of_another_show_or_none_at_all_is_unknown) {
  const show one{closed_door()};
  const show other{closed_door()};
  one.open();
  other.open();
  const auto ticket = one.join().text("ticketId");
  BOOST_TEST(other.join().status == 202); // the same slot exists there
  for (const std::string& name :
       {ticket, std::string{"unknown"}, std::string(44, 'A'), std::string(400, 'a')}) {
    const auto got = other.ticket(name);
    BOOST_TEST(got.brief() == "404 UNKNOWN", got);
    BOOST_TEST(got.text("ticketId") == (name.size() <= 64 ? name : ""));
    BOOST_TEST(server().del(other.room("tickets/" + name)).status == 404);
    BOOST_TEST(server().post(other.room("tickets/" + name + "/heartbeat")).status == 404);
  }
}

BOOST_AUTO_TEST_CASE(a_ticket_with_any_character_changed_is_unknown) {
  const show hall_show;
  hall_show.open();
  const auto ticket = hall_show.admitted();
  BOOST_TEST_REQUIRE(ticket.size() == 44U);
  for (std::size_t i = 0; i < ticket.size(); ++i) {
    auto forged = ticket;
    forged[i] = forged[i] == 'x' ? 'y' : 'x';
    BOOST_TEST(hall_show.ticket(forged).brief() == "404 UNKNOWN", i);
    BOOST_TEST(hall_show.hold({"A-1"}, {.ticket = forged}).brief() == "403 not-admitted", i);
  }
  for (const auto& forged : {ticket + "A", ticket.substr(1), ticket.substr(0, 43), ticket + "="})
    BOOST_TEST(hall_show.hold({"A-1"}, {.ticket = forged}).status == 403);
  BOOST_TEST(hall_show.hold({"A-1"}, {.ticket = ticket}).status == 201);
}

BOOST_AUTO_TEST_CASE(closing_ends_every_ticket_and_says_why) {
  const show hall_show{hall_with(R"({"waitingRoom": {"maxActive": 1}})")};
  hall_show.open();
  const auto in = hall_show.admitted();
  const auto waits = hall_show.join({.idempotency = "k"}).text("ticketId");
  BOOST_TEST(server().post(hall_show.room("close"), nullptr, {.key = "operator-key"}).status ==
             204);
  for (const auto& ticket : {in, waits}) {
    const auto got = hall_show.ticket(ticket);
    BOOST_TEST(got.brief() == "410 EXPIRED", got);
    BOOST_TEST(got.text("reason") == "closed");
  }
  BOOST_TEST(hall_show.join().brief() == "409 room-off");
  // Opening again brings nobody back; closing and opening twice is no error.
  hall_show.open().open();
  BOOST_TEST(hall_show.ticket(waits).status == 410);
  const auto fresh = hall_show.join({.idempotency = "k"});
  BOOST_TEST(fresh.status == 202);
  BOOST_TEST(fresh.text("ticketId") != waits);
}

BOOST_AUTO_TEST_CASE(never_more_are_in_than_may_be) {
  const show hall_show{hall_with(
      R"({"waitingRoom": {"maxActive": 3}, "admittedUrl": "https://shop.example/in?a=%221%22"})")};
  hall_show.open();
  std::vector<std::string> tickets;
  for (int i = 0; i < 8; ++i)
    tickets.push_back(hall_show.join().text("ticketId"));
  const auto status = [&](std::size_t i) { return hall_show.ticket(tickets[i]).text("status"); };
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_TEST(eventually([&] { return status(i) == "ADMITTED"; }));
  BOOST_TEST(active(hall_show) == 3);
  for (std::size_t i = 3; i < 8; ++i)
    BOOST_TEST(status(i) == "WAITING");

  const auto in = hall_show.ticket(tickets[0]);
  BOOST_TEST(in.body["expiresInSeconds"].get<int>() > 200);
  BOOST_TEST(in.body["expiresInSeconds"].get<int>() <= 300);
  BOOST_TEST(in.body["expiresAt"].is_string());
  BOOST_TEST(in.text("admittedUrl") == "https://shop.example/in?a=%221%22");
  BOOST_TEST(in.header("cache-control") == "no-store");

  // One out, the next in; nobody else.
  BOOST_TEST(server().del(hall_show.room("tickets/" + tickets[1])).status == 204);
  BOOST_TEST(eventually([&] { return status(3) == "ADMITTED"; }));
  BOOST_TEST(active(hall_show) == 3);
  BOOST_TEST(status(4) == "WAITING");
  // A smaller room ends nobody and lets nobody in; without a limit all come in.
  BOOST_TEST(server().patch(hall_show.path + "/waiting-room", {{"maxActive", 1}}).status == 200);
  BOOST_TEST(active(hall_show) == 3);
  BOOST_TEST(server().patch(hall_show.path + "/waiting-room", {{"maxActive", nullptr}}).status ==
             200);
  for (std::size_t i = 4; i < 8; ++i)
    BOOST_TEST(eventually([&] { return status(i) == "ADMITTED"; }));
}

BOOST_AUTO_TEST_CASE(an_admission_that_is_not_used_expires_and_its_place_is_free) {
  const show hall_show{hall_with(R"({"waitingRoom": {"maxActive": 1, "admissionTtl": "1s"}})")};
  hall_show.open();
  const auto first = hall_show.join().text("ticketId");
  const auto second = hall_show.join().text("ticketId");
  BOOST_TEST(eventually([&] { return hall_show.ticket(first).status == 410; }));
  const auto got = hall_show.ticket(first);
  BOOST_TEST(got.brief() == "410 EXPIRED");
  BOOST_TEST(got.text("reason") == "expired");
  BOOST_TEST(hall_show.hold({"A-1"}, {.ticket = first}).brief() == "403 not-admitted");
  BOOST_TEST(eventually([&] { return hall_show.ticket(second).text("status") != "WAITING"; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

// A fan's and an operator's whole way through the demo, as the documentation tells it, against the
// real program over real HTTP: the waiting room and orders of a show that keeps its seats
// elsewhere, and the sale of seats of `hamlet`. The steps of a case build on each other.

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

using namespace usher::test;

namespace {

struct demo_server {
  scratch_directory place;
  server_process server{place.data(), server_process::demo()};
  api_client fan{server.port()};
};

const json order_of_show_42{{"showId", "show-42"},
                            {"holdId", "hold-0100"},
                            {"customerEmail", "caio@example.com"},
                            {"amount", 350.00}};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_show_that_keeps_its_seats_elsewhere_sells_to_who_was_let_in,
                        demo_server) {
  const std::string room = "/orders/waiting-room/show-42";
  BOOST_TEST(fan.post(room + "/open").status == 204);

  const auto joined = fan.post(room + "/join");
  BOOST_TEST(joined.status == 202, joined);
  BOOST_TEST(joined.body.at("status") == "WAITING", joined);
  BOOST_TEST(joined.body.at("position") == 1, joined);
  BOOST_TEST(joined.body.at("etaSeconds") == 1, joined);
  const auto ticket = joined.body.at("ticketId").get<std::string>();

  api_answer seen;
  BOOST_TEST(eventually([&] {
    seen = fan.get(room + "/tickets/" + ticket);
    return seen.body.at("status") == "ADMITTED";
  }));
  BOOST_TEST(seen.status == 200);
  BOOST_TEST(seen.body.at("ticketId") == ticket);
  BOOST_TEST(seen.body.at("expiresInSeconds") > 0, seen);
  BOOST_TEST(seen.body.at("expiresInSeconds") <= 300, seen);

  const auto refused = fan.post("/orders", order_of_show_42);
  BOOST_TEST(refused.status == 403, refused);
  BOOST_TEST(refused.code() == "not-admitted");
  BOOST_TEST(refused.text.find(room + "/join") != std::string::npos, refused);

  const header_map admitted{{"X-Admission-Ticket", ticket}};
  const auto first = fan.post("/orders", order_of_show_42, admitted);
  BOOST_TEST(first.status == 201, first);
  BOOST_TEST(first.body.at("total").at("amount") == 35'000, first);
  BOOST_TEST(first.body.at("amount") == 350, first);
  const auto again = fan.post("/orders", order_of_show_42, admitted);
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.body == first.body);
  const auto read = fan.get("/orders/" + first.body.at("id").get<std::string>());
  BOOST_TEST(read.status == 200);
  BOOST_TEST(read.text.find("example.com") == std::string::npos, read);
}

BOOST_FIXTURE_TEST_CASE(the_amount_of_a_plain_order_is_read_exactly_and_a_ticket_is_really_needed,
                        demo_server) {
  BOOST_TEST(fan.post("/orders/waiting-room/show-42/open").status == 204);
  BOOST_TEST(fan.post("/orders/waiting-room/other/open").status == 204);
  const auto ticket = join_and_wait(fan, "show-42");
  const auto elsewhere = join_and_wait(fan, "other");
  auto order = order_of_show_42;
  for (const auto& wrong : {elsewhere, ticket.substr(1), "B" + ticket.substr(1), std::string{"x"}})
    BOOST_TEST(fan.post("/orders", order, {{"X-Admission-Ticket", wrong}}).status == 403);
  BOOST_TEST(fan.post("/orders", order, {{"X-Admission-Ticket", ticket}}).status == 201);

  for (const auto& wrong : {json(0.001), json("many"), json(-1)}) {
    order["holdId"] = "hold-2";
    order["amount"] = wrong;
    const auto got = fan.post("/orders", order, {{"X-Admission-Ticket", ticket}});
    BOOST_TEST(got.status == 400, got);
  }
}

BOOST_FIXTURE_TEST_CASE(two_seats_of_hamlet_go_from_the_queue_to_a_paid_order, demo_server) {
  const auto ticket = join(fan, "hamlet");
  const auto admitted = wait_until_admitted(fan, "hamlet", ticket);
  BOOST_TEST(admitted.body.at("expiresInSeconds") > 0);

  const auto held = ask_for_seats(fan, "hamlet", ticket, {"A-1", "A-2"});
  BOOST_REQUIRE_MESSAGE(held.status == 201, held);
  BOOST_TEST(held.body.at("total").at("amount") == 9000, held);
  BOOST_TEST(held.body.at("expiresInSeconds") > 0);
  const auto hold = held.body.at("holdId").get<std::string>();
  BOOST_TEST(held.header("location") == "/v1/shows/hamlet/holds/" + hold);

  const auto second = join_and_wait(fan, "hamlet");
  const auto taken = ask_for_seats(fan, "hamlet", second, {"A-2", "A-3", "A-1"});
  BOOST_TEST(taken.status == 409, taken);
  BOOST_TEST(taken.code() == "seat-unavailable");
  const json both{{{"seat", "A-1"}, {"reason", "HELD"}}, {{"seat", "A-2"}, {"reason", "HELD"}}};
  auto named = taken.body.at("unavailable");
  std::sort(named.begin(), named.end());
  BOOST_TEST(named == both, taken);
  BOOST_TEST(seat_map(fan, "hamlet").at("A-3") == "AVAILABLE");

  const auto ordered = place_order(fan, ticket, hold, "order-1");
  BOOST_REQUIRE_MESSAGE(ordered.status == 201, ordered);
  BOOST_TEST(ordered.body.at("status") == "PENDING");
  const auto order = ordered.body.at("id").get<std::string>();
  BOOST_TEST(ordered.header("location") == "/v1/orders/" + order);
  const auto replayed = place_order(fan, ticket, hold, "order-1");
  BOOST_TEST(replayed.status == 200, replayed);
  BOOST_TEST(replayed.header("idempotent-replayed") == "true");
  BOOST_TEST(replayed.body == ordered.body);
  const auto other_body =
      fan.post("/v1/orders", {{"holdId", hold}, {"customerEmail", "other@example.com"}},
               {{"X-Admission-Ticket", ticket}, {"Idempotency-Key", "order-1"}});
  BOOST_TEST(other_body.status == 422, other_body);
  BOOST_TEST(other_body.code() == "idempotency-key-reused");

  const auto paid = pay(fan, order, "pay-1");
  BOOST_REQUIRE_MESSAGE(paid.status == 200, paid);
  BOOST_TEST(paid.body.at("status") == "PAID");
  const auto paid_again = pay(fan, order, "pay-1");
  BOOST_TEST(paid_again.status == 200);
  BOOST_TEST(paid_again.header("idempotent-replayed") == "true");
  BOOST_TEST(paid_again.body == paid.body);
  BOOST_TEST(paid.body.at("payments").size() == 1U, paid);

  BOOST_TEST(eventually([&] { // the map may be a second old
    const auto seats = seat_map(fan, "hamlet");
    return seats.at("A-1") == "SOLD" && seats.at("A-2") == "SOLD";
  }));
  const auto over = ask_for_seats(fan, "hamlet", ticket, {"B-1"});
  BOOST_TEST(over.status == 403, over);
  const auto used = fan.get(ticket_path("hamlet", ticket));
  BOOST_TEST(used.status == 410, used);
  BOOST_TEST(used.body.at("status") == "USED");
  const auto too_late = ask_for_seats(fan, "hamlet", second, {"A-1"});
  BOOST_TEST(too_late.status == 409);
  BOOST_TEST(too_late.body.at("unavailable").at(0).at("reason") == "SOLD", too_late);

  const auto read = fan.get("/v1/orders/" + order);
  BOOST_TEST(read.body.at("status") == "PAID", read);
  BOOST_TEST(read.text.find("example.com") == std::string::npos, read);
}

BOOST_FIXTURE_TEST_CASE(fifty_fans_at_once_on_one_seat_give_one_hold, demo_server) {
  api_client as_operator{server.port()};
  put_show(as_operator, "duel",
           {{"plan", small_plan({"A"}, 2)}, {"waitingRoom", wide_open_room()}});
  std::vector<std::string> tickets;
  for (int i = 0; i < 50; ++i)
    tickets.push_back(join(fan, "duel"));
  for (const auto& ticket : tickets)
    wait_until_admitted(fan, "duel", ticket);

  std::atomic<int> won{0};
  std::atomic<int> lost{0};
  std::vector<std::thread> fans;
  for (std::size_t i = 0; i < tickets.size(); ++i)
    fans.emplace_back([&, i] {
      api_client own{server.port()};
      const std::vector<std::string> order_of_seats = i % 2 == 0
                                                          ? std::vector<std::string>{"A-1", "A-2"}
                                                          : std::vector<std::string>{"A-2", "A-1"};
      const auto got = ask_for_seats(own, "duel", tickets[i], order_of_seats);
      won += got.status == 201 ? 1 : 0;
      lost += got.status == 409 ? 1 : 0;
    });
  for (auto& each : fans)
    each.join();
  BOOST_TEST(won == 1);
  BOOST_TEST(lost == 49);
}

// One Idempotency-Key in two fans' hands is two keys, however the ticket travels.
BOOST_FIXTURE_TEST_CASE(a_key_of_one_fan_never_answers_another, demo_server) {
  const auto one = join_and_wait(fan, "hamlet");
  const auto two = join_and_wait(fan, "hamlet");
  int row = 1;
  for (const std::string way : {"X-Admission-Ticket", "X-Queue-Token", "Authorization"}) {
    const std::string prefix = way == "Authorization" ? "Bearer " : "";
    const json seat{{"seats", {"C-" + std::to_string(row++)}}};
    const auto first = fan.post("/events/hamlet/holds", seat,
                                {{way, prefix + one}, {"Idempotency-Key", "key-" + way}});
    BOOST_TEST(first.status == 201, first);
    const auto second = fan.post("/events/hamlet/holds", seat,
                                 {{way, prefix + two}, {"Idempotency-Key", "key-" + way}});
    BOOST_TEST(second.status == 409, way << ": " << second);
  }
}

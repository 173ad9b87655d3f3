// SIGKILL at rest, and a start on the same data: everything that was acknowledged is there exactly
// as it was. Crashes in the middle of work are crash_test.cpp's.

#include "tests/system/killable_server.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

using namespace usher::test;

namespace {

json without(json body, const std::string& member) {
  body.erase(member);
  return body;
}

std::string text_of(const api_answer& from, const std::string& member) {
  return from.body.at(member).get<std::string>();
}

} // namespace

BOOST_FIXTURE_TEST_CASE(places_in_the_queue_survive_a_crash, killable_server) {
  put_show(as_operator, "still", {{"waitingRoom", still_room()}});
  std::vector<std::string> tickets;
  for (int i = 0; i < 30; ++i)
    tickets.push_back(join(fan, "still", {{"Idempotency-Key", "key-" + std::to_string(i)}}));
  BOOST_TEST(fan.remove(ticket_path("still", tickets[10])).status == 204);

  std::vector<api_answer> before;
  for (const auto& ticket : tickets)
    before.push_back(fan.get(ticket_path("still", ticket)));
  BOOST_TEST(before[10].status == 410);
  BOOST_TEST(before[20].body.at("position") == 20);
  crash_and_start();
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    const auto after = fan.get(ticket_path("still", tickets[i]));
    BOOST_TEST(after.status == before[i].status);
    for (const auto* member : {"status", "position", "ahead", "behind", "reason"})
      BOOST_TEST(after.body.value(member, json{}) == before[i].body.value(member, json{}));
  }

  const auto again =
      fan.post("/v1/shows/still/waiting-room/join", nullptr, {{"Idempotency-Key", "key-5"}});
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.body.at("ticketId") == tickets[5]);
  BOOST_TEST(slot_of(join(fan, "still")) == 30U);
}

BOOST_FIXTURE_TEST_CASE(holds_orders_and_payments_survive_a_crash, killable_server) {
  put_show(as_operator, "sale",
           {{"plan", small_plan({"A"}, 20)},
            {"waitingRoom", wide_open_room()},
            {"holds", {{"ttl", "1h"}, {"paymentWindow", "30m"}}}});
  const auto holder = join_and_wait(fan, "sale");
  const auto held = ask_for_seats(fan, "sale", holder, {"A-1", "A-2"}, "hold");
  const auto buyer = join_and_wait(fan, "sale");
  const auto ordered_hold = ask_for_seats(fan, "sale", buyer, {"A-3"});
  const auto ordered = place_order(fan, buyer, text_of(ordered_hold, "holdId"), "order");
  const auto owner = join_and_wait(fan, "sale");
  const auto paid_hold = ask_for_seats(fan, "sale", owner, {"A-4", "A-5"});
  const auto paid_order = place_order(fan, owner, text_of(paid_hold, "holdId"), "order");
  const auto paid = pay(fan, text_of(paid_order, "id"), "pay");
  BOOST_REQUIRE_MESSAGE(paid.status == 200, paid);
  const auto gone = join_and_wait(fan, "sale");
  const auto released = ask_for_seats(fan, "sale", gone, {"A-6"});
  const auto released_path = "/v1/shows/sale/holds/" + text_of(released, "holdId");
  BOOST_TEST(fan.remove(released_path, {{"X-Admission-Ticket", gone}}).status == 204);
  std::map<std::string, std::string> seats_before;
  BOOST_TEST(eventually([&] { // the map may be a second old
    seats_before = seat_map(fan, "sale");
    return seats_before.at("A-5") == "SOLD" && seats_before.at("A-6") == "AVAILABLE";
  }));
  const auto version = fan.get("/v1/shows/sale/seats").body.at("version").get<std::uint64_t>();

  crash_and_start();

  BOOST_TEST(json(seat_map(fan, "sale")) == json(seats_before));
  const auto map = fan.get("/v1/shows/sale/seats?since=" + std::to_string(version));
  BOOST_TEST(map.body.at("full") == true); // what was before the crash is not known any more
  BOOST_TEST(map.body.at("version").get<std::uint64_t>() > version);
  const auto hold = fan.get("/v1/shows/sale/holds/" + text_of(held, "holdId"));
  BOOST_TEST(hold.status == 200, hold);
  BOOST_TEST(without(hold.body, "expiresInSeconds") == without(held.body, "expiresInSeconds"));
  BOOST_TEST(fan.get("/v1/orders/" + text_of(ordered, "id")).body == ordered.body);
  BOOST_TEST(fan.get("/v1/orders/" + text_of(paid, "id")).body == paid.body);
  BOOST_TEST(fan.get(released_path).status == 410);
  BOOST_TEST(fan.get(ticket_path("sale", owner)).status == 410);

  // The keys are remembered, and the sale goes on where it was.
  const auto hold_again = ask_for_seats(fan, "sale", holder, {"A-1", "A-2"}, "hold");
  BOOST_TEST(hold_again.body.at("holdId") == held.body.at("holdId"), hold_again);
  BOOST_TEST(hold_again.header("idempotent-replayed") == "true");
  BOOST_TEST(pay(fan, text_of(paid, "id"), "pay").body == paid.body);
  const auto paid_later = pay(fan, text_of(ordered, "id"), "pay");
  BOOST_TEST(paid_later.body.at("status") == "PAID", paid_later);
  const auto other = join_and_wait(fan, "sale");
  for (const auto* seat : {"A-1", "A-3", "A-4"})
    BOOST_TEST(ask_for_seats(fan, "sale", other, {seat}).status == 409);
  BOOST_TEST(ask_for_seats(fan, "sale", other, {"A-6"}).status == 201);
}

BOOST_FIXTURE_TEST_CASE(a_hold_that_ran_out_while_the_server_was_down_is_free, killable_server) {
  put_show(as_operator, "brief",
           {{"plan", small_plan({"A"}, 4)},
            {"waitingRoom", wide_open_room()},
            {"holds", {{"ttl", "1s"}}}});
  const auto late = join_and_wait(fan, "brief");
  const auto next = join_and_wait(fan, "brief");
  const auto held = ask_for_seats(fan, "brief", late, {"A-1"});
  BOOST_REQUIRE_MESSAGE(held.status == 201, held);
  kill();
  // Not a proof by sleeping: the hold's time has to pass on the clock, and the server is not there.
  std::this_thread::sleep_for(1100ms);
  start();

  const auto over = fan.get("/v1/shows/brief/holds/" + text_of(held, "holdId"));
  BOOST_TEST(over.status == 410, over);
  BOOST_TEST(over.body.at("status") == "EXPIRED");
  BOOST_TEST(ask_for_seats(fan, "brief", next, {"A-1"}).status == 201);
  const auto too_late = place_order(fan, late, text_of(held, "holdId"), "order");
  BOOST_TEST(too_late.status == 409, too_late);
  BOOST_TEST(too_late.code() == "hold-expired");
}

// HEAD is how a log that has lost its end is noticed: without a good one the server starts, and
// says so, once.
BOOST_FIXTURE_TEST_CASE(a_head_that_is_damaged_or_missing_is_told_and_written_anew,
                        killable_server) {
  const auto head = place.data() / "HEAD";
  const auto told = [&] { return server->err().find(head.string()) != std::string::npos; };
  BOOST_TEST(!told()); // a first start
  put_show(as_operator, "still", {{"waitingRoom", still_room()}});
  crash_and_start();
  BOOST_TEST(!told());
  const auto read = [&] {
    std::ifstream in{head};
    return std::string{std::istreambuf_iterator<char>{in}, {}};
  };
  const auto good = read();
  for (const std::string state : {"damaged", "missing"}) {
    kill();
    if (state == "missing")
      std::filesystem::remove(head);
    else
      std::fstream{head, std::ios::in | std::ios::out}.write("x", 1);
    start();
    const auto err = server->err();
    const auto warning = head.string() + " is " + state + ": whether the log has lost its end";
    BOOST_TEST(err.find(warning) != std::string::npos, err);
    BOOST_TEST(err.find(head.string()) == err.rfind(head.string()), err);
    BOOST_TEST(err.find("written anew") != std::string::npos, err);
    BOOST_TEST(read().substr(0, 13) == good.substr(0, 13));
    crash_and_start();
    BOOST_TEST(!told());
  }
}

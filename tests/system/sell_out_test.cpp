// A hall of 60,000 places is sold to the last one: 5,000 fans are inside at any time, each on a
// connection of its own, and who is done makes room for the next. They name seats of two blocks,
// ask for the best or for places of an area, extend, add, give back, cancel, come again, and name
// seats of a map that is a second old. Whatever an answer says of a seat has to agree with what all
// other answers say (seat_ledger), no answer may be lost, and no seat may be left.
// seat_ledger_test shows that the ledger finds answers that are wrong.

#include "tests/system/box_office.hpp"
#include "tests/system/sell_out_sale.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <iostream>
#include <optional>
#include <set>

using namespace usher::test;
using namespace usher::test::sell_out;

namespace {

constexpr std::uint32_t fans_at_once = 5'000;

launch of_server() {
  auto made = server_process::with_operator_key();
  // Two cores for server and fans: whoever waits here waits for its turn, not for the actors.
  made.environment.emplace("USHER_ANSWER_DEADLINE", "60s");
  return made;
}

json still() {
  return {{"admitPerSecond", 0},
          {"tick", "50ms"},
          {"maxActive", fans_at_once},
          {"absentAfter", "12h"},
          {"admissionTtl", "2h"}};
}

void print(const world& after) {
  for (const auto& [kind, times] : after.milliseconds)
    std::cerr << kind << ": " << times.size() << " calls, half within " << quantile(times, 0.5)
              << " ms, 99 % within " << quantile(times, 0.99) << " ms\n";
  for (const auto& [what, count] : after.counts)
    std::cerr << what << ": " << count << "\n";
  std::cerr << "refused: " << after.ledger.refusals() << " by name, " << after.ledger.nones()
            << " with none left\n";
}

/// Does it and says how long that took.
decltype(auto) timed(const char* what, const auto& doing) {
  struct stopwatch {
    ~stopwatch() {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
      std::cerr << what << " took " << took.count() << " s\n";
    }
    const char* what;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  };
  const stopwatch running{what};
  return doing();
}

std::string state_of_room(api_client& fan) {
  return fan.get("/v1/shows/" + show).body.at("waitingRoom").at("state");
}

/// What everybody may see once all is sold.
void check_sold_out(std::uint16_t port, const world& after) {
  api_client fan{port};
  json map;
  BOOST_TEST(eventually([&] {
    map = fan.get("/v1/shows/" + show + "/seats").body;
    std::size_t sold = 0;
    for (const auto& block : map.at("blocks"))
      sold += block.at("sold").get<std::size_t>();
    return sold == after.ledger.size();
  }));
  for (const auto& block : map.at("blocks"))
    for (const auto& [seat, state] : block.at("seats").items())
      if (state != "SOLD")
        BOOST_ERROR(seat << " is " << state);
  BOOST_TEST(eventually([&] { return state_of_room(fan) == "ENDED"; }));
  const auto late = fan.post("/v1/shows/" + show + "/waiting-room/join");
  BOOST_TEST(late.status == 410, late);
  BOOST_TEST(late.code() == "sold-out", late);
}

void check_orders(std::uint16_t port, const world& after) {
  api_client fan{port};
  std::set<std::string> seats;
  std::size_t count = 0;
  for (const auto& order : after.paid_orders) {
    const auto got = fan.get("/v1/orders/" + order);
    BOOST_REQUIRE_MESSAGE(got.status == 200 && got.body.at("status") == "PAID", got);
    for (const auto& seat : got.body.at("seats")) {
      seats.insert(seat.at("id").get<std::string>());
      ++count;
    }
  }
  BOOST_TEST(count == after.ledger.size());
  BOOST_TEST(seats.size() == after.ledger.size());
}

} // namespace

BOOST_AUTO_TEST_CASE(sixty_thousand_places_are_sold_to_the_last_one_and_none_twice) {
  raise_file_limit();
  const scratch_directory place;
  std::optional<server_process> server{std::in_place, place.data(), of_server()};
  api_client as_operator{server->port(), {{"Authorization", "Bearer " + operator_key}}};
  put_show(as_operator, show,
           {{"plan", plan()},
            {"waitingRoom", still()},
            {"holds", {{"ttl", "1h"}, {"paymentWindow", "30m"}}}});

  sale the_sale{server->port(), fans_at_once, seed_of_run(20'261'140)};
  const auto& after = timed("the sale", [&]() -> const world& { return the_sale.run(); });
  print(after);
  for (const auto& each : after.complaints)
    BOOST_ERROR(each);
  for (const auto& each : after.ledger.complaints())
    BOOST_ERROR(each);
  BOOST_REQUIRE(after.ledger.sold() == after.ledger.size());

  check_sold_out(server->port(), after);
  server->kill9();
  const auto verified = timed("the audit", [&] {
    return run_usher({{"audit", "verify", "--data", place.data().string()}});
  });
  BOOST_TEST(verified.exit_code == 0, verified.out << verified.err);
  timed("the restart", [&] { server.emplace(place.data(), of_server()); });
  check_sold_out(server->port(), after);
  timed("a look at all orders", [&] { check_orders(server->port(), after); });
}

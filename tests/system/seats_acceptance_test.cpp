// A stranger's way through seats and holds in full, as the documentation tells it, against the real
// program over real HTTP: the best seats, an area, holds that are extended, grow and shrink; and
// what the seller's staff does with a key. The steps of a case build on each other. Seat maps may
// be a second old, so they are asked until they are so.

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace usher::test;

namespace {

const std::string hamlet = "/v1/shows/hamlet";

/// The demo, and a key that the staff has.
launch demo_with_key() {
  auto made = server_process::demo();
  made.environment = server_process::with_operator_key().environment;
  return made;
}

struct demo_server {
  scratch_directory place;
  server_process server{place.data(), demo_with_key()};
  api_client fan{server.port()};
  api_client staff{server.port(), {{"Authorization", "Bearer " + operator_key}}};

  void check_map(const std::string& show, const std::map<std::string, std::string>& wanted) {
    std::map<std::string, std::string> seen;
    const bool so = eventually([&] {
      seen = seat_map(fan, show);
      return std::ranges::all_of(
          wanted, [&](const auto& each) { return seen.at(each.first) == each.second; });
    });
    BOOST_TEST(so, json(seen).dump());
  }
};

header_map with(const std::string& ticket) {
  return {{"X-Admission-Ticket", ticket}};
}

std::vector<std::string> seats_of(const api_answer& got) {
  std::vector<std::string> ids;
  for (const auto& each : got.body.at("seats"))
    ids.push_back(each.at("id").get<std::string>());
  return ids;
}

std::string text_of(const api_answer& from, const std::string& member) {
  return from.body.at(member).get<std::string>();
}

using seats = std::vector<std::string>;

/// Asks the waiting room and then for seats: a hold of them.
api_answer held_by_a_fan(api_client& fan, const std::string& ticket, const seats& wanted) {
  return expect(201, ask_for_seats(fan, "hamlet", ticket, wanted), "holding");
}

} // namespace

BOOST_FIXTURE_TEST_CASE(the_best_seats_are_held_kept_added_to_and_partly_given_back, demo_server) {
  const auto ticket = join_and_wait(fan, "hamlet");
  const json two{{"best", {{"quantity", 2}, {"category", "stalls"}, {"maxPrice", 5000}}}};
  const auto held = expect(201, fan.post(hamlet + "/holds", two, with(ticket)), "best");
  BOOST_TEST(seats_of(held) == (seats{"A-10", "A-11"}), held); // the middle of the front row
  BOOST_TEST(held.body.at("total").at("amount") == 9000, held);
  const auto hold = hamlet + "/holds/" + text_of(held, "holdId");
  check_map("hamlet", {{"A-10", "HELD"}, {"A-11", "HELD"}, {"A-12", "AVAILABLE"}});

  const auto extended = expect(200, fan.post(hold + "/extend", nullptr, with(ticket)), "extend");
  BOOST_TEST(text_of(extended, "expiresAt") >= text_of(held, "expiresAt"));
  BOOST_TEST(text_of(extended, "maxExpiresAt") == text_of(held, "maxExpiresAt"));
  BOOST_TEST(text_of(extended, "maxExpiresAt") > text_of(extended, "expiresAt"));

  const json named{{"seats", {"A-12"}}};
  const auto three = expect(200, fan.post(hold + "/seats", named, with(ticket)), "adding");
  BOOST_TEST(three.body.at("total").at("amount") == 13'500, three);
  BOOST_TEST(text_of(three, "expiresAt") == text_of(extended, "expiresAt"));
  const auto other = join_and_wait(fan, "hamlet");
  held_by_a_fan(fan, other, {"E-1"});
  const auto taken = fan.post(hold + "/seats", {{"seats", {"E-1"}}}, with(ticket));
  BOOST_TEST(taken.status == 409, taken);
  BOOST_TEST(taken.body.at("unavailable").at(0).at("seat") == "E-1", taken);
  BOOST_TEST(seats_of(fan.get(hold)) == seats_of(three)); // nothing lost
  const auto foreign = fan.post(hold + "/extend", nullptr, with(other));
  BOOST_TEST(foreign.status == 403, foreign);

  const auto fewer = expect(200, fan.remove(hold + "/seats/A-10", with(ticket)), "releasing one");
  BOOST_TEST(seats_of(fewer) == (seats{"A-11", "A-12"}), fewer);
  check_map("hamlet", {{"A-10", "AVAILABLE"}, {"A-11", "HELD"}, {"A-12", "HELD"}});
  const auto order = place_order(fan, ticket, text_of(held, "holdId"), "order");
  BOOST_REQUIRE_MESSAGE(order.status == 201, order);
  const auto paid = pay(fan, text_of(order, "id"), "pay");
  BOOST_TEST(text_of(paid, "status") == "PAID", paid);
  BOOST_TEST(paid.body.at("total").at("amount") == 9000, paid);
  check_map("hamlet", {{"A-10", "AVAILABLE"}, {"A-11", "SOLD"}, {"A-12", "SOLD"}});
}

BOOST_FIXTURE_TEST_CASE(an_area_is_sold_by_quantity_and_the_last_released_seat_ends_a_hold,
                        demo_server) {
  put_show(fan, "club",
           {{"plan",
             {{"categories", {{{"id", "standing"}, {"price", 3000}}}},
              {"blocks", {{{"id", "floor"}, {"category", "standing"}, {"capacity", 5}}}}}},
            {"waitingRoom", wide_open_room()}});
  const auto one = join_and_wait(fan, "club");
  const auto two = join_and_wait(fan, "club");
  const auto ask = [](int quantity) { return json{{"area", "floor"}, {"quantity", quantity}}; };
  const std::string holds = "/v1/shows/club/holds";
  const auto four = expect(201, fan.post(holds, ask(4), with(one)), "four places");
  BOOST_TEST(four.body.at("total").at("amount") == 12'000, four);
  const auto none = fan.post(holds, ask(2), with(two));
  BOOST_TEST(none.status == 409, none);
  BOOST_TEST(none.body.at("unavailable") == json::array(), none);
  const auto by_name = fan.post(holds, {{"seats", {"floor:5"}}}, with(two));
  BOOST_TEST(by_name.status == 409, by_name); // fans do not name places
  const auto last = expect(201, fan.post(holds, ask(1), with(two)), "the last place");

  const auto hold = holds + "/" + text_of(last, "holdId");
  const auto gone =
      expect(200, fan.remove(hold + "/seats/" + seats_of(last).front(), with(two)), "release");
  BOOST_TEST(text_of(gone, "status") == "RELEASED", gone);
  BOOST_TEST(fan.get(hold).status == 410);
  const auto more = expect(
      409, fan.post(holds + "/" + text_of(four, "holdId") + "/seats", ask(1), with(one)), "fifth");
  BOOST_TEST(more.code() == "too-many-seats", more);
  const auto order = place_order(fan, one, text_of(four, "holdId"), "order");
  BOOST_TEST(text_of(pay(fan, text_of(order, "id"), "pay"), "status") == "PAID");
  json floor;
  BOOST_TEST(eventually([&] {
               floor = fan.get("/v1/shows/club/seats").body.at("blocks").at(0);
               return floor.at("sold") == 4 && floor.at("available") == 1;
             }),
             floor);
}

BOOST_FIXTURE_TEST_CASE(the_staff_takes_seats_off_sale_and_puts_them_back, demo_server) {
  const auto ticket = join_and_wait(fan, "hamlet");
  const json front{{"seats", {"A-1", "A-2"}}, {"note", "a camera"}};
  expect(200, staff.post(hamlet + "/seats/block", front), "blocking");
  const auto off = ask_for_seats(fan, "hamlet", ticket, {"A-2", "A-3"});
  BOOST_TEST(off.status == 409, off);
  BOOST_TEST(off.body.at("unavailable") == json::parse(R"([{"seat":"A-2","reason":"BLOCKED"}])"),
             off);
  check_map("hamlet", {{"A-1", "BLOCKED"}, {"A-2", "BLOCKED"}, {"A-3", "AVAILABLE"}});

  const auto held = held_by_a_fan(fan, ticket, {"A-3", "B-3"});
  const json third{{"seats", {"A-3", "A-4"}}};
  const auto in_use = staff.post(hamlet + "/seats/block", third);
  BOOST_TEST(in_use.status == 409, in_use);
  BOOST_TEST(in_use.code() == "seats-in-use", in_use);
  BOOST_TEST(in_use.body.at("unavailable").at(0).at("hold") == held.body.at("holdId"), in_use);
  auto by_force = third;
  by_force["force"] = true;
  const auto forced = expect(200, staff.post(hamlet + "/seats/block", by_force), "by force");
  BOOST_TEST(forced.body.at("withdrawnFrom") == json::array({held.body.at("holdId")}), forced);
  const auto left = fan.get(hamlet + "/holds/" + text_of(held, "holdId"));
  BOOST_TEST(seats_of(left) == (seats{"B-3"}), left);
  BOOST_TEST(left.body.at("withdrawn") == json::array({"A-3"}), left);

  const auto ordered = place_order(fan, ticket, text_of(held, "holdId"), "order");
  BOOST_REQUIRE_MESSAGE(ordered.status == 201, ordered);
  expect(200, staff.post(hamlet + "/seats/block", {{"seats", {"B-3"}}, {"force", true}}), "B-3");
  const auto cancelled = fan.get("/v1/orders/" + text_of(ordered, "id"));
  BOOST_TEST(text_of(cancelled, "status") == "CANCELLED", cancelled);
  BOOST_TEST(text_of(cancelled, "reason") == "seats-withdrawn", cancelled);
  BOOST_TEST(pay(fan, text_of(ordered, "id"), "pay").status == 409);

  expect(200,
         staff.post(hamlet + "/seats/unblock", {{"seats", {"A-1", "A-2", "A-3", "A-4", "B-3"}}}),
         "unblocking");
  check_map("hamlet", {{"A-1", "AVAILABLE"}, {"A-3", "AVAILABLE"}, {"B-3", "AVAILABLE"}});
  held_by_a_fan(fan, ticket, {"A-1", "A-2", "A-3"}); // the place in the queue was not lost
}

BOOST_FIXTURE_TEST_CASE(the_box_office_sells_returns_and_moves_prices, demo_server) {
  // A group is held without a ticket and without the limit of an admission.
  const json group{{"best", {{"quantity", 12}, {"category", "balcony"}}}};
  const auto held = expect(201, staff.post(hamlet + "/holds", group), "a group");
  BOOST_TEST(held.body.at("seats").size() == 12U, held);
  const auto hold = hamlet + "/holds/" + text_of(held, "holdId");
  BOOST_TEST(staff.post(hold + "/extend").status == 200);
  BOOST_TEST(staff.remove(hold).status == 204);

  const header_map key{{"Idempotency-Key", "till-7"}};
  const json counter{{"seats", {"D-1", "D-2"}}, {"amount", 9000}, {"method", "cash"}};
  const std::string till = hamlet + "/box-office/sales";
  const auto sold = expect(201, staff.post(till, counter, key), "over the counter");
  BOOST_TEST(text_of(sold, "status") == "PAID", sold);
  check_map("hamlet", {{"D-1", "SOLD"}, {"D-2", "SOLD"}});
  const auto again = staff.post(till, counter, key);
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.body.at("id") == sold.body.at("id"), again);
  const auto twice = staff.post(till, counter, {{"Idempotency-Key", "till-8"}});
  BOOST_TEST(twice.status == 409, twice);

  const json back{{"order", sold.body.at("id")}, {"seats", {"D-2"}}, {"reference", "refund-1"}};
  const auto returned = expect(200, staff.post(hamlet + "/seats/return", back), "returning");
  BOOST_TEST(text_of(returned, "status") == "PAID", returned);
  BOOST_TEST(returned.body.at("seats").at(1).at("returned") == true, returned);
  check_map("hamlet", {{"D-1", "SOLD"}, {"D-2", "AVAILABLE"}});
  BOOST_TEST(staff.post(hamlet + "/seats/return", back).status == 409); // once

  const auto ticket = join_and_wait(fan, "hamlet");
  const auto early = held_by_a_fan(fan, ticket, {"D-2"});
  expect(200, staff.patch(hamlet + "/prices", {{"stalls", 5000}}), "prices");
  BOOST_TEST(fan.get(hamlet).body.at("categories").at(0).at("price") == 5000);
  const auto later = held_by_a_fan(fan, ticket, {"D-3"});
  BOOST_TEST(early.body.at("total").at("amount") == 4500, early); // as it was offered
  BOOST_TEST(later.body.at("total").at("amount") == 5000, later);
  const auto order = place_order(fan, ticket, text_of(early, "holdId"), "order");
  BOOST_TEST(order.body.at("total").at("amount") == 4500, order);
  const auto unknown = staff.patch(hamlet + "/prices", {{"boxes", 1}});
  BOOST_TEST(unknown.status == 400, unknown);
}

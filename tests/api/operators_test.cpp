// What operators do with seats, over a real socket: off sale and on again, sales over the counter,
// holds and orders of the box office, returned seats, moved prices. What the fans concerned are
// told, what is refused, and who may not.

#include "tests/api/seats.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

namespace usher::test {

namespace {

const extra staff{.key = "operator-key"};

json hall_with_floor() {
  auto made = hall();
  made["plan"]["blocks"].push_back({{"id", "floor"}, {"category", "stalls"}, {"capacity", 5}});
  return made;
}

said block_seats(const show& which, const names& seats, bool force = false) {
  return which.by_staff("seats/block", {{"seats", seats}, {"force", force}});
}
said unblock_seats(const show& which, const names& seats) {
  return which.by_staff("seats/unblock", {{"seats", seats}});
}
said return_seats(const show& which, const std::string& order, const json& seats = nullptr) {
  json body{{"order", order}, {"reference", "refund 4711"}};
  if (!seats.is_null())
    body["seats"] = seats;
  return which.by_staff("seats/return", body);
}
said sell(const show& which, const json& what, const std::string& key = fresh_key()) {
  return which.by_staff("box-office/sales", what, {.key = "operator-key", .idempotency = key});
}
said move_prices(const show& which, const json& prices) {
  return server().patch(which.path + "/prices", prices);
}

/// The one seat in the way: "A-1 HELD hold-…".
std::string obstacle_of(const said& refusal) {
  if (!refusal.body.is_object() || refusal.body["unavailable"].size() != 1U)
    return refusal.raw.body;
  const auto& it = refusal.body["unavailable"][0];
  return it["seat"].get<std::string>() + " " + it["reason"].get<std::string>() + " " +
         it.value("hold", "") + it.value("order", "");
}

std::int64_t total_of(const said& what) {
  return what.body["total"]["amount"].get<std::int64_t>();
}

} // namespace

BOOST_AUTO_TEST_SUITE(operators)

BOOST_AUTO_TEST_CASE(blocked_seats_are_not_for_sale_until_they_are_unblocked) {
  const show one{hall_with_floor()};
  const auto got = block_seats(one, {"A-1", "B-1", "floor:2"});
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST((got.body["seats"] == json{"A-1", "B-1", "floor:2"}));
  BOOST_TEST(got.body["withdrawnFrom"] == json::array());
  BOOST_TEST(one.seat("A-1") == "BLOCKED");
  BOOST_TEST(block_of(one, "left")["blocked"] == 1);
  BOOST_TEST(block_of(one, "floor")["available"] == 4);
  BOOST_TEST(obstacles_of(one.hold({"A-1", "A-2"})) == names{"A-1 BLOCKED"},
             boost::test_tools::per_element());
  BOOST_TEST(one.seat("A-2") == "AVAILABLE");
  BOOST_TEST(
      (seats_of(one.take({{"area", "floor"}, {"quantity", 2}})) == names{"floor:1", "floor:3"}));
  BOOST_TEST(one.best({{"quantity", 4}, {"block", "left"}}).status == 201);
  // Both calls may be repeated, and seats be named that are as they should be.
  BOOST_TEST(block_seats(one, {"A-1"}).status == 200);
  BOOST_TEST(unblock_seats(one, {"A-1", "A-2"}).status == 200);
  BOOST_TEST(unblock_seats(one, {"A-1", "A-2"}).status == 200);
  BOOST_TEST(one.seat("A-1") == "AVAILABLE");
  BOOST_TEST(one.seat("B-1") == "BLOCKED");
  BOOST_TEST(one.hold({"A-1"}).status == 201);
}

BOOST_AUTO_TEST_CASE(seats_in_use_are_named_with_who_has_them_and_nothing_is_blocked) {
  const show one;
  const auto hold = one.hold({"A-1"}).text("holdId");
  const auto order = buy(one.hold({"B-1"}).text("holdId"));
  for (const bool unblock : {false, true}) {
    const auto held =
        unblock ? unblock_seats(one, {"A-1", "A-2"}) : block_seats(one, {"A-1", "A-2"});
    BOOST_TEST(held.brief() == "409 seats-in-use", held);
    BOOST_TEST(obstacle_of(held) == "A-1 HELD " + hold);
    const auto sold =
        unblock ? unblock_seats(one, {"A-2", "B-1"}) : block_seats(one, {"A-2", "B-1"}, true);
    BOOST_TEST(sold.brief() == "409 seats-in-use", sold);
    BOOST_TEST(obstacle_of(sold) == "B-1 SOLD " + order);
  }
  BOOST_TEST(one.seat("A-2") == "AVAILABLE");
  const auto unknown = block_seats(one, {"A-2", "Z-1"}, true);
  BOOST_TEST(unknown.brief() == "409 seat-unavailable", unknown);
  BOOST_TEST(obstacle_of(unknown) == "Z-1 UNKNOWN ");
  BOOST_TEST(one.seat("A-2") == "AVAILABLE");
}

BOOST_AUTO_TEST_CASE(by_force_a_hold_loses_its_seat_and_is_told) {
  const show one;
  const auto hold = one.hold({"A-1", "A-2", "B-1"}).text("holdId");
  const auto got = block_seats(one, {"A-1", "B-1", "A-9"}, true);
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(got.body["withdrawnFrom"] == json::array({hold}));
  const auto left = one.hold_of(hold);
  BOOST_TEST(left.brief() == "200 HELD", left);
  BOOST_TEST(seats_of(left) == names{"A-2"}, boost::test_tools::per_element());
  BOOST_TEST((left.body["withdrawn"] == json{"A-1", "B-1"}));
  BOOST_TEST(total_of(left) == 35'000);
  BOOST_TEST(one.seat("B-1") == "BLOCKED");
  // The rest can be changed and bought.
  BOOST_TEST(one.add(hold, {{"seats", {"A-3"}}}).status == 200);
  const auto order = order_now(buy(hold));
  BOOST_TEST((seats_of(order) == names{"A-2", "A-3"}), order);
}

BOOST_AUTO_TEST_CASE(by_force_a_hold_that_has_no_seat_left_is_over) {
  const show one{hall_with(R"({"waitingRoom": {"maxActive": 1}})")};
  one.open();
  const auto ana = one.admitted();
  const auto next = one.join().text("ticketId");
  const auto hold = one.hold({"A-1", "B-1"}, {.ticket = ana}).text("holdId");
  BOOST_TEST(block_seats(one, {"A-1", "B-1"}, true).body["withdrawnFrom"] == json::array({hold}));
  const auto told = one.hold_of(hold);
  BOOST_TEST(told.brief() == "410 WITHDRAWN", told);
  BOOST_TEST((told.body["withdrawn"] == json{"A-1", "B-1"}));
  BOOST_TEST(order_hold(hold, {.ticket = ana}).brief() == "409 hold-ended");
  BOOST_TEST(one.seat("A-1") == "BLOCKED");
  // The admission is still there for other seats.
  BOOST_TEST(one.ticket(next).text("status") == "WAITING");
  BOOST_TEST(one.hold({"A-2"}, {.ticket = ana}).status == 201);
}

BOOST_AUTO_TEST_CASE(by_force_an_order_that_waits_for_money_is_cancelled_with_all_its_seats) {
  const show one;
  const auto hold = one.hold({"A-1", "B-1"}).text("holdId");
  const auto order = order_hold(hold).text("id");
  BOOST_TEST(block_seats(one, {"A-1"}).brief() == "409 seats-in-use");
  BOOST_TEST(order_now(order).brief() == "200 PENDING");
  BOOST_TEST(block_seats(one, {"A-1"}, true).body["withdrawnFrom"] == json::array({hold}));
  const auto told = order_now(order);
  BOOST_TEST(told.brief() == "200 CANCELLED", told);
  BOOST_TEST(told.text("reason") == "seats-withdrawn");
  BOOST_TEST(one.hold_of(hold).brief() == "410 WITHDRAWN");
  BOOST_TEST(pay(order).brief() == "409 order-over");
  BOOST_TEST(one.seat("A-1") == "BLOCKED");
  BOOST_TEST(one.seat("B-1") == "AVAILABLE");
  // An order that is cancelled otherwise has no such reason.
  const auto other = order_hold(one.hold({"B-1"}).text("holdId")).text("id");
  BOOST_TEST(server().post("/v1/orders/" + other + "/cancel").text("reason") == "");
}

BOOST_AUTO_TEST_CASE(an_order_that_is_being_paid_keeps_its_seats) {
  const show one;
  const auto hold = one.hold({"A-1"}).text("holdId");
  const auto order = order_hold(hold).text("id");
  BOOST_TEST(pay(order, {{"gateway", "UNSURE"}}).brief() == "202 PAYING");
  const auto got = block_seats(one, {"A-1", "A-2"}, true);
  BOOST_TEST(got.brief() == "409 seats-in-use", got);
  BOOST_TEST(obstacle_of(got) == "A-1 HELD " + hold);
  BOOST_TEST(one.seat("A-2") == "AVAILABLE");
  BOOST_TEST(server()
                 .post("/v1/orders/" + order + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = "report"})
                 .brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(the_note_is_in_the_log) {
  std::shared_ptr<const storage::memory_log> log;
  std::string subject;
  {
    const own_server alone;
    const show one;
    subject = "block/" + one.id + "/left";
    log = server().log();
    BOOST_TEST(one.by_staff("seats/block", {{"seats", {"A-1"}}, {"note", "camera no. 2"}}).status ==
               200);
  }
  std::size_t found = 0;
  const auto failed = log->replay(1, [&](const storage::stored_record& each) {
    found += each.subject == subject && each.type == "seats_blocked" &&
             each.data.find("camera no. 2") != std::string::npos;
    return true;
  });
  BOOST_TEST(!failed);
  BOOST_TEST(found == 1U);
}

BOOST_AUTO_TEST_CASE(the_counter_sells_by_name_the_best_or_places_of_an_area) {
  const show one{hall_with_floor()};
  one.open(); // nobody asks the counter for an admission
  struct attempt {
    json what;
    std::size_t seats;
    std::int64_t total;
  };
  const attempt attempts[]{
      {{{"seats", {"A-1", "A-2", "A-3", "A-4", "A-5", "B-1"}}}, 6, 225'000}, // a fan has four
      {{{"seats", {"floor:5"}}}, 1, 35'000},
      {{{"best", {{"quantity", 5}, {"block", "right"}}}}, 5, 250'000},
      {{{"area", "floor"}, {"quantity", 2}}, 2, 70'000},
  };
  std::size_t sold = 0;
  for (const auto& each : attempts) {
    const auto got = sell(one, each.what);
    BOOST_TEST(got.brief() == "201 PAID", each.what << ": " << got);
    BOOST_TEST(got.header("location") == "/v1/orders/" + got.text("id"));
    BOOST_TEST(seats_of(got).size() == each.seats);
    BOOST_TEST(total_of(got) == each.total);
    BOOST_TEST(got.body["payments"][0]["gateway"] == "BOX_OFFICE");
    BOOST_TEST(got.body["payments"][0]["status"] == "APPROVED");
    BOOST_TEST(order_now(got.text("id")).body == got.body);
    BOOST_TEST(one.hold_of(got.text("holdId")).brief() == "200 SOLD");
    sold += each.seats;
  }
  std::size_t shown = 0;
  for (const std::string block : {"left", "right", "floor"})
    shown += block_of(one, block)["sold"].get<std::size_t>();
  BOOST_TEST(shown == sold);
  const auto again = sell(one, {{"seats", {"A-1", "A-9"}}});
  BOOST_TEST(again.brief() == "409 seat-unavailable", again);
  BOOST_TEST(obstacles_of(again) == names{"A-1 SOLD"}, boost::test_tools::per_element());
  BOOST_TEST(nothing_matches(sell(one, {{"area", "floor"}, {"quantity", 3}})));
  BOOST_TEST(one.seat("A-9") == "AVAILABLE");
}

BOOST_AUTO_TEST_CASE(a_sale_over_the_counter_happens_once_a_key) {
  const show one;
  const json what{{"best", {{"quantity", 2}}}, {"method", "card"}};
  const auto first = sell(one, what, "till-1");
  BOOST_TEST(first.brief() == "201 PAID", first);
  BOOST_TEST(!first.replayed());
  const auto again = sell(one, what, "till-1");
  BOOST_TEST(again.brief() == "200 PAID", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(again.body == first.body);
  BOOST_TEST(sell(one, {{"best", {{"quantity", 3}}}}, "till-1").brief() ==
             "422 idempotency-key-reused");
  BOOST_TEST(sell(one, what, "").brief() == "400 idempotency-key-missing");
  const auto burst = all_at_once(20, [&](std::size_t) { return sell(one, what, "till-2"); });
  std::set<std::string> orders;
  for (const auto& each : burst)
    if (each.brief() != "409 idempotency-key-in-use") // another was being decided
      orders.insert(each.text("id"));
  BOOST_TEST(orders.size() == 1U);
  BOOST_TEST(block_of(one, "left")["sold"].get<int>() + block_of(one, "right")["sold"].get<int>() ==
             4);
}

BOOST_AUTO_TEST_CASE(the_counter_is_told_if_it_took_another_amount) {
  const show one;
  const auto key = fresh_key();
  const json what{{"seats", {"A-1", "B-1"}}, {"amount", 84'999}};
  BOOST_TEST(sell(one, what, key).brief() == "409 amount-differs");
  BOOST_TEST(one.seat("A-1") == "AVAILABLE");
  // A refusal is not kept under the key.
  auto right = what;
  right["amount"] = 85'000;
  right["customerEmail"] = "ana@example.org";
  right["reference"] = "receipt 17";
  const auto got = sell(one, right, key);
  BOOST_TEST(got.brief() == "201 PAID", got);
  BOOST_TEST(got.raw.body.find("example.org") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_box_office_holds_and_orders_without_an_admission) {
  const show one{hall_with_floor()};
  one.open();
  const auto ana = one.admitted();
  const auto got = one.hold({"A-1", "A-2", "A-3", "A-4", "A-5", "floor:5"}, staff);
  BOOST_TEST(got.brief() == "201 HELD", got);
  const auto hold = got.text("holdId");
  const extra others[]{{}, {.ticket = ana}, {.key = "service-key"}};
  for (const auto& with : others) {
    BOOST_TEST(one.extend(hold, with).status == 403);
    BOOST_TEST(one.add(hold, {{"seats", {"B-1"}}}, with).status == 403);
    BOOST_TEST(one.give_back(hold, "A-1", with).brief() == "403 not-the-owner");
    BOOST_TEST(one.release(hold, with).brief() == "403 not-the-owner");
    BOOST_TEST(order_hold(hold, with).status == 403);
  }
  BOOST_TEST(one.extend(hold, staff).brief() == "200 HELD");
  BOOST_TEST(
      seats_of(one.add(hold, {{"best", {{"quantity", 5}, {"block", "right"}}}}, staff)).size() ==
      11U);
  BOOST_TEST(seats_of(one.give_back(hold, "A-1", staff)).size() == 10U);
  // Any operator may go on with it.
  const auto order = order_hold(hold, {.key = "admin-key"});
  BOOST_TEST(order.brief() == "201 PENDING", order);
  BOOST_TEST(pay(order.text("id")).brief() == "200 PAID");
  BOOST_TEST(one.seat("A-2") == "SOLD");
  const auto other = one.hold({"A-1"}, staff).text("holdId");
  BOOST_TEST(one.release(other, staff).status == 204);
  BOOST_TEST(one.seat("A-1") == "AVAILABLE");
}

BOOST_AUTO_TEST_CASE(the_box_office_has_keys_too) {
  const show one;
  const auto first = one.hold({"A-1"}, {.key = "operator-key", .idempotency = "k"});
  BOOST_TEST(first.status == 201, first);
  const auto again = one.hold({"A-1"}, {.key = "operator-key", .idempotency = "k"});
  BOOST_TEST(again.replayed(), again);
  BOOST_TEST(again.text("holdId") == first.text("holdId"));
  // A fan's same key is another key.
  BOOST_TEST(one.hold({"A-1"}, {.idempotency = "k"}).brief() == "409 seat-unavailable");
}

BOOST_AUTO_TEST_CASE(with_a_ticket_an_operators_key_is_a_fan_as_others) {
  const show one;
  one.open();
  const extra with{.ticket = one.admitted(), .key = "operator-key"};
  BOOST_TEST(one.hold({"A-1", "A-2", "A-3", "A-4", "A-5"}, with).fields() == "seats");
  const auto hold = one.hold({"A-1", "A-2", "A-3", "A-4"}, with).text("holdId");
  BOOST_TEST(one.extend(hold, staff).brief() == "403 not-the-owner");
  BOOST_TEST(one.hold({"A-6"}, with).brief() == "409 too-many-seats");
}

BOOST_AUTO_TEST_CASE(an_open_loopback_makes_nobody_the_box_office) {
  const own_server demo{{.open_loopback = true}};
  const show one;
  one.open();
  BOOST_TEST(one.hold({"A-1"}).brief() == "403 not-admitted");
  BOOST_TEST(one.hold({"A-1"}, staff).status == 201);
  BOOST_TEST(one.by_staff("seats/block", {{"seats", {"A-2"}}}, {}).status == 200);
}

BOOST_AUTO_TEST_CASE(returned_seats_are_on_sale_again_and_the_order_says_so) {
  const show one;
  const auto order = buy(one.hold({"A-1", "A-2", "B-1"}).text("holdId"));
  const auto got = return_seats(one, order, {"A-1"});
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST(got.body["seats"] == json::parse(R"([
    {"id": "A-1", "category": "stalls", "price": 35000, "returned": true},
    {"id": "A-2", "category": "stalls", "price": 35000},
    {"id": "B-1", "category": "box", "price": 50000}])"));
  BOOST_TEST(order_now(order).body == got.body);
  BOOST_TEST(one.seat("A-1") == "AVAILABLE");
  BOOST_TEST(one.seat("A-2") == "SOLD");
  const auto next = buy(one.hold({"A-1"}).text("holdId"));
  BOOST_TEST(order_now(next).brief() == "200 PAID");
  // Neither twice nor what somebody else has now.
  for (const json& seats : {json{"A-1"}, json{"A-2", "A-1"}, json{"A-9"}, json{"Z-9"}})
    BOOST_TEST(return_seats(one, order, seats).brief() == "409 seat-not-sold", seats);
  BOOST_TEST(one.seat("A-2") == "SOLD");
  // All that is left.
  BOOST_TEST(return_seats(one, order).status == 200);
  BOOST_TEST(one.seat("A-2") == "AVAILABLE");
  BOOST_TEST(one.seat("B-1") == "AVAILABLE");
  BOOST_TEST(one.seat("A-1") == "SOLD");
  BOOST_TEST(return_seats(one, order).brief() == "409 seat-not-sold");
  BOOST_TEST(one.hold({"A-2", "B-1"}).status == 201);
}

BOOST_AUTO_TEST_CASE(only_seats_of_a_paid_order_of_the_show_are_returned) {
  const show one;
  const show other;
  const auto hold = one.hold({"A-1"}).text("holdId");
  const auto order = order_hold(hold).text("id");
  BOOST_TEST(return_seats(one, order).brief() == "409 order-not-paid");
  BOOST_TEST(return_seats(other, order).brief() == "404 unknown-order");
  for (const std::string& none : {hold, std::string{"nonsense"}, std::string{}})
    BOOST_TEST(return_seats(one, none).brief() == "404 unknown-order", none);
  BOOST_TEST(one.seat("A-1") == "HELD");
  BOOST_TEST(pay(order).brief() == "200 PAID");
  BOOST_TEST(return_seats(one, order, {"A-1"}).status == 200);
  // What the counter sold can be returned too.
  const auto sold = sell(one, {{"seats", {"A-1"}}}).text("id");
  BOOST_TEST(return_seats(one, sold).status == 200);
  BOOST_TEST(one.seat("A-1") == "AVAILABLE");
}

BOOST_AUTO_TEST_CASE(a_moved_price_is_for_what_is_held_from_then_on) {
  const show one;
  const auto before = one.hold({"A-1"}).text("holdId");
  const auto got = move_prices(one, {{"stalls", 40'000}});
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(got.body["categories"][0]["price"] == 40'000);
  BOOST_TEST(got.body["categories"][1]["price"] == 50'000);
  BOOST_TEST(one.description() == got.body);
  BOOST_TEST(total_of(one.hold_of(before)) == 35'000);
  BOOST_TEST(total_of(one.hold({"A-2"})) == 40'000);
  BOOST_TEST(total_of(one.add(before, {{"seats", {"A-3"}}})) == 75'000);
  BOOST_TEST(total_of(one.extend(before)) == 75'000);
  BOOST_TEST(total_of(order_now(buy(before))) == 75'000);
  BOOST_TEST(total_of(one.best({{"quantity", 1}, {"maxPrice", 40'000}})) == 40'000);
  BOOST_TEST(nothing_matches(one.best({{"quantity", 1}, {"maxPrice", 39'999}})));
  BOOST_TEST(sell(one, {{"seats", {"A-9"}}, {"amount", 35'000}}).brief() == "409 amount-differs");
  BOOST_TEST(move_prices(one, {{"stalls", 0}, {"box", 1}}).status == 200);
  BOOST_TEST(total_of(one.hold({"A-10", "B-10"})) == 1);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_named_and_nothing_is_recorded) {
  const own_server alone;
  const show one;
  const std::string note(257, 'n');
  struct attempt {
    std::string call; ///< method and path
    std::string body;
    std::string fields;
  };
  const attempt attempts[]{
      {"POST /seats/block", "", "seats"},
      {"POST /seats/block", R"({"seats": []})", "seats"},
      {"POST /seats/block", R"({"seats": "A-1"})", "seats"},
      {"POST /seats/block", R"({"seats": ["A-1", 2]})", "seats"},
      {"POST /seats/block", R"({"seats": ["A-1"], "force": "yes"})", "force"},
      {"POST /seats/block", R"({"seats": ["A-1"], "note": 7})", "note"},
      {"POST /seats/block", R"({"seats": ["A-1"], "note": ")" + note + "\"}", "note"},
      {"POST /seats/block", R"({"seats": ["A-1"], "forced": true})", "forced"},
      {"POST /seats/block", R"({"best": {"quantity": 2}})", "best seats"},
      {"POST /seats/unblock", "{}", "seats"},
      {"POST /seats/unblock", R"({"seats": ["A-1"], "force": true})", "force"},
      {"POST /seats/return", "{}", "order reference"},
      {"POST /seats/return", R"({"order": 7, "reference": "r"})", "order"},
      {"POST /seats/return", R"({"order": "o", "reference": ")" + note + "\"}", "reference"},
      {"POST /seats/return", R"({"order": "o", "reference": "r", "seats": []})", "seats"},
      {"POST /seats/return", R"({"order": "o", "reference": "r", "seat": "A-1"})", "seat"},
      {"POST /box-office/sales", "", "seats"},
      {"POST /box-office/sales", R"({"seats": ["A-1", "A-1"]})", "seats"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "quantity": 1})", "quantity"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "best": {"quantity": 1}})", "seats"},
      {"POST /box-office/sales", R"({"best": {"quantity": 101}})", "best.quantity"},
      {"POST /box-office/sales", R"({"best": {"quantity": 1, "colour": 1}})", "best.colour"},
      {"POST /box-office/sales", R"({"area": "left", "quantity": 1})", "area"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "customerEmail": "ana"})", "customerEmail"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "amount": "350.00"})", "amount"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "amount": -1})", "amount"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "method": 1})", "method"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "reference": 1})", "reference"},
      {"POST /box-office/sales", R"({"seats": ["A-1"], "holdId": "h"})", "holdId"},
      {"PATCH /prices", "{}", ""},
      {"PATCH /prices", R"({"stalls": -1})", "stalls"},
      {"PATCH /prices", R"({"stalls": "40000", "box": 1.5})", "box stalls"},
      {"PATCH /prices", R"({"stalls": 1000000000001})", "stalls"},
      {"PATCH /prices", R"({"stalls": null})", "stalls"},
      {"PATCH /prices", R"({"gold": 1, "stalls": 1})", "gold"},
  };
  const auto before = one.description();
  const auto end = log_end();
  for (const auto& each : attempts) {
    const auto space = each.call.find(' ');
    const auto got =
        server().ask(each.call.substr(0, space), one.path + each.call.substr(space + 1), each.body,
                     {.key = "operator-key", .idempotency = "k"});
    BOOST_TEST(got.brief() == "400 invalid-request", each.call << each.body << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.call << each.body << ": " << got);
    const auto list = server().ask(each.call.substr(0, space),
                                   one.path + each.call.substr(space + 1), "[]", staff);
    BOOST_TEST(list.brief() == "400 invalid-request", each.call << ": " << list);
  }
  BOOST_TEST(log_end() == end);
  BOOST_TEST(one.description() == before);
}

BOOST_AUTO_TEST_CASE(whoever_may_not_changes_nothing) {
  const own_server alone;
  const show one;
  const auto order = buy(one.hold({"A-1"}).text("holdId"));
  const auto fan = one.open().admitted();
  BOOST_TEST(set(one, {{"admitPerSecond", 0}, {"tick", "1m"}}).status == 200);
  struct call {
    std::string method;
    std::string path;
    json body;
  };
  const call calls[]{
      {"POST", "/seats/block", {{"seats", {"A-2"}}}},
      {"POST", "/seats/unblock", {{"seats", {"A-2"}}}},
      {"POST", "/seats/return", {{"order", order}, {"reference", "r"}}},
      {"POST", "/box-office/sales", {{"seats", {"A-2"}}}},
      {"PATCH", "/prices", {{"stalls", 1}}},
  };
  const auto end = log_end();
  for (const auto& each : calls)
    for (const std::string key :
         {"", "nobodys-key", "service-key", "gate-key", "viewer-key", "fan"}) {
      const extra with{.ticket = fan, .key = key == "fan" ? fan : key, .idempotency = "k"};
      const auto got = server().ask(each.method, one.path + each.path, each.body.dump(), with);
      const bool known = key == "service-key" || key == "gate-key" || key == "viewer-key";
      BOOST_TEST(got.brief() == (known ? "403 forbidden" : "401 key-required"),
                 each.path << " with " << key << ": " << got);
    }
  BOOST_TEST(log_end() == end);
  for (const auto& each : calls)
    BOOST_TEST(server().ask(each.method, one.path + each.path, each.body.dump(),
                            {.key = "admin-key", .idempotency = "k"})
                       .status < 300,
               each.path);
}

BOOST_AUTO_TEST_CASE(a_show_without_a_plan_has_no_seats_to_do_anything_with) {
  const show one{plain()};
  BOOST_TEST(block_seats(one, {"A-1"}).brief() == "409 no-plan");
  BOOST_TEST(unblock_seats(one, {"A-1"}).brief() == "409 no-plan");
  BOOST_TEST(return_seats(one, "order").brief() == "409 no-plan");
  BOOST_TEST(sell(one, {{"seats", {"A-1"}}}).brief() == "409 no-plan");
  BOOST_TEST(move_prices(one, {{"stalls", 1}}).brief() == "409 no-plan");
}

BOOST_AUTO_TEST_CASE(a_whole_block_is_named_in_one_call) {
  auto what = hall();
  what["plan"]["blocks"][0]["rows"] = json::array({{{"id", "A"}, {"count", 20'000}}});
  const show one{what};
  names all;
  for (int i = 1; i <= 20'000; ++i)
    all.push_back("A-" + std::to_string(i));
  BOOST_TEST(block_seats(one, all).status == 200);
  BOOST_TEST(block_of(one, "left")["blocked"] == 20'000);
  BOOST_TEST(unblock_seats(one, all).status == 200);
  all.push_back("B-1");
  BOOST_TEST(block_seats(one, all).fields() == "seats");
  BOOST_TEST(block_of(one, "left")["available"] == 20'000);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

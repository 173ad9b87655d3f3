// Areas of general admission over a real socket: places by quantity, the capacity to the last
// place, expired places, and who may name a place.

#include "tests/api/seats.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// An area for so many, and a row of five.
json club(std::uint32_t capacity, const std::string& ttl = "5m") {
  auto made = json::parse(R"({"title": "Club", "currency": "BRL",
    "plan": {"categories": [{"id": "standing", "price": 9000}, {"id": "seated", "price": 15000}],
             "blocks": [{"id": "floor", "category": "standing", "capacity": 1},
                        {"id": "balcony", "category": "seated",
                         "rows": [{"id": "A", "count": 5}]}]}})");
  made["plan"]["blocks"][0]["capacity"] = capacity;
  made["holds"]["ttl"] = ttl;
  return made;
}

json floor_for(int quantity) {
  return {{"area", "floor"}, {"quantity", quantity}};
}

} // namespace

BOOST_AUTO_TEST_SUITE(holds_area)

BOOST_AUTO_TEST_CASE(places_are_held_sold_and_counted_by_quantity) {
  const show one{club(10)};
  const auto got = one.take(floor_for(3));
  BOOST_TEST(got.brief() == "201 HELD", got);
  BOOST_TEST((seats_of(got) == names{"floor:1", "floor:2", "floor:3"}));
  BOOST_TEST(got.body["seats"][0]["category"] == "standing");
  BOOST_TEST(got.body["total"] == json::parse(R"({"amount": 27000, "currency": "BRL"})"));
  auto floor = block_of(one, "floor");
  BOOST_TEST(floor["available"] == 7);
  BOOST_TEST(floor["held"] == 3);
  BOOST_TEST(floor["seats"] == json::object()); // the places have no names for fans

  BOOST_TEST(order_now(buy(got.text("holdId"))).brief() == "200 PAID");
  floor = block_of(one, "floor");
  BOOST_TEST(floor["available"] == 7);
  BOOST_TEST(floor["held"] == 0);
  BOOST_TEST(floor["sold"] == 3);
  // What is given back is free, and places of several holds do not have to follow each other.
  const auto other = one.take(floor_for(2)).text("holdId");
  BOOST_TEST(one.take(floor_for(1)).status == 201);
  BOOST_TEST(one.release(other).status == 204);
  BOOST_TEST(block_of(one, "floor")["available"] == 6);
  BOOST_TEST(one.take(floor_for(4)).status == 201);
  BOOST_TEST(one.take(floor_for(2)).status == 201);
  BOOST_TEST(block_of(one, "floor")["available"] == 0);
}

BOOST_AUTO_TEST_CASE(more_than_is_left_is_a_conflict_and_nothing_is_held) {
  const show one{club(5)};
  BOOST_TEST(one.take(floor_for(3)).status == 201);
  BOOST_TEST(nothing_matches(one.take(floor_for(3))));
  BOOST_TEST(block_of(one, "floor")["held"] == 3);
  BOOST_TEST(one.take(floor_for(2)).status == 201);
  BOOST_TEST(nothing_matches(one.take(floor_for(1))));
}

BOOST_AUTO_TEST_CASE(of_twenty_at_once_exactly_the_capacity_is_held) {
  const show one{club(30)};
  const auto got = all_at_once(20, [&](std::size_t) { return one.take(floor_for(2)); });
  std::size_t held = 0;
  std::set<std::string> places;
  for (const auto& each : got) {
    if (each.status != 201) {
      BOOST_TEST(nothing_matches(each), each);
      continue;
    }
    ++held;
    for (const auto& place : seats_of(each))
      BOOST_TEST(places.insert(place).second, place << " is held twice");
  }
  BOOST_TEST(held == 15U);
  BOOST_TEST(places.size() == 30U);
  BOOST_TEST(block_of(one, "floor")["available"] == 0);
}

BOOST_AUTO_TEST_CASE(expired_places_are_free_at_that_moment_before_anything_swept_them) {
  const own_server alone;
  auto& clock = server().clock;
  clock.stand_at(clock.now() + 1000);
  const show one{club(4)};
  const auto first = one.take(floor_for(4));
  const auto until = time_of(first, "expiresAt");
  clock.stand_at(until - 1);
  BOOST_TEST(nothing_matches(one.take(floor_for(1))));
  const auto end = log_end();
  clock.stand_at(until);
  BOOST_TEST(log_end() == end); // nothing has told anybody that they are over
  const auto next = one.take(floor_for(4));
  BOOST_TEST(next.brief() == "201 HELD", next);
  BOOST_TEST(seats_of(next) == seats_of(first), boost::test_tools::per_element());
  BOOST_TEST(one.hold_of(first.text("holdId")).brief() == "410 EXPIRED");
}

BOOST_AUTO_TEST_CASE(only_staff_name_a_place) {
  const show one{club(5)};
  const names both{"A-1 HELD", "floor:3 UNKNOWN"};
  const auto seat = one.hold({"A-1"});
  for (const std::string ticket : {"", "nonsense"}) {
    const auto got = one.hold({"floor:3", "A-1"}, {.ticket = ticket});
    BOOST_TEST(got.brief() == "409 seat-unavailable", got);
    BOOST_TEST(obstacles_of(got) == both, boost::test_tools::per_element());
  }
  BOOST_TEST(obstacles_of(one.add(seat.text("holdId"), {{"seats", {"floor:3"}}})) ==
                 names{"floor:3 UNKNOWN"},
             boost::test_tools::per_element());
  BOOST_TEST(block_of(one, "floor")["held"] == 0);
  const auto staff = one.hold({"floor:3"}, {.key = "operator-key"});
  BOOST_TEST((seats_of(staff) == names{"floor:3"}), staff);
  BOOST_TEST(obstacles_of(one.hold({"floor:6"}, {.key = "operator-key"})) ==
                 names{"floor:6 UNKNOWN"},
             boost::test_tools::per_element());
  // Fans get the others.
  BOOST_TEST(
      (seats_of(one.take(floor_for(4))) == names{"floor:1", "floor:2", "floor:4", "floor:5"}));
}

BOOST_AUTO_TEST_CASE(places_and_seats_can_be_in_one_hold) {
  const show one{club(5)};
  const auto hold = one.hold({"A-1", "A-2"}).text("holdId");
  const auto got = one.add(hold, floor_for(2));
  BOOST_TEST(got.brief() == "200 HELD", got);
  BOOST_TEST((seats_of(got) == names{"A-1", "A-2", "floor:1", "floor:2"}));
  BOOST_TEST(got.body["total"]["amount"] == 48'000);
  BOOST_TEST(one.add(hold, floor_for(1)).brief() == "409 too-many-seats");
  BOOST_TEST((seats_of(one.give_back(hold, "floor:1")) == names{"A-1", "A-2", "floor:2"}));
  BOOST_TEST(block_of(one, "floor")["available"] == 4);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_an_ask_is_named_and_nothing_is_recorded) {
  const own_server alone;
  const show one{club(5)};
  const wrong_body attempts[]{
      {R"({"area": "floor"})", "quantity"},
      {R"({"area": "floor", "quantity": 0})", "quantity"},
      {R"({"area": "floor", "quantity": 5})", "quantity"}, // one admission has four
      {R"({"area": "floor", "quantity": -1})", "quantity"},
      {R"({"area": "floor", "quantity": "2"})", "quantity"},
      {R"({"area": "floor", "quantity": 1.5})", "quantity"},
      {R"({"area": "nowhere", "quantity": 2})", "area"},
      {R"({"area": "balcony", "quantity": 2})", "area"},
      {R"({"area": "", "quantity": 2})", "area"},
      {R"({"area": 7, "quantity": 0})", "area area quantity"},
      {R"({"area": "floor", "quantity": 2, "seats": ["A-1"]})", "seats"},
      {R"({"area": "floor", "quantity": 2, "best": {"quantity": 2}})", "seats"},
      {R"({"quantity": 2})", "seats"},
  };
  const auto hold = one.hold({"A-5"}).text("holdId");
  const auto end = log_end();
  for (const auto& each : attempts)
    for (const auto& path : {std::string{"/holds"}, "/holds/" + hold + "/seats"}) {
      const auto got = server().ask("POST", one.path + path, each.body);
      BOOST_TEST(got.brief() == "400 invalid-request", each.body << ": " << got);
      BOOST_TEST(got.fields() == each.fields, each.body << ": " << got);
    }
  BOOST_TEST(log_end() == end);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

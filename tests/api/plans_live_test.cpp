// Changing the plan of a show that sells, over a real socket: what may come and go, what is held or
// sold and stays, and that a change which is refused leaves nothing behind. Also how large a plan
// may be.

#include "tests/api/seats.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// The hall with an area for ten.
json hall_with_floor() {
  auto made = hall();
  made["plan"]["blocks"].push_back({{"id", "floor"}, {"category", "stalls"}, {"capacity", 10}});
  return made;
}

json rows_of(const std::string& id, int count) {
  return json::array({{{"id", id}, {"count", count}}});
}

/// "A-1 HELD hold-…" of each seat in the way, sorted.
names references_of(const said& refusal) {
  names all;
  if (refusal.body.is_object() && refusal.body.contains("unavailable"))
    for (const auto& each : refusal.body["unavailable"])
      all.push_back(each["seat"].get<std::string>() + " " + each["reason"].get<std::string>() +
                    " " + each.value("hold", "") + each.value("order", ""));
  std::sort(all.begin(), all.end());
  return all;
}

/// All that anybody can see of a show.
json all_of(const show& which) {
  return {which.description(), server().get(which.path + "/seats").body["blocks"]};
}

std::string padded_to(std::size_t bytes) {
  const std::string body = R"({"title": "Long"})";
  return body + std::string(bytes - body.size(), ' ');
}

constexpr std::size_t plan_bytes_max = std::size_t{32} * 1024 * 1024;

} // namespace

BOOST_AUTO_TEST_SUITE(plans_live)

BOOST_AUTO_TEST_CASE(seats_blocks_and_categories_can_be_added_while_others_are_held) {
  const show one;
  const auto hold = one.hold({"A-1", "B-1"}).text("holdId");
  auto larger = hall();
  larger["plan"]["categories"].push_back({{"id", "gallery"}, {"price", 10'000}});
  larger["plan"]["blocks"][0]["rows"] =
      json::parse(R"([{"id": "AA", "count": 2}, {"id": "A", "count": 12}])");
  larger["plan"]["blocks"].push_back(
      {{"id", "up"}, {"category", "gallery"}, {"rows", rows_of("G", 5)}});
  const auto got = server().put(one.path, larger);
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(got.body["categories"].size() == 3U);
  BOOST_TEST(one.hold_of(hold).brief() == "200 HELD");
  BOOST_TEST(one.seat("A-1") == "HELD");
  BOOST_TEST(block_of(one, "left")["available"] == 13);
  BOOST_TEST(block_of(one, "up")["available"] == 5);
  BOOST_TEST(one.hold({"AA-1", "A-12", "G-5"}).body["total"]["amount"] == 80'000);
  BOOST_TEST(one.best({{"quantity", 2}, {"category", "gallery"}}).status == 201);
  BOOST_TEST(one.add(hold, {{"seats", {"G-1"}}}).status == 200);
  BOOST_TEST(order_now(buy(hold)).brief() == "200 PAID");
  BOOST_TEST(one.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_CASE(an_area_grows_and_shrinks_as_far_as_its_places_are_free) {
  const show one{hall_with_floor()};
  const auto resize = [&](int capacity) {
    auto what = hall_with_floor();
    what["plan"]["blocks"][2]["capacity"] = capacity;
    return server().put(one.path, what);
  };
  const auto hold = one.take({{"area", "floor"}, {"quantity", 4}}).text("holdId");
  BOOST_TEST(resize(12).status == 200);
  BOOST_TEST(block_of(one, "floor")["available"] == 8);
  BOOST_TEST(block_of(one, "floor")["held"] == 4);
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(one.take({{"area", "floor"}, {"quantity", 4}}).status == 201);
  const auto full = resize(11);
  BOOST_TEST(full.brief() == "409 seats-in-use", full);
  BOOST_TEST(block_of(one, "floor")["held"] == 12);

  const show other{hall_with_floor()};
  const auto three = other.take({{"area", "floor"}, {"quantity", 3}}).text("holdId");
  auto what = hall_with_floor();
  what["plan"]["blocks"][2]["capacity"] = 2;
  const auto refused = server().put(other.path, what);
  BOOST_TEST(references_of(refused) == names{"floor:3 HELD " + three},
             boost::test_tools::per_element());
  what["plan"]["blocks"][2]["capacity"] = 3;
  BOOST_TEST(server().put(other.path, what).status == 200);
  BOOST_TEST(nothing_matches(other.take({{"area", "floor"}, {"quantity", 1}})));
  BOOST_TEST(other.hold_of(three).brief() == "200 HELD");
}

BOOST_AUTO_TEST_CASE(a_change_that_would_drop_seats_in_use_names_who_has_them_and_does_nothing) {
  const show one{hall_with_floor()};
  const auto hold = one.hold({"A-4", "B-1"}).text("holdId");
  const auto order = buy(one.hold({"A-3"}).text("holdId"));
  const auto waiting = one.take({{"area", "floor"}, {"quantity", 1}}).text("holdId");
  const auto unpaid = order_hold(waiting).text("id");
  const auto before = all_of(one);

  // Everything else in the same call would be fine.
  auto what = hall_with_floor();
  what["title"] = "Another";
  what["holds"] = {{"maxSeats", 8}};
  what["waitingRoom"]["admitPerSecond"] = 7;
  what["plan"]["categories"][0]["price"] = 1;
  what["plan"]["categories"].push_back({{"id", "new"}, {"price", 2}});
  what["plan"]["blocks"] =
      json::array({{{"id", "left"}, {"category", "stalls"}, {"rows", rows_of("A", 2)}},
                   {{"id", "added"}, {"category", "new"}, {"rows", rows_of("N", 3)}}});
  const auto got = server().put(one.path, what);
  BOOST_TEST(got.brief() == "409 seats-in-use", got);
  BOOST_TEST(references_of(got) == (names{"A-3 SOLD " + order, "A-4 HELD " + hold,
                                          "B-1 HELD " + hold, "floor:1 HELD " + waiting}),
             boost::test_tools::per_element());
  BOOST_TEST(all_of(one) == before);
  BOOST_TEST(one.hold({"N-1"}).brief() == "409 seat-unavailable");
  BOOST_TEST(one.hold({"A-1"}).body["total"]["amount"] == 35'000);
  BOOST_TEST(one.hold({"A-5"}).status == 201);
  BOOST_TEST(order_now(unpaid).brief() == "200 PENDING");

  // With the seats that are in use it goes through, all of it.
  what["plan"]["blocks"][0]["rows"] = rows_of("A", 5);
  what["plan"]["blocks"].push_back(
      {{"id", "right"}, {"category", "box"}, {"rows", rows_of("B", 1)}});
  what["plan"]["blocks"].push_back({{"id", "floor"}, {"category", "stalls"}, {"capacity", 1}});
  const auto done = server().put(one.path, what);
  BOOST_TEST(done.status == 200, done);
  BOOST_TEST(done.text("title") == "Another");
  BOOST_TEST(one.seat("A-3") == "SOLD");
  BOOST_TEST(one.seat("A-4") == "HELD");
  BOOST_TEST(one.seat("A-6") == "");
  BOOST_TEST(one.hold_of(hold).body["total"]["amount"] == 85'000);
  BOOST_TEST(one.hold({"A-2"}).body["total"]["amount"] == 1);
  BOOST_TEST(one.hold({"A-6"}).brief() == "409 seat-unavailable");
  BOOST_TEST(pay(unpaid).brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(a_free_seat_can_move_to_another_block_and_a_held_one_not) {
  const show one;
  const auto hold = one.hold({"B-3"}).text("holdId");
  const auto moving = [](const std::string& seat) {
    auto what = hall();
    auto& blocks = what["plan"]["blocks"];
    blocks[0]["rows"].push_back({{"id", "moved"}, {"seats", json::array({{{"id", seat}}})}});
    auto left = json::array();
    for (int i = 1; i <= 10; ++i)
      if (const auto id = "B-" + std::to_string(i); id != seat)
        left.push_back({{"id", id}});
    blocks[1]["rows"] = json::array({{{"id", "B"}, {"seats", left}}});
    return what;
  };
  const auto before = all_of(one);
  const auto refused = server().put(one.path, moving("B-3"));
  BOOST_TEST(references_of(refused) == names{"B-3 HELD " + hold}, boost::test_tools::per_element());
  BOOST_TEST(all_of(one) == before);

  BOOST_TEST(server().put(one.path, moving("B-4")).status == 200);
  BOOST_TEST(block_of(one, "left")["seats"]["B-4"] == "AVAILABLE");
  BOOST_TEST(!block_of(one, "right")["seats"].contains("B-4"));
  const auto got = one.hold({"B-4"});
  BOOST_TEST(got.body["seats"][0] ==
             json::parse(R"({"id": "B-4", "category": "stalls", "price": 35000})"));
  BOOST_TEST(order_now(buy(got.text("holdId"))).brief() == "200 PAID");
  BOOST_TEST(one.hold_of(hold).brief() == "200 HELD");
}

BOOST_AUTO_TEST_CASE(a_block_off_sale_may_go_and_what_comes_back_is_on_sale) {
  const show one;
  BOOST_TEST(one.by_staff("seats/block", {{"seats", {"B-1"}}}).status == 200);
  auto without = hall();
  without["plan"]["blocks"].erase(1);
  BOOST_TEST(server().put(one.path, without).status == 200);
  BOOST_TEST(one.seat("B-1") == "");
  BOOST_TEST(one.hold({"B-1"}).brief() == "409 seat-unavailable");
  BOOST_TEST(server().put(one.path, hall()).status == 200);
  BOOST_TEST(one.hold({"B-1"}).status == 201);
}

BOOST_AUTO_TEST_CASE(a_block_vanishes_or_is_held_and_never_both) {
  // Nine fans take seats of a block at the very moment at which it is dropped.
  auto without = hall();
  without["plan"]["blocks"].erase(1);
  for (std::size_t round = 0; round < 10; ++round) {
    const show one;
    const auto dropping = round % 2 == 0 ? round : std::size_t{0};
    const auto got = all_at_once(10, [&](std::size_t i) {
      const auto seat = std::to_string(i + 1);
      return i == dropping ? server().put(one.path, without) : one.hold({"A-" + seat, "B-" + seat});
    });
    int held = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      held += i != dropping && got[i].status == 201 ? 1 : 0;
    const auto vanished = got[dropping].status == 200;
    BOOST_TEST((vanished || got[dropping].brief() == "409 seats-in-use"), got[dropping]);
    BOOST_TEST(vanished == (held == 0));
    BOOST_TEST((one.seat("B-1").empty()) == vanished);
    BOOST_TEST(block_of(one, "left")["held"] == held);
  }
}

BOOST_AUTO_TEST_CASE(a_category_that_a_block_needs_and_other_faults_change_nothing) {
  const own_server alone;
  const show one{hall_with_floor()};
  const auto with = [](const std::string& pointer, const json& value) {
    auto what = hall_with_floor();
    what["title"] = "Another";
    what[json::json_pointer{pointer}] = value;
    return what;
  };
  struct attempt {
    json what;
    std::string fields;
  };
  const attempt attempts[]{
      {with("/plan/categories", json::array({{{"id", "stalls"}, {"price", 1}}})),
       "plan.blocks[1].category"},
      {with("/plan/blocks/2/capacity", 0), "plan.blocks[2].capacity"},
      {with("/plan/blocks/2/capacity", 20'001), "plan.blocks[2].capacity"},
      {with("/plan/blocks/2/capacity", "10"), "plan.blocks[2].capacity"},
      {with("/plan/blocks/2/rows", rows_of("F", 1)), "plan.blocks[2].capacity"},
      {with("/plan/blocks/2/id", "left"), "plan.blocks[2].id"},
      {with("/plan/blocks/2/id", "a:b"), "plan.blocks[2].id"},
      {with("/plan/blocks/1/rows/0/id", "A"), "plan.blocks[1].rows[0].seats[0].id"},
      {with("/holds", {{"maxLife", "4m"}}), "holds.maxLife"}, // shorter than ttl
      {with("/holds", {{"maxLife", "49h"}}), "holds.maxLife"},
      {with("/holds", {{"maxLife", 600}}), "holds.maxLife"},
      {with("/holds", {{"avoidOrphans", "no"}}), "holds.avoidOrphans"},
  };
  const auto before = all_of(one);
  const auto end = log_end();
  for (const auto& each : attempts) {
    const auto got = server().put(one.path, each.what);
    BOOST_TEST(got.brief() == "400 invalid-request", each.what << ": " << got);
    BOOST_TEST(got.fields().starts_with(each.fields), each.what << ": " << got);
  }
  BOOST_TEST(log_end() == end);
  BOOST_TEST(all_of(one) == before);
}

BOOST_AUTO_TEST_CASE(the_limits_of_a_plan_are_named) {
  const show one;
  const auto before = all_of(one);
  auto block = hall();
  block["plan"]["blocks"][0]["rows"] = json::parse(R"([{"id": "A", "count": 20000},
                                                       {"id": "AA", "count": 1}])");
  const auto too_many = server().put(one.path, block);
  BOOST_TEST(too_many.fields() == "plan.blocks[0]", too_many);
  BOOST_TEST(too_many.raw.body.find("20000") != std::string::npos, too_many);
  BOOST_TEST(too_many.raw.body.find("20001") != std::string::npos, too_many);

  for (const bool areas : {false, true}) {
    auto whole = hall();
    whole["plan"]["blocks"] = json::array();
    for (int i = 0; i < 11; ++i) {
      const auto id = "b" + std::to_string(i);
      json next{{"id", id}, {"category", "stalls"}};
      if (areas)
        next["capacity"] = 20'000;
      else
        next["rows"] = rows_of(id, 20'000);
      whole["plan"]["blocks"].push_back(next);
    }
    const auto got = server().put(one.path, whole);
    BOOST_TEST(got.fields() == (areas ? "plan" : "plan.blocks"), got);
    BOOST_TEST(got.raw.body.find("200000") != std::string::npos, got);
  }
  BOOST_TEST(all_of(one) == before);
}

BOOST_AUTO_TEST_CASE(a_body_of_32_mib_is_read_and_a_longer_one_not) {
  const show one{plain()};
  const extra staff{.key = "operator-key"};
  // On a busy machine reading so much may outlast the answer's deadline: then it is asked again.
  said got;
  BOOST_TEST(eventually([&] {
    got = server().ask("PUT", one.path, padded_to(plan_bytes_max), staff);
    return got.status != 503;
  }));
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(one.description()["title"] == "Long");
  // The answer comes before the body.
  auto line = server().connect();
  line.send("PUT " + one.path + " HTTP/1.1\r\nHost: usher\r\nAuthorization: Bearer operator-key" +
            "\r\nContent-Length: " + std::to_string(plan_bytes_max + 1) + "\r\n\r\n");
  const auto refused = line.read();
  BOOST_TEST_REQUIRE(refused.has_value());
  BOOST_TEST(refused->status == 413);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

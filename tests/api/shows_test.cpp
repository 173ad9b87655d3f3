// Shows over a real socket: creating, changing part by part, what is refused and how all faults are
// named, seats that may not vanish, the seat map and its ETag.

#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// A show with most of what one can say of it.
json hamlet() {
  return json::parse(R"({
    "title": "Hamlet", "startsAt": "2026-12-31T20:00:00-03:00", "currency": "BRL",
    "plan": {"focalPoint": {"x": 225, "y": 33.2},
             "categories": [{"id": "stalls", "name": "Stalls", "price": 35000}],
             "blocks": [
               {"id": "A", "category": "stalls",
                "rows": [{"id": "A", "count": 20},
                         {"id": "B", "seats": [{"id": "B-1", "x": 10, "y": 20, "accessible": true}]}]}]},
    "waitingRoom": {"admitPerSecond": 20, "maxActive": 5000, "maxPerTick": 40, "tick": "1s",
                    "admissionTtl": "5m", "maxQueue": 5000000},
    "holds": {"ttl": "5m", "maxSeats": 4}})");
}

std::string row_of(std::string_view id, std::int64_t count) {
  return R"({"id": ")" + std::string{id} + R"(", "count": )" + std::to_string(count) + "}";
}

/// A show whose plan has these blocks.
std::string with_blocks(const std::string& blocks) {
  return R"({"title": "T", "currency": "BRL", "plan": {"categories": [{"id": "c", "price": 1}],
             "blocks": [)" +
         blocks + "]}}";
}
std::string with_rows(const std::string& rows) {
  return with_blocks(R"({"id": "b", "category": "c", "rows": [)" + rows + "]}");
}
std::string with(const std::string& member) {
  return R"({"title": "T", "currency": "BRL", )" + member + "}";
}

said put_new(const std::string& body) {
  return server().ask("PUT", "/v1/shows/never-made", body, {.key = "operator-key"});
}

std::string etag_of(const show& which) {
  return server().get(which.path + "/seats").header("etag");
}
int with_etag(const show& which, const std::string& etag) {
  return server().get(which.path + "/seats", {.headers = "If-None-Match: " + etag + "\r\n"}).status;
}

} // namespace

BOOST_AUTO_TEST_SUITE(shows)

BOOST_AUTO_TEST_CASE(a_put_creates_and_the_same_put_again_changes_nothing) {
  const auto first = server().put("/v1/shows/hamlet", hamlet());
  BOOST_TEST(first.status == 201, first);
  BOOST_TEST(first.header("location") == "/v1/shows/hamlet");
  const auto again = server().put("/v1/shows/hamlet", hamlet());
  BOOST_TEST(again.status == 200, again);
  BOOST_TEST(again.body == first.body);

  const auto got = server().get("/v1/shows/hamlet");
  BOOST_TEST(got.body == first.body);
  BOOST_TEST(got.header("cache-control") == "public, max-age=1");
  const auto& body = got.body;
  BOOST_TEST(body["id"] == "hamlet");
  BOOST_TEST(body["title"] == "Hamlet");
  BOOST_TEST(body["startsAt"] == "2026-12-31T20:00:00-03:00");
  BOOST_TEST(body["currency"] == "BRL");
  BOOST_TEST(body["categories"] ==
             json::parse(R"([{"id": "stalls", "name": "Stalls", "price": 35000,
                              "availability": "plenty"}])"));
  BOOST_TEST(body["availability"] == "plenty");
  BOOST_TEST(body["holds"] == json::parse(R"({"ttl": "5m", "maxLife": "10m",
    "paymentWindow": "4m", "maxSeats": 4, "avoidOrphans": true})"));
  BOOST_TEST(body["waitingRoom"] == json::parse(R"({"admitPerSecond": 20.0, "maxActive": 5000,
    "maxPerTick": 40, "tick": "1s", "admissionTtl": "5m", "idleTimeout": null,
    "fixedLength": false, "maxQueue": 5000000, "opensAt": null, "prequeue": "0s",
    "absentAfter": "3m", "claimTtl": "30m", "reentryGrace": null, "proofOfWork": false,
    "tiers": [], "beacon": null, "state": "OFF", "waiting": 0, "absent": 0, "active": 0})"));

  const auto shows = server().get("/v1/shows").body["shows"];
  BOOST_TEST(std::count_if(shows.begin(), shows.end(),
                           [](const json& each) { return each["id"] == "hamlet"; }) == 1);
}

BOOST_AUTO_TEST_CASE(what_a_new_show_leaves_out_has_its_default) {
  const auto body = show{plain()}.description();
  BOOST_TEST(body["holds"] == json::parse(R"({"ttl": "5m", "maxLife": "10m",
    "paymentWindow": "4m", "maxSeats": 4, "avoidOrphans": true})"));
  BOOST_TEST(body["waitingRoom"] == json::parse(R"({"admitPerSecond": 20.0, "maxActive": 5000,
    "maxPerTick": null, "tick": "1s", "admissionTtl": "5m", "idleTimeout": null,
    "fixedLength": false, "maxQueue": 5000000, "opensAt": null, "prequeue": "0s",
    "absentAfter": "3m", "claimTtl": "30m", "reentryGrace": null, "proofOfWork": false,
    "tiers": [], "beacon": null, "state": "OFF", "waiting": 0, "absent": 0, "active": 0})"));
  BOOST_TEST(!body.contains("categories"));
  BOOST_TEST(!body.contains("startsAt"));
}

BOOST_AUTO_TEST_CASE(sections_that_are_left_out_keep_what_is_there) {
  const show hall_show{hamlet()};
  const auto before = hall_show.description();
  const auto map = server().get(hall_show.path + "/seats").body["blocks"];

  BOOST_TEST(server().put(hall_show.path, {{"title", "Othello"}}).status == 200);
  auto expected = before;
  expected["title"] = "Othello";
  BOOST_TEST(hall_show.description() == expected);
  BOOST_TEST(server().get(hall_show.path + "/seats").body["blocks"] == map);

  const auto holds = server().put(hall_show.path, json::parse(R"({"holds": {"ttl": "10m"}})"));
  BOOST_TEST(holds.status == 200);
  expected["holds"] = json::parse(R"({"ttl": "10m", "maxLife": "20m", "paymentWindow": "4m",
                                      "maxSeats": 4, "avoidOrphans": true})");
  BOOST_TEST(hall_show.description() == expected);

  // A section that is given is the section from now on: the rest of it has its defaults.
  const auto room =
      server().put(hall_show.path, json::parse(R"({"waitingRoom": {"maxActive": null}})"));
  BOOST_TEST(room.status == 200);
  expected["waitingRoom"]["maxActive"] = nullptr;
  expected["waitingRoom"]["maxPerTick"] = nullptr;
  BOOST_TEST(hall_show.description() == expected);
}

BOOST_AUTO_TEST_CASE(a_patch_of_the_room_changes_only_what_it_names) {
  const show hall_show{hamlet()};
  auto expected = hall_show.description();
  const auto path = hall_show.path + "/waiting-room";
  BOOST_TEST(server().patch(path, json::parse(R"({"maxPerTick": null})")).status == 200);
  expected["waitingRoom"]["maxPerTick"] = nullptr;
  BOOST_TEST(hall_show.description() == expected);
  BOOST_TEST(
      server().patch(path, json::parse(R"({"admitPerSecond": 0.5, "tick": "250ms"})")).status ==
      200);
  expected["waitingRoom"]["admitPerSecond"] = 0.5;
  expected["waitingRoom"]["tick"] = "250ms";
  BOOST_TEST(hall_show.description() == expected);
  BOOST_TEST(server().patch(path, json::object()).status == 200);
  BOOST_TEST(hall_show.description() == expected);

  const auto bad = server().patch(path, json::parse(R"({"maxActive": -1, "title": "x"})"));
  BOOST_TEST(bad.status == 400);
  BOOST_TEST(bad.fields() == "title maxActive");
  BOOST_TEST(hall_show.description() == expected);
}

BOOST_AUTO_TEST_CASE(every_fault_is_named_with_its_place) {
  struct attempt {
    std::string body;
    std::string fields;
  };
  const auto seats = [](const std::string& list) {
    return with_rows(R"({"id": "r", "seats": [)" + list + "]}");
  };
  const attempt attempts[]{
      // What is not known.
      {with(R"("colour": 1)"), "colour"},
      {with(R"("plan": {"categories": [], "blocks": [], "x": 1})"), "plan.x"},
      {with(R"("holds": {"seats": 1})"), "holds.seats"},
      {with(R"("waitingRoom": {"idleTimeouts": null})"), "waitingRoom.idleTimeouts"},
      {with_rows(R"({"id": "r", "count": 1, "z": 1})"), "plan.blocks[0].rows[0].z"},
      {seats(R"({"id": "s", "z": 1})"), "plan.blocks[0].rows[0].seats[0].z"},
      {with_blocks(R"({"id": "b", "category": "c", "z": 1, "rows": [{"id": "r", "count": 1}]})"),
       "plan.blocks[0].z"},
      // The description.
      {R"({"title": "", "currency": "BRL"})", "title"},
      {R"({"title": 7, "currency": "BRL"})", "title"},
      {R"({"title": "T", "currency": "BRX"})", "currency"},
      {R"({"title": "T", "currency": "brl"})", "currency"},
      {R"({"title": "T", "currency": "EURO"})", "currency"},
      {R"({"title": "", "currency": "XXX"})", "title currency"},
      {with(R"("plan": [])"), "plan"},
      {with(R"("plan": null)"), "plan"},
      // The plan.
      {with(R"("plan": {"categories": [{"id": "c", "price": 1}], "blocks": []})"), "plan.blocks"},
      {with(R"("plan": {"categories": {}, "blocks": 1})"), "plan.categories plan.blocks"},
      {with_blocks("1, 2"), "plan.blocks[0] plan.blocks[1]"},
      {with_blocks(R"({"id": "b", "category": "gold", "rows": [{"id": "r", "count": 1}]})"),
       "plan.blocks[0].category"},
      {with_blocks(R"({"id": "b", "category": "c"})"), "plan.blocks[0].rows"},
      {with_blocks(R"({"id": "b", "category": "c", "rows": []})"), "plan.blocks[0].rows"},
      {with_blocks(R"({"rows": [{"id": "r", "count": 1}]})"),
       "plan.blocks[0].id plan.blocks[0].category"},
      {with_blocks(R"({"id": "floor", "category": "c", "capacity": 0})"),
       "plan.blocks[0].capacity"},
      {with_blocks(
           R"({"id": "b", "category": "c", "capacity": 5, "rows": [{"id": "r", "count": 1}]})"),
       "plan.blocks[0].capacity"},
      {with_rows(R"({"id": "r", "count": 0})"), "plan.blocks[0].rows[0].count"},
      {with_rows(R"({"id": "r", "count": -1})"), "plan.blocks[0].rows[0].count"},
      {with_rows(R"({"id": "r", "count": 1.5})"), "plan.blocks[0].rows[0].count"},
      {with_rows(R"({"id": "r", "count": 20001})"), "plan.blocks[0].rows[0].count"},
      {with_rows(R"({"id": "r", "count": 18446744073709551615})"), "plan.blocks[0].rows[0].count"},
      {with_rows(R"({"id": "r"})"), "plan.blocks[0].rows[0].count"},
      {with_rows(R"({"id": "r", "count": 1, "seats": [{"id": "s"}]})"),
       "plan.blocks[0].rows[0].count"},
      {with_rows(R"({"id": "r", "seats": []})"), "plan.blocks[0].rows[0]"},
      {with_rows(R"({"id": "r", "count": 2}, {"id": "r", "count": 1})"),
       "plan.blocks[0].rows[1].seats[0].id"},
      {seats(R"({"id": "s"}, {"id": "t"}, {"id": "s"}, {"id": "t"})"),
       "plan.blocks[0].rows[0].seats[2].id plan.blocks[0].rows[0].seats[3].id"},
      {seats(R"({"id": ""})"), "plan.blocks[0].rows[0].seats[0].id"},
      {seats(R"({"id": "a b"})"), "plan.blocks[0].rows[0].seats[0].id"},
      {seats(R"({"id": ".."})"), "plan.blocks[0].rows[0].seats[0].id"},
      {seats(R"({"id": "a\"b"})"), "plan.blocks[0].rows[0].seats[0].id"},
      {seats(R"({"id": "s", "x": "NaN", "y": 1})"), "plan.blocks[0].rows[0].seats[0].x"},
      {seats(R"({"id": "s", "x": 1})"), "plan.blocks[0].rows[0].seats[0].y"},
      {seats(R"({"id": "s", "x": 1e7, "y": 1})"), "plan.blocks[0].rows[0].seats[0].x"},
      {seats(R"({"id": "s", "accessible": 1})"), "plan.blocks[0].rows[0].seats[0].accessible"},
      {with(R"("plan": {"focalPoint": 1, "categories": [{"id": "c", "price": -1}], "blocks": []})"),
       "plan.focalPoint plan.categories[0].price"},
      {with(R"("plan": {"categories": [{"id": "c", "price": 1.5}, {"id": "d"}], "blocks": []})"),
       "plan.categories[0].price plan.categories[1].price"},
      // The room.
      {with(R"("waitingRoom": [])"), "waitingRoom"},
      {with(R"("waitingRoom": {"admitPerSecond": -1})"), "waitingRoom.admitPerSecond"},
      {with(R"("waitingRoom": {"admitPerSecond": "NaN"})"), "waitingRoom.admitPerSecond"},
      {with(R"("waitingRoom": {"admitPerSecond": "20"})"), "waitingRoom.admitPerSecond"},
      {with(R"("waitingRoom": {"admitPerSecond": 1e300})"), "waitingRoom.admitPerSecond"},
      {with(R"("waitingRoom": {"maxActive": -1, "maxPerTick": 1.5, "maxQueue": null})"),
       "waitingRoom.maxActive waitingRoom.maxPerTick waitingRoom.maxQueue"},
      {with(R"("waitingRoom": {"tick": "1 s"})"), "waitingRoom.tick"},
      {with(R"("waitingRoom": {"tick": "1"})"), "waitingRoom.tick"},
      {with(R"("waitingRoom": {"tick": 1})"), "waitingRoom.tick"},
      {with(R"("waitingRoom": {"tick": "-1s"})"), "waitingRoom.tick"},
      {with(R"("waitingRoom": {"tick": "0s"})"), "waitingRoom.tick"},
      {with(R"("waitingRoom": {"tick": "2h"})"), "waitingRoom.tick"},
      {with(R"("waitingRoom": {"admissionTtl": "99999999999999999999h"})"),
       "waitingRoom.admissionTtl"},
      {with(R"("waitingRoom": {"admissionTtl": ""})"), "waitingRoom.admissionTtl"},
      // Holds.
      {with(R"("holds": {"maxSeats": 0})"), "holds.maxSeats"},
      {with(R"("holds": {"maxSeats": "4"})"), "holds.maxSeats"},
      {with(R"("holds": {"ttl": "999ms"})"), "holds.ttl"},
      {with(R"("holds": {"ttl": "25h"})"), "holds.ttl"},
      {with(R"("holds": {"ttl": "5m", "paymentWindow": "5m"})"), "holds.paymentWindow"},
      {with(R"("holds": {"ttl": "5m", "maxLife": "4m"})"), "holds.maxLife"},
      {with(R"("holds": {"avoidOrphans": 1})"), "holds.avoidOrphans"},
      {with(R"("holds": {"ttl": "1 s"}, "waitingRoom": {"tick": "1 s"})"),
       "holds.ttl waitingRoom.tick"},
  };
  for (const auto& each : attempts) {
    const auto got = put_new(each.body);
    BOOST_TEST(got.brief() == "400 invalid-request", each.body << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.body << ": " << got.raw.body);
  }
  BOOST_TEST(server().get("/v1/shows/never-made").status == 404);
}

BOOST_AUTO_TEST_CASE(a_new_show_needs_a_title_a_currency_and_a_plain_id) {
  BOOST_TEST(put_new(R"({"currency": "BRL"})").status == 400);
  BOOST_TEST(put_new(R"({"title": "T"})").status == 400);
  BOOST_TEST(put_new("").status == 400);
  for (const std::string id : {"a%20b", "..", ".a", "%C3%A9", "a%2Fb", "a:b"})
    BOOST_TEST(server().put("/v1/shows/" + id, plain()).status == 400, id);
  BOOST_TEST(server().put("/v1/shows/" + std::string(65, 'a'), plain()).status == 400);
  BOOST_TEST(server().put("/v1/shows/" + std::string(64, 'a'), plain()).status == 201);
}

BOOST_AUTO_TEST_CASE(the_currency_of_a_show_never_changes) {
  const show one{plain("BRL")};
  BOOST_TEST(server().put(one.path, {{"currency", "EUR"}}).brief() == "409 currency-fixed");
  BOOST_TEST(server().put(one.path, {{"currency", "BRL"}}).status == 200);
}

BOOST_AUTO_TEST_CASE(a_plan_over_the_limits_is_refused_before_it_costs_memory) {
  // One block too large.
  const auto block = put_new(with_rows(row_of("r", 20'000) + "," + row_of("s", 1)));
  BOOST_TEST(block.fields() == "plan.blocks[0]", block.status);
  // The show too large.
  std::string blocks;
  for (int i = 0; i < 11; ++i)
    blocks += (i == 0 ? "" : ",") + (R"({"id": "b)" + std::to_string(i)) +
              R"(", "category": "c", "rows": [)" + row_of("r" + std::to_string(i), 20'000) + "]}";
  const auto all = put_new(with_blocks(blocks));
  BOOST_TEST(all.fields() == "plan.blocks", all.status);
  // Half a megabyte that asks for two hundred million seats.
  std::string rows;
  for (int i = 0; i < 10'000; ++i)
    rows += (i == 0 ? "" : ",") + row_of("row" + std::to_string(i), 20'000);
  const auto bomb = put_new(with_rows(rows));
  BOOST_TEST(bomb.fields() == "plan.blocks", bomb.status);
}

BOOST_AUTO_TEST_CASE(a_plan_larger_than_other_bodies_is_taken) {
  json rows = json::array();
  for (int i = 0; i < 1500; ++i)
    rows.push_back(
        {{"id", "row-with-a-rather-long-name-of-its-own-" + std::to_string(i)}, {"count", 10}});
  auto big = hall();
  big["plan"]["blocks"][0]["rows"] = rows;
  BOOST_TEST(big.dump().size() > 64U * 1024);
  const show made{big};
  BOOST_TEST(server().get(made.path + "/seats").body["blocks"][0]["available"] == 15'000);
}

BOOST_AUTO_TEST_CASE(a_plan_that_would_drop_held_or_sold_seats_is_refused_with_their_names) {
  const show hall_show;
  const auto sold = hall_show.hold({"A-3"}).text("holdId");
  const auto order =
      server().post("/v1/orders", order_for(sold), {.idempotency = fresh_key()}).text("id");
  BOOST_TEST(server()
                 .post("/v1/orders/" + order + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = "report"})
                 .status == 200);
  const auto hold = hall_show.hold({"A-4", "B-1"}).text("holdId");
  const auto before = hall_show.description();

  auto smaller = hall();
  smaller["title"] = "Smaller";
  smaller["plan"]["blocks"][0]["rows"][0]["count"] = 2;
  smaller["plan"]["blocks"].erase(1);
  const auto got = server().put(hall_show.path, smaller);
  BOOST_TEST(got.brief() == "409 seats-in-use", got);
  const json expected{{{"seat", "A-3"}, {"reason", "SOLD"}, {"order", order}},
                      {{"seat", "A-4"}, {"reason", "HELD"}, {"hold", hold}},
                      {{"seat", "B-1"}, {"reason", "HELD"}, {"hold", hold}}};
  BOOST_TEST(got.body["unavailable"] == expected);
  BOOST_TEST(hall_show.description() == before);
  BOOST_TEST(hall_show.seat("A-10") == "AVAILABLE");
  BOOST_TEST(hall_show.hold({"B-10"}).status == 201);

  // Dropping free seats only is fine, and what is held stays held.
  auto fewer = hall();
  fewer["plan"]["blocks"][0]["rows"][0]["count"] = 4;
  BOOST_TEST(server().put(hall_show.path, fewer).status == 200);
  BOOST_TEST(hall_show.seat("A-3") == "SOLD");
  BOOST_TEST(hall_show.seat("A-4") == "HELD");
  BOOST_TEST(hall_show.seat("A-5") == "");
  BOOST_TEST(hall_show.hold({"A-5"}).brief() == "409 seat-unavailable");
}

BOOST_AUTO_TEST_CASE(the_seat_map_shows_every_seat_and_counts_by_block) {
  const show hall_show;
  BOOST_TEST(hall_show.hold({"A-1", "A-2"}).status == 201);
  const auto got = server().get(hall_show.path + "/seats");
  BOOST_TEST(got.status == 200);
  BOOST_TEST(got.header("cache-control") == "public, max-age=1");
  BOOST_TEST(got.body["asOf"].is_string());
  const auto& left = got.body["blocks"][0];
  BOOST_TEST(left["id"] == "left");
  BOOST_TEST(left["available"] == 8);
  BOOST_TEST(left["held"] == 2);
  BOOST_TEST(left["sold"] == 0);
  BOOST_TEST(left["seats"].size() == 10U);
  BOOST_TEST(left["seats"]["A-1"] == "HELD");
  BOOST_TEST(left["seats"]["A-10"] == "AVAILABLE");
  BOOST_TEST(got.body["blocks"][1]["available"] == 10);
  BOOST_TEST(server().get(show{plain()}.path + "/seats").brief() == "404 no-plan");
}

BOOST_AUTO_TEST_CASE(an_etag_stands_for_one_content_of_the_map) {
  const show hall_show;
  const auto first = etag_of(hall_show);
  BOOST_TEST(with_etag(hall_show, first) == 304);
  BOOST_TEST(with_etag(hall_show, "\"another\"") == 200);
  BOOST_TEST(hall_show.hold({"A-1"}).status == 201);
  BOOST_TEST(with_etag(hall_show, first) == 200);

  // Another plan with as many changes behind it is another map all the same.
  const show moved;
  const auto before = etag_of(moved);
  auto other = hall();
  other["plan"]["blocks"][0]["id"] = "stage-left";
  other["plan"]["blocks"][1]["id"] = "stage-right";
  other["plan"]["blocks"][0]["rows"][0]["id"] = "X";
  other["plan"]["blocks"][1]["rows"][0]["id"] = "Y";
  BOOST_TEST(server().put(moved.path, other).status == 200);
  BOOST_TEST(moved.seat("X-1") == "AVAILABLE");
  BOOST_TEST(with_etag(moved, before) == 200);
}

BOOST_AUTO_TEST_CASE(availability_has_levels) {
  auto small = hall_with(R"({"holds": {"maxSeats": 100}})");
  small["plan"]["blocks"].erase(1);
  small["plan"]["blocks"][0]["rows"][0]["count"] = 40;
  const show one{small};
  int taken = 0;
  const auto take_up_to = [&](int count) {
    std::vector<std::string> seats;
    while (taken < count)
      seats.push_back("A-" + std::to_string(++taken));
    BOOST_TEST(one.hold(seats).status == 201);
    return one.description()["availability"].get<std::string>();
  };
  BOOST_TEST(take_up_to(20) == "plenty"); // half is left
  BOOST_TEST(take_up_to(21) == "good");
  BOOST_TEST(take_up_to(30) == "good"); // a quarter
  BOOST_TEST(take_up_to(31) == "limited");
  BOOST_TEST(take_up_to(38) == "limited"); // a twentieth
  BOOST_TEST(take_up_to(39) == "few");
  BOOST_TEST(take_up_to(40) == "none");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

// Holds over a real socket: the gate, what a body has to be, all or nothing over two blocks, keys,
// limits, who may release, and the end of a hold by itself.

#include "actors/basics/rfc3339.hpp"
#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

json short_holds() {
  return hall_with(R"({"holds": {"ttl": "2s"}})");
}

said hold_raw(const show& which, const std::string& body, const extra& with = {}) {
  return server().ask("POST", which.path + "/holds", body, with);
}

} // namespace

BOOST_AUTO_TEST_SUITE(holds)

BOOST_AUTO_TEST_CASE(a_show_without_an_open_room_has_no_gate) {
  const show hall_show;
  const auto got = hall_show.hold({"A-1", "B-2"});
  BOOST_TEST(got.brief() == "201 HELD", got);
  const auto id = got.text("holdId");
  BOOST_TEST(got.header("location") == hall_show.path + "/holds/" + id);
  BOOST_TEST(got.header("cache-control") == "no-store");
  BOOST_TEST(got.body["seats"] ==
             json::parse(R"([{"id": "A-1", "category": "stalls", "price": 35000},
    {"id": "B-2", "category": "box", "price": 50000}])"));
  BOOST_TEST(got.body["total"] == json::parse(R"({"amount": 85000, "currency": "BRL"})"));
  BOOST_TEST(got.body["expiresInSeconds"].get<int>() <= 300);
  BOOST_TEST(got.body["expiresInSeconds"].get<int>() > 200);
  BOOST_TEST(read_rfc3339(got.text("maxExpiresAt")).value_or(0) -
                 read_rfc3339(got.text("expiresAt")).value_or(0) ==
             300'000);
  BOOST_TEST(!got.body.contains("withdrawn"));
  BOOST_TEST(hall_show.seat("A-1") == "HELD");
  BOOST_TEST(hall_show.seat("B-2") == "HELD");
  BOOST_TEST(hall_show.seat("B-1") == "AVAILABLE");
}

BOOST_AUTO_TEST_CASE(behind_a_gate_only_an_admitted_ticket_holds) {
  const show hall_show{hall_with(R"({"waitingRoom": {"maxActive": 1}})")};
  hall_show.open();
  const auto in = hall_show.admitted();
  const auto waits = hall_show.join().text("ticketId");
  const show elsewhere;
  elsewhere.open();
  const auto foreign = elsewhere.admitted();
  for (const std::string& ticket : {std::string{}, std::string{"nonsense"}, waits, foreign}) {
    const auto got = hall_show.hold({"A-1"}, {.ticket = ticket});
    BOOST_TEST(got.brief() == "403 not-admitted", got);
    BOOST_TEST(got.text("join") == hall_show.room("join"));
    BOOST_TEST(got.header("content-type") == "application/problem+json");
  }
  // The same ticket counts in three places.
  BOOST_TEST(hall_show.hold({"A-1"}, {.ticket = in}).status == 201);
  BOOST_TEST(hall_show.hold({"A-2"}, {.headers = "X-Queue-Token: " + in + "\r\n"}).status == 201);
  BOOST_TEST(hall_show.hold({"A-3"}, {.key = in}).status == 201);
  // Of other keys only an operator's counts: the box office.
  for (const std::string key : {"service-key", "gate-key", "viewer-key"})
    BOOST_TEST(hall_show.hold({"B-1"}, {.key = key}).brief() == "403 not-admitted", key);
  BOOST_TEST(hall_show.hold({"B-2"}, {.key = "operator-key"}).status == 201);
  // Who left is out.
  BOOST_TEST(server().del(hall_show.room("tickets/" + in)).status == 204);
  BOOST_TEST(hall_show.hold({"B-1"}, {.ticket = in}).status == 403);
}

BOOST_AUTO_TEST_CASE(a_body_names_one_to_four_seats_each_once) {
  const show hall_show;
  struct attempt {
    std::string body;
    std::string fields;
  };
  const attempt attempts[]{
      {"{}", "seats"},
      {"", "seats"},
      {R"({"seats": null})", "seats"},
      {R"({"seats": "A-1"})", "seats"},
      {R"({"seats": []})", "seats"},
      {R"({"seats": {"A-1": true}})", "seats"},
      {R"({"seats": ["A-1", "A-2", "A-3", "A-4", "A-5"]})", "seats"},
      {R"({"seats": ["A-1", "A-1"]})", "seats"},
      {R"({"seats": ["A-1", 2]})", "seats"},
      {R"({"seats": ["A-1", null]})", "seats"},
      {R"({"seats": [["A-1"]]})", "seats"},
      {R"({"seats": [")" + std::string(65, 'A') + "\"]}", "seats"},
      {"[]", ""},
      {"A-1", ""},
  };
  for (const auto& each : attempts) {
    const auto got = hold_raw(hall_show, each.body);
    BOOST_TEST(got.brief() == "400 invalid-request", each.body << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.body << ": " << got);
  }
  BOOST_TEST(hold_raw(hall_show, R"({"seats": ["A-1"], "wish": 1})").status == 201);
  BOOST_TEST(hall_show.seat("A-2") == "AVAILABLE");
  const show without{plain()};
  BOOST_TEST(without.hold({"A-1"}).brief() == "409 no-plan");
}

BOOST_AUTO_TEST_CASE(a_refusal_names_every_seat_in_the_way_and_nothing_stays_held) {
  const show hall_show;
  const auto sold = hall_show.hold({"B-1"}).text("holdId");
  const auto order = server().post("/v1/orders", order_for(sold), {.idempotency = fresh_key()});
  BOOST_TEST(server()
                 .post("/v1/orders/" + order.text("id") + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = "report"})
                 .brief() == "200 PAID");
  BOOST_TEST(hall_show.hold({"A-2"}).status == 201);
  struct attempt {
    std::vector<std::string> seats;
    std::string unavailable;
  };
  const attempt attempts[]{
      {{"A-1", "A-2"}, R"([{"seat": "A-2", "reason": "HELD"}])"},
      {{"A-1", "B-1"}, R"([{"seat": "B-1", "reason": "SOLD"}])"},
      {{"B-1", "A-2", "A-1"},
       R"([{"seat": "A-2", "reason": "HELD"}, {"seat": "B-1", "reason": "SOLD"}])"},
      {{"A-1", "Z-9"}, R"([{"seat": "Z-9", "reason": "UNKNOWN"}])"},
      {{"Z-9", "A-2", "A-1", "B-1"},
       R"([{"seat": "Z-9", "reason": "UNKNOWN"}, {"seat": "A-2", "reason": "HELD"},
           {"seat": "B-1", "reason": "SOLD"}])"},
      {{""}, R"([{"seat": "", "reason": "UNKNOWN"}])"},
  };
  for (const auto& each : attempts) {
    const auto got = hall_show.hold(each.seats);
    BOOST_TEST(got.brief() == "409 seat-unavailable", got);
    auto named = got.body["unavailable"];
    auto expected = json::parse(each.unavailable);
    std::sort(named.begin(), named.end());
    std::sort(expected.begin(), expected.end());
    BOOST_TEST(named == expected);
    BOOST_TEST(hall_show.seat("A-1") == "AVAILABLE");
  }
  BOOST_TEST(hall_show.hold({"A-1"}).status == 201);
}

BOOST_AUTO_TEST_CASE(the_same_key_is_the_same_hold_and_another_body_is_refused) {
  const show hall_show;
  const auto first = hall_show.hold({"A-1", "A-2"}, {.idempotency = "h"});
  BOOST_TEST(first.status == 201);
  BOOST_TEST(!first.replayed());
  for (const std::string key : {"h", "\"h\""}) {
    const auto again = hall_show.hold({"A-1", "A-2"}, {.idempotency = key});
    BOOST_TEST(again.status == 201, again);
    BOOST_TEST(again.replayed());
    BOOST_TEST(again.text("holdId") == first.text("holdId"));
  }
  const auto other = hall_show.hold({"A-3"}, {.idempotency = "h"});
  BOOST_TEST(other.brief() == "422 idempotency-key-reused", other);
  BOOST_TEST(hall_show.seat("A-3") == "AVAILABLE");
  // Without a key the seats are simply taken.
  BOOST_TEST(hall_show.hold({"A-1", "A-2"}).brief() == "409 seat-unavailable");
  // A refusal is not kept: the same key may try again.
  BOOST_TEST(hall_show.hold({"A-2", "A-3"}, {.idempotency = "n"}).status == 409);
  BOOST_TEST(server().del(hall_show.path + "/holds/" + first.text("holdId")).status == 204);
  BOOST_TEST(hall_show.hold({"A-2", "A-3"}, {.idempotency = "n"}).status == 201);
}

BOOST_AUTO_TEST_CASE(a_key_is_the_admissions_own_however_the_ticket_travels) {
  const show hall_show;
  hall_show.open();
  const auto ana = hall_show.admitted();
  const auto bob = hall_show.admitted();
  const auto in_queue_token = [](const std::string& ticket) {
    return extra{.idempotency = "1", .headers = "X-Queue-Token: " + ticket + "\r\n"};
  };
  BOOST_TEST(hall_show.hold({"A-1"}, in_queue_token(ana)).status == 201);
  BOOST_TEST(hall_show.hold({"A-1"}, in_queue_token(bob)).brief() == "409 seat-unavailable");
  BOOST_TEST(hall_show.hold({"A-2"}, {.ticket = ana, .idempotency = "2"}).status == 201);
  BOOST_TEST(hall_show.hold({"A-2"}, {.ticket = bob, .idempotency = "2"}).status == 409);
  BOOST_TEST(hall_show.hold({"A-3"}, {.key = ana, .idempotency = "3"}).status == 201);
  BOOST_TEST(hall_show.hold({"A-3"}, {.key = bob, .idempotency = "3"}).status == 409);
}

BOOST_AUTO_TEST_CASE(a_hold_can_be_read_by_its_id_in_its_show) {
  const show hall_show;
  const show other;
  const auto made = hall_show.hold({"A-1"});
  const auto id = made.text("holdId");
  const auto got = hall_show.hold_of(id);
  BOOST_TEST(got.brief() == "200 HELD");
  BOOST_TEST(got.text("expiresAt") == made.text("expiresAt"));
  BOOST_TEST(got.body["expiresInSeconds"].get<int>() <= made.body["expiresInSeconds"].get<int>());
  BOOST_TEST(got.body["expiresInSeconds"].get<int>() > 200);
  auto changed = id;
  changed.back() = changed.back() == '0' ? '1' : '0';
  auto upper = id;
  upper.front() = 'H';
  for (const std::string& none : {std::string{"hold"}, std::string{"nonsense"}, changed, upper,
                                  id + "0", "order" + id.substr(4)}) {
    BOOST_TEST(hall_show.hold_of(none).brief() == "404 unknown-hold", none);
    BOOST_TEST(server().del(hall_show.path + "/holds/" + none).brief() == "404 unknown-hold", none);
  }
  BOOST_TEST(other.hold_of(id).brief() == "404 unknown-hold");
  BOOST_TEST(server().del(other.path + "/holds/" + id).brief() == "404 unknown-hold");
  BOOST_TEST(hall_show.hold_of(id).status == 200);
}

BOOST_AUTO_TEST_CASE(only_its_owner_gives_a_hold_back_and_then_the_seats_are_free) {
  const show hall_show;
  hall_show.open();
  const auto ana = hall_show.admitted();
  const auto bob = hall_show.admitted();
  const auto id = hall_show.hold({"A-1", "B-1"}, {.ticket = ana}).text("holdId");
  const auto path = hall_show.path + "/holds/" + id;
  for (const std::string& ticket : {bob, std::string{}, std::string{"nonsense"}}) {
    const auto got = server().del(path, {.ticket = ticket});
    BOOST_TEST(got.brief() == "403 not-the-owner", got);
  }
  BOOST_TEST(hall_show.seat("A-1") == "HELD");
  BOOST_TEST(server().del(path, {.ticket = ana}).status == 204);
  BOOST_TEST(server().del(path, {.ticket = ana}).status == 204);
  BOOST_TEST(hall_show.hold_of(id).brief() == "410 RELEASED");
  BOOST_TEST(hall_show.seat("A-1") == "AVAILABLE");
  BOOST_TEST(hall_show.hold({"A-1", "B-1"}, {.ticket = bob}).status == 201);
}

BOOST_AUTO_TEST_CASE(one_admission_has_at_most_max_seats_over_all_its_holds) {
  const show hall_show;
  hall_show.open();
  const auto ana = hall_show.admitted();
  const auto first = hall_show.hold({"A-1", "A-2", "A-3"}, {.ticket = ana});
  BOOST_TEST(first.status == 201);
  BOOST_TEST(hall_show.hold({"B-1", "B-2"}, {.ticket = ana}).brief() == "409 too-many-seats");
  BOOST_TEST(hall_show.seat("B-1") == "AVAILABLE");
  BOOST_TEST(hall_show.hold({"B-1"}, {.ticket = ana}).status == 201);
  BOOST_TEST(hall_show.hold({"B-2"}, {.ticket = ana}).brief() == "409 too-many-seats");
  // What is given back counts no more.
  BOOST_TEST(
      server().del(hall_show.path + "/holds/" + first.text("holdId"), {.ticket = ana}).status ==
      204);
  BOOST_TEST(hall_show.hold({"B-2", "B-3", "B-4"}, {.ticket = ana}).status == 201);
  // Others have their own four.
  BOOST_TEST(
      hall_show.hold({"A-1", "A-2", "A-3", "A-4"}, {.ticket = hall_show.admitted()}).status == 201);
}

BOOST_AUTO_TEST_CASE(leaving_gives_the_holds_back) {
  const show hall_show;
  hall_show.open();
  const auto ana = hall_show.admitted();
  const auto id = hall_show.hold({"A-1", "B-1"}, {.ticket = ana}).text("holdId");
  BOOST_TEST(server().del(hall_show.room("tickets/" + ana)).status == 204);
  BOOST_TEST(hall_show.seat("A-1") == "AVAILABLE");
  BOOST_TEST(hall_show.seat("B-1") == "AVAILABLE");
  BOOST_TEST(hall_show.hold_of(id).brief() == "410 RELEASED");
}

BOOST_AUTO_TEST_CASE(a_hold_ends_by_itself_and_its_seats_are_free) {
  const show hall_show{short_holds()};
  const auto id = hall_show.hold({"A-1", "B-1"}).text("holdId");
  BOOST_TEST(hall_show.hold({"A-1"}).status == 409);
  BOOST_TEST(eventually([&] { return hall_show.hold_of(id).status == 410; }));
  BOOST_TEST(hall_show.hold_of(id).brief() == "410 EXPIRED");
  BOOST_TEST(hall_show.hold_of(id).body["expiresInSeconds"] == 0);
  BOOST_TEST(hall_show.hold({"A-1"}).status == 201); // whether or not the sweeper came by
  const auto late = server().post("/v1/orders", order_for(id), {.idempotency = fresh_key()});
  BOOST_TEST(late.brief() == "409 hold-expired");
  BOOST_TEST(eventually([&] { return hall_show.seat("B-1") == "AVAILABLE"; }));
}

BOOST_AUTO_TEST_CASE(an_admission_lives_as_long_as_its_hold) {
  const show hall_show{hall_with(R"({"waitingRoom": {"admissionTtl": "1s"}})")};
  hall_show.open();
  auto ana = hall_show.join().text("ticketId");
  std::string hold;
  BOOST_TEST(eventually([&] {
    const auto got = hall_show.hold({"A-1"}, {.ticket = ana});
    hold = got.text("holdId");
    if (hall_show.ticket(ana).status == 410) // on a busy machine a second is short
      ana = hall_show.join().text("ticketId");
    return got.status == 201;
  }));
  // The admission's own second is over when a ticket that came later has expired.
  const auto later = hall_show.join().text("ticketId");
  BOOST_TEST(eventually([&] { return hall_show.ticket(later).status == 410; }));
  BOOST_TEST(hall_show.ticket(ana).text("status") == "ADMITTED");
  BOOST_TEST(hall_show.hold_of(hold).brief() == "200 HELD");
}

BOOST_AUTO_TEST_CASE(of_fifty_at_once_on_one_seat_one_gets_it) {
  const show hall_show;
  constexpr std::size_t fans = 50;
  std::vector<said> got(fans);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < fans; ++i)
    threads.emplace_back([&, i] {
      // Crosswise over two blocks, so that a hold half made would show.
      got[i] = i % 2 == 0 ? hall_show.hold({"A-5", "B-5"}) : hall_show.hold({"B-5", "A-5"});
    });
  for (auto& thread : threads)
    thread.join();
  std::string winner;
  std::size_t losers = 0;
  for (const auto& each : got) {
    if (each.status == 201) {
      BOOST_TEST(winner.empty());
      winner = each.text("holdId");
      continue;
    }
    BOOST_TEST(each.brief() == "409 seat-unavailable", each);
    BOOST_TEST(!each.body["unavailable"].empty());
    ++losers;
  }
  BOOST_TEST(losers == fans - 1);
  BOOST_TEST(hall_show.hold_of(winner).body["seats"].size() == 2U);
  BOOST_TEST(server().del(hall_show.path + "/holds/" + winner).status == 204);
  BOOST_TEST(hall_show.hold({"A-5", "B-5"}).status == 201);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

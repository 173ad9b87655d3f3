// Orders over a real socket: what a body has to be, keys, amounts, cancelling, ids that are none,
// and what is told to whom. How an order is paid is in payments_test.cpp.

#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

namespace usher::test {

namespace {

said order(const json& body, const extra& with) {
  return server().post("/v1/orders", body, with);
}
said order(const json& body) {
  return order(body, {.idempotency = fresh_key()});
}
said order_raw(const std::string& body) {
  return server().ask("POST", "/v1/orders", body, {.idempotency = fresh_key()});
}

json with(json body, const std::string& member, const json& value) {
  body[member] = value;
  return body;
}

} // namespace

BOOST_AUTO_TEST_SUITE(orders)

BOOST_AUTO_TEST_CASE(an_order_buys_a_hold) {
  const show hall_show;
  const auto hold = hall_show.hold({"A-1", "B-1"}).text("holdId");
  const auto got = order(with(order_for(hold), "amount", 85'000));
  BOOST_TEST(got.brief() == "201 PENDING", got);
  BOOST_TEST(!got.replayed());
  const auto id = got.text("id");
  BOOST_TEST(got.header("location") == "/v1/orders/" + id);
  BOOST_TEST(got.text("holdId") == hold);
  BOOST_TEST(got.text("showId") == hall_show.id);
  BOOST_TEST(got.body["seats"] ==
             json::parse(R"([{"id": "A-1", "category": "stalls", "price": 35000},
    {"id": "B-1", "category": "box", "price": 50000}])"));
  BOOST_TEST(got.body["total"] == json::parse(R"({"amount": 85000, "currency": "BRL"})"));
  BOOST_TEST(got.body["payments"] == json::array());
  BOOST_TEST(got.body["expiresAt"].is_string());
  BOOST_TEST(server().get("/v1/orders/" + id).body == got.body);
  BOOST_TEST(hall_show.seat("A-1") == "HELD");
}

BOOST_AUTO_TEST_CASE(nobody_is_told_the_address) {
  const show hall_show;
  const auto made = order(order_for(hall_show.hold({"A-1"}).text("holdId")));
  for (const auto& got : {made, server().get("/v1/orders/" + made.text("id")),
                          server().get("/orders/" + made.text("id"))}) {
    BOOST_TEST(got.raw.body.find("ana") == std::string::npos, got);
    BOOST_TEST(got.raw.body.find("example.org") == std::string::npos, got);
    BOOST_TEST(got.header("cache-control") == "no-store");
  }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_body_is_named) {
  const show hall_show;
  const auto hold = hall_show.hold({"A-1"}).text("holdId");
  const auto base = order_for(hold);
  struct attempt {
    json body;
    std::string field;
  };
  std::vector<attempt> attempts{
      {json::object(), "holdId"},
      {with(base, "holdId", nullptr), "holdId"},
      {with(base, "holdId", ""), "holdId"},
      {with(base, "holdId", 7), "holdId"},
      {with(base, "holdId", std::string(129, 'a')), "holdId"},
      {with(base, "holdId", "of-somebody-else"), "showId"}, // whose show is it?
      {with(base, "amount", "350.00"), "amount"},
      {with(base, "amount", 350.5), "amount"},
      {with(base, "amount", -1), "amount"},
      {with(base, "amount", 1'000'000'000'001), "amount"},
      {{{"holdId", hold}}, "customerEmail"},
  };
  for (const std::string address : {"", "ana", "@example.org", "ana@", "a@b@c", "ana @example.org",
                                    "ana@example.org\r\nBcc: all", "ana@exam\tple.org"})
    attempts.push_back({with(base, "customerEmail", address), "customerEmail"});
  attempts.push_back(
      {with(base, "customerEmail", std::string(250, 'a') + "@b.cd"), "customerEmail"});
  attempts.push_back({with(base, "customerEmail", 7), "customerEmail"});
  for (const auto& each : attempts) {
    const auto got = order(each.body);
    BOOST_TEST(got.brief() == "400 invalid-request", each.body << ": " << got);
    BOOST_TEST(got.fields() == each.field, each.body << ": " << got);
  }
  BOOST_TEST(order_raw("{").status == 400);
  BOOST_TEST(order_raw("[]").status == 400);
  BOOST_TEST(order(base, {}).brief() == "400 idempotency-key-missing");
  // None of that was an order, and what is not known is ignored.
  BOOST_TEST(order(with(base, "wish", "aisle")).status == 201);
}

BOOST_AUTO_TEST_CASE(an_amount_that_is_not_the_total_is_refused) {
  const show hall_show;
  const auto hold = hall_show.hold({"A-1"}).text("holdId");
  const auto key = fresh_key();
  BOOST_TEST(order(with(order_for(hold), "amount", 34'999), {.idempotency = key}).brief() ==
             "409 amount-differs");
  // A refusal is not kept under the key.
  BOOST_TEST(order(with(order_for(hold), "amount", 35'000), {.idempotency = key}).status == 201);
}

BOOST_AUTO_TEST_CASE(the_same_key_is_the_same_order) {
  const show hall_show;
  const auto hold = hall_show.hold({"A-1"}).text("holdId");
  const auto first = order(order_for(hold), {.idempotency = "o-1"});
  BOOST_TEST(first.status == 201);
  for (const std::string key : {"o-1", "\"o-1\""}) {
    const auto again = order(order_for(hold), {.idempotency = key});
    BOOST_TEST(again.status == 200, again);
    BOOST_TEST(again.replayed());
    BOOST_TEST(again.body == first.body);
  }
  // The order of the members is no difference; another member is.
  const auto turned = server().ask(
      "POST", "/v1/orders", R"({"customerEmail":"ana@example.org",  "holdId":")" + hold + "\"}",
      {.idempotency = "o-1"});
  BOOST_TEST(turned.status == 200, turned);
  const auto other =
      order(with(order_for(hold), "customerEmail", "bob@example.org"), {.idempotency = "o-1"});
  BOOST_TEST(other.brief() == "422 idempotency-key-reused", other);
  BOOST_TEST(order(order_for(hold)).brief() == "409 hold-has-order");
}

BOOST_AUTO_TEST_CASE(the_same_key_at_the_same_moment_makes_one_order) {
  const show hall_show;
  const auto hold = hall_show.hold({"A-1"}).text("holdId");
  constexpr std::size_t calls = 20;
  std::vector<said> got(calls);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < calls; ++i)
    threads.emplace_back([&, i] { got[i] = order(order_for(hold), {.idempotency = "burst"}); });
  for (auto& thread : threads)
    thread.join();
  int created = 0;
  std::set<std::string> orders;
  for (const auto& each : got) {
    if (each.brief() == "409 idempotency-key-in-use") // the first was being decided
      continue;
    orders.insert(each.text("id"));
    BOOST_TEST(each.replayed() == (each.status == 200));
    created += each.status == 201 ? 1 : 0;
  }
  BOOST_TEST(created == 1);
  BOOST_TEST(orders.size() == 1U);
}

BOOST_AUTO_TEST_CASE(behind_a_gate_an_order_needs_the_admission_that_holds) {
  const show hall_show;
  hall_show.open();
  const auto ana = hall_show.admitted();
  const auto bob = hall_show.admitted();
  const auto hold = hall_show.hold({"A-1"}, {.ticket = ana}).text("holdId");
  const auto none = order(order_for(hold));
  BOOST_TEST(none.brief() == "403 not-admitted", none);
  BOOST_TEST(none.text("join") == hall_show.room("join"));
  BOOST_TEST(order(order_for(hold), {.ticket = bob, .idempotency = "k"}).brief() ==
             "403 not-the-owner");
  BOOST_TEST(order(order_for(hold), {.ticket = ana, .idempotency = "k"}).status == 201);
  // Bob's same key is another key.
  const auto his = hall_show.hold({"A-2"}, {.ticket = bob}).text("holdId");
  BOOST_TEST(order(order_for(his), {.ticket = bob, .idempotency = "k"}).status == 201);
}

BOOST_AUTO_TEST_CASE(cancelling_frees_the_seats_once_and_for_all) {
  const show hall_show;
  const auto hold = hall_show.hold({"A-1", "B-1"}).text("holdId");
  const auto path = "/v1/orders/" + order(order_for(hold)).text("id");
  BOOST_TEST(server().del(hall_show.path + "/holds/" + hold).brief() == "409 hold-has-order");
  const auto got = server().post(path + "/cancel");
  BOOST_TEST(got.brief() == "200 CANCELLED", got);
  BOOST_TEST(server().post(path + "/cancel").brief() == "200 CANCELLED");
  BOOST_TEST(server().get(path).brief() == "200 CANCELLED");
  BOOST_TEST(hall_show.seat("A-1") == "AVAILABLE");
  BOOST_TEST(hall_show.hold_of(hold).brief() == "410 RELEASED");
  BOOST_TEST(server().post(path + "/pay", nullptr, {.idempotency = fresh_key()}).brief() ==
             "409 order-over");
  BOOST_TEST(order(order_for(hold)).brief() == "409 hold-ended");
  BOOST_TEST(hall_show.hold({"A-1", "B-1"}).status == 201);
}

BOOST_AUTO_TEST_CASE(an_order_that_is_not_paid_expires_and_frees_the_seats) {
  const show hall_show{hall_with(R"({"holds": {"ttl": "2s", "paymentWindow": "500ms"}})")};
  const auto hold = hall_show.hold({"A-1"}).text("holdId");
  const auto path = "/v1/orders/" + order(order_for(hold)).text("id");
  BOOST_TEST(eventually([&] { return server().get(path).text("status") == "EXPIRED"; }));
  BOOST_TEST(hall_show.seat("A-1") == "AVAILABLE");
  BOOST_TEST(server().post(path + "/cancel").brief() == "409 order-over");
  BOOST_TEST(server().post(path + "/pay", nullptr, {.idempotency = fresh_key()}).brief() ==
             "409 order-over");
}

BOOST_AUTO_TEST_CASE(a_show_without_a_plan_takes_a_reference_of_the_sellers) {
  const show one{plain()};
  const json body{{"showId", one.id}, {"holdId", "theirs-7"}, {"customerEmail", "ana@example.org"}};
  BOOST_TEST(order(body).brief() == "400 invalid-request"); // its price is not known here
  const auto got = order(with(body, "amount", 12'345));
  BOOST_TEST(got.brief() == "201 PENDING", got);
  BOOST_TEST(got.text("holdId") == "theirs-7");
  BOOST_TEST(got.body["seats"] == json::array());
  BOOST_TEST(got.body["total"] == json::parse(R"({"amount": 12345, "currency": "BRL"})"));
  const auto id = got.text("id");
  BOOST_TEST(
      server().post("/v1/orders/" + id + "/pay", nullptr, {.idempotency = fresh_key()}).brief() ==
      "200 PAID");
}

BOOST_AUTO_TEST_CASE(an_id_of_another_kind_or_show_is_no_order) {
  const show hall_show;
  const show other;
  const auto hold = hall_show.hold({"A-1"}).text("holdId");
  const auto id = order(order_for(hold)).text("id");
  const auto random = id.substr(id.rfind('-') + 1);
  const auto their_hold = other.hold({"A-1"}).text("holdId");
  auto changed = id;
  changed.back() = changed.back() == '0' ? '1' : '0';
  auto upper = random;
  for (auto& c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto elsewhere = "order" + their_hold.substr(4, their_hold.rfind('-') - 3) + random;
  for (const std::string& none :
       {std::string{"order"}, std::string{"nonsense"}, hold, changed, elsewhere,
        "order-0-ffffffff-" + random, "order-1-0-" + random, "order-0-00-" + random,
        id.substr(0, id.rfind('-') + 1) + (upper == random ? std::string(32, 'A') : upper),
        "payment" + id.substr(5)}) {
    BOOST_TEST(server().get("/v1/orders/" + none).brief() == "404 unknown-order", none);
    for (const std::string end : {"pay", "cancel", "confirm"})
      BOOST_TEST(server().post("/v1/orders/" + none + "/" + end, nullptr,
                               {.key = "service-key", .idempotency = fresh_key()})
                         .brief() == "404 unknown-order",
                 none << ' ' << end);
  }
  // And an order is no hold.
  BOOST_TEST(order(with(order_for(id), "showId", hall_show.id)).brief() == "404 unknown-hold");
  BOOST_TEST(order(order_for(changed)).status == 400);
}

BOOST_AUTO_TEST_CASE(no_order_without_a_hold_whatever_id_is_made_up) {
  const show at;
  at.open();
  const auto ticket = at.admitted();
  auto none = at.hold({"A-1"}, {.ticket = ticket}).text("holdId");
  none.replace(none.size() - 32, 32, 32, '0');
  const auto got = server().post(
      "/v1/orders",
      {{"holdId", none}, {"customerEmail", "a@b.c"}, {"amount", 0}, {"showId", at.id}},
      {.ticket = ticket, .idempotency = "none"});
  BOOST_TEST(got.status == 404, got);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

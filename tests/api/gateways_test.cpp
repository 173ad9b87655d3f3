// Which gateway takes a payment, over a real socket: by priority, by what each takes, the next one
// where nothing was charged and nowhere else, and past those whose breaker is open; and how a
// breaker opens, is shown, lets trials through and closes.

#include "tests/api/scripted_gateway.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// Ten calls of which the last five fail: as few failures as open a breaker.
void trip(scripted_gateway& which) {
  const json there{{"gateway", which.name()}};
  for (int i = 0; i < 5; ++i)
    BOOST_TEST_REQUIRE(take_payment(there).status == 201);
  which.charges(outcome::failed, "503");
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST_REQUIRE(gateway_now(std::string{which.name()})["breaker"] == "CLOSED", i);
    BOOST_TEST_REQUIRE(take_payment(there).brief() == "502 payment-failed");
  }
}

json breaker_of(const std::string& gateway) {
  return gateway_now(gateway)["breaker"];
}

/// The history's lines without their times.
json history_of(const said& what) {
  auto lines = what.body["history"];
  for (auto& each : lines)
    each.erase("at");
  return lines;
}

/// Two gateways, each with rules of its own.
struct ruled_server {
  ruled_server(payments::gateway_rule first, payments::gateway_rule second)
      : here{{}, 0, {{{&one, std::move(first)}, {&two, std::move(second)}}}} {}
  scripted_gateway one{"ONE"};
  scripted_gateway two{"TWO"};
  own_server here;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateways, scripted_server)

BOOST_AUTO_TEST_CASE(where_nothing_was_charged_the_next_one_is_asked) {
  for (const auto what : {outcome::failed, outcome::not_sent}) {
    const seat_order it;
    one.charges(what, "out of order");
    const auto got = it.pay();
    BOOST_TEST(got.brief() == "200 PAID", got);
    const auto first = std::string{"ONE "} + (what == outcome::failed ? "FAILED" : "NOT_SENT");
    BOOST_TEST((attempts_of(got) == names{first, "TWO APPROVED"}));
    BOOST_TEST(it.at.seat("A-1") == "SOLD");
    // Each attempt is one of its own.
    BOOST_TEST(it.attempt(0) != it.attempt(1));
    BOOST_TEST(got.body["payments"][1]["paymentId"] == two.id_of(it.attempt(1)));
  }
  BOOST_TEST(one.charged().size() == 2U);
  BOOST_TEST(two.charged().size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_history_of_an_order_tells_all_of_it) {
  const seat_order it;
  one.charges(outcome::failed, "out of order");
  const auto key = fresh_key();
  BOOST_TEST(it.pay(nullptr, key).brief() == "200 PAID");
  const auto again = it.pay(nullptr, key);
  BOOST_TEST(again.brief() == "200 PAID");
  BOOST_TEST(again.replayed());
  BOOST_TEST(it.confirm("CASH", "till-1").brief() == "200 PAID");
  BOOST_TEST(it.refund({{"doneOutside", "till"}, {"refundId", it.now().body["refunds"][0]["id"]}})
                 .status == 200);
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  const auto now = it.now();
  BOOST_TEST(history_of(now) == json::parse(R"([
    {"what": "placed"},
    {"what": "payment-started", "gateway": "ONE", "method": "card"},
    {"what": "payment-settled", "gateway": "ONE", "outcome": "FAILED", "reason": "out of order"},
    {"what": "payment-started", "gateway": "TWO", "method": "card", "after": "ONE"},
    {"what": "payment-settled", "gateway": "TWO", "outcome": "APPROVED"},
    {"what": "paid"},
    {"what": "payment-reported", "gateway": "CASH", "outcome": "APPROVED", "amount": 35000},
    {"what": "refund-started", "gateway": "CASH", "amount": 35000, "cause": "surplus"},
    {"what": "refund-settled", "gateway": "CASH", "amount": 35000, "cause": "surplus",
     "outcome": "DONE"},
    {"what": "refund-started", "gateway": "TWO", "amount": 35000, "cause": "asked"},
    {"what": "refund-settled", "gateway": "TWO", "amount": 35000, "cause": "asked",
     "outcome": "DONE"},
    {"what": "seats-returned"}])"),
             history_of(now).dump(1));
  time_ms before = 0;
  for (const auto& each : now.body["history"]) {
    const auto at = read_rfc3339(each["at"].get<std::string>());
    BOOST_TEST_REQUIRE(at.has_value());
    BOOST_TEST(*at >= before);
    before = *at;
  }
}

BOOST_AUTO_TEST_CASE(where_none_can_it_is_502_and_another_call_may_try) {
  const seat_order it;
  one.charges(outcome::failed);
  two.charges(outcome::not_sent);
  const auto got = it.pay(nullptr, "p");
  BOOST_TEST(got.brief() == "502 payment-failed", got);
  BOOST_TEST((attempts_of(it.now()) == names{"ONE FAILED", "TWO NOT_SENT"}));
  BOOST_TEST(it.now().brief() == "200 PENDING");
  BOOST_TEST(it.at.seat("A-1") == "HELD");
  // The key stands for what was tried.
  one.charges(outcome::approved);
  const auto again = it.pay(nullptr, "p");
  BOOST_TEST(again.brief() == "502 payment-failed", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(it.pay(nullptr, "q").brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(a_decline_is_not_taken_elsewhere) {
  const seat_order it;
  one.charges(outcome::declined, "card stolen");
  BOOST_TEST(it.pay().brief() == "402 payment-declined");
  BOOST_TEST((attempts_of(it.now()) == names{"ONE DECLINED"}));
  BOOST_TEST(two.charged().empty());
}

BOOST_AUTO_TEST_CASE(the_gateway_that_was_chosen_is_the_only_one) {
  const seat_order it;
  one.charges(outcome::not_sent);
  BOOST_TEST(it.pay({{"gateway", "ONE"}}).brief() == "502 payment-failed");
  BOOST_TEST(two.charged().empty());
  BOOST_TEST(it.pay({{"gateway", "TWO"}}).brief() == "200 PAID");
  BOOST_TEST(one.charged().size() == 1U);
}

BOOST_AUTO_TEST_CASE(after_an_outcome_that_is_not_known_nobody_else_is_ever_asked) {
  const seat_order it;
  one.charges(outcome::unknown, "timeout");
  BOOST_TEST(it.pay(nullptr, "p").brief() == "202 PAYING");
  // From here on it cannot be reached: that proves nothing about the first time.
  one.charges(outcome::not_sent, "connection refused");
  BOOST_TEST_REQUIRE(eventually([&] { return one.charged().size() >= 2; }));
  one.charges(outcome::failed, "500");
  BOOST_TEST_REQUIRE(eventually([&] { return one.charged().size() >= 3; }));
  BOOST_TEST(it.now().brief() == "200 PAYING");
  BOOST_TEST(it.pay({{"gateway", "TWO"}}).brief() == "409 payment-running");
  one.charges(outcome::approved);
  BOOST_TEST_REQUIRE(it.becomes("PAID"));
  BOOST_TEST((attempts_of(it.now()) == names{"ONE APPROVED"}));
  BOOST_TEST(two.charged().empty());
  for (const auto& each : one.charged())
    BOOST_TEST((each.payment == one.charged()[0].payment)); // the same attempt each time
  BOOST_TEST(it.pay(nullptr, "p").brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(each_takes_what_its_rules_say) {
  const ruled_server other{{.gateway = "ONE",
                            .currencies = {"EUR"},
                            .methods = {"card"},
                            .countries = {"DE", "AT"},
                            .amount_min_minor = 100,
                            .amount_max_minor = 5'000,
                            .priority = 1},
                           {.gateway = "TWO", .currencies = {"EUR", "USD"}, .priority = 2}};
  struct attempt {
    json what;
    std::string gateway;
  };
  const std::vector<attempt> attempts{
      {json::object(), "ONE"},
      {{{"currency", "USD"}}, "TWO"},
      {{{"amount", 100}}, "ONE"},
      {{{"amount", 99}}, "TWO"},
      {{{"amount", 5'000}}, "ONE"},
      {{{"amount", 5'001}}, "TWO"},
      {{{"method", "card"}}, "ONE"},
      {{{"method", "pix"}}, "TWO"},
      {{{"country", "AT"}}, "ONE"},
      {{{"country", "BR"}}, "TWO"},
      {{{"gateway", "TWO"}}, "TWO"},
      {{{"currency", "BRL"}}, ""},
      {{{"gateway", "ONE"}, {"currency", "USD"}}, ""},
  };
  for (const auto& each : attempts) {
    const auto got = take_payment(each.what);
    BOOST_TEST(got.brief() == (each.gateway.empty() ? "503 no-gateway" : "201 APPROVED"),
               each.what << ": " << got);
    BOOST_TEST(got.text("gateway") == each.gateway, each.what << ": " << got);
  }
}

BOOST_AUTO_TEST_CASE(five_of_ten_open_a_breaker_and_its_gateway_is_passed_over) {
  trip(one);
  const auto shown = gateway_now("ONE");
  BOOST_TEST(shown["breaker"] == "OPEN", shown);
  BOOST_TEST(shown["counts"]["calls"] == 10);
  BOOST_TEST(shown["counts"]["failures"] == 5);
  BOOST_TEST(shown["lastError"]["what"] == "failed: 503");
  BOOST_TEST(shown.contains("trialsFrom"), shown);
  BOOST_TEST(breaker_of("TWO") == "CLOSED");
  const seat_order it;
  const auto got = it.pay();
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST((attempts_of(got) == names{"TWO APPROVED"}));
  BOOST_TEST(history_of(got)[1] == json::parse(R"({"what": "payment-started", "gateway": "TWO",
    "method": "card", "skipped": [{"gateway": "ONE", "reason": "breaker-open"}]})"));
  BOOST_TEST(one.charged().size() == 10U); // no call is made
}

BOOST_AUTO_TEST_CASE(declines_and_fewer_failures_open_nothing) {
  const json there{{"gateway", "ONE"}};
  one.charges(outcome::declined);
  for (int i = 0; i < 10; ++i)
    BOOST_TEST(take_payment(there).brief() == "201 DECLINED");
  one.charges(outcome::failed);
  for (int i = 0; i < 4; ++i)
    BOOST_TEST(take_payment(there).status == 502);
  BOOST_TEST(breaker_of("ONE") == "CLOSED");
  BOOST_TEST(gateway_now("ONE")["window"] == json::parse(R"({"calls": 10, "failures": 4})"));
}

BOOST_AUTO_TEST_CASE(while_all_are_open_nothing_is_tried_and_the_key_is_still_new) {
  trip(one);
  trip(two);
  const seat_order it;
  const auto no = it.pay(nullptr, "p");
  BOOST_TEST(no.brief() == "503 no-gateway", no);
  BOOST_TEST(no.header("retry-after") == "5");
  BOOST_TEST(it.pay({{"gateway", "ONE"}}).brief() == "503 no-gateway");
  BOOST_TEST(it.now().brief() == "200 PENDING");
  BOOST_TEST(it.now().body["payments"] == json::array());
  BOOST_TEST(take_payment().brief() == "503 no-gateway");
  one.charges(outcome::approved);
  server().clock.advance(15s);
  BOOST_TEST(it.pay(nullptr, "p").brief() == "503 no-gateway");
  server().clock.advance(5s);
  const auto yes = it.pay(nullptr, "p");
  BOOST_TEST(yes.brief() == "200 PAID", yes);
  BOOST_TEST(!yes.replayed());
}

BOOST_AUTO_TEST_CASE(three_good_trials_close_it_and_a_bad_one_opens_it_again) {
  trip(one);
  const json there{{"gateway", "ONE"}};
  server().clock.advance(20s);
  BOOST_TEST(take_payment(there).brief() == "502 payment-failed");
  BOOST_TEST(breaker_of("ONE") == "OPEN");
  BOOST_TEST(take_payment(there).brief() == "503 no-gateway");
  server().clock.advance(20s);
  one.charges(outcome::approved);
  for (int trial = 1; trial <= 3; ++trial) {
    BOOST_TEST(take_payment(there).brief() == "201 APPROVED");
    BOOST_TEST(breaker_of("ONE") == (trial < 3 ? "HALF_OPEN" : "CLOSED"), trial);
  }
  // Its window begins anew: four failures among nine calls are not enough.
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(take_payment(there).status == 201);
  one.charges(outcome::failed);
  for (int i = 0; i < 4; ++i)
    BOOST_TEST(take_payment(there).status == 502);
  BOOST_TEST(breaker_of("ONE") == "CLOSED");
}

BOOST_AUTO_TEST_CASE(no_more_than_three_trials_are_made_at_a_time) {
  trip(one);
  server().clock.advance(20s);
  one.charges(outcome::approved);
  one.pause();
  std::vector<std::thread> trials;
  std::atomic<int> approved{0};
  for (int i = 0; i < 3; ++i)
    trials.emplace_back([&] {
      approved += take_payment({{"gateway", "ONE"}}).brief() == "201 APPROVED" ? 1 : 0;
    });
  BOOST_TEST(eventually([&] { return one.charged().size() == 13; }));
  BOOST_TEST(take_payment({{"gateway", "ONE"}}).brief() == "503 no-gateway");
  BOOST_TEST(take_payment().text("gateway") == "TWO");
  one.go_on();
  for (auto& each : trials)
    each.join();
  BOOST_TEST(approved == 3);
  BOOST_TEST(breaker_of("ONE") == "CLOSED");
}

BOOST_AUTO_TEST_CASE(who_may_look_at_gateways) {
  struct caller {
    std::string key;
    int status;
  };
  for (const auto& [key, status] : std::vector<caller>{{"", 401},
                                                       {"gate-key", 403},
                                                       {"viewer-key", 200},
                                                       {"service-key", 200},
                                                       {"operator-key", 200},
                                                       {"admin-key", 200}})
    BOOST_TEST(server().get("/v1/gateways", {.key = key}).status == status, key);
  const auto all = server().get("/v1/gateways", {.key = "viewer-key"}).body["gateways"];
  BOOST_TEST(all.size() == 2U);
  BOOST_TEST(all[0]["gateway"] == "ONE");
  BOOST_TEST(all[0]["window"] == json::parse(R"({"calls": 0, "failures": 0})"));
  BOOST_TEST(all[1]["gateway"] == "TWO");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

// Payments without a show, over a real socket: what a service is answered when the gateway
// approves, declines, does not know, or cannot; keys; refunds; who may.

#include "tests/api/scripted_gateway.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

bool payment_becomes(const std::string& id, const std::string& status) {
  return eventually([&] { return payment_now(id).text("status") == status; });
}

said refund_payment(const std::string& id, const json& what = nullptr,
                    const std::string& key = fresh_key(), const std::string& who = "service-key") {
  return server().post("/v1/payments/" + id + "/refund", what, {.key = who, .idempotency = key});
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(cashier, scripted_server)

BOOST_AUTO_TEST_CASE(money_is_taken_at_once) {
  const auto got = take_payment();
  BOOST_TEST(got.brief() == "201 APPROVED", got);
  BOOST_TEST(!got.replayed());
  const auto id = got.text("id");
  BOOST_TEST(id.starts_with("payment-"));
  BOOST_TEST(got.header("location") == "/v1/payments/" + id);
  BOOST_TEST(got.body["amount"] == 2'500);
  BOOST_TEST(got.text("currency") == "EUR");
  BOOST_TEST(got.text("gateway") == "ONE");
  BOOST_TEST((attempts_of(got) == names{"ONE APPROVED"}));
  BOOST_TEST(got.text("paymentId") == one.id_of(got.body["payments"][0]["id"]));
  const auto read = payment_now(id);
  BOOST_TEST(read.brief() == "200 APPROVED", read);
  BOOST_TEST(read.body == got.body);
  BOOST_TEST(read.header("cache-control") == "no-store");
  const auto asked = one.charged();
  BOOST_TEST_REQUIRE(asked.size() == 1U);
  BOOST_TEST(asked[0].amount.amount_minor == 2'500);
  BOOST_TEST(asked[0].amount.currency == "EUR");
  BOOST_TEST(asked[0].method == "card");
}

BOOST_AUTO_TEST_CASE(a_decline_is_a_result_too) {
  one.charges(outcome::declined, "no cover");
  const json same{{"idempotencyKey", "k"}};
  const auto got = take_payment(same);
  BOOST_TEST(got.brief() == "201 DECLINED", got);
  BOOST_TEST(got.text("reason") == "no cover");
  BOOST_TEST(payment_now(got.text("id")).brief() == "200 DECLINED");
  one.charges(outcome::approved);
  const auto again = take_payment(same);
  BOOST_TEST(again.brief() == "201 DECLINED", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(one.charged().size() == 1U);
  BOOST_TEST(two.charged().empty());
  BOOST_TEST(refund_payment(got.text("id")).brief() == "409 order-not-paid");
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_asked_for_until_it_is) {
  one.charges(outcome::unknown, "timeout");
  const json same{{"idempotencyKey", "k"}};
  const auto got = take_payment(same);
  BOOST_TEST(got.brief() == "202 PENDING", got);
  BOOST_TEST(got.header("retry-after") == "2");
  const auto id = got.text("id");
  BOOST_TEST(payment_now(id).brief() == "200 PENDING");
  const auto again = take_payment(same);
  BOOST_TEST(again.brief() == "202 PENDING", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(again.text("id") == id);
  one.charges(outcome::approved);
  BOOST_TEST_REQUIRE(payment_becomes(id, "APPROVED"));
  const auto known = take_payment(same);
  BOOST_TEST(known.brief() == "201 APPROVED", known);
  BOOST_TEST(known.replayed());
  for (const auto& each : one.charged())
    BOOST_TEST((each.payment == one.charged()[0].payment));
  BOOST_TEST(two.charged().empty());
}

BOOST_AUTO_TEST_CASE(a_webhook_tells_of_it_as_well) {
  one.charges(outcome::unknown, "pending");
  const auto got = take_payment();
  const std::string attempt = got.body["payments"][0]["id"];
  BOOST_TEST(
      webhook("ONE",
              {{"payment", attempt}, {"reference", "r"}, {"amount", 2'500}, {"currency", "EUR"}})
          .status == 200);
  BOOST_TEST(payment_now(got.text("id")).brief() == "200 APPROVED");
  BOOST_TEST(payment_now(got.text("id")).text("paymentId") == "r");
}

BOOST_AUTO_TEST_CASE(past_the_limit_it_is_voided_and_what_came_all_the_same_is_kept) {
  one.charges(outcome::unknown, "timeout");
  one.voids(outcome::unknown, "timeout");
  const json same{{"idempotencyKey", "k"}};
  const auto gone = take_payment(same).text("id");
  const auto late = take_payment().text("id");
  server().clock.advance(10min);
  BOOST_TEST_REQUIRE(eventually([&] { return one.voided().size() >= 2; }));
  BOOST_TEST(payment_now(gone).brief() == "200 PENDING"); // nobody knows
  one.voids(outcome::failed, "voided");
  BOOST_TEST_REQUIRE(payment_becomes(gone, "VOIDED"));
  BOOST_TEST_REQUIRE(payment_becomes(late, "VOIDED"));
  BOOST_TEST(take_payment(same).brief() == "502 payment-failed");
  // No seats are in the way of money that comes after that.
  const std::string attempt = payment_now(late).body["payments"][0]["id"];
  BOOST_TEST(webhook("ONE", {{"payment", attempt}, {"reference", "r"}}).status == 200);
  BOOST_TEST(payment_now(late).brief() == "200 APPROVED");
}

BOOST_AUTO_TEST_CASE(where_no_gateway_can_nothing_is_charged) {
  one.charges(outcome::failed, "503");
  two.charges(outcome::not_sent, "connection refused");
  const json same{{"idempotencyKey", "k"}};
  const auto got = take_payment(same);
  BOOST_TEST(got.brief() == "502 payment-failed", got);
  const auto id = got.body["payment"]["id"].get<std::string>();
  BOOST_TEST((pairs_of({200, got.body["payment"], {}}, "payments", "gateway", "status") ==
              names{"ONE FAILED", "TWO NOT_SENT"}));
  BOOST_TEST(payment_now(id).brief() == "200 NOT_SENT");
  one.charges(outcome::approved);
  const auto again = take_payment(same);
  BOOST_TEST(again.brief() == "502 payment-failed", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(one.charged().size() == 1U);
  BOOST_TEST(take_payment().brief() == "201 APPROVED");
}

BOOST_AUTO_TEST_CASE(the_same_key_is_the_same_payment) {
  const json same{{"idempotencyKey", "k"}};
  const auto first = take_payment(same);
  BOOST_TEST(first.status == 201);
  const auto again = take_payment(same);
  BOOST_TEST(again.brief() == "201 APPROVED", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(again.body == first.body);
  for (const json& other :
       {json{{"amount", 2'501}}, json{{"currency", "USD"}}, json{{"method", "pix"}}}) {
    auto body = same;
    body.update(other);
    BOOST_TEST(take_payment(body).brief() == "422 idempotency-key-reused", other);
  }
  // Somebody else's is another.
  const auto theirs = take_payment(same, "operator-key");
  BOOST_TEST(theirs.status == 201, theirs);
  BOOST_TEST(!theirs.replayed());
  BOOST_TEST(theirs.text("id") != first.text("id"));
  BOOST_TEST(one.charged().size() == 2U);
  // A day later it may be used anew.
  server().clock.advance(24h);
  const auto later = take_payment(same);
  BOOST_TEST(later.status == 201);
  BOOST_TEST(later.text("id") != first.text("id"));
}

BOOST_AUTO_TEST_CASE(many_at_once_with_one_key_charge_once) {
  const json same{{"idempotencyKey", "burst"}};
  one.pause();
  std::atomic<std::size_t> answered{0};
  std::thread gateway{[&] {
    (void)eventually([&] { return answered >= 19; }); // all but the one that waits for the gateway
    one.go_on();
  }};
  const auto got = all_at_once(20, [&](std::size_t) {
    auto said = take_payment(same);
    ++answered;
    return said;
  });
  gateway.join();
  int first = 0;
  for (const auto& each : got) {
    BOOST_TEST(each.text("id") == got[0].text("id"), each);
    BOOST_TEST(each.brief() == (each.replayed() ? "202 PENDING" : "201 APPROVED"), each);
    first += each.replayed() ? 0 : 1;
  }
  BOOST_TEST(first == 1);
  BOOST_TEST(one.charged().size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_payment_is_named) {
  struct attempt {
    json more;
    std::string fields;
  };
  for (const auto& each : std::vector<attempt>{
           {{{"idempotencyKey", nullptr}}, "idempotencyKey"},
           {{{"idempotencyKey", ""}}, "idempotencyKey"},
           {{{"idempotencyKey", 1}}, "idempotencyKey"},
           {{{"amount", nullptr}}, "amount"},
           {{{"amount", 0}}, "amount"},
           {{{"amount", -1}}, "amount"},
           {{{"amount", 1.5}}, "amount"},
           {{{"amount", "2500"}}, "amount"},
           {{{"amount", 1'000'000'000'001}}, "amount"},
           {{{"currency", nullptr}}, "currency"},
           {{{"currency", "eur"}}, "currency"},
           {{{"currency", "EURO"}}, "currency"},
           {{{"currency", "QQQ"}}, "currency"},
           {{{"currency", ""}}, "currency"},
           {{{"gateway", "THREE"}}, "gateway"},
           {{{"gateway", ""}}, "gateway"},
           {{{"gateway", 1}}, "gateway"},
           {{{"method", 1}}, "method"},
           {{{"method", std::string(65, 'a')}}, "method"},
           {{{"country", "Brazil"}}, "country"},
           {{{"country", "br"}}, "country"},
           {{{"token", "tok_1"}}, "gateway"}, // whose is it?
           {{{"token", std::string(1'025, 'a')}, {"gateway", "ONE"}}, "token"},
       }) {
    const auto got = take_payment(each.more);
    BOOST_TEST(got.brief() == "400 invalid-request", each.more << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.more << ": " << got);
  }
  BOOST_TEST(server().post("/v1/payments", nullptr, {.key = "service-key"}).fields() ==
             "idempotencyKey amount currency");
  BOOST_TEST(one.charged().empty());
  for (const std::string currency : {"JPY", "BHD", "BRL"})
    BOOST_TEST(take_payment({{"currency", currency}}).status == 201, currency);
}

BOOST_AUTO_TEST_CASE(a_token_reaches_the_gateway_and_nobody_else) {
  const auto got = take_payment({{"token", "tok_secret"}, {"gateway", "ONE"}});
  BOOST_TEST(got.status == 201, got);
  BOOST_TEST(got.raw.body.find("tok_secret") == std::string::npos);
  const auto asked = one.charged();
  BOOST_TEST_REQUIRE(asked.size() == 1U);
  BOOST_TEST(!asked[0].token.empty());
  BOOST_TEST(asked[0].token.find("tok_secret") == std::string::npos); // sealed
  const auto failed = server().log()->replay(1, [](const storage::stored_record& each) {
    BOOST_TEST(each.data.find("tok_secret") == std::string::npos);
    return true;
  });
  BOOST_TEST(!failed.has_value());
}

BOOST_AUTO_TEST_CASE(money_goes_back) {
  const auto id = take_payment().text("id");
  BOOST_TEST(refund_payment(id, {{"seats", {"A-1"}}}).brief() == "409 seat-not-sold");
  BOOST_TEST(refund_payment(id, {{"amount", 2'501}}).brief() == "409 refund-too-large");
  BOOST_TEST(refund_payment(id, nullptr, "").brief() == "400 idempotency-key-missing");
  const auto part = refund_payment(id, {{"amount", 500}}, "k");
  BOOST_TEST(part.brief() == "200 APPROVED", part);
  BOOST_TEST((refunds_of(part) == names{"asked PENDING"}));
  BOOST_TEST_REQUIRE(payment_becomes(id, "PARTLY_REFUNDED"));
  const auto again = refund_payment(id, {{"amount", 500}}, "k");
  BOOST_TEST(again.brief() == "200 PARTLY_REFUNDED", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(refund_payment(id, {{"amount", 501}}, "k").brief() == "422 idempotency-key-reused");
  BOOST_TEST(refund_payment(id).status == 200);
  BOOST_TEST_REQUIRE(payment_becomes(id, "REFUNDED"));
  BOOST_TEST(refund_payment(id).brief() == "409 already-refunded");
  const auto asked = one.refunded();
  BOOST_TEST_REQUIRE(asked.size() == 2U);
  BOOST_TEST(asked[0].amount.amount_minor == 500);
  BOOST_TEST(asked[1].amount.amount_minor == 2'000);
  BOOST_TEST(asked[1].amount.currency == "EUR");
  const auto outside = take_payment().text("id");
  BOOST_TEST(refund_payment(outside, {{"doneOutside", "by transfer"}}).brief() == "200 REFUNDED");
  BOOST_TEST(one.refunded().size() == 2U);
}

BOOST_AUTO_TEST_CASE(who_may_take_and_give) {
  const auto id = take_payment().text("id");
  struct caller {
    std::string key;
    int refused;
  };
  for (const auto& [key, refused] : std::vector<caller>{{"", 401},
                                                        {"gate-key", 403},
                                                        {"viewer-key", 403},
                                                        {"operator-key", 0},
                                                        {"admin-key", 0}}) {
    const auto refusal = [&, refused = refused](int otherwise) {
      return refused == 0 ? otherwise : refused;
    };
    BOOST_TEST(take_payment(json::object(), key).status == refusal(201), key);
    BOOST_TEST(server().get("/v1/payments/" + id, {.key = key}).status == refusal(200), key);
    BOOST_TEST(refund_payment(id, {{"amount", 1}}, fresh_key(), key).status == refusal(200), key);
  }
}

BOOST_AUTO_TEST_CASE(a_payment_is_no_order_and_an_order_no_payment) {
  const auto id = take_payment().text("id");
  const paid_order it;
  auto random = id;
  random.back() = random.back() == '0' ? '1' : '0';
  for (const auto& none : {std::string{"x"}, random, it.id, it.attempt()}) {
    BOOST_TEST(payment_now(none).brief() == "404 unknown-payment", none);
    BOOST_TEST(refund_payment(none).brief() == "404 unknown-payment", none);
  }
  for (const auto& none : {id, "order" + id.substr(7)}) {
    BOOST_TEST(order_now(none).brief() == "404 unknown-order", none);
    BOOST_TEST(pay(none).brief() == "404 unknown-order", none);
  }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

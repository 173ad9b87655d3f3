// Attempts whose outcome stays unknown, over a real socket: seats wait for them up to the limit,
// then the order is over and the attempt is voided; money that comes all the same sells if it still
// can, else it goes back. And cancelling in the middle of a payment. A minute passes by the clock.

#include "tests/api/scripted_gateway.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

constexpr duration_ms limit_ms = 600'000;

struct limited_server : scripted_server {
  limited_server() : scripted_server{limit_ms} {
    one.charges(outcome::unknown, "timeout");
    one.voids(outcome::unknown, "timeout");
  }
  /// The order's attempt is unknown when the limit comes.
  void give_up(const seat_order& it) const {
    BOOST_TEST_REQUIRE(it.pay(nullptr, "p").brief() == "202 PAYING");
    server().clock.advance(std::chrono::milliseconds{limit_ms});
    BOOST_TEST_REQUIRE(it.becomes("EXPIRED"));
    BOOST_TEST_REQUIRE(eventually([&] { return !one.voided().empty(); }));
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(payment_limit, limited_server)

BOOST_AUTO_TEST_CASE(until_then_the_seats_wait_for_it) {
  const seat_order it;
  BOOST_TEST(it.pay().brief() == "202 PAYING");
  // Neither the hold's five minutes nor the four for paying count.
  const auto other = it.at.hold({"A-2"}).text("holdId");
  server().clock.advance(std::chrono::milliseconds{limit_ms - 10'000});
  BOOST_TEST(eventually([&] { return it.at.seat("A-2") == "AVAILABLE"; }));
  BOOST_TEST(it.at.hold_of(other).status == 410);
  BOOST_TEST(it.now().brief() == "200 PAYING");
  BOOST_TEST(it.at.seat("A-1") == "HELD");
  BOOST_TEST(it.at.hold({"A-1"}).status == 409);
  BOOST_TEST(one.voided().empty());
  one.charges(outcome::approved);
  BOOST_TEST_REQUIRE(it.becomes("PAID"));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_CASE(then_the_seats_go_back_and_the_attempt_is_voided) {
  const seat_order it;
  give_up(it);
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(it.at.hold_of(it.hold).status == 410);
  BOOST_TEST((attempts_of(it.now()) == names{"ONE UNKNOWN"}));
  BOOST_TEST(it.pay().brief() == "409 order-over");
  BOOST_TEST(it.pay(nullptr, "p").brief() == "202 EXPIRED"); // nobody knows yet
  one.voids(outcome::failed, "voided");
  BOOST_TEST_REQUIRE(eventually([&] { return attempts_of(it.now()) == names{"ONE VOIDED"}; }));
  BOOST_TEST(it.now().brief() == "200 EXPIRED");
  BOOST_TEST(it.pay(nullptr, "p").brief() == "502 payment-failed");
  BOOST_TEST(!it.now().body.contains("refunds"));
  const auto asked = one.voided();
  BOOST_TEST((asked[0].payment == one.charged()[0].payment));
  BOOST_TEST(asked[0].amount.amount_minor == 35'000);
}

BOOST_AUTO_TEST_CASE(money_that_came_all_the_same_sells_if_the_seats_are_free) {
  const seat_order it;
  give_up(it);
  one.voids(outcome::approved); // too late
  BOOST_TEST_REQUIRE(it.becomes("PAID"));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST((attempts_of(it.now()) == names{"ONE APPROVED"}));
  BOOST_TEST((tickets_of(it.now()) == names{"A-1 VALID"}));
  BOOST_TEST(one.refunded().empty());
  const auto again = it.pay(nullptr, "p");
  BOOST_TEST(again.brief() == "200 PAID", again);
  BOOST_TEST(again.replayed());
}

BOOST_AUTO_TEST_CASE(else_it_goes_back) {
  const seat_order it;
  give_up(it);
  const auto theirs = it.at.hold({"A-1"}).text("holdId");
  one.voids(outcome::approved);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST((refunds_of(it.now()) == names{"refund-due DONE"}));
  BOOST_TEST_REQUIRE(one.refunded().size() == 1U);
  BOOST_TEST(one.refunded()[0].payment_reference == one.id_of(it.attempt()));
  BOOST_TEST(it.at.hold_of(theirs).brief() == "200 HELD");
}

BOOST_AUTO_TEST_CASE(a_webhook_tells_of_it_as_well_as_the_answer) {
  const seat_order it;
  give_up(it);
  const auto attempt = it.attempt();
  const auto got = webhook("one", {{"payment", attempt}, {"reference", one.id_of(attempt)}});
  BOOST_TEST(got.status == 200, got);
  BOOST_TEST(it.now().brief() == "200 PAID");
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(!it.now().body.contains("refunds"));
}

BOOST_AUTO_TEST_CASE(after_a_decline_the_hold_has_the_time_that_it_had) {
  const seat_order it;
  const auto before = time_of(it.at.hold_of(it.hold), "expiresAt");
  BOOST_TEST(it.pay(nullptr, "p").brief() == "202 PAYING");
  BOOST_TEST(time_of(it.at.hold_of(it.hold), "expiresAt") > before);
  one.charges(outcome::declined, "no");
  BOOST_TEST_REQUIRE(it.becomes("PENDING"));
  BOOST_TEST(time_of(it.at.hold_of(it.hold), "expiresAt") == before);
  BOOST_TEST(it.pay(nullptr, "p").brief() == "402 payment-declined");
}

BOOST_AUTO_TEST_CASE(a_decline_after_the_orders_own_time_ends_it) {
  const seat_order it;
  BOOST_TEST(it.pay(nullptr, "p").brief() == "202 PAYING");
  server().clock.advance(5min);
  one.charges(outcome::declined, "no");
  BOOST_TEST_REQUIRE(it.becomes("EXPIRED"));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(it.pay(nullptr, "p").brief() == "402 payment-declined");
}

BOOST_AUTO_TEST_CASE(cancelling_a_payment_under_way_frees_the_seats_and_voids_it) {
  const seat_order it;
  BOOST_TEST(it.pay(nullptr, "p").brief() == "202 PAYING");
  one.voids(outcome::failed, "voided");
  BOOST_TEST(it.cancel().brief() == "200 CANCELLED");
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST_REQUIRE(eventually([&] { return attempts_of(it.now()) == names{"ONE VOIDED"}; }));
  BOOST_TEST(it.now().brief() == "200 CANCELLED");
  BOOST_TEST(it.cancel().brief() == "200 CANCELLED");
  BOOST_TEST(it.pay(nullptr, "p").brief() == "502 payment-failed");
}

BOOST_AUTO_TEST_CASE(what_a_cancelled_order_takes_goes_back_although_the_seats_are_free) {
  const seat_order it;
  one.charges(outcome::approved);
  one.pause();
  said first;
  std::thread slow{[&] { first = it.pay(nullptr, "p"); }};
  BOOST_TEST(eventually([&] { return one.charged().size() == 1; }));
  BOOST_TEST(it.cancel().brief() == "200 CANCELLED");
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  one.go_on();
  slow.join();
  BOOST_TEST(first.brief() == "409 refund-due", first);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST((refunds_of(it.now()) == names{"refund-due DONE"}));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(it.at.hold({"A-1"}).status == 201);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

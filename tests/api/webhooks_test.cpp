// What gateways tell of their own accord, over a real socket: in any order with the answers to our
// own calls, several times, before there is an order, about too little money, forged, or when
// nobody can say. Any number of reports of one payment are one sale.

#include "tests/api/scripted_gateway.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// "200 applied", "200 not applied", or the problem.
std::string effect_of(const said& what) {
  if (what.status != 200)
    return what.brief();
  return what.body["applied"].get<bool>() ? "200 applied" : "200 not applied";
}

/// How often a step stands in the history of an order.
std::ptrdiff_t steps(const said& order, const std::string& what) {
  return std::ranges::count_if(order.body["history"],
                               [&](const json& each) { return each["what"] == what; });
}

/// An order for a reference of the seller's, in a show without a plan.
std::string order_reference(const show& at, const std::string& reference, int amount) {
  auto body = order_for(reference);
  body.update({{"showId", at.id}, {"amount", amount}});
  const auto made = server().post("/v1/orders", body, {.idempotency = fresh_key()});
  BOOST_TEST_REQUIRE(made.status == 201, made);
  return made.text("id");
}

bool order_becomes(const std::string& id, const std::string& status) {
  return eventually([&] { return order_now(id).text("status") == status; });
}

struct told_server : scripted_server {
  /// Of the first attempt of this order, with the id that the gateway's own answer has.
  [[nodiscard]] json news(const seat_order& it, const std::string& what = "approved") const {
    const auto attempt = it.attempt();
    json told{{"payment", attempt}, {"what", what}};
    if (what == "approved")
      told.update({{"reference", one.id_of(attempt)}, {"amount", 35'000}});
    return told;
  }
  /// An order whose pay call is at the gateway, which does not answer yet.
  struct under_way {
    explicit under_way(scripted_gateway& at) : gateway{at} {
      const auto before = gateway.charged().size();
      gateway.pause();
      caller = std::thread{[this] { answer = it.pay(nullptr, "p"); }};
      if (!eventually([&] { return gateway.charged().size() > before; }))
        throw std::runtime_error{"the gateway is not asked"};
    }
    ~under_way() { end(); }
    under_way(const under_way&) = delete;
    under_way& operator=(const under_way&) = delete;
    const said& end() {
      gateway.go_on();
      if (caller.joinable())
        caller.join();
      return answer;
    }
    scripted_gateway& gateway;
    seat_order it;
    said answer;
    std::thread caller;
  };
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(webhooks, told_server)

BOOST_AUTO_TEST_CASE(one_that_comes_before_the_answer_sells) {
  under_way call{one};
  const auto& it = call.it;
  BOOST_TEST(effect_of(webhook("ONE", news(it))) == "200 applied");
  BOOST_TEST(it.now().brief() == "200 PAID");
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(call.end().brief() == "200 PAID", call.answer);
  BOOST_TEST((attempts_of(it.now()) == names{"ONE APPROVED"}));
  BOOST_TEST(!it.now().body.contains("refunds"));
  BOOST_TEST(one.charged().size() == 1U);
}

BOOST_AUTO_TEST_CASE(one_that_comes_after_the_answer_or_again_changes_nothing) {
  const paid_order it;
  const auto before = it.now();
  for (const std::string name : {"ONE", "one", "One"})
    BOOST_TEST(effect_of(webhook(name, news(it))) == "200 applied", name);
  // Without our own id of the attempt, but with the order's.
  auto told = news(it);
  told.erase("payment");
  told["order"] = it.id;
  BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
  BOOST_TEST(it.now().body == before.body);
}

BOOST_AUTO_TEST_CASE(one_settles_what_was_not_known) {
  one.charges(outcome::unknown, "pending");
  const seat_order yes;
  BOOST_TEST(yes.pay(nullptr, "p").brief() == "202 PAYING");
  BOOST_TEST(effect_of(webhook("ONE", news(yes))) == "200 applied");
  const auto paid = yes.pay(nullptr, "p");
  BOOST_TEST(paid.brief() == "200 PAID", paid);
  BOOST_TEST(paid.replayed());

  const seat_order no;
  BOOST_TEST(no.pay(nullptr, "p").brief() == "202 PAYING");
  auto told = news(no, "declined");
  told["reason"] = "no cover";
  BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
  BOOST_TEST(no.now().brief() == "200 PENDING");
  BOOST_TEST(no.pay(nullptr, "p").brief() == "402 payment-declined");
  BOOST_TEST(no.pay({{"gateway", "TWO"}}).brief() == "200 PAID");

  const seat_order over;
  BOOST_TEST(over.pay(nullptr, "p").brief() == "202 PAYING");
  BOOST_TEST(effect_of(webhook("ONE", news(over, "failed"))) == "200 applied");
  BOOST_TEST(over.pay(nullptr, "p").brief() == "502 payment-failed");
  BOOST_TEST(over.now().brief() == "200 PENDING");

  const seat_order open;
  BOOST_TEST(open.pay(nullptr, "p").brief() == "202 PAYING");
  BOOST_TEST(effect_of(webhook("ONE", news(open, "unknown"))) == "200 not applied");
  BOOST_TEST(open.now().brief() == "200 PAYING");
}

BOOST_AUTO_TEST_CASE(a_late_failure_undoes_nothing) {
  const paid_order it;
  const auto before = it.now();
  for (const std::string what : {"declined", "failed"})
    BOOST_TEST(webhook("ONE", news(it, what)).status == 200, what);
  BOOST_TEST(it.now().body == before.body);
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_CASE(money_of_an_attempt_that_had_been_declined_counts) {
  one.charges(outcome::declined, "no");
  const seat_order it;
  BOOST_TEST(it.pay(nullptr, "p").brief() == "402 payment-declined");
  BOOST_TEST(effect_of(webhook("ONE", news(it))) == "200 applied");
  BOOST_TEST(it.now().brief() == "200 PAID");
  BOOST_TEST((attempts_of(it.now()) == names{"ONE APPROVED"}));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(it.pay(nullptr, "p").brief() == "200 PAID");
  BOOST_TEST(webhook("ONE", news(it)).status == 200);
  BOOST_TEST(!it.now().body.contains("refunds"));
}

BOOST_AUTO_TEST_CASE(a_second_success_goes_back) {
  const paid_order it;
  BOOST_TEST(
      effect_of(webhook("TWO", {{"order", it.id}, {"reference", "t-1"}, {"amount", 35'000}})) ==
      "200 applied");
  BOOST_TEST_REQUIRE(eventually([&] { return refunds_of(it.now()) == names{"surplus DONE"}; }));
  BOOST_TEST(it.now().brief() == "200 PAID");
  BOOST_TEST_REQUIRE(two.refunded().size() == 1U);
  BOOST_TEST(two.refunded()[0].payment_reference == "t-1");
  BOOST_TEST(one.refunded().empty());
  // A declined attempt that charged after all, when another has paid.
  one.charges(outcome::declined, "no");
  const seat_order other;
  BOOST_TEST(other.pay().brief() == "402 payment-declined");
  BOOST_TEST(other.pay({{"gateway", "TWO"}}).brief() == "200 PAID");
  BOOST_TEST(webhook("ONE", news(other)).status == 200);
  BOOST_TEST_REQUIRE(eventually([&] { return refunds_of(other.now()) == names{"surplus DONE"}; }));
  BOOST_TEST(other.now().brief() == "200 PAID");
  BOOST_TEST_REQUIRE(one.refunded().size() == 1U);
  BOOST_TEST(one.refunded()[0].payment_reference == one.id_of(other.attempt()));
}

BOOST_AUTO_TEST_CASE(a_wrong_amount_buys_nothing_and_goes_back_as_it_came) {
  for (const int amount : {1, 34'999, 35'001}) {
    one.charges(outcome::unknown, "pending");
    const seat_order it;
    BOOST_TEST(it.pay().brief() == "202 PAYING");
    auto told = news(it);
    told["amount"] = amount;
    BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
    BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
    BOOST_TEST((refunds_of(it.now()) == names{"refund-due DONE"}));
    BOOST_TEST(it.now().body["refunds"][0]["amount"] == amount);
    BOOST_TEST(one.refunded().back().amount.amount_minor == amount);
    BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
    BOOST_TEST(it.refund().brief() == "409 already-refunded");
  }
  // By the order's id.
  const seat_order it;
  BOOST_TEST(effect_of(webhook("TWO", {{"order", it.id}, {"reference", "t"}, {"amount", 7}})) ==
             "200 applied");
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(it.now().body["refunds"][0]["amount"] == 7);
}

BOOST_AUTO_TEST_CASE(money_of_another_currency_is_not_acknowledged) {
  const seat_order it;
  BOOST_TEST(effect_of(webhook("ONE", {{"order", it.id},
                                       {"reference", "r"},
                                       {"amount", 35'000},
                                       {"currency", "JPY"}})) == "409 amount-differs");
  BOOST_TEST(it.now().brief() == "200 PENDING");
}

BOOST_AUTO_TEST_CASE(one_gateway_does_not_speak_for_another) {
  one.charges(outcome::unknown, "pending");
  const seat_order it;
  BOOST_TEST(it.pay().brief() == "202 PAYING");
  const auto attempt = it.attempt();
  for (const std::string what : {"declined", "failed"}) {
    BOOST_TEST(webhook("TWO", {{"payment", attempt}, {"what", what}}).status == 200, what);
    BOOST_TEST(it.now().brief() == "200 PAYING", what);
    BOOST_TEST((attempts_of(it.now()) == names{"ONE UNKNOWN"}), what);
  }
  // Money of its own is money, and not the attempt's.
  BOOST_TEST(
      webhook("TWO", {{"payment", attempt}, {"reference", "t-1"}, {"amount", 35'000}}).status ==
      200);
  BOOST_TEST(it.now().brief() == "200 PAID");
  BOOST_TEST(attempts_of(it.now()).back() == "TWO APPROVED");
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST_REQUIRE(two.refunded().size() == 1U);
  BOOST_TEST(two.refunded()[0].payment_reference == "t-1");
}

BOOST_AUTO_TEST_CASE(what_settles_nothing_does_not_stop_the_asking) {
  one.charges(outcome::unknown, "pending");
  const seat_order it;
  BOOST_TEST(it.pay().brief() == "202 PAYING");
  const auto attempt = it.attempt();
  BOOST_TEST(webhook("TWO", {{"payment", attempt}, {"what", "declined"}}).status == 200);
  BOOST_TEST(
      webhook("ONE",
              {{"payment", attempt}, {"reference", "r"}, {"amount", 35'000}, {"currency", "JPY"}})
          .brief() == "409 amount-differs");
  // That it may have charged is not forgotten either: nobody else is asked.
  one.charges(outcome::not_sent, "connection refused");
  const auto asked = one.charged().size();
  BOOST_TEST_REQUIRE(eventually([&] { return one.charged().size() > asked; }));
  one.charges(outcome::approved);
  BOOST_TEST_REQUIRE(it.becomes("PAID"));
  BOOST_TEST((attempts_of(it.now()) == names{"ONE APPROVED"}));
  BOOST_TEST(two.charged().empty());
}

BOOST_AUTO_TEST_CASE(one_that_comes_before_its_order_is_kept_for_it) {
  const show at{plain()};
  const json told{
      {"show", at.id}, {"hold_ref", "theirs-1"}, {"reference", "r-1"}, {"amount", 1'000}};
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
  // Another order's is another's.
  const auto other = order_reference(at, "theirs-2", 1'000);
  const auto id = order_reference(at, "theirs-1", 1'000);
  BOOST_TEST_REQUIRE(order_becomes(id, "PAID"));
  BOOST_TEST((attempts_of(order_now(id)) == names{"ONE APPROVED"}));
  BOOST_TEST(order_now(id).body["payments"][0]["paymentId"] == "r-1");
  BOOST_TEST(order_now(other).brief() == "200 PENDING");
  const auto paid = order_now(id);
  BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
  BOOST_TEST(order_now(id).body == paid.body);
}

BOOST_AUTO_TEST_CASE(one_that_comes_before_its_order_with_the_wrong_amount_goes_back) {
  const show at{plain()};
  BOOST_TEST(effect_of(webhook("ONE", {{"show", at.id},
                                       {"hold_ref", "theirs-1"},
                                       {"reference", "r-1"},
                                       {"amount", 999}})) == "200 applied");
  const auto id = order_reference(at, "theirs-1", 1'000);
  BOOST_TEST_REQUIRE(order_becomes(id, "REFUNDED"));
  BOOST_TEST((refunds_of(order_now(id)) == names{"refund-due DONE"}));
  BOOST_TEST(one.refunded().back().amount.amount_minor == 999);
}

BOOST_AUTO_TEST_CASE(of_two_payments_that_wait_for_one_order_one_goes_back) {
  const show at{plain()};
  for (const std::string reference : {"r-1", "r-2"})
    BOOST_TEST(webhook("ONE", {{"show", at.id},
                               {"hold_ref", "theirs-1"},
                               {"reference", reference},
                               {"amount", 1'000}})
                   .status == 200);
  const auto id = order_reference(at, "theirs-1", 1'000);
  BOOST_TEST_REQUIRE(order_becomes(id, "PAID"));
  BOOST_TEST_REQUIRE(
      eventually([&] { return refunds_of(order_now(id)) == names{"surplus DONE"}; }));
  BOOST_TEST(one.refunded()[0].payment_reference == "r-2");
}

BOOST_AUTO_TEST_CASE(the_same_money_never_pays_a_second_order) {
  const show at{plain()};
  const json told{
      {"show", at.id}, {"hold_ref", "theirs-1"}, {"reference", "r-1"}, {"amount", 1'000}};
  const auto first = order_reference(at, "theirs-1", 1'000);
  BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
  BOOST_TEST(order_now(first).brief() == "200 PAID");
  BOOST_TEST(server()
                 .post("/v1/orders/" + first + "/refund", nullptr,
                       {.key = "service-key", .idempotency = fresh_key()})
                 .status == 200);
  BOOST_TEST_REQUIRE(order_becomes(first, "REFUNDED"));
  // The reference is free again; providers repeat their webhooks for days.
  const auto second = order_reference(at, "theirs-1", 1'000);
  BOOST_TEST(webhook("ONE", told).status == 200);
  BOOST_TEST(order_now(second).brief() == "200 PENDING");
  BOOST_TEST(order_now(first).brief() == "200 REFUNDED");
}

BOOST_AUTO_TEST_CASE(one_for_a_cancelled_order_of_an_attempt_goes_back) {
  one.charges(outcome::unknown, "pending");
  one.voids(outcome::unknown, "timeout");
  const seat_order it;
  BOOST_TEST(it.pay().brief() == "202 PAYING");
  const auto told = news(it);
  BOOST_TEST(it.cancel().brief() == "200 CANCELLED");
  BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
}

BOOST_AUTO_TEST_CASE(what_is_not_believed_or_not_ours_changes_nothing) {
  one.charges(outcome::unknown, "pending");
  const seat_order it;
  BOOST_TEST(it.pay().brief() == "202 PAYING");
  const auto end = log_end();
  const auto told = news(it);
  BOOST_TEST(webhook("ONE", told, "bad").brief() == "400 signature-invalid");
  BOOST_TEST(webhook("ONE", told, "").brief() == "400 signature-invalid");
  BOOST_TEST(server().ask("POST", "/v1/webhooks/ONE", told.dump()).brief() ==
             "400 signature-invalid");
  for (const std::string none : {"THREE", "SANDBOX", "on", "ONE1"})
    BOOST_TEST(webhook(none, told).brief() == "404 unknown-gateway", none);
  const auto busy = webhook("ONE", {{"busy", true}});
  BOOST_TEST(busy.brief() == "503 gateway-unavailable", busy);
  BOOST_TEST(busy.header("retry-after") == "20");
  auto random = told["payment"].get<std::string>();
  random.back() = random.back() == '0' ? '1' : '0';
  for (const json& each : std::vector<json>{
           {{"other", true}},
           {{"reference", "r"}, {"amount", 1}},
           {{"payment", "payment-0-ffff-" + random.substr(random.rfind('-') + 1)}},
           {{"payment", random}, {"reference", "r"}, {"amount", 35'000}},
           {{"payment", it.id}, {"reference", "r"}, {"amount", 35'000}},
           {{"hold_ref", "x"}, {"show", "no-such"}, {"reference", "r"}, {"amount", 1}},
           {{"hold_ref", "x"}, {"reference", "r"}, {"amount", 1}},
           {{"order", it.id}, {"what", "declined"}, {"reference", "r"}},
       })
    BOOST_TEST(effect_of(webhook("ONE", each)) == "200 not applied", each);
  BOOST_TEST(it.now().brief() == "200 PAYING");
  BOOST_TEST(log_end() == end);
  const std::string large(std::size_t{256} * 1024 + 1, ' ');
  BOOST_TEST(server().ask("POST", "/v1/webhooks/ONE", large).status == 413);
}

BOOST_AUTO_TEST_CASE(a_gateway_that_is_down_is_not_asked_whether_a_webhook_is_true) {
  const seat_order it;
  const json told{{"order", it.id}, {"reference", "r"}, {"amount", 35'000}};
  one.checks_webhooks_itself();
  one.charges(outcome::failed, "503");
  for (int i = 0; i < 10; ++i)
    (void)take_payment({{"gateway", "ONE"}});
  BOOST_TEST(gateway_now("ONE")["breaker"] == "OPEN");
  const auto later = webhook("ONE", told);
  BOOST_TEST(later.brief() == "503 gateway-unavailable", later);
  BOOST_TEST(later.header("retry-after") == "20");
  BOOST_TEST(it.now().brief() == "200 PENDING");
  server().clock.advance(20s);
  BOOST_TEST(effect_of(webhook("ONE", told)) == "200 applied");
  BOOST_TEST(it.now().brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(many_reports_of_one_payment_at_once_are_one_sale) {
  for (int round = 0; round < 3; ++round) {
    under_way call{one};
    const auto& it = call.it;
    const auto told = news(it);
    auto by_order = told;
    by_order.erase("payment");
    by_order["order"] = it.id;
    const auto got = all_at_once(50, [&](std::size_t i) {
      if (i == 25)
        one.go_on(); // the gateway's own answer comes in the middle
      return i % 3 == 0   ? webhook("ONE", told)
             : i % 3 == 1 ? webhook("ONE", by_order)
                          : it.confirm("ONE", told["reference"]);
    });
    for (const auto& each : got)
      BOOST_TEST(each.status == 200, each);
    BOOST_TEST(call.end().brief() == "200 PAID", call.answer);
    const auto now = it.now();
    BOOST_TEST(now.brief() == "200 PAID", now);
    BOOST_TEST(steps(now, "paid") == 1, now);
    BOOST_TEST(!now.body.contains("refunds"), now);
    BOOST_TEST((tickets_of(now) == names{"A-1 VALID"}));
    BOOST_TEST(it.at.seat("A-1") == "SOLD");
    BOOST_TEST(it.at.seat("A-2") == "AVAILABLE");
  }
  BOOST_TEST(one.refunded().empty());
}

BOOST_AUTO_TEST_CASE(many_payments_of_one_order_at_once_are_one_sale_and_the_rest_goes_back) {
  const seat_order it;
  const auto got = all_at_once(20, [&](std::size_t i) {
    const auto reference = "r-" + std::to_string(i / 2); // each twice
    return i % 2 == 0
               ? webhook("TWO", {{"order", it.id}, {"reference", reference}, {"amount", 35'000}})
               : it.confirm("TWO", reference);
  });
  for (const auto& each : got)
    BOOST_TEST(each.status == 200, each);
  BOOST_TEST_REQUIRE(eventually([&] { return refunds_of(it.now()) == names(9, "surplus DONE"); }));
  const auto now = it.now();
  BOOST_TEST(now.brief() == "200 PAID", now);
  BOOST_TEST(steps(now, "paid") == 1);
  BOOST_TEST(attempts_of(now).size() == 10U);
  // Nine different ones went back, and not the one that paid.
  std::set<std::string> back;
  for (const auto& each : two.refunded())
    back.insert(each.payment_reference);
  BOOST_TEST(back.size() == 9U);
  BOOST_TEST(two.refunded().size() == 9U);
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

// Giving money back, over a real socket, at gateways that do it, refuse it, are down for a while or
// are none of ours: what goes back, what becomes of seats and tickets, and that it is never more
// than came, whoever asks how often.
//
// That it bites was shown by not comparing a refund's amount with what is left in the desk's rules:
// the cases of amounts, of fees and of what is no refund fail.

#include "tests/api/scripted_gateway.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// The sum of what a gateway was asked to give back, each refund counted once.
std::int64_t given_back(const scripted_gateway& by) {
  std::map<std::string, std::int64_t> each;
  for (const auto& one : by.refunded())
    each[write_reference("refund", one.show, one.refund)] = one.amount.amount_minor;
  std::int64_t sum = 0;
  for (const auto& [id, amount] : each)
    sum += amount;
  return sum;
}

bool all_done(const said& order) {
  const auto all = refunds_of(order);
  return std::ranges::all_of(all, [](const std::string& one) { return one.ends_with(" DONE"); });
}

/// Both categories cost nothing.
json free_hall() {
  return hall_with(R"({"plan": {"categories": [{"id": "stalls", "name": "Stalls", "price": 0},
                                               {"id": "box", "name": "Box", "price": 0}]}})");
}

double metric(const std::string& name) {
  server().clock.advance(std::chrono::milliseconds{http::metrics_page::kept_ms});
  const auto page = server().get("/metrics").raw.body;
  const auto at = page.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(page.substr(at + name.size() + 2));
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(refunds, scripted_server)

BOOST_AUTO_TEST_CASE(all_of_it_goes_back_and_the_seats_are_sold_again) {
  const paid_order it{{"A-1", "B-1"}};
  const auto got = it.refund();
  // The answer is the order as it is when the refund is on disk: the gateway was not asked yet.
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST(!got.replayed());
  BOOST_TEST((refunds_of(got) == names{"asked PENDING"}), got);
  BOOST_TEST((tickets_of(got) == names{"A-1 VOID", "B-1 VOID"}), got);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  const auto after = it.now();
  BOOST_TEST((refunds_of(after) == names{"asked DONE"}));
  const auto& refund = after.body["refunds"][0];
  BOOST_TEST(refund["gateway"] == "ONE");
  BOOST_TEST(refund["amount"] == 85'000);
  BOOST_TEST(refund["seats"] == json::parse(R"(["A-1", "B-1"])"));
  BOOST_TEST(refund["reference"] == one.id_of(refund["id"]));
  BOOST_TEST(!after.body.contains("tickets"), after);
  const auto asked = one.refunded();
  BOOST_TEST_REQUIRE(asked.size() == 1U);
  BOOST_TEST(asked[0].amount.amount_minor == 85'000);
  BOOST_TEST(asked[0].amount.currency == "BRL");
  BOOST_TEST(asked[0].payment_reference == one.id_of(it.attempt()));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(it.at.seat("B-1") == "AVAILABLE");
  // Somebody else buys them; the first order has no more to give back.
  const auto theirs = buy(it.at.hold({"A-1", "B-1"}).text("holdId"));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(it.refund().brief() == "409 already-refunded");
  BOOST_TEST(it.refund({{"doneOutside", "cash"}}).brief() == "409 already-refunded");
  BOOST_TEST(order_now(theirs).brief() == "200 PAID");
  BOOST_TEST((tickets_of(order_now(theirs)) == names{"A-1 VALID", "B-1 VALID"}));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(one.refunded().size() == 1U);
}

BOOST_AUTO_TEST_CASE(one_seat_goes_back_and_then_the_other) {
  const paid_order it{{"A-1", "B-1"}};
  BOOST_TEST(it.refund({{"seats", {"A-1"}}}).status == 200);
  BOOST_TEST_REQUIRE(it.becomes("PARTLY_REFUNDED"));
  auto after = it.now();
  BOOST_TEST(after.body["refunds"][0]["amount"] == 35'000);
  BOOST_TEST((tickets_of(after) == names{"A-1 VOID", "B-1 VALID"}), after);
  BOOST_TEST(after.body["seats"][0].value("refunded", false));
  BOOST_TEST(!after.body["seats"][1].contains("refunded"));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(it.at.seat("B-1") == "SOLD");
  BOOST_TEST(it.refund({{"seats", {"A-1"}}}).brief() == "409 seat-not-sold");
  BOOST_TEST(it.refund({{"seats", {"A-1", "B-1"}}}).brief() == "409 seat-not-sold");
  BOOST_TEST(it.refund({{"seats", {"B-1"}}}).status == 200);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(it.at.seat("B-1") == "AVAILABLE");
  BOOST_TEST(given_back(one) == 85'000);
}

BOOST_AUTO_TEST_CASE(an_amount_gives_no_seat_back_until_it_is_all_that_is_left) {
  const paid_order it{{"A-1", "B-1"}};
  BOOST_TEST(it.refund({{"amount", 5'000}, {"note", "the view"}}).status == 200);
  BOOST_TEST_REQUIRE(it.becomes("PARTLY_REFUNDED"));
  BOOST_TEST((tickets_of(it.now()) == names{"A-1 VALID", "B-1 VALID"}));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(it.refund({{"amount", 80'001}}).brief() == "409 refund-too-large");
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(it.now().body["refunds"][1]["amount"] == 80'000);
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(given_back(one) == 85'000);
}

BOOST_AUTO_TEST_CASE(a_fee_may_be_kept_of_a_seat) {
  const paid_order it{{"A-1", "B-1"}};
  BOOST_TEST(it.refund({{"seats", {"A-1"}}, {"amount", 30'000}}).status == 200);
  BOOST_TEST_REQUIRE(it.becomes("PARTLY_REFUNDED"));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(it.refund({{"seats", {"B-1"}}}).status == 200);
  BOOST_TEST_REQUIRE(eventually([&] { return all_done(it.now()); }));
  // The fee is the seller's: no seat is left, and not all of the money has gone back.
  BOOST_TEST(it.now().brief() == "200 PARTLY_REFUNDED");
  BOOST_TEST(given_back(one) == 80'000);
  BOOST_TEST(it.refund({{"amount", 5'001}}).brief() == "409 refund-too-large");
  // Unless it is given back after all.
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(given_back(one) == 85'000);
}

BOOST_AUTO_TEST_CASE(what_is_no_refund_changes_nothing) {
  const paid_order it{{"A-1", "B-1"}};
  struct attempt {
    json body;
    std::string brief;
    std::string fields{};
  };
  const auto a_refund = "refund" + it.id.substr(5);
  const std::vector<attempt> attempts{
      {{{"amount", 85'001}}, "409 refund-too-large"},
      {{{"amount", 1'000'000'000'000}}, "409 refund-too-large"},
      {{{"amount", 0}}, "409 refund-too-large"},
      {{{"seats", {"A-1"}}, {"amount", 35'001}}, "409 refund-too-large"},
      {{{"seats", {"A-2"}}}, "409 seat-not-sold"},
      {{{"seats", {"A-1", "A-1"}}}, "409 seat-not-sold"},
      {{{"seats", {"A-1", "Z-9"}}}, "409 seat-not-sold"},
      {{{"seats", json::array()}}, "400 invalid-request", "seats"},
      {{{"seats", "A-1"}}, "400 invalid-request", "seats"},
      {{{"seats", {"A-1", 1}}}, "400 invalid-request", "seats"},
      {{{"seats", std::vector<std::string>(1'001, "A-1")}}, "400 invalid-request", "seats"},
      {{{"amount", -1}}, "400 invalid-request", "amount"},
      {{{"amount", 1.5}}, "400 invalid-request", "amount"},
      {{{"amount", "1"}}, "400 invalid-request", "amount"},
      {{{"amount", 1'000'000'000'001}}, "400 invalid-request", "amount"},
      {{{"resell", "no"}}, "400 invalid-request", "resell"},
      {{{"doneOutside", ""}}, "400 invalid-request", "doneOutside"},
      {{{"doneOutside", true}}, "400 invalid-request", "doneOutside"},
      {{{"doneOutside", std::string(257, 'a')}}, "400 invalid-request", "doneOutside"},
      {{{"note", std::string(501, 'a')}}, "400 invalid-request", "note"},
      {{{"refundId", a_refund}}, "400 invalid-request", "refundId"}, // says nothing of how
      {{{"refundId", it.id}, {"doneOutside", "cash"}}, "400 invalid-request", "refundId"},
      {{{"refundId", a_refund}, {"doneOutside", "cash"}}, "404 unknown-refund"},
      {{{"reason", "ill"}}, "400 invalid-request", "reason"}, // an operator's call: nothing unknown
  };
  for (const auto& each : attempts) {
    const auto got = it.refund(each.body);
    BOOST_TEST(got.brief() == each.brief, each.body << ": " << got);
    BOOST_TEST(got.fields() == each.fields, each.body << ": " << got);
  }
  BOOST_TEST(
      server()
          .ask("POST", it.path + "/refund", "[]", {.key = "operator-key", .idempotency = "k"})
          .status == 400);
  BOOST_TEST(it.now().brief() == "200 PAID");
  BOOST_TEST(!it.now().body.contains("refunds"));
  BOOST_TEST(one.refunded().empty());
  const seat_order unpaid;
  BOOST_TEST(unpaid.refund().brief() == "409 order-not-paid");
  BOOST_TEST(unpaid.refund({{"doneOutside", "cash"}}).brief() == "409 order-not-paid");
  BOOST_TEST(server()
                 .post("/v1/orders/" + it.hold + "/refund", nullptr,
                       {.key = "operator-key", .idempotency = "k"})
                 .brief() == "404 unknown-order");
}

BOOST_AUTO_TEST_CASE(who_may_give_money_back) {
  const paid_order it{{"A-1", "B-1"}};
  struct caller {
    std::string key;
    int status;
  };
  for (const auto& [key, status] : std::vector<caller>{{"", 401},
                                                       {"nobody", 401},
                                                       {"viewer-key", 403},
                                                       {"gate-key", 403},
                                                       {"service-key", 200},
                                                       {"operator-key", 200},
                                                       {"admin-key", 200}})
    BOOST_TEST(it.refund({{"amount", 100}}, fresh_key(), key).status == status, key);
  BOOST_TEST(refunds_of(it.now()).size() == 3U);
}

BOOST_AUTO_TEST_CASE(the_same_key_gives_back_once) {
  const paid_order it;
  const json what{{"amount", 1'000}};
  BOOST_TEST(it.refund(what, "").brief() == "400 idempotency-key-missing");
  BOOST_TEST(it.refund(what, "k").status == 200);
  BOOST_TEST_REQUIRE(it.becomes("PARTLY_REFUNDED"));
  for (const std::string key : {"k", "\"k\""}) {
    const auto again = it.refund(what, key);
    BOOST_TEST(again.brief() == "200 PARTLY_REFUNDED", again);
    BOOST_TEST(again.replayed());
    BOOST_TEST((refunds_of(again) == names{"asked DONE"}));
  }
  BOOST_TEST(it.refund({{"amount", 1'001}}, "k").brief() == "422 idempotency-key-reused");
  const auto burst = all_at_once(10, [&](std::size_t) { return it.refund(what, "burst"); });
  for (const auto& each : burst)
    BOOST_TEST((each.status == 200 || each.brief() == "409 idempotency-key-in-use"), each);
  BOOST_TEST(refunds_of(it.now()).size() == 2U);
  BOOST_TEST_REQUIRE(eventually([&] { return all_done(it.now()); }));
  BOOST_TEST(given_back(one) == 2'000);
}

BOOST_AUTO_TEST_CASE(many_at_once_never_give_back_more_than_came) {
  const paid_order it{{"A-1", "B-1"}};
  one.pause();
  const auto parts = all_at_once(20, [&](std::size_t) { return it.refund({{"amount", 10'000}}); });
  int taken = 0;
  for (const auto& each : parts) {
    BOOST_TEST((each.status == 200 || each.brief() == "409 refund-too-large"), each);
    taken += each.status == 200 ? 1 : 0;
  }
  BOOST_TEST(taken == 8);
  // What is under way counts, and no two of one payment are at the gateway at a time.
  BOOST_TEST(eventually([&] { return !one.refunded().empty(); }));
  BOOST_TEST(it.refund({{"amount", 5'001}}).brief() == "409 refund-too-large");
  BOOST_TEST(one.refunded().size() == 1U);
  one.go_on();
  BOOST_TEST_REQUIRE(eventually([&] { return all_done(it.now()); }));
  BOOST_TEST(given_back(one) == 80'000);
  BOOST_TEST(it.now().brief() == "200 PARTLY_REFUNDED");
}

BOOST_AUTO_TEST_CASE(of_many_who_give_all_back_one_does) {
  const paid_order it{{"A-1", "B-1"}};
  one.pause();
  const auto all = all_at_once(10, [&](std::size_t) { return it.refund(); });
  int taken = 0;
  for (const auto& each : all) {
    BOOST_TEST((each.status == 200 || each.brief() == "409 refund-running"), each);
    taken += each.status == 200 ? 1 : 0;
  }
  BOOST_TEST(taken == 1);
  one.go_on();
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(given_back(one) == 85'000);
}

BOOST_AUTO_TEST_CASE(money_that_went_back_in_another_way_is_recorded) {
  const paid_order it;
  const json what{{"doneOutside", "cash 7"}};
  const auto got = it.refund(what, "k");
  BOOST_TEST(got.brief() == "200 REFUNDED", got);
  BOOST_TEST((refunds_of(got) == names{"asked DONE"}));
  BOOST_TEST(got.body["refunds"][0]["reference"] == "cash 7");
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  const auto again = it.refund(what, "k");
  BOOST_TEST(again.brief() == "200 REFUNDED", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(refunds_of(again).size() == 1U);
  BOOST_TEST(one.refunded().empty());
}

BOOST_AUTO_TEST_CASE(money_of_no_gateway_of_ours_waits_until_somebody_says_that_it_went_back) {
  const paid_order it;
  const auto got = it.confirm("CASH", "till-1");
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST((refunds_of(got) == names{"surplus PENDING"}), got);
  BOOST_TEST(eventually([] { return metric("usher_refunds_stuck") == 1; }));
  const json what{{"doneOutside", "given back"}, {"refundId", got.body["refunds"][0]["id"]}};
  const auto done = it.refund(what, "k");
  BOOST_TEST(done.brief() == "200 PAID", done);
  BOOST_TEST((refunds_of(done) == names{"surplus DONE"}));
  BOOST_TEST(it.refund(what, "k").replayed());
  BOOST_TEST(it.refund(what).brief() == "404 unknown-refund"); // it is settled
  BOOST_TEST(eventually([] { return metric("usher_refunds_stuck") == 0; }));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST((tickets_of(it.now()) == names{"A-1 VALID"}));
  // That was not the money that the order is paid with.
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST(it.becomes("REFUNDED"));
  BOOST_TEST(given_back(one) == 35'000);
}

BOOST_AUTO_TEST_CASE(what_is_due_of_no_gateway_of_ours_is_settled_by_word) {
  const late_order it;
  const auto got = it.confirm("CASH", "till-1");
  BOOST_TEST(got.brief() == "200 REFUND_DUE", got);
  BOOST_TEST((refunds_of(got) == names{"refund-due PENDING"}));
  BOOST_TEST(it.refund().brief() == "409 refund-running");
  const auto done = it.refund({{"doneOutside", "given back"}});
  BOOST_TEST(done.brief() == "200 REFUNDED", done);
  BOOST_TEST((refunds_of(done) == names{"refund-due DONE"}));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(order_now(it.theirs).brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(what_cost_nothing_goes_back_without_a_gateway) {
  const paid_order it{{"A-1", "B-1"}, free_hall()};
  BOOST_TEST(one.charged().empty());
  const auto first = it.refund({{"seats", {"A-1"}}});
  BOOST_TEST(first.brief() == "200 PARTLY_REFUNDED", first);
  BOOST_TEST((refunds_of(first) == names{"asked DONE"}));
  BOOST_TEST((tickets_of(first) == names{"A-1 VOID", "B-1 VALID"}));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  BOOST_TEST(it.at.seat("B-1") == "SOLD");
  BOOST_TEST(it.refund({{"amount", 1}}).brief() == "409 refund-too-large");
  const auto rest = it.refund();
  BOOST_TEST(rest.brief() == "200 REFUNDED", rest);
  BOOST_TEST(it.at.seat("B-1") == "AVAILABLE");
  BOOST_TEST(one.refunded().empty());
}

BOOST_AUTO_TEST_CASE(a_gateway_that_refuses_leaves_the_order_as_it_was) {
  const paid_order it;
  one.refunds(outcome::declined, "balance too low");
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST_REQUIRE(eventually([&] { return refunds_of(it.now()) == names{"asked REFUSED"}; }));
  auto after = it.now();
  BOOST_TEST(after.brief() == "200 PAID", after);
  BOOST_TEST(after.body["refunds"][0]["reason"] == "balance too low");
  BOOST_TEST((tickets_of(after) == names{"A-1 VALID"}));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  one.refunds(outcome::approved);
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST((refunds_of(it.now()) == names{"asked REFUSED", "asked DONE"}));
}

BOOST_AUTO_TEST_CASE(
    a_gateway_that_is_down_is_asked_until_it_is_up_and_tickets_are_void_meanwhile) {
  const paid_order it;
  const auto code = it.now().body["tickets"][0]["code"];
  one.refunds(outcome::unknown, "no answer"); // perhaps it did it
  BOOST_TEST(it.refund().status == 200);
  BOOST_TEST_REQUIRE(eventually([&] { return it.now().body["refunds"][0].contains("tries"); }));
  one.refunds(outcome::not_sent, "connection refused");
  BOOST_TEST_REQUIRE(eventually([&] { return it.now().body["refunds"][0]["tries"] == 2; }));
  auto now = it.now();
  BOOST_TEST(now.brief() == "200 PAID", now);
  BOOST_TEST((refunds_of(now) == names{"asked PENDING"}));
  BOOST_TEST((tickets_of(now) == names{"A-1 VOID"}));
  BOOST_TEST(server().post("/v1/tickets/verify", {{"code", code}}, {.key = "gate-key"}).brief() ==
             "410 ticket-void");
  BOOST_TEST(it.at.seat("A-1") == "SOLD"); // nobody has it while the money has not gone back
  BOOST_TEST(it.refund().brief() == "409 refund-running");
  one.refunds(outcome::approved);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(it.at.seat("A-1") == "AVAILABLE");
  // Always the same attempt, or it might have given back twice.
  for (const auto& each : one.refunded())
    BOOST_TEST(each.attempt == 1U);
}

BOOST_AUTO_TEST_CASE(owed_money_that_a_gateway_refuses_is_asked_for_as_a_new_attempt) {
  const paid_order it;
  two.refunds(outcome::declined, "balance too low");
  BOOST_TEST((refunds_of(it.confirm("TWO", "second")) == names{"surplus PENDING"}));
  BOOST_TEST_REQUIRE(eventually([&] { return two.refunded().size() == 1; }));
  BOOST_TEST((refunds_of(it.now()) == names{"surplus PENDING"}));
  two.refunds(outcome::approved);
  BOOST_TEST_REQUIRE(eventually([&] { return all_done(it.now()); }));
  const auto asked = two.refunded();
  BOOST_TEST_REQUIRE(asked.size() == 2U);
  BOOST_TEST(asked[0].attempt == 1U);
  BOOST_TEST(asked[1].attempt == 2U);
}

BOOST_AUTO_TEST_CASE(seats_stay_off_sale_where_that_is_asked_for) {
  const paid_order it;
  BOOST_TEST(it.refund({{"resell", false}}).status == 200);
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(it.at.hold({"A-1"}).brief() == "409 seat-unavailable");
}

BOOST_AUTO_TEST_CASE(second_money_for_a_paid_order_goes_back_by_itself) {
  const paid_order it;
  const auto paid = it.now();
  // Without a paymentId it says nothing new, nor does the same money.
  const auto empty = server().post(it.path + "/confirm", {{"gateway", "TWO"}},
                                   {.key = "service-key", .idempotency = fresh_key()});
  BOOST_TEST(empty.replayed(), empty);
  BOOST_TEST(empty.body == paid.body);
  const auto same = it.confirm("ONE", one.id_of(it.attempt()));
  BOOST_TEST(same.replayed(), same);
  BOOST_TEST(same.body == paid.body);
  const auto got = it.confirm("TWO", "second");
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST(!got.replayed());
  BOOST_TEST((refunds_of(got) == names{"surplus PENDING"}));
  BOOST_TEST_REQUIRE(eventually([&] { return all_done(it.now()); }));
  BOOST_TEST(it.confirm("TWO", "second").replayed());
  const auto after = it.now();
  BOOST_TEST(after.brief() == "200 PAID");
  BOOST_TEST((attempts_of(after) == names{"ONE APPROVED", "TWO APPROVED"}));
  BOOST_TEST((refunds_of(after) == names{"surplus DONE"}));
  BOOST_TEST((tickets_of(after) == names{"A-1 VALID"}));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(one.refunded().empty());
  const auto asked = two.refunded();
  BOOST_TEST_REQUIRE(asked.size() == 1U);
  BOOST_TEST(asked[0].payment_reference == "second");
  BOOST_TEST(asked[0].amount.amount_minor == 35'000);
}

BOOST_AUTO_TEST_CASE(money_for_seats_that_are_gone_goes_back_by_itself) {
  const late_order it;
  const auto got = it.confirm("TWO", "late");
  BOOST_TEST(got.brief() == "200 REFUND_DUE", got);
  BOOST_TEST((refunds_of(got) == names{"refund-due PENDING"}));
  BOOST_TEST_REQUIRE(it.becomes("REFUNDED"));
  BOOST_TEST(it.confirm("TWO", "late").brief() == "200 REFUNDED");
  BOOST_TEST(it.pay().brief() == "409 order-over");
  const auto asked = two.refunded();
  BOOST_TEST_REQUIRE(asked.size() == 1U);
  BOOST_TEST(asked[0].payment_reference == "late");
  BOOST_TEST(order_now(it.theirs).brief() == "200 PAID");
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_CASE(an_order_of_a_show_without_a_plan_has_no_seats_to_give_back) {
  const show elsewhere{plain()};
  auto body = order_for("theirs-1");
  body.update({{"showId", elsewhere.id}, {"amount", 1'000}});
  const auto id = server().post("/v1/orders", body, {.idempotency = fresh_key()}).text("id");
  BOOST_TEST(pay(id).brief() == "200 PAID");
  const auto refund = [&](const json& what) {
    return server().post("/v1/orders/" + id + "/refund", what,
                         {.key = "service-key", .idempotency = fresh_key()});
  };
  BOOST_TEST(refund({{"seats", {"A-1"}}}).brief() == "409 seat-not-sold");
  BOOST_TEST(refund({{"amount", 400}}).status == 200);
  BOOST_TEST(refund(nullptr).status == 200);
  BOOST_TEST(eventually([&] { return order_now(id).text("status") == "REFUNDED"; }));
  BOOST_TEST(given_back(one) == 1'000);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

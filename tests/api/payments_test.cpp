// Paying and confirming over a real socket, with gateways that approve, decline, fail, do not know,
// and take their time: what each answer is, and what is left of seats and order afterwards.

#include "tests/api/api_server.hpp"

#include <boost/test/unit_test.hpp>

namespace usher::test {

namespace {

/// An order for A-1 in a show of its own.
struct one_order {
  explicit one_order(const json& what = hall()) : at{what} {
    hold = at.hold({"A-1"}).text("holdId");
    path = "/v1/orders/" +
           server().post("/v1/orders", order_for(hold), {.idempotency = fresh_key()}).text("id");
  }

  said pay(const std::string& gateway, const std::string& key) const {
    return server().post(path + "/pay", {{"method", "card"}, {"gateway", gateway}},
                         {.idempotency = key});
  }
  said confirm(const std::string& key = "service-key") const {
    return server().post(path + "/confirm", {{"gateway", "STRIPE"}, {"paymentId", "pi_1"}},
                         {.key = key, .idempotency = "report"});
  }
  said cancel() const { return server().post(path + "/cancel"); }
  [[nodiscard]] said now() const { return server().get(path); }

  show at;
  std::string hold;
  std::string path;
};

/// "GATEWAY OUTCOME" of each attempt.
std::vector<std::string> attempts_of(const said& order) {
  std::vector<std::string> all;
  for (const auto& each : order.body["payments"])
    all.push_back(each["gateway"].get<std::string>() + " " + each["status"].get<std::string>());
  return all;
}
using attempts = std::vector<std::string>;

/// Soon over; nobody but the server is in a hurry.
json short_order() {
  return hall_with(R"({"holds": {"ttl": "4s", "paymentWindow": "500ms"}})");
}
/// As short as it can be for a payment to begin in time on a machine that is busy.
json short_hold() {
  return hall_with(R"({"holds": {"ttl": "3s", "paymentWindow": "2s"}})");
}

} // namespace

BOOST_AUTO_TEST_SUITE(payments)

BOOST_AUTO_TEST_CASE(an_approved_payment_sells_the_seats) {
  const one_order it;
  const auto got = it.pay("SANDBOX", "p");
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST(!got.replayed());
  BOOST_TEST((attempts_of(got) == attempts{"SANDBOX APPROVED"}));
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(it.at.hold_of(it.hold).brief() == "200 SOLD");
  BOOST_TEST(it.at.hold({"A-1"}).body["unavailable"] ==
             json::parse(R"([{"seat": "A-1", "reason": "SOLD"}])"));
  // Once sold it stays sold.
  BOOST_TEST(it.cancel().brief() == "409 order-paid");
  BOOST_TEST(server().del(it.at.path + "/holds/" + it.hold).brief() == "409 hold-ended");
  BOOST_TEST(it.now().brief() == "200 PAID");
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_CASE(paying_again_charges_once_with_the_same_key_or_another) {
  const one_order it;
  BOOST_TEST(it.pay("SANDBOX", "p").status == 200);
  for (const std::string key : {"p", "\"p\"", "q"}) {
    const auto again = it.pay("SANDBOX", key);
    BOOST_TEST(again.brief() == "200 PAID", again);
    BOOST_TEST(again.replayed());
    BOOST_TEST((attempts_of(again) == attempts{"SANDBOX APPROVED"}));
  }
  BOOST_TEST(it.pay("DECLINING", "p").brief() == "422 idempotency-key-reused");
}

BOOST_AUTO_TEST_CASE(what_pay_needs) {
  const one_order it;
  const auto bad = it.pay("GOLD", "p");
  BOOST_TEST(bad.brief() == "400 invalid-request", bad);
  BOOST_TEST(bad.fields() == "gateway");
  BOOST_TEST(it.pay("SANDBOX", "").brief() == "400 idempotency-key-missing");
  for (const std::string body : {R"({"gateway": 1})", R"({"method": 1})"})
    BOOST_TEST(server().ask("POST", it.path + "/pay", body, {.idempotency = "p"}).status == 400);
  BOOST_TEST(it.now().brief() == "200 PENDING");
  // Neither gateway nor method has to be given.
  BOOST_TEST(server().post(it.path + "/pay", nullptr, {.idempotency = "p"}).brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(a_decline_is_402_and_another_way_may_be_tried) {
  const one_order it;
  const auto no = it.pay("DECLINING", "p");
  BOOST_TEST(no.brief() == "402 payment-declined", no);
  BOOST_TEST(no.body["order"]["status"] == "PENDING");
  const auto again = it.pay("DECLINING", "p");
  BOOST_TEST(again.brief() == "402 payment-declined");
  BOOST_TEST(again.replayed());
  BOOST_TEST((attempts_of(it.now()) == attempts{"DECLINING DECLINED"}));
  BOOST_TEST(it.at.seat("A-1") == "HELD");
  const auto yes = it.pay("SANDBOX", "q");
  BOOST_TEST(yes.brief() == "200 PAID");
  BOOST_TEST((attempts_of(yes) == attempts{"DECLINING DECLINED", "SANDBOX APPROVED"}));
}

BOOST_AUTO_TEST_CASE(a_gateway_that_cannot_be_reached_is_502_and_nothing_was_charged) {
  const one_order it;
  const auto no = it.pay("FAILING", "p");
  BOOST_TEST(no.brief() == "502 payment-failed", no);
  BOOST_TEST((attempts_of(it.now()) == attempts{"FAILING FAILED"}));
  BOOST_TEST(it.pay("SANDBOX", "q").brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(an_outcome_that_is_not_known_is_202_and_nobody_pays_elsewhere) {
  const one_order it{short_hold()};
  const auto first = it.pay("UNSURE", "p");
  BOOST_TEST(first.brief() == "202 PAYING", first);
  BOOST_TEST(first.header("retry-after") == "2");
  BOOST_TEST((attempts_of(first) == attempts{"UNSURE UNKNOWN"}));
  const auto again = it.pay("UNSURE", "p");
  BOOST_TEST(again.brief() == "202 PAYING");
  BOOST_TEST(again.replayed());
  BOOST_TEST(it.pay("SANDBOX", "q").brief() == "409 payment-running");
  // An order that may have been paid does not expire: its seats stay, although others that were
  // held later are free by now.
  const auto later = it.at.hold({"A-2"}).text("holdId");
  BOOST_TEST(eventually([&] { return it.at.seat("A-2") == "AVAILABLE"; }));
  BOOST_TEST(it.at.hold_of(later).status == 410);
  BOOST_TEST(it.now().brief() == "200 PAYING");
  BOOST_TEST(it.at.seat("A-1") == "HELD");
  // The outcome is reported from outside.
  BOOST_TEST(it.confirm().brief() == "200 PAID");
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(it.pay("UNSURE", "p").brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(while_the_gateway_takes_its_time_the_same_key_is_told_so) {
  const one_order it;
  said first;
  std::thread slow{[&] { first = it.pay("SLOW", "p"); }};
  BOOST_TEST(eventually([&] { return server().slow.asked() == 1; }));
  const auto again = it.pay("SLOW", "p");
  BOOST_TEST(again.brief() == "202 PAYING", again);
  BOOST_TEST(again.replayed());
  BOOST_TEST(it.pay("SLOW", "q").brief() == "409 payment-running");
  server().slow.approve_all();
  slow.join();
  BOOST_TEST(first.brief() == "200 PAID", first);
  BOOST_TEST(server().slow.asked() == 1U);
  BOOST_TEST(it.pay("SLOW", "p").brief() == "200 PAID");
}

BOOST_AUTO_TEST_CASE(a_confirm_sells_and_any_number_of_them_sell_once) {
  const one_order it;
  BOOST_TEST(it.confirm("").status == 401);
  BOOST_TEST(it.confirm("viewer-key").status == 403);
  const auto got = it.confirm();
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST(!got.replayed());
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  for (const std::string key : {"service-key", "operator-key", "admin-key"}) {
    const auto again = it.confirm(key);
    BOOST_TEST(again.brief() == "200 PAID");
    BOOST_TEST(again.replayed());
  }
  BOOST_TEST(it.pay("SANDBOX", "p").brief() == "200 PAID"); // and is not charged
  BOOST_TEST((attempts_of(it.now()) == attempts{"STRIPE APPROVED"}));
}

BOOST_AUTO_TEST_CASE(a_confirm_after_the_payment_is_other_money_or_nothing_new) {
  const one_order it;
  BOOST_TEST(it.pay("SANDBOX", "p").brief() == "200 PAID");
  const auto paid = it.now();
  const auto nameless = server().post(it.path + "/confirm", nullptr,
                                      {.key = "service-key", .idempotency = "nameless"});
  BOOST_TEST(nameless.brief() == "200 PAID");
  BOOST_TEST(nameless.replayed());
  BOOST_TEST(nameless.body == paid.body);
  // Other money goes back; where it came from is no gateway of this server.
  const auto got = it.confirm();
  BOOST_TEST(got.brief() == "200 PAID", got);
  BOOST_TEST(!got.replayed());
  BOOST_TEST((attempts_of(got) == attempts{"SANDBOX APPROVED", "STRIPE APPROVED"}));
  BOOST_TEST(got.body["refunds"].size() == 1U);
  BOOST_TEST(got.body["refunds"][0]["cause"] == "surplus");
  BOOST_TEST(got.body["refunds"][0]["status"] == "PENDING");
  BOOST_TEST(got.body["refunds"][0]["amount"] == 35'000);
  BOOST_TEST(it.confirm().replayed());
  BOOST_TEST(it.now().body == got.body);
}

BOOST_AUTO_TEST_CASE(what_a_confirm_says) {
  const one_order it;
  const auto confirm = [&](const json& body) {
    return server().post(it.path + "/confirm", body,
                         {.key = "service-key", .idempotency = fresh_key()});
  };
  for (const json& gateway :
       std::vector<json>{"", 1, nullptr, std::string(65, 'A'), "CASH\n1", "\x7f"}) {
    const auto got = confirm({{"gateway", gateway}, {"paymentId", "p"}});
    BOOST_TEST(got.brief() == "400 invalid-request", got);
    BOOST_TEST(got.fields() == "gateway", got);
  }
  BOOST_TEST(confirm({{"paymentId", std::string(257, 'p')}}).fields() == "paymentId");
  BOOST_TEST(it.now().brief() == "200 PENDING");
  // However it is spelled, a gateway of this server is that one: this is the same money twice.
  for (const std::string gateway : {"SANDBOX", "sandbox", "Sandbox"})
    BOOST_TEST(confirm({{"gateway", gateway}, {"paymentId", "p"}}).brief() == "200 PAID");
  BOOST_TEST((attempts_of(it.now()) == attempts{"SANDBOX APPROVED"}));
  BOOST_TEST(!it.now().body.contains("refunds"));
}

BOOST_AUTO_TEST_CASE(money_that_comes_late_takes_the_seats_if_they_are_free) {
  const one_order it{short_order()};
  BOOST_TEST(eventually([&] { return it.now().text("status") == "EXPIRED"; }));
  BOOST_TEST(it.confirm().brief() == "200 PAID");
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
  BOOST_TEST(it.at.hold({"A-1"}).status == 409);
}

BOOST_AUTO_TEST_CASE(money_that_comes_when_the_seats_are_taken_is_due_to_go_back) {
  const one_order it{short_order()};
  BOOST_TEST(eventually([&] { return it.now().text("status") == "EXPIRED"; }));
  // Sold to somebody else, so that it cannot come back either.
  const auto other = it.at.hold({"A-1"}).text("holdId");
  const auto theirs = server().post("/v1/orders", order_for(other), {.idempotency = fresh_key()});
  BOOST_TEST(server()
                 .post("/v1/orders/" + theirs.text("id") + "/confirm", nullptr,
                       {.key = "service-key", .idempotency = "report"})
                 .brief() == "200 PAID");
  const auto got = it.confirm();
  BOOST_TEST(got.brief() == "200 REFUND_DUE", got);
  BOOST_TEST(it.confirm().brief() == "200 REFUND_DUE");
  BOOST_TEST(it.pay("SANDBOX", fresh_key()).brief() == "409 order-over");
  BOOST_TEST(it.cancel().brief() == "409 order-paid");
  BOOST_TEST(server().get("/v1/orders/" + theirs.text("id")).brief() == "200 PAID");
  BOOST_TEST(it.at.seat("A-1") == "SOLD");
}

BOOST_AUTO_TEST_CASE(who_has_paid_for_everything_is_done_and_makes_room) {
  const show hall_show{hall_with(R"({"waitingRoom": {"maxActive": 1}})")};
  hall_show.open();
  const auto ana = hall_show.admitted();
  const auto next = hall_show.join().text("ticketId");
  const auto hold = hall_show.hold({"A-1"}, {.ticket = ana}).text("holdId");
  const auto order =
      server().post("/v1/orders", order_for(hold), {.ticket = ana, .idempotency = "o"}).text("id");
  BOOST_TEST(server().post("/v1/orders/" + order + "/pay", nullptr, {.idempotency = "p"}).brief() ==
             "200 PAID");
  const auto got = hall_show.ticket(ana);
  BOOST_TEST(got.brief() == "410 USED", got);
  BOOST_TEST(got.text("reason") == "used");
  BOOST_TEST(hall_show.hold({"A-2"}, {.ticket = ana}).brief() == "403 not-admitted");
  BOOST_TEST(eventually([&] { return hall_show.ticket(next).text("status") == "ADMITTED"; }));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace usher::test

// What is each protocol's own: the shape of its answers, its word for a key that was used for
// something else, its way of voiding.

#include "tests/sandbox/callers.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher::test;
using usher::sandbox::at;
using usher::sandbox::gateway;
using usher::sandbox::text_at;

json parse(const heard& from) {
  return json::parse(from.body, nullptr, false);
}

} // namespace

BOOST_AUTO_TEST_SUITE(sandbox_protocols)

BOOST_AUTO_TEST_CASE(a_key_stands_for_one_request) {
  const std::vector<std::pair<std::string, std::string>> wanted{
      {"422", R"({"error":"key_reused"})"},
      {"400", R"({"error":{"type":"idempotency_error"}})"},
      {"409", R"({"error":"idempotency_key_already_used"})"},
      {"422", R"({"details":[{"issue":"DUPLICATE_REQUEST_ID"}]})"}};
  for (const auto by : all_protocols) {
    gateway gate{{}};
    caller shop{gate, by};
    BOOST_TEST(shop.charge({}).what == "APPROVED");
    const auto again = shop.charge({.amount = 6000});
    const auto& [status, shape] = wanted[static_cast<std::size_t>(by)];
    BOOST_TEST(again.what == status);
    auto merged = again.body;
    merged.merge_patch(json::parse(shape));
    if (by == protocol::paypal) // a list is replaced, not merged
      BOOST_TEST(text_at(again.body, {"details", "issue"}) == "DUPLICATE_REQUEST_ID");
    else
      BOOST_TEST(merged == again.body);
    BOOST_TEST(gate.book().look().charged == 5000);
  }
}

BOOST_AUTO_TEST_CASE(who_has_no_key_hears_401) {
  gateway gate{{.plain_key = "right"}};
  const std::vector<std::pair<std::string, std::string>> calls{
      {"/plain/v1/charges", "Authorization: Bearer wrong\r\n"},
      {"/stripe/v1/payment_intents", ""},
      {"/mercado-pago/v1/payments", ""},
      {"/paypal/v2/checkout/orders", "Authorization: Bearer A21AA.YQ.00\r\n"},
      {"/paypal/v1/oauth2/token", ""}};
  for (const auto& [path, headers] : calls)
    BOOST_TEST(ask(gate.port(), "POST", path, headers, "{}").status == 401, path);
  BOOST_TEST(
      ask(gate.port(), "GET", "/plain/v1/charges/x", "Authorization: Bearer right\r\n").status ==
      404);
}

BOOST_AUTO_TEST_CASE(accounts_see_their_own_payments_only) {
  gateway gate{{}};
  const auto charged = caller(gate, protocol::stripe).charge({});
  BOOST_TEST(ask(gate.port(), "GET", "/stripe/v1/payment_intents/" + charged.id,
                 "Authorization: Bearer another\r\n")
                 .status == 404);
}

BOOST_AUTO_TEST_CASE(plain_voids_what_came_and_what_never_came) {
  gateway gate{{}};
  caller shop{gate, protocol::plain};
  const auto void_it = [&](const std::string& name) {
    return text_at(
        parse(shop.call("POST", "/v1/charges/void", {}, json{{"paymentId", name}}.dump())),
        {"status"});
  };
  BOOST_TEST(void_it("early") == "VOIDED");
  BOOST_TEST(shop.charge({.name = "early"}).what == "VOIDED");
  BOOST_TEST(shop.charge({.name = "late"}).what == "APPROVED");
  BOOST_TEST(void_it("late") == "APPROVED");
  const auto waits = shop.charge({.name = "waits", .means = "rule:pending"});
  BOOST_TEST(text_at(waits.body, {"redirectUrl"}) == gate.base_url() + "/pay/" + waits.id);
  BOOST_TEST(void_it("waits") == "VOIDED");
  BOOST_TEST(shop.look(waits.id).what == "VOIDED");
  BOOST_TEST(gate.book().look().charged == 5000);
}

BOOST_AUTO_TEST_CASE(stripe_intents_have_stripes_shape) {
  gateway gate{{}};
  caller shop{gate, protocol::stripe};
  const auto good = shop.charge({});
  BOOST_TEST(good.id.starts_with("pi_"));
  BOOST_TEST(text_at(good.body, {"object"}) == "payment_intent");
  BOOST_TEST(text_at(good.body, {"latest_charge"}).starts_with("ch_"));
  BOOST_TEST(text_at(good.body, {"currency"}) == "eur");
  BOOST_TEST(text_at(good.body, {"metadata", "usher_payment"}) == "payment-1");
  BOOST_TEST(at(good.body, {"payment_method_types"}) == json::array({"card"}));
  BOOST_TEST(at(good.body, {"last_payment_error"}).is_null());

  const auto declined = shop.charge({.name = "b", .means = "rule:decline"});
  BOOST_TEST(text_at(declined.body, {"error", "type"}) == "card_error");
  BOOST_TEST(text_at(declined.body, {"error", "decline_code"}) == "generic_decline");
  const auto looked = shop.look(declined.id);
  BOOST_TEST(text_at(looked.body, {"status"}) == "requires_payment_method");
  BOOST_TEST(text_at(looked.body, {"last_payment_error", "code"}) == "card_declined");

  const auto waits = shop.charge({.name = "c", .means = "rule:pending"});
  BOOST_TEST(text_at(waits.body, {"next_action", "redirect_to_url", "url"}) ==
             gate.base_url() + "/pay/" + waits.id);
}

BOOST_AUTO_TEST_CASE(stripe_charges_with_the_confirmation_and_cancels_before_it) {
  gateway gate{{}};
  caller shop{gate, protocol::stripe};
  const std::string form = "amount=5000&currency=eur&payment_method=card";
  const auto made = parse(shop.call("POST", "/v1/payment_intents", {}, form));
  const auto intent = "/v1/payment_intents/" + text_at(made, {"id"});
  BOOST_TEST(text_at(made, {"status"}) == "requires_confirmation");
  BOOST_TEST(gate.book().look().charged == 0);
  BOOST_TEST(text_at(parse(shop.call("POST", intent + "/cancel", "Idempotency-Key: c\r\n")),
                     {"status"}) == "canceled");
  BOOST_TEST(shop.call("POST", intent + "/cancel", "Idempotency-Key: c\r\n").status == 200);
  BOOST_TEST(shop.call("POST", intent + "/cancel").status == 400);
  const auto confirmed = parse(shop.call("POST", intent + "/confirm"));
  BOOST_TEST(text_at(confirmed, {"error", "code"}) == "payment_intent_unexpected_state");
  BOOST_TEST(text_at(confirmed, {"error", "payment_intent", "status"}) == "canceled");
  BOOST_TEST(gate.book().look().charged == 0);

  const auto charged = shop.charge({});
  const auto late = shop.call("POST", "/v1/payment_intents/" + charged.id + "/cancel");
  BOOST_TEST(late.status == 400);
  BOOST_TEST(gate.book().look().charged == 5000);
  // In one call, too.
  const auto at_once = shop.call("POST", "/v1/payment_intents", {}, form + "&confirm=true");
  BOOST_TEST(text_at(parse(at_once), {"status"}) == "succeeded");
}

BOOST_AUTO_TEST_CASE(stripe_answers_a_key_as_it_did_the_first_time) {
  gateway gate{{}};
  caller shop{gate, protocol::stripe};
  const auto make = [&] {
    return parse(shop.call("POST", "/v1/payment_intents", "Idempotency-Key: made\r\n",
                           "amount=5000&currency=eur&payment_method=card"));
  };
  const auto first = make();
  const auto intent = "/v1/payment_intents/" + text_at(first, {"id"});
  BOOST_TEST(text_at(parse(shop.call("POST", intent + "/confirm", "Idempotency-Key: c\r\n")),
                     {"status"}) == "succeeded");
  BOOST_TEST(make() == first); // it says nothing of what came later; a look does
  BOOST_TEST(text_at(parse(shop.call("GET", intent)), {"status"}) == "succeeded");
}

BOOST_AUTO_TEST_CASE(whoever_stands_at_the_checkpoint_sees_changes_and_loses_calls) {
  std::vector<std::string> seen;
  bool lost = false;
  std::int64_t charged_when_done = 0;
  gateway* inside = nullptr;
  gateway gate{{.watched_by = {.arrived =
                                   [&](usher::sandbox::call& asked) {
                                     seen.push_back(asked.path);
                                     asked.rule = usher::sandbox::fault{
                                         .what = usher::sandbox::rule::no_webhook};
                                     return !lost;
                                   },
                               .done =
                                   [&](const usher::sandbox::call& asked) {
                                     seen.push_back("done " + asked.path);
                                     charged_when_done = inside->book().look().charged;
                                   }}}};
  inside = &gate;
  caller shop{gate, protocol::plain};
  BOOST_TEST(shop.charge({}).what == "APPROVED");
  ask(gate.port(), "GET", "/ledger", "", ""); // no provider is asked this
  BOOST_TEST(seen == (std::vector<std::string>{"/plain/v1/charges", "done /plain/v1/charges"}));
  BOOST_TEST(charged_when_done == 5000);
  BOOST_TEST((gate.book().look().charges.at(0).rule.what == usher::sandbox::rule::no_webhook));
  lost = true;
  BOOST_TEST(shop.charge({.name = "payment-2"}).what == "reset");
  BOOST_TEST(gate.book().look().charges.size() == 1U);
}

BOOST_AUTO_TEST_CASE(mercado_pago_finds_by_reference_and_counts_exactly) {
  gateway gate{{}};
  caller shop{gate, protocol::mercado_pago};
  const auto charged = shop.charge({.amount = 35010});
  BOOST_TEST(at(charged.body, {"id"}).is_number_integer());
  BOOST_TEST(at(charged.body, {"transaction_amount"}).dump() == "350.1");
  BOOST_TEST(text_at(charged.body, {"status_detail"}) == "accredited");
  BOOST_TEST(text_at(charged.body, {"currency_id"}) == "BRL");
  const auto found = parse(shop.call("GET", "/v1/payments/search?external_reference=payment%2D1"));
  BOOST_TEST(at(found, {"results", "id"}).dump() == charged.id);
  BOOST_TEST(parse(shop.call("GET", "/v1/payments/search?external_reference=other"))
                 .at("results")
                 .empty());
  BOOST_TEST(
      shop.call("PUT", "/v1/payments/" + charged.id, {}, R"({"status":"cancelled"})").status ==
      400);
  const auto back = shop.refund(charged, 10, "r");
  BOOST_TEST(back.what == "DONE");
  const auto looked = shop.look(charged.id);
  BOOST_TEST(text_at(looked.body, {"status_detail"}) == "partially_refunded");
  BOOST_TEST(at(looked.body, {"refunds", "amount"}).dump() == "0.1");
  BOOST_TEST(parse(shop.call("GET", "/v1/payments/" + charged.id + "/refunds/" + back.id)) ==
             back.body);

  const auto waits = shop.charge({.name = "b", .means = "rule:pending"});
  BOOST_TEST(text_at(waits.body, {"three_ds_info", "external_resource_url"}) ==
             gate.base_url() + "/pay/" + waits.id);
  BOOST_TEST(
      text_at(parse(shop.call("PUT", "/v1/payments/" + waits.id, {}, R"({"status":"cancelled"})")),
              {"status"}) == "cancelled");
}

BOOST_AUTO_TEST_CASE(paypal_orders_charge_when_captured) {
  gateway gate{{}};
  caller shop{gate, protocol::paypal};
  const auto order_with = [&](const std::string& source, const std::string& name,
                              const std::string& prefer = {}) {
    return parse(
        shop.call("POST", "/v2/checkout/orders", "PayPal-Request-Id: " + name + "\r\n" + prefer,
                  R"({"intent":"CAPTURE","purchase_units":[{"custom_id":")" + name +
                      R"(","amount":{"currency_code":"EUR","value":"50.00"}}])" + source + "}"));
  };
  const auto capture = [&](const json& order, const std::string& key) {
    return shop.call("POST", "/v2/checkout/orders/" + text_at(order, {"id"}) + "/capture",
                     "PayPal-Request-Id: " + key + "\r\n");
  };
  // Without a means of payment the payer has to agree first.
  const auto bare = order_with("", "a", "Prefer: return=representation\r\n");
  BOOST_TEST(text_at(bare, {"status"}) == "CREATED");
  BOOST_TEST(bare.at("links").at(1).at("rel") == "approve");
  BOOST_TEST(text_at(bare, {"purchase_units", "amount", "value"}) == "50.00");
  BOOST_TEST(text_at(parse(capture(bare, "a-1")), {"details", "issue"}) == "ORDER_NOT_APPROVED");
  ask(gate.port(), "POST", "/control/charges/" + text_at(bare, {"id"}) + "/approve");
  BOOST_TEST(gate.book().look().charged == 0);
  const auto captured = parse(capture(bare, "a-2"));
  BOOST_TEST(text_at(captured, {"purchase_units", "payments", "captures", "status"}) ==
             "COMPLETED");
  BOOST_TEST(gate.book().look().charged == 5000);
  BOOST_TEST(text_at(parse(capture(bare, "a-3")), {"details", "issue"}) ==
             "ORDER_ALREADY_CAPTURED");
  // A second order of the same invoice is not charged.
  const auto twin = order_with(R"(,"payment_source":{"token":{"id":"t"}})", "a", "");
  BOOST_TEST(text_at(twin, {"details", "issue"}) == "DUPLICATE_REQUEST_ID");
  // A wallet: the link is called otherwise, and the answer is short unless asked for.
  const auto wallet = order_with(R"(,"payment_source":{"paypal":{}})", "b");
  BOOST_TEST(text_at(wallet, {"status"}) == "PAYER_ACTION_REQUIRED");
  BOOST_TEST(wallet.at("links").at(1).at("rel") == "payer-action");
  BOOST_TEST(!wallet.contains("purchase_units"));
  // A stored card is charged by the call that makes the order.
  const auto stored = order_with(R"(,"payment_source":{"card":{"vault_id":"v"}})", "c");
  BOOST_TEST(text_at(stored, {"status"}) == "COMPLETED");
  BOOST_TEST(gate.book().look().charged == 10000);
  const auto refused = order_with(R"(,"payment_source":{"card":{"vault_id":"rule:decline"}})", "d",
                                  "Prefer: return=representation\r\n");
  BOOST_TEST(text_at(refused, {"purchase_units", "payments", "captures", "status"}) == "DECLINED");
}

BOOST_AUTO_TEST_CASE(paypal_charges_no_invoice_twice) {
  gateway gate{{}};
  caller shop{gate, protocol::paypal};
  BOOST_TEST(shop.charge({}).what == "APPROVED");
  const std::string again =
      R"({"intent":"CAPTURE","purchase_units":[{"custom_id":"payment-1","amount":)"
      R"({"currency_code":"EUR","value":"50.00"}}],"payment_source":{"token":{"id":"t"}}})";
  const auto order = parse(shop.call("POST", "/v2/checkout/orders", {}, again));
  const auto captured =
      shop.call("POST", "/v2/checkout/orders/" + text_at(order, {"id"}) + "/capture");
  BOOST_TEST(text_at(parse(captured), {"details", "issue"}) == "DUPLICATE_INVOICE_ID");
  BOOST_TEST(gate.book().look().charged == 5000);
}

BOOST_AUTO_TEST_CASE(what_is_no_good_is_refused_and_costs_nothing) {
  gateway gate{{}};
  const std::vector<std::tuple<protocol, std::string, std::string, int>> table{
      {protocol::plain, "/v1/charges", "{", 400},
      {protocol::plain, "/v1/charges", R"({"amount":0,"currency":"EUR","paymentId":"a"})", 400},
      {protocol::plain, "/v1/charges", R"({"amount":1.5,"currency":"EUR","paymentId":"a"})", 400},
      {protocol::plain, "/v1/charges", R"({"amount":5,"currency":"XXX","paymentId":"a"})", 400},
      {protocol::plain, "/v1/charges", R"({"amount":5,"currency":"EUR"})", 400},
      {protocol::plain, "/v1/refunds", R"({"amount":5,"chargeId":"none"})", 404},
      {protocol::stripe, "/v1/payment_intents", "amount=-5&currency=eur", 400},
      {protocol::stripe, "/v1/payment_intents", "amount=5&currency=xxx", 400},
      {protocol::stripe, "/v1/payment_intents/pi_none/confirm", "", 404},
      {protocol::mercado_pago, "/v1/payments", R"({"transaction_amount":"5"})", 400},
      {protocol::mercado_pago, "/v1/payments", R"({"transaction_amount":0.001})", 400},
      {protocol::mercado_pago, "/v1/payments", "[]", 400},
      {protocol::paypal, "/v2/checkout/orders", R"({"intent":"AUTHORIZE"})", 400},
      {protocol::paypal, "/v2/checkout/orders", R"({"intent":"CAPTURE"})", 422},
      {protocol::paypal, "/v2/checkout/orders/NONE/capture", "", 404},
      {protocol::paypal, "/v2/elsewhere", "", 404}};
  for (const auto& [by, path, body, status] : table)
    BOOST_TEST(caller(gate, by)
                       .call("POST", path,
                             "Idempotency-Key: k\r\nX-Idempotency-Key: k\r\n"
                             "PayPal-Request-Id: k\r\n",
                             body)
                       .status == status,
               path << " " << body);
  for (const auto by : all_protocols) {
    const auto said = caller(gate, by).charge({.means = "rule:declien"});
    BOOST_TEST(said.body.dump().find("webhook-bad-signature") != std::string::npos);
  }
  BOOST_TEST(gate.book().look().charges.empty());
}

BOOST_AUTO_TEST_SUITE_END()

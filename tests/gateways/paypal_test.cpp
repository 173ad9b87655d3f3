// PayPal: each request as it is written, each answer with what it means (the table of
// docs/gateways.md), the token of the account, how an attempt is continued and voided, and
// webhooks.
//
// That it bites was shown by breaking the protocol: a 5xx at making an order that may charge as
// `failed`, a token that is kept after a 401, a webhook's body that is spliced without being read.
#include "http/gateways/paypal.hpp"

#include "tests/gateways/outcome_table.hpp"

#include <map>

namespace {

using namespace usher;
using namespace usher::test;

paypal fresh() {
  return {"PAYPAL", "client", "secret", {"WH-OLD", "WH-NEW"}, "https://shop.example/back"};
}

const client::outcome token = reply(200, R"({"access_token":"A21","expires_in":32400})");

/// One that has its token already.
paypal ready() {
  auto speaks = fresh();
  play(speaks.refund({.refund = "r", .key = "k", .amount = {1, "BRL"}, .payment_reference = "c"}),
       {token, lost()});
  return speaks;
}

const attempt first{.payment = "payment-0-1-aa",
                    .order = "order-0-1-bb",
                    .amount = {2550, "BRL"},
                    .method = "card",
                    .token = "vault-1"};

attempt changed(bool again, std::string reference = {}, std::string token_of_fan = "vault-1") {
  auto what = first;
  what.again = again;
  what.reference = std::move(reference);
  what.token = std::move(token_of_fan);
  return what;
}

const refunding refund_it{.refund = "refund-0-1-cc",
                          .key = "refund-0-1-cc-1",
                          .amount = {1000, "BRL"},
                          .payment_reference = "CAP-1"};

const std::string links =
    R"(,"links":[{"rel":"self","href":"https://x.example/"},{"rel":"payer-action","href":"https://pay.example/go"}])";

std::string order(const std::string& status, const std::string& capture = {},
                  const std::string& more = {}) {
  const auto captures =
      capture.empty() ? std::string{}
                      : R"(,"purchase_units":[{"payments":{"captures":[{"id":"CAP-1","status":")" +
                            capture + R"("}]}}])";
  return R"({"id":"ORD-1","status":")" + status + "\"" + captures + more + "}";
}

std::string issue(const std::string& name) {
  return R"({"name":"UNPROCESSABLE_ENTITY","details":[{"issue":")" + name + R"("}]})";
}

const std::vector<outcome_row> rows{
    {"token", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"token", "no answer", {lost()}, "failed", "unknown", "token: timeout"},
    {"token",
     "200, unreadable",
     {reply(200, "{}")},
     "failed",
     "unknown",
     "token: unreadable answer"},
    {"token",
     "401",
     {reply(401, R"({"error":"invalid_client"})")},
     "failed",
     "unknown",
     "token: http-401 invalid_client"},
    {"token", "429", {reply(429)}, "failed", "unknown", "token: http-429"},
    {"token", "500", {reply(500)}, "failed", "unknown", "token: http-500"},
    {"make, without a token of the fan's",
     "not sent",
     {unsent()},
     "not_sent",
     "unknown",
     "connect-refused"},
    {"make, without a token of the fan's", "no answer", {lost()}, "failed", "unknown", "timeout"},
    {"make, without a token of the fan's",
     "400",
     {reply(400, issue("INVALID_CURRENCY_CODE"))},
     "failed",
     "unknown",
     "http-400 INVALID_CURRENCY_CODE"},
    {"make, without a token of the fan's", "409", {reply(409)}, "unknown", "", "http-409"},
    {"make, without a token of the fan's", "429", {reply(429)}, "failed", "unknown", "http-429"},
    {"make, without a token of the fan's", "500", {reply(500)}, "failed", "unknown", "http-500"},
    {"make, with a token", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"make, with a token", "no answer", {lost()}, "unknown", "", "timeout"},
    {"make, with a token",
     "201, unreadable",
     {reply(201, "<html>")},
     "unknown",
     "",
     "unreadable answer"},
    {"make, with a token",
     "400",
     {reply(400, issue("INVALID_CURRENCY_CODE"))},
     "failed",
     "unknown",
     "http-400 INVALID_CURRENCY_CODE"},
    {"make, with a token",
     "403",
     {reply(403, R"({"name":"NOT_AUTHORIZED"})")},
     "failed",
     "unknown",
     "http-403 NOT_AUTHORIZED"},
    {"make, with a token",
     "422 INSTRUMENT_DECLINED",
     {reply(422, issue("INSTRUMENT_DECLINED"))},
     "declined",
     "unknown",
     "INSTRUMENT_DECLINED"},
    {"make, with a token",
     "422",
     {reply(422, issue("CURRENCY_NOT_SUPPORTED"))},
     "failed",
     "unknown",
     "http-422 CURRENCY_NOT_SUPPORTED"},
    {"make, with a token", "429", {reply(429)}, "failed", "unknown", "http-429"},
    {"make, with a token", "500", {reply(500)}, "unknown", "", "http-500"},
    {"capture", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"capture", "no answer", {lost()}, "unknown", "", "timeout"},
    {"capture", "201 COMPLETED", {reply(201, order("COMPLETED", "COMPLETED"))}, "approved", ""},
    {"capture",
     "201, capture PENDING",
     {reply(201, order("COMPLETED", "PENDING"))},
     "unknown",
     "",
     "pending"},
    {"capture",
     "201, capture DECLINED",
     {reply(201, order("COMPLETED", "DECLINED"))},
     "declined",
     "",
     "DECLINED"},
    {"capture",
     "201 PAYER_ACTION_REQUIRED",
     {reply(201, order("PAYER_ACTION_REQUIRED"))},
     "unknown",
     "",
     "pending: payer action"},
    {"capture", "201, unreadable", {reply(201, "{")}, "unknown", "", "unreadable answer"},
    {"capture",
     "400",
     {reply(400, issue("INVALID_REQUEST"))},
     "failed",
     "unknown",
     "http-400 INVALID_REQUEST"},
    {"capture",
     "403",
     {reply(403, issue("PERMISSION_DENIED"))},
     "failed",
     "unknown",
     "http-403 PERMISSION_DENIED"},
    {"capture",
     "404",
     {reply(404, issue("INVALID_RESOURCE_ID"))},
     "failed",
     "unknown",
     "http-404 INVALID_RESOURCE_ID"},
    {"capture", "409", {reply(409)}, "unknown", "", "http-409"},
    {"capture",
     "422 INSTRUMENT_DECLINED",
     {reply(422, issue("INSTRUMENT_DECLINED"))},
     "declined",
     "",
     "INSTRUMENT_DECLINED"},
    {"capture",
     "422 ORDER_NOT_APPROVED",
     {reply(422, issue("ORDER_NOT_APPROVED"))},
     "unknown",
     "",
     "pending: payer action"},
    {"capture",
     "422 ORDER_ALREADY_CAPTURED, then captured",
     {reply(422, issue("ORDER_ALREADY_CAPTURED")), reply(200, order("COMPLETED", "COMPLETED"))},
     "approved",
     ""},
    {"capture",
     "422 ORDER_ALREADY_CAPTURED, then no answer",
     {reply(422, issue("ORDER_ALREADY_CAPTURED")), lost()},
     "unknown",
     "",
     "timeout"},
    {"capture",
     "422",
     {reply(422, issue("PAYEE_ACCOUNT_RESTRICTED"))},
     "failed",
     "unknown",
     "http-422 PAYEE_ACCOUNT_RESTRICTED"},
    {"capture", "429", {reply(429)}, "failed", "unknown", "http-429"},
    {"capture", "500", {reply(500)}, "unknown", "", "http-500"},
    {"capture", "503", {reply(503)}, "unknown", "", "http-503"},
    {"look", "not sent", {unsent()}, "unknown", "", "connect-refused"},
    {"look", "no answer", {lost()}, "unknown", "", "timeout"},
    {"look",
     "200 PAYER_ACTION_REQUIRED",
     {reply(200, order("PAYER_ACTION_REQUIRED", "", links))},
     "unknown",
     "",
     "pending: payer action"},
    {"look", "200, captured", {reply(200, order("COMPLETED", "COMPLETED"))}, "approved", ""},
    {"look",
     "200, captured and given back in part",
     {reply(200, order("COMPLETED", "PARTIALLY_REFUNDED"))},
     "approved",
     ""},
    {"look",
     "200, captured and given back",
     {reply(200, order("COMPLETED", "REFUNDED"))},
     "declined",
     "",
     "REFUNDED"},
    {"look", "200 VOIDED", {reply(200, order("VOIDED"))}, "failed", "", "voided"},
    {"look",
     "404",
     {reply(404, issue("INVALID_RESOURCE_ID"))},
     "failed",
     "",
     "http-404 INVALID_RESOURCE_ID"},
    {"look", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void: make", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void: make", "no answer", {lost()}, "unknown", "", "timeout"},
    {"void: make",
     "422 DUPLICATE_REQUEST_ID, then no answer",
     {reply(422, issue("DUPLICATE_REQUEST_ID")), lost()},
     "unknown",
     "",
     "timeout"},
    {"void: make", "400", {reply(400, issue("X"))}, "failed", "", "http-400 X"},
    {"void: make",
     "422 INSTRUMENT_DECLINED",
     {reply(422, issue("INSTRUMENT_DECLINED"))},
     "declined",
     "",
     "INSTRUMENT_DECLINED"},
    {"void: make", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void: look", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void: look", "no answer", {lost()}, "unknown", "", "timeout"},
    {"void: look",
     "200, not captured",
     {reply(200, order("APPROVED"))},
     "failed",
     "",
     "not captured"},
    {"void: look", "200, captured", {reply(200, order("COMPLETED", "COMPLETED"))}, "approved", ""},
    {"void: look",
     "200, capture PENDING",
     {reply(200, order("COMPLETED", "PENDING"))},
     "unknown",
     "",
     "pending"},
    {"void: look",
     "200, capture DECLINED",
     {reply(200, order("COMPLETED", "DECLINED"))},
     "declined",
     "",
     "DECLINED"},
    {"void: look", "404", {reply(404)}, "failed", "", "http-404"},
    {"void: look", "500", {reply(500)}, "unknown", "", "http-500"},
    {"refund", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"refund", "no answer", {lost()}, "unknown", "", "timeout"},
    {"refund",
     "201 COMPLETED",
     {reply(201, R"({"id":"REF-1","status":"COMPLETED"})")},
     "approved",
     ""},
    {"refund",
     "201 PENDING",
     {reply(201, R"({"id":"REF-1","status":"PENDING","status_details":{"reason":"ECHECK"}})")},
     "unknown",
     "",
     "pending: ECHECK"},
    {"refund",
     "201 FAILED",
     {reply(201, R"({"id":"REF-1","status":"FAILED"})")},
     "declined",
     "",
     "FAILED"},
    {"refund",
     "422 CAPTURE_FULLY_REFUNDED",
     {reply(422, issue("CAPTURE_FULLY_REFUNDED"))},
     "declined",
     "",
     "CAPTURE_FULLY_REFUNDED"},
    {"refund",
     "422",
     {reply(422, issue("REFUND_FAILED_INSUFFICIENT_FUNDS"))},
     "failed",
     "unknown",
     "http-422 REFUND_FAILED_INSUFFICIENT_FUNDS"},
    {"refund", "403", {reply(403)}, "unknown", "", "http-403"},
    {"refund", "404", {reply(404)}, "failed", "unknown", "http-404"},
    {"refund", "409", {reply(409)}, "unknown", "", "http-409"},
    {"refund", "429", {reply(429)}, "unknown", "", "http-429"},
    {"refund", "500", {reply(500)}, "unknown", "", "http-500"},
};

led_up lead(const std::string& asked, bool again) {
  const auto made = reply(201, order("CREATED"));
  if (asked == "token")
    return {fresh().charge(changed(again))};
  const auto speaks = ready();
  if (asked == "make, without a token of the fan's")
    return {speaks.charge(changed(again, "", ""))};
  if (asked == "make, with a token")
    return {speaks.charge(changed(again))};
  if (asked == "capture" && !again)
    return {speaks.charge(first), {made}};
  if (asked == "capture") // made before: looks first
    return {speaks.charge(changed(true)), {made, made}};
  if (asked == "look")
    return {speaks.charge(changed(again, "ORD-1"))};
  if (asked == "void: make")
    return {speaks.void_charge(changed(true))};
  if (asked == "void: look")
    return {speaks.void_charge(changed(true, "ORD-1"))};
  auto what = refund_it;
  what.again = again;
  return {speaks.refund(what)};
}

using lines = std::vector<std::string>;

lines lines_of(const std::vector<client::request>& asked) {
  lines all;
  for (const auto& each : asked)
    all.push_back(line_of(each, "PayPal-Request-Id"));
  return all;
}

const std::string make_start = R"(POST /v2/checkout/orders payment-0-1-aa {"intent":"CAPTURE",)";
const std::string units =
    R"("purchase_units":[{"amount":{"currency_code":"BRL","value":"25.50"},"custom_id":)"
    R"("payment-0-1-aa","invoice_id":"payment-0-1-aa","reference_id":"order-0-1-bb"}]})";
const std::string make_line =
    make_start + R"("payment_source":{"card":{"vault_id":"vault-1"}},)" + units;
const std::string capture_line = "POST /v2/checkout/orders/ORD-1/capture payment-0-1-aa-capture {}";

const std::map<std::string, std::string> signed_headers{
    {"paypal-transmission-id", "t-1"},
    {"paypal-transmission-time", "2026-11-30T18:00:00Z"},
    {"paypal-transmission-sig", "sig=="},
    {"paypal-cert-url", "https://api.paypal.com/cert"},
    {"paypal-auth-algo", "SHA256withRSA"}};

const auto success = reply(200, R"({"verification_status":"SUCCESS"})");
const auto failure = reply(200, R"({"verification_status":"FAILURE"})");

} // namespace

BOOST_AUTO_TEST_CASE(each_answer_means_what_the_table_says) {
  check_rows(rows, lead);
}

BOOST_AUTO_TEST_CASE(the_page_has_the_table) {
  check_page(rows, "### PayPal, outcomes");
}

BOOST_AUTO_TEST_CASE(the_token_is_fetched_once_and_again_after_a_401) {
  const auto speaks = fresh();
  auto all = play(speaks.charge(changed(true, "ORD-1")), {token, lost()});
  BOOST_TEST(lines_of(all.asked) == (lines{"POST /v1/oauth2/token grant_type=client_credentials",
                                           "GET /v2/checkout/orders/ORD-1"}),
             boost::test_tools::per_element());
  BOOST_TEST(header_of(all.asked[0], "Authorization") == "Basic Y2xpZW50OnNlY3JldA==");
  BOOST_TEST(header_of(all.asked[1], "Authorization") == "Bearer A21");
  all = play(speaks.charge(changed(true, "ORD-1")), {lost()});
  BOOST_TEST(header_of(all.asked[0], "Authorization") == "Bearer A21");
  // Refused: fetched anew, and the same request again.
  const auto other = reply(200, R"({"access_token":"B22","expires_in":32400})");
  all = play(speaks.charge(changed(true, "ORD-1")), {reply(401), other, lost()});
  BOOST_TEST(lines_of(all.asked).at(2) == "GET /v2/checkout/orders/ORD-1");
  BOOST_TEST(header_of(all.asked[2], "Authorization") == "Bearer B22");
  // A fresh one is refused as well: that is the answer.
  all = play(speaks.charge(changed(true, "ORD-1")), {reply(401), other, reply(401)});
  BOOST_TEST(text_of(all.end) == "unknown ORD-1: http-401");
  BOOST_TEST(speaks.secrets().at(0) == "B22");
}

BOOST_AUTO_TEST_CASE(a_charge_with_a_token_makes_an_order_and_captures_it) {
  const auto all = play(ready().charge(first), {reply(201, order("CREATED")),
                                                reply(201, order("COMPLETED", "COMPLETED"))});
  BOOST_TEST(lines_of(all.asked) == (lines{make_line, capture_line}),
             boost::test_tools::per_element());
  BOOST_TEST(header_of(all.asked[0], "Prefer") == "return=representation");
  BOOST_TEST(text_of(all.end) == "approved CAP-1");
}

BOOST_AUTO_TEST_CASE(making_an_order_may_charge_it_at_once) {
  const auto all = play(ready().charge(first), {reply(201, order("COMPLETED", "COMPLETED"))});
  BOOST_TEST(text_of(all.end) == "approved CAP-1");
}

BOOST_AUTO_TEST_CASE(without_a_token_the_fan_approves_first) {
  const auto made = reply(200, order("PAYER_ACTION_REQUIRED", "", links));
  auto all = play(ready().charge(changed(false, "", "")), {made});
  BOOST_TEST(lines_of(all.asked).at(0) ==
             make_start +
                 R"("payment_source":{"paypal":{"experience_context":{"cancel_url":)"
                 R"("https://shop.example/back","return_url":"https://shop.example/back"}}},)" +
                 units);
  BOOST_TEST(text_of(all.end) == "unknown ORD-1: pending: payer action -> https://pay.example/go");
  all = play(ready().charge(changed(true, "ORD-1", "")),
             {reply(200, order("APPROVED")), reply(201, order("COMPLETED", "COMPLETED"))});
  BOOST_TEST(lines_of(all.asked) == (lines{"GET /v2/checkout/orders/ORD-1", capture_line}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "approved CAP-1");
  // Not approved after all: the address is the one that the order named.
  all = play(ready().charge(changed(true, "ORD-1", "")),
             {reply(200, order("APPROVED", "", links)), reply(422, issue("ORDER_NOT_APPROVED"))});
  BOOST_TEST(text_of(all.end) == "unknown ORD-1: pending: payer action -> https://pay.example/go");
}

BOOST_AUTO_TEST_CASE(of_several_captures_the_one_that_charged_counts) {
  const auto got =
      reply(200, R"({"id":"ORD-1","status":"COMPLETED","purchase_units":[{"payments":{"captures":[)"
                 R"({"id":"CAP-1","status":"DECLINED"},{"id":"CAP-2","status":"COMPLETED"},)"
                 R"({"id":"CAP-3","status":"PENDING"}]}}]})");
  BOOST_TEST(text_of(play(ready().charge(changed(true, "ORD-1")), {got}).end) == "approved CAP-2");
}

BOOST_AUTO_TEST_CASE(a_void_only_looks) {
  auto all = play(ready().void_charge(changed(true, "ORD-1")), {reply(200, order("APPROVED"))});
  BOOST_TEST(lines_of(all.asked) == (lines{"GET /v2/checkout/orders/ORD-1"}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(play(fresh().void_charge(changed(true)), {reply(401)}).end) ==
             "unknown: token: http-401");
}

// Making an order with a token charges, so a void makes one without under the same request id.
BOOST_AUTO_TEST_CASE(a_void_of_an_order_that_never_came_charges_nothing) {
  const auto bare_line =
      lines_of(play(ready().charge(changed(false, "", "")), {lost()}).asked).at(0);
  auto all = play(ready().void_charge(changed(true)),
                  {reply(200, order("CREATED")), reply(200, order("CREATED"))});
  BOOST_TEST(lines_of(all.asked) == (lines{bare_line, "GET /v2/checkout/orders/ORD-1"}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "failed ORD-1: not captured");
  // It had come: then the same request tells which order that was.
  all = play(ready().void_charge(changed(true)), {reply(422, issue("DUPLICATE_REQUEST_ID")),
                                                  reply(200, order("COMPLETED", "COMPLETED")),
                                                  reply(200, order("COMPLETED", "COMPLETED"))});
  BOOST_TEST(lines_of(all.asked) == (lines{bare_line, make_line, "GET /v2/checkout/orders/ORD-1"}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "approved CAP-1");
}

BOOST_AUTO_TEST_CASE(a_refund_goes_by_its_key_and_is_looked_at_by_its_id) {
  const auto done = reply(201, R"({"id":"REF-1","status":"COMPLETED"})");
  BOOST_TEST(lines_of(play(ready().refund(refund_it), {done}).asked).at(0) ==
             "POST /v2/payments/captures/CAP-1/refund refund-0-1-cc-1 "
             R"({"amount":{"currency_code":"BRL","value":"10.00"},"custom_id":"refund-0-1-cc"})");
  auto known = refund_it;
  known.refund_reference = "REF-1";
  BOOST_TEST(lines_of(play(ready().refund(known), {done}).asked).at(0) ==
             "GET /v2/payments/refunds/REF-1");
}

BOOST_AUTO_TEST_CASE(amounts_that_paypal_cannot_take_exactly_are_not_sent) {
  auto what = first;
  what.amount = {150, "TWD"};
  BOOST_TEST(text_of(play(ready().charge(what), {}).end) == "declined: amount-not-representable");
  auto back = refund_it;
  back.amount = {150, "HUF"};
  BOOST_TEST(text_of(play(ready().refund(back), {}).end) == "declined: amount-not-representable");
}

BOOST_AUTO_TEST_CASE(a_webhook_is_verified_by_paypal_with_its_very_bytes) {
  // Blanks, an escape and a float that no JSON library would write again like this.
  const std::string body =
      R"({ "event_type" : "PAYMENT.CAPTURE.COMPLETED", "resource": {"id":"CAP-1",)"
      R"("custom_id":"payment-0-1-a","amount":{"value":"25.50","currency_code":"BRL"},"x":1.50,"y":"\u00e9"}})";
  const auto all = play(ready().read_webhook(webhook_of(signed_headers, body, 0)), {success});
  BOOST_TEST(all.asked.at(0).target == "/v1/notifications/verify-webhook-signature");
  BOOST_TEST(all.asked.at(0).body ==
             R"({"transmission_id":"t-1","transmission_time":"2026-11-30T18:00:00Z",)"
             R"("transmission_sig":"sig==","cert_url":"https://api.paypal.com/cert",)"
             R"("auth_algo":"SHA256withRSA","webhook_id":"WH-OLD","webhook_event":)" +
                 body + "}");
  BOOST_TEST(text_of(all.end) == "PAYPAL approved CAP-1 | payment-0-1-a | 2550 BRL");
}

BOOST_AUTO_TEST_CASE(each_answer_about_a_webhook_means_one_thing) {
  const std::string body =
      R"({"event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"C","custom_id":"order-0-1-b"}})";
  struct row {
    std::vector<client::outcome> got;
    std::string told;
  };
  for (const auto& [got, told] :
       std::vector<row>{{{success}, "PAYPAL approved C | order-0-1-b"},
                        {{failure, success}, "PAYPAL approved C | order-0-1-b"},
                        {{failure, failure}, "not believed: signature wrong"},
                        {{reply(400), reply(422)}, "not believed: signature wrong"},
                        {{reply(403)}, "not now"},
                        {{reply(429)}, "not now"},
                        {{reply(500)}, "not now"},
                        {{reply(200, "{}")}, "not now"},
                        {{lost()}, "not now"},
                        {{unsent()}, "not now"},
                        {{failure, lost()}, "not now"}})
    BOOST_TEST(text_of(play(ready().read_webhook(webhook_of(signed_headers, body, 0)), got).end) ==
               told);
  BOOST_TEST(
      text_of(play(fresh().read_webhook(webhook_of(signed_headers, body, 0)), {lost()}).end) ==
      "not now");
  BOOST_TEST(fresh().asks_about_webhooks());
}

// Whatever is spliced into the question must not be able to end it and to name another webhook,
// which would be the forger's own.
BOOST_AUTO_TEST_CASE(a_body_that_is_not_one_json_object_is_never_asked_about) {
  for (const std::string body : {"", "[]", "x", R"({"a":1},"webhook_id":"FORGED","b":{})",
                                 R"({}{})", R"({"a":1)", "{}}", R"({},"webhook_id":"FORGED")"})
    BOOST_TEST(text_of(play(ready().read_webhook(webhook_of(signed_headers, body, 0)), {}).end) ==
                   "not believed: body is no JSON object",
               body);
}

BOOST_AUTO_TEST_CASE(a_webhook_without_all_of_its_headers_is_never_asked_about) {
  for (const auto& [name, value] : signed_headers) {
    auto headers = signed_headers;
    headers.erase(name);
    BOOST_TEST(text_of(play(ready().read_webhook(webhook_of(headers, "{}", 0)), {}).end) ==
                   "not believed: signature missing",
               name);
    headers[name] = std::string(2000, 'x');
    BOOST_TEST(text_of(play(ready().read_webhook(webhook_of(headers, "{}", 0)), {}).end) ==
                   "not believed: signature malformed",
               name);
  }
}

BOOST_AUTO_TEST_CASE(events_say_what_became_of_a_payment) {
  struct row {
    std::string type;
    std::string resource;
    std::string told;
  };
  const std::string sum = R"(,"amount":{"value":"25.50","currency_code":"BRL"})";
  const std::string ours = R"("id":"CAP-1","custom_id":"payment-0-1-a")" + sum;
  const std::string of_order = R"(,"supplementary_data":{"related_ids":{"order_id":"ORD-1"}})";
  for (const auto& [type, resource, told] : std::vector<row>{
           {"PAYMENT.CAPTURE.COMPLETED", ours, "PAYPAL approved CAP-1 | payment-0-1-a | 2550 BRL"},
           {"PAYMENT.CAPTURE.DENIED", ours + of_order + R"(,"status":"DECLINED")",
            "PAYPAL declined ORD-1: DECLINED | payment-0-1-a | 2550 BRL"},
           {"PAYMENT.CAPTURE.PENDING", ours + of_order,
            "PAYPAL unknown ORD-1: pending: capture pending | payment-0-1-a | 2550 BRL"},
           {"PAYMENT.CAPTURE.REFUNDED", ours, "not for us"},
           {"CHECKOUT.ORDER.APPROVED",
            R"("id":"ORD-1","purchase_units":[{"custom_id":"payment-0-1-a")" + sum + "}]",
            "PAYPAL unknown ORD-1: pending: payer approved | payment-0-1-a | 2550 BRL"},
           {"PAYMENT.CAPTURE.COMPLETED",
            R"("id":"CAP-2","custom_id":"{\"usher_hold\":\"cart\",\"usher_show\":\"hamlet\"}")",
            "PAYPAL approved CAP-2 | cart | hamlet"},
           {"PAYMENT.CAPTURE.COMPLETED", R"("id":"CAP-2","custom_id":"theirs")", "not for us"},
           {"PAYMENT.CAPTURE.COMPLETED", R"("id":"CAP-2")", "not for us"},
           {"CUSTOMER.CREATED", ours, "not for us"}}) {
    const auto body = R"({"event_type":")" + type + R"(","resource":{)" + resource + "}}";
    BOOST_TEST(
        text_of(play(ready().read_webhook(webhook_of(signed_headers, body, 0)), {success}).end) ==
            told,
        body);
  }
}

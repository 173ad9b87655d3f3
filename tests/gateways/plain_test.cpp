// The plain protocol: each request as it is written, each answer with what it means (the table of
// docs/gateways.md), and what its webhooks say.
#include "http/gateways/plain.hpp"

#include "http/crypto/base64.hpp"
#include "http/crypto/crypto.hpp"
#include "tests/gateways/outcome_table.hpp"

#include <map>

namespace {

using namespace usher;
using namespace usher::test;

const std::string webhook_key = "0123456789abcdef";
const plain speaks{"SANDBOX", "key-1", {"another key, older", webhook_key}};

const attempt first{.payment = "payment-0-1-aa",
                    .order = "order-0-1-bb",
                    .amount = {2500, "BRL"},
                    .method = "card",
                    .token = "tok"};

attempt changed(bool again, std::string reference = {}) {
  auto what = first;
  what.again = again;
  what.reference = std::move(reference);
  return what;
}

const refunding refund_it{.refund = "refund-0-1-cc",
                          .key = "refund-0-1-cc-2",
                          .amount = {1000, "BRL"},
                          .payment_reference = "ch_1"};

std::string is(const std::string& status, const std::string& more = {}) {
  return R"({"id":"x_1","status":")" + status + "\"" + more + "}";
}
const std::string why = R"(,"reason":"no funds")";

const std::vector<outcome_row> rows{
    {"charge", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"charge", "no answer", {lost()}, "unknown", "", "timeout"},
    {"charge", "200 APPROVED", {reply(200, is("APPROVED"))}, "approved", ""},
    {"charge", "200 DECLINED", {reply(200, is("DECLINED", why))}, "declined", "", "no funds"},
    {"charge", "200 PENDING", {reply(200, is("PENDING"))}, "unknown", "", "pending"},
    {"charge", "200 VOIDED", {reply(200, is("VOIDED"))}, "failed", "", "voided"},
    {"charge",
     "200 without an id",
     {reply(200, R"({"status":"APPROVED"})")},
     "unknown",
     "",
     "unreadable answer"},
    {"charge",
     "200, another status",
     {reply(200, is("SETTLED"))},
     "unknown",
     "",
     "unreadable answer"},
    {"charge", "200, unreadable", {reply(200, "<html>")}, "unknown", "", "unreadable answer"},
    {"charge", "302", {reply(302)}, "unknown", "", "http-302"},
    {"charge",
     "400",
     {reply(400, R"({"code":"bad-amount"})")},
     "failed",
     "unknown",
     "http-400 bad-amount"},
    {"charge", "401", {reply(401)}, "failed", "unknown", "http-401"},
    {"charge", "403", {reply(403)}, "failed", "unknown", "http-403"},
    {"charge", "404", {reply(404)}, "failed", "unknown", "http-404"},
    {"charge", "408", {reply(408)}, "unknown", "", "http-408"},
    {"charge", "409", {reply(409)}, "unknown", "", "http-409"},
    {"charge", "422", {reply(422)}, "failed", "unknown", "http-422"},
    {"charge", "429", {reply(429)}, "failed", "unknown", "http-429"},
    {"charge", "500", {reply(500)}, "unknown", "", "http-500"},
    {"charge", "503", {reply(503)}, "unknown", "", "http-503"},
    {"look", "not sent", {unsent()}, "unknown", "", "connect-refused"},
    {"look", "no answer", {lost()}, "unknown", "", "timeout"},
    {"look", "200 APPROVED", {reply(200, is("APPROVED"))}, "approved", ""},
    {"look", "200 DECLINED", {reply(200, is("DECLINED", why))}, "declined", "", "no funds"},
    {"look", "401", {reply(401)}, "unknown", "", "http-401"},
    {"look", "404", {reply(404)}, "unknown", "", "http-404"},
    {"look", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void", "no answer", {lost()}, "unknown", "", "timeout"},
    {"void", "200 VOIDED", {reply(200, R"({"status":"VOIDED"})")}, "failed", "", "voided"},
    {"void", "200 APPROVED", {reply(200, is("APPROVED"))}, "approved", ""},
    {"void", "200 DECLINED", {reply(200, is("DECLINED", why))}, "declined", "", "no funds"},
    {"void", "401", {reply(401)}, "unknown", "", "http-401"},
    {"void", "404", {reply(404)}, "unknown", "", "http-404"},
    {"void", "500", {reply(500)}, "unknown", "", "http-500"},
    {"refund", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"refund", "no answer", {lost()}, "unknown", "", "timeout"},
    {"refund", "200 DONE", {reply(200, is("DONE"))}, "approved", ""},
    {"refund", "200 PENDING", {reply(200, is("PENDING"))}, "unknown", "", "pending"},
    {"refund",
     "200 REFUSED",
     {reply(200, is("REFUSED", R"(,"reason":"too much")"))},
     "declined",
     "",
     "too much"},
    {"refund", "200, unreadable", {reply(200, "{}")}, "unknown", "", "unreadable answer"},
    {"refund", "400", {reply(400)}, "failed", "unknown", "http-400"},
    {"refund", "401", {reply(401)}, "unknown", "", "http-401"},
    {"refund", "404", {reply(404)}, "failed", "unknown", "http-404"},
    {"refund", "409", {reply(409)}, "unknown", "", "http-409"},
    {"refund", "422", {reply(422)}, "failed", "unknown", "http-422"},
    {"refund", "429", {reply(429)}, "unknown", "", "http-429"},
    {"refund", "500", {reply(500)}, "unknown", "", "http-500"},
};

led_up lead(const std::string& asked, bool again) {
  if (asked == "charge")
    return {speaks.charge(changed(again))};
  if (asked == "look")
    return {speaks.charge(changed(again, "x_1"))};
  if (asked == "void")
    return {speaks.void_charge(changed(true))};
  auto what = refund_it;
  what.again = again;
  return {speaks.refund(what)};
}

std::string asked_first(const charge_step& step) {
  return line_of(std::get<client::request>(step.what), "Idempotency-Key");
}

} // namespace

BOOST_AUTO_TEST_CASE(each_answer_means_what_the_table_says) {
  check_rows(rows, lead);
}

BOOST_AUTO_TEST_CASE(the_page_has_the_table) {
  check_page(rows, "### Plain, outcomes");
}

BOOST_AUTO_TEST_CASE(requests_are_written_as_the_protocol_says) {
  BOOST_TEST(asked_first(speaks.charge(first)) ==
             "POST /v1/charges payment-0-1-aa "
             R"({"amount":2500,"currency":"BRL","method":"card","orderId":"order-0-1-bb",)"
             R"("paymentId":"payment-0-1-aa","token":"tok"})");
  auto bare = first;
  bare.token.clear();
  BOOST_TEST(asked_first(speaks.charge(bare)).find("token") == std::string::npos);
  BOOST_TEST(asked_first(speaks.charge(changed(true, "a/b"))) == "GET /v1/charges/a%2Fb");
  BOOST_TEST(asked_first(speaks.void_charge(first)) ==
             R"(POST /v1/charges/void {"paymentId":"payment-0-1-aa"})");
  BOOST_TEST(asked_first(speaks.refund(refund_it)) ==
             "POST /v1/refunds refund-0-1-cc-2 "
             R"({"amount":1000,"chargeId":"ch_1","refundId":"refund-0-1-cc"})");
  auto known = refund_it;
  known.refund_reference = "re_1";
  BOOST_TEST(asked_first(speaks.refund(known)) == "GET /v1/refunds/re_1");
  BOOST_TEST(speaks.headers().at(0).value == "Bearer key-1");
  BOOST_TEST((plain{"SANDBOX", "", {}}.headers().empty()));
}

BOOST_AUTO_TEST_CASE(pending_tells_where_the_fan_goes_on) {
  const auto got = reply(200, is("PENDING", R"(,"redirectUrl":"https://bank.example/x")"));
  BOOST_TEST(text_of(play(speaks.charge(first), {got}).end) ==
             "unknown x_1: pending -> https://bank.example/x");
}

BOOST_AUTO_TEST_CASE(webhooks_say_what_became_of_a_payment) {
  struct row {
    std::string body;
    std::string told;
  };
  const std::string data =
      R"("id":"ch_1","orderId":"order-0-1-b","paymentId":"payment-0-1-a","amount":2500,"currency":"BRL")";
  const auto body = [&](const std::string& type, const std::string& members) {
    return R"({"type":")" + type + R"(","data":{)" + members + "}}";
  };
  const std::string whose = " | payment-0-1-a | order-0-1-b | 2500 BRL";
  for (const auto& [text, told] : std::vector<row>{
           {body("charge.approved", data), "SANDBOX approved ch_1" + whose},
           {body("charge.declined", data + R"(,"reason":"no funds")"),
            "SANDBOX declined ch_1: no funds" + whose},
           {body("charge.voided", data), "SANDBOX failed ch_1" + whose},
           {body("charge.approved",
                 R"("id":"ch_2","metadata":{"usher_hold":"cart","usher_show":"hamlet"})"),
            "SANDBOX approved ch_2 | cart | hamlet"},
           {body("charge.approved", R"("id":"ch_3")"), "not for us"},
           {body("refund.done", data), "not for us"},
           {body("charge.exploded", data), "not for us"},
           {"{}", "not for us"},
           {"no JSON", "not for us"}}) {
    const auto mac = http::hmac_sha256(webhook_key, "msg_1.1700000000." + text);
    const std::map<std::string, std::string> headers{
        {"webhook-id", "msg_1"},
        {"webhook-timestamp", "1700000000"},
        {"webhook-signature",
         "v1," + http::encode_base64({reinterpret_cast<const char*>(mac.data()), mac.size()})}};
    const auto told_of = [&](std::string_view bytes, time_ms now) {
      return text_of(play(speaks.read_webhook(webhook_of(headers, bytes, now)), {}).end);
    };
    BOOST_TEST(told_of(text, 1'700'000'000'000) == told, text);
    BOOST_TEST(told_of(text + " ", 1'700'000'000'000) == "not believed: signature wrong");
    BOOST_TEST(told_of(text, 1'700'000'300'001) == "not believed: signature too old");
  }
}

// Stripe: each request as it is written, each answer with what it means (the table of
// docs/gateways.md), how an attempt is continued and voided, and what its webhooks say.
//
// That it bites was shown by breaking the protocol: a confirm with the key of the creation, a 5xx
// at the confirm as `failed`, a 402 as `failed`, a void that cancels whatever it sees.
#include "http/gateways/stripe.hpp"

#include "http/crypto/crypto.hpp"
#include "http/gateways/stripe_amount.hpp"
#include "tests/gateways/outcome_table.hpp"

#include <map>

namespace {

using namespace usher;
using namespace usher::test;

const stripe speaks{"STRIPE", "sk_test", {"whsec_old", "whsec_new"}, "https://shop.example/back"};

const attempt first{.payment = "payment-0-1-aa",
                    .order = "order-0-1-bb",
                    .amount = {2500, "BRL"},
                    .method = "card",
                    .token = "pm_1"};

attempt changed(bool again, std::string reference = {}) {
  auto what = first;
  what.again = again;
  what.reference = std::move(reference);
  return what;
}

const refunding refund_it{.refund = "refund-0-1-cc",
                          .key = "refund-0-1-cc-1",
                          .amount = {1000, "BRL"},
                          .payment_reference = "pi_1"};

std::string intent(const std::string& status, const std::string& more = {}) {
  return R"({"id":"pi_1","object":"payment_intent","status":")" + status + "\"" + more + "}";
}

std::string error(const std::string& members) {
  return R"({"error":{)" + members + "}}";
}

const std::string declined_card =
    error(R"("type":"card_error","code":"card_declined","decline_code":"insufficient_funds")");
const std::string no_such_method =
    error(R"("type":"invalid_request_error","code":"resource_missing","param":"payment_method")");
const std::string bad_request =
    error(R"("type":"invalid_request_error","code":"amount_too_small","param":"amount")");
const std::string key_in_use =
    error(R"("type":"idempotency_error","code":"idempotency_key_in_use")");
const std::string lock_timeout = error(R"("type":"invalid_request_error","code":"lock_timeout")");
const std::string other_body = error(R"("type":"idempotency_error")");
const std::string unexpected_state =
    error(R"("type":"invalid_request_error","code":"payment_intent_unexpected_state")");
const std::string bad_key = error(R"("type":"invalid_request_error")");
const std::string redirect =
    R"(,"next_action":{"type":"redirect_to_url","redirect_to_url":{"url":"https://bank.example/3ds"}})";
const std::string failed_before =
    R"(,"last_payment_error":{"code":"payment_intent_authentication_failure"})";

const std::vector<outcome_row> rows{
    {"create", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"create", "no answer", {lost()}, "failed", "unknown", "timeout"},
    {"create", "200, unreadable", {reply(200, "<html>")}, "failed", "unknown", "unreadable answer"},
    {"create", "400", {reply(400, bad_request)}, "failed", "unknown", "http-400 amount_too_small"},
    {"create",
     "400 idempotency_error",
     {reply(400, other_body)},
     "failed",
     "unknown",
     "http-400 idempotency_error"},
    {"create",
     "400 of the payment method",
     {reply(400, no_such_method)},
     "declined",
     "unknown",
     "resource_missing"},
    {"create", "401", {reply(401, bad_key)}, "failed", "unknown", "http-401 invalid_request_error"},
    {"create", "402", {reply(402, declined_card)}, "declined", "unknown", "insufficient_funds"},
    {"create", "403", {reply(403, bad_key)}, "failed", "unknown", "http-403 invalid_request_error"},
    {"create",
     "409 idempotency_key_in_use",
     {reply(409, key_in_use)},
     "unknown",
     "",
     "http-409 idempotency_key_in_use"},
    {"create", "429", {reply(429)}, "failed", "unknown", "http-429"},
    {"create", "500", {reply(500)}, "failed", "unknown", "http-500"},
    {"create", "503", {reply(503, "busy")}, "failed", "unknown", "http-503"},
    {"confirm", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"confirm", "no answer", {lost()}, "unknown", "", "timeout"},
    {"confirm", "200 succeeded", {reply(200, intent("succeeded"))}, "approved", ""},
    {"confirm",
     "200 requires_action",
     {reply(200, intent("requires_action", redirect))},
     "unknown",
     "",
     "pending: requires_action"},
    {"confirm",
     "200 processing",
     {reply(200, intent("processing"))},
     "unknown",
     "",
     "pending: processing"},
    {"confirm",
     "200 requires_payment_method",
     {reply(200, intent("requires_payment_method", failed_before))},
     "declined",
     "",
     "payment_intent_authentication_failure"},
    {"confirm", "200 canceled", {reply(200, intent("canceled"))}, "failed", "", "canceled"},
    {"confirm",
     "200 requires_confirmation",
     {reply(200, intent("requires_confirmation"))},
     "unknown",
     "",
     "http-200 requires_confirmation"},
    {"confirm", "200, unreadable", {reply(200, "{")}, "unknown", "", "unreadable answer"},
    {"confirm", "400", {reply(400, bad_request)}, "failed", "unknown", "http-400 amount_too_small"},
    {"confirm",
     "400 of the payment method",
     {reply(400, no_such_method)},
     "declined",
     "",
     "resource_missing"},
    {"confirm",
     "400 payment_intent_unexpected_state, then succeeded",
     {reply(400, unexpected_state), reply(200, intent("succeeded"))},
     "approved",
     ""},
    {"confirm",
     "400 idempotency_error, then requires_confirmation",
     {reply(400, other_body), reply(200, intent("requires_confirmation"))},
     "unknown",
     "",
     "requires_confirmation"},
    {"confirm",
     "401",
     {reply(401, bad_key)},
     "failed",
     "unknown",
     "http-401 invalid_request_error"},
    {"confirm", "402", {reply(402, declined_card)}, "declined", "", "insufficient_funds"},
    {"confirm",
     "403",
     {reply(403, bad_key)},
     "failed",
     "unknown",
     "http-403 invalid_request_error"},
    {"confirm",
     "404",
     {reply(404, bad_key)},
     "failed",
     "unknown",
     "http-404 invalid_request_error"},
    {"confirm",
     "409 idempotency_key_in_use",
     {reply(409, key_in_use)},
     "unknown",
     "",
     "http-409 idempotency_key_in_use"},
    {"confirm",
     "409 lock_timeout",
     {reply(409, lock_timeout)},
     "unknown",
     "",
     "http-409 lock_timeout"},
    {"confirm", "429", {reply(429)}, "failed", "unknown", "http-429"},
    {"confirm", "500", {reply(500)}, "unknown", "", "http-500"},
    {"confirm", "503", {reply(503)}, "unknown", "", "http-503"},
    {"look", "no answer", {lost()}, "unknown", "", "timeout"},
    {"look", "not sent", {unsent()}, "unknown", "", "connect-refused"},
    {"look", "200 succeeded", {reply(200, intent("succeeded"))}, "approved", ""},
    {"look", "200 canceled", {reply(200, intent("canceled"))}, "failed", "", "canceled"},
    {"look",
     "200 requires_payment_method",
     {reply(200, intent("requires_payment_method", failed_before))},
     "declined",
     "",
     "payment_intent_authentication_failure"},
    {"look", "404", {reply(404, bad_key)}, "unknown", "", "http-404 invalid_request_error"},
    {"look", "429", {reply(429)}, "unknown", "", "http-429"},
    {"look", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void: create", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void: create", "no answer", {lost()}, "unknown", "", "timeout"},
    {"void: create", "400", {reply(400, bad_request)}, "failed", "", "http-400 amount_too_small"},
    {"void: create",
     "400 idempotency_error",
     {reply(400, other_body)},
     "unknown",
     "",
     "http-400 idempotency_error"},
    {"void: create", "401", {reply(401)}, "unknown", "", "http-401"},
    {"void: create", "402", {reply(402, declined_card)}, "declined", "", "insufficient_funds"},
    {"void: create", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void: look", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void: look", "200 succeeded", {reply(200, intent("succeeded"))}, "approved", ""},
    {"void: look", "200 canceled", {reply(200, intent("canceled"))}, "failed", "", "canceled"},
    {"void: look", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void: cancel", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void: cancel", "no answer", {lost()}, "unknown", "", "timeout"},
    {"void: cancel", "200 canceled", {reply(200, intent("canceled"))}, "failed", "", "canceled"},
    {"void: cancel",
     "400, then succeeded",
     {reply(400, unexpected_state), reply(200, intent("succeeded"))},
     "approved",
     ""},
    {"void: cancel",
     "400, then processing",
     {reply(400, unexpected_state), reply(200, intent("processing"))},
     "unknown",
     "",
     "pending: processing"},
    {"void: cancel", "500", {reply(500)}, "unknown", "", "http-500"},
    {"refund", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"refund", "no answer", {lost()}, "unknown", "", "timeout"},
    {"refund",
     "200 succeeded",
     {reply(200, R"({"id":"re_1","status":"succeeded"})")},
     "approved",
     ""},
    {"refund",
     "200 pending",
     {reply(200, R"({"id":"re_1","status":"pending"})")},
     "unknown",
     "",
     "pending: pending"},
    {"refund",
     "200 failed",
     {reply(200, R"({"id":"re_1","status":"failed","failure_reason":"expired_or_canceled_card"})")},
     "declined",
     "",
     "expired_or_canceled_card"},
    {"refund",
     "400 charge_already_refunded",
     {reply(400, error(R"("code":"charge_already_refunded")"))},
     "declined",
     "",
     "charge_already_refunded"},
    {"refund",
     "400 of the amount",
     {reply(400, error(R"("code":"x","param":"amount")"))},
     "declined",
     "",
     "x"},
    {"refund",
     "400 idempotency_error",
     {reply(400, other_body)},
     "unknown",
     "",
     "http-400 idempotency_error"},
    {"refund", "400", {reply(400, bad_key)}, "failed", "unknown", "http-400 invalid_request_error"},
    {"refund", "401", {reply(401)}, "unknown", "", "http-401"},
    {"refund", "409", {reply(409, key_in_use)}, "unknown", "", "http-409 idempotency_key_in_use"},
    {"refund", "429", {reply(429)}, "unknown", "", "http-429"},
    {"refund", "500", {reply(500)}, "unknown", "", "http-500"},
};

led_up lead(const std::string& asked, bool again) {
  const auto made = reply(200, intent("requires_confirmation"));
  if (asked == "create")
    return {speaks.charge(changed(again))};
  if (asked == "confirm" && !again)
    return {speaks.charge(first), {made}};
  if (asked == "confirm") // made before: looks first
    return {speaks.charge(changed(true)), {made, made}};
  if (asked == "look")
    return {speaks.charge(changed(again, "pi_1"))};
  if (asked == "void: create")
    return {speaks.void_charge(changed(true))};
  if (asked == "void: look")
    return {speaks.void_charge(changed(true, "pi_1"))};
  if (asked == "void: cancel")
    return {speaks.void_charge(changed(true, "pi_1")), {made}};
  auto what = refund_it;
  what.again = again;
  return {speaks.refund(what)};
}

std::vector<std::string> lines_of(const std::vector<client::request>& asked) {
  std::vector<std::string> lines;
  for (const auto& each : asked)
    lines.push_back(line_of(each, "Idempotency-Key"));
  return lines;
}

const std::string create_line =
    "POST /v1/payment_intents payment-0-1-aa amount=2500&currency=brl&payment_method_types%5B%5D="
    "card&payment_method=pm_1&metadata%5Busher_order%5D=order-0-1-bb&metadata%5Busher_payment%5D="
    "payment-0-1-aa";
const std::string confirm_line = "POST /v1/payment_intents/pi_1/confirm payment-0-1-aa-confirm "
                                 "return_url=https%3A%2F%2Fshop.example%2Fback";
const std::string look_line = "GET /v1/payment_intents/pi_1";

using lines = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(each_answer_means_what_the_table_says) {
  check_rows(rows, lead);
}

BOOST_AUTO_TEST_CASE(the_page_has_the_table) {
  check_page(rows, "### Stripe, outcomes");
}

BOOST_AUTO_TEST_CASE(a_first_charge_creates_and_confirms) {
  const auto all = play(speaks.charge(first), {reply(200, intent("requires_confirmation")),
                                               reply(200, intent("succeeded"))});
  BOOST_TEST(lines_of(all.asked) == (lines{create_line, confirm_line}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "approved pi_1");
  BOOST_TEST(speaks.headers().at(0).value == "Bearer sk_test");
}

BOOST_AUTO_TEST_CASE(a_charge_that_was_begun_is_looked_at_before_it_is_confirmed) {
  const auto made = reply(200, intent("requires_confirmation"));
  // Begun in this process, as the answer itself says, or known by its reference.
  auto all = play(speaks.charge(changed(true)), {made, made, reply(200, intent("succeeded"))});
  BOOST_TEST(lines_of(all.asked) == (lines{create_line, look_line, confirm_line}),
             boost::test_tools::per_element());
  const auto replayed =
      reply(200, intent("requires_confirmation"), {{"Idempotent-Replayed", "true"}});
  all = play(speaks.charge(first), {replayed, reply(200, intent("succeeded"))});
  BOOST_TEST(lines_of(all.asked) == (lines{create_line, look_line}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "approved pi_1");
  all = play(speaks.charge(changed(false, "pi_1")), {made, lost()});
  BOOST_TEST(lines_of(all.asked) == (lines{look_line, confirm_line}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "unknown pi_1: timeout");
}

BOOST_AUTO_TEST_CASE(three_d_secure_tells_where_the_fan_goes_on) {
  const auto all = play(speaks.charge(first), {reply(200, intent("requires_confirmation")),
                                               reply(200, intent("requires_action", redirect))});
  BOOST_TEST(text_of(all.end) ==
             "unknown pi_1: pending: requires_action -> https://bank.example/3ds");
}

BOOST_AUTO_TEST_CASE(a_void_learns_the_intent_looks_and_cancels) {
  const auto made = reply(200, intent("requires_confirmation"));
  const auto all =
      play(speaks.void_charge(changed(true)), {made, made, reply(200, intent("canceled"))});
  BOOST_TEST(lines_of(all.asked) ==
                 (lines{create_line, look_line, "POST /v1/payment_intents/pi_1/cancel"}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "failed pi_1: canceled");
}

BOOST_AUTO_TEST_CASE(a_refund_goes_by_its_key_and_is_looked_at_by_its_id) {
  const auto done = reply(200, R"({"id":"re_1","status":"succeeded"})");
  BOOST_TEST(lines_of(play(speaks.refund(refund_it), {done}).asked).at(0) ==
             "POST /v1/refunds refund-0-1-cc-1 payment_intent=pi_1&amount=1000&"
             "metadata%5Busher_refund%5D=refund-0-1-cc");
  auto known = refund_it;
  known.refund_reference = "re_1";
  const auto all = play(speaks.refund(known), {done});
  BOOST_TEST(lines_of(all.asked).at(0) == "GET /v1/refunds/re_1");
  BOOST_TEST(text_of(all.end) == "approved re_1");
}

BOOST_AUTO_TEST_CASE(ids_of_answers_cannot_leave_their_place_in_a_path) {
  const auto all = play(speaks.charge(changed(false, "../x?y=1/")), {lost()});
  BOOST_TEST(lines_of(all.asked).at(0) == "GET /v1/payment_intents/..%2Fx%3Fy%3D1%2F");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_charged_at_all_is_declined_without_a_request) {
  auto what = first;
  what.token = "";
  BOOST_TEST(text_of(play(speaks.charge(what), {}).end) == "declined: payment-method-missing");
  what = first;
  what.amount = {1001, "MGA"};
  BOOST_TEST(text_of(play(speaks.charge(what), {}).end) == "declined: amount-not-representable");
}

BOOST_AUTO_TEST_CASE(amounts_are_counted_as_stripe_counts) {
  struct row {
    money ours;
    std::int64_t theirs;
  };
  for (const auto& [ours, theirs] : std::vector<row>{{{2500, "BRL"}, 2500},
                                                     {{500, "JPY"}, 500},
                                                     {{500, "ISK"}, 50000},
                                                     {{7, "UGX"}, 700},
                                                     {{12300, "MGA"}, 123},
                                                     {{1230, "BHD"}, 1230}}) {
    BOOST_TEST(stripe_amount(ours).value_or(-1) == theirs, ours.currency);
    BOOST_TEST((from_stripe_amount(std::to_string(theirs), ours.currency) == ours), ours.currency);
  }
  for (const auto& wrong : std::vector<money>{
           {0, "BRL"}, {-1, "BRL"}, {1, "XXX"}, {101, "MGA"}, {1231, "BHD"}, {INT64_MAX, "ISK"}})
    BOOST_TEST(!stripe_amount(wrong).has_value(), wrong.currency);
  BOOST_TEST(!from_stripe_amount("50001", "ISK").has_value());
  BOOST_TEST(!from_stripe_amount("1.5", "BRL").has_value());
}

BOOST_AUTO_TEST_CASE(webhooks_say_what_became_of_a_payment) {
  struct row {
    const char* what;
    std::string type;
    std::string object;
    std::string told;
  };
  const std::string ours =
      R"(,"metadata":{"usher_order":"order-0-1-b","usher_payment":"payment-0-1-a"})";
  const std::string whose = " | payment-0-1-a | order-0-1-b";
  const std::string sum = R"(,"amount":2500,"currency":"brl")";
  const std::vector<row> table{
      {"succeeded", "payment_intent.succeeded",
       intent("succeeded", sum + R"(,"amount_received":2500)" + ours),
       "STRIPE approved pi_1" + whose + " | 2500 BRL"},
      {"less came than was asked", "payment_intent.succeeded",
       intent("succeeded", sum + R"(,"amount_received":2400)" + ours),
       "STRIPE approved pi_1" + whose + " | 2400 BRL"},
      {"failed", "payment_intent.payment_failed",
       intent("requires_payment_method",
              sum + ours +
                  R"(,"last_payment_error":{"code":"card_declined","decline_code":"lost_card"})"),
       "STRIPE declined pi_1: lost_card" + whose + " | 2500 BRL"},
      {"canceled", "payment_intent.canceled",
       intent("canceled", sum + ours + R"(,"cancellation_reason":"abandoned")"),
       "STRIPE failed pi_1: abandoned" + whose + " | 2500 BRL"},
      {"processing", "payment_intent.processing", intent("processing", sum + ours),
       "STRIPE unknown pi_1: pending: processing" + whose + " | 2500 BRL"},
      {"made elsewhere, for an order", "payment_intent.succeeded",
       intent("succeeded", sum + R"(,"metadata":{"usher_order":"order-0-1-b"})"),
       "STRIPE approved pi_1 | order-0-1-b | 2500 BRL"},
      {"made elsewhere, for a hold", "payment_intent.succeeded",
       intent("succeeded", sum + R"(,"metadata":{"usher_hold":"cart-7","usher_show":"hamlet"})"),
       "STRIPE approved pi_1 | cart-7 | hamlet | 2500 BRL"},
      {"a hold without its show", "payment_intent.succeeded",
       intent("succeeded", sum + R"(,"metadata":{"usher_hold":"cart-7"})"), "not for us"},
      {"of somebody else", "payment_intent.succeeded",
       intent("succeeded", sum + R"(,"metadata":{})"), "not for us"},
      {"no metadata", "payment_intent.succeeded", intent("succeeded", sum), "not for us"},
      {"an amount that is none", "payment_intent.succeeded",
       intent("succeeded", R"(,"amount":"x","currency":"brl")" + ours),
       "STRIPE approved pi_1" + whose},
      {"a refund", "charge.refunded", R"({"id":"ch_1")" + ours + "}", "not for us"},
      {"another refund", "refund.updated", R"({"id":"re_1")" + ours + "}", "not for us"},
      {"something else", "customer.created", "{}", "not for us"},
  };
  const time_ms now = 1'700'000'000'000;
  for (const auto& [what, type, object, told] : table) {
    const auto body = R"({"id":"evt_1","type":")" + type + R"(","data":{"object":)" + object + "}}";
    const std::map<std::string, std::string> headers{
        {"stripe-signature",
         "t=1700000000,v1=" + http::to_hex(http::hmac_sha256("whsec_new", "1700000000." + body))}};
    BOOST_TEST(text_of(play(speaks.read_webhook(webhook_of(headers, body, now)), {}).end) == told,
               what);
    // The same bytes but one.
    const auto other = body + " ";
    BOOST_TEST(text_of(play(speaks.read_webhook(webhook_of(headers, other, now)), {}).end) ==
               "not believed: signature wrong");
  }
}

BOOST_AUTO_TEST_CASE(well_signed_webhooks_that_cannot_be_read_are_not_for_us) {
  for (const std::string body :
       {"", "[]", "{", R"({"type":7})", R"({"type":"payment_intent.succeeded"})",
        R"({"type":"payment_intent.succeeded","data":[]})"}) {
    const std::map<std::string, std::string> headers{
        {"stripe-signature",
         "t=1700000000,v1=" + http::to_hex(http::hmac_sha256("whsec_old", "1700000000." + body))}};
    const auto got = webhook_of(headers, body, 1'700'000'000'000);
    BOOST_TEST(text_of(play(speaks.read_webhook(got), {}).end) == "not for us", body);
  }
}

// Mercado Pago: each request as it is written, each answer with what it means (the table of
// docs/gateways.md), how an attempt is continued and voided, and what its webhooks say.
//
// That it bites was shown by breaking the protocol: no search before a repeated payment, a search
// that takes results of any reference.
#include "http/gateways/mercado_pago.hpp"

#include "http/crypto/crypto.hpp"
#include "tests/gateways/outcome_table.hpp"

#include <map>

namespace {

using namespace usher;
using namespace usher::test;

const mercado_pago speaks{"MERCADO_PAGO", "APP_USR-1", {"old", "new"}};

const attempt first{.payment = "payment-0-1-aa",
                    .order = "order-0-1-bb",
                    .amount = {2550, "BRL"},
                    .method = "visa",
                    .token = "tok",
                    .email = "fan@example.com"};

attempt changed(bool again, std::string reference = {}) {
  auto what = first;
  what.again = again;
  what.reference = std::move(reference);
  return what;
}

const refunding refund_it{.refund = "refund-0-1-cc",
                          .key = "refund-0-1-cc-1",
                          .amount = {1000, "BRL"},
                          .payment_reference = "123"};

std::string payment(const std::string& status, const std::string& detail = {},
                    const std::string& more = {}, const std::string& id = "123") {
  return "{\"id\":" + id + R"(,"status":")" + status + R"(","status_detail":")" + detail +
         R"(","external_reference":"payment-0-1-aa")" + more + "}";
}

std::string found(const std::string& payments) {
  return "{\"results\":[" + payments + "]}";
}

std::string error(const std::string& code) {
  return R"({"message":"m","error":"bad_request","status":400,"cause":[{"code":)" + code + "}]}";
}

const std::vector<outcome_row> rows{
    {"pay", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"pay", "no answer", {lost()}, "unknown", "", "timeout"},
    {"pay", "201 approved", {reply(201, payment("approved", "accredited"))}, "approved", ""},
    {"pay",
     "201 rejected",
     {reply(201, payment("rejected", "cc_rejected_insufficient_amount"))},
     "declined",
     "",
     "cc_rejected_insufficient_amount"},
    {"pay",
     "201 cancelled",
     {reply(201, payment("cancelled", "expired"))},
     "failed",
     "",
     "expired"},
    {"pay",
     "201 in_process",
     {reply(201, payment("in_process", "pending_review_manual"))},
     "unknown",
     "",
     "pending: pending_review_manual"},
    {"pay",
     "201 pending",
     {reply(201, payment("pending", "pending_waiting_transfer"))},
     "unknown",
     "",
     "pending: pending_waiting_transfer"},
    {"pay",
     "201 authorized",
     {reply(201, payment("authorized"))},
     "unknown",
     "",
     "pending: authorized"},
    {"pay", "201 refunded", {reply(201, payment("refunded"))}, "declined", "", "refunded"},
    {"pay",
     "201 charged_back",
     {reply(201, payment("charged_back"))},
     "declined",
     "",
     "charged_back"},
    {"pay", "201, unreadable", {reply(201, "<html>")}, "unknown", "", "unreadable answer"},
    {"pay", "400", {reply(400, error("4020"))}, "failed", "unknown", "http-400 4020"},
    {"pay",
     "400 of the card token",
     {reply(400, error("2006"))},
     "declined",
     "unknown",
     "http-400 2006"},
    {"pay",
     "401",
     {reply(401, R"({"error":"unauthorized"})")},
     "failed",
     "unknown",
     "http-401 unauthorized"},
    {"pay", "403", {reply(403)}, "failed", "unknown", "http-403"},
    {"pay", "409", {reply(409)}, "unknown", "", "http-409"},
    {"pay", "422", {reply(422)}, "failed", "unknown", "http-422"},
    {"pay", "429", {reply(429)}, "failed", "unknown", "http-429"},
    {"pay", "500", {reply(500)}, "unknown", "", "http-500"},
    {"pay", "503", {reply(503)}, "unknown", "", "http-503"},
    {"search", "no answer", {lost()}, "unknown", "", "timeout"},
    {"search", "not sent", {unsent()}, "unknown", "", "connect-refused"},
    {"search", "200, an approved one", {reply(200, found(payment("approved")))}, "approved", ""},
    {"search",
     "200, a rejected and a pending one",
     {reply(200, found(payment("rejected") + "," + payment("pending", "x", "", "124")))},
     "unknown",
     "",
     "pending: x"},
    {"search", "401", {reply(401)}, "unknown", "", "http-401"},
    {"search", "500", {reply(500)}, "unknown", "", "http-500"},
    {"look", "no answer", {lost()}, "unknown", "", "timeout"},
    {"look", "200 approved", {reply(200, payment("approved"))}, "approved", ""},
    {"look",
     "200 rejected",
     {reply(200, payment("rejected", "cc_rejected_other_reason"))},
     "declined",
     "",
     "cc_rejected_other_reason"},
    {"look", "404", {reply(404)}, "unknown", "", "http-404"},
    {"look", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void: search", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void: search", "no answer", {lost()}, "unknown", "", "timeout"},
    {"void: search", "200, none", {reply(200, found(""))}, "failed", "", "no payment found"},
    {"void: search",
     "200, an approved one",
     {reply(200, found(payment("approved")))},
     "approved",
     ""},
    {"void: search",
     "200, a rejected one",
     {reply(200, found(payment("rejected", "cc")))},
     "declined",
     "",
     "cc"},
    {"void: search", "200, unreadable", {reply(200, "{}")}, "unknown", "", "unreadable answer"},
    {"void: search", "401", {reply(401)}, "unknown", "", "http-401"},
    {"void: search", "500", {reply(500)}, "unknown", "", "http-500"},
    {"void: cancel", "not sent", {unsent()}, "not_sent", "", "connect-refused"},
    {"void: cancel", "no answer", {lost()}, "unknown", "", "timeout"},
    {"void: cancel",
     "200 cancelled",
     {reply(200, payment("cancelled", "by_collector"))},
     "failed",
     "",
     "by_collector"},
    {"void: cancel",
     "400, then approved",
     {reply(400, error("2018")), reply(200, payment("approved"))},
     "approved",
     ""},
    {"void: cancel",
     "400, then pending",
     {reply(400, error("2018")), reply(200, payment("pending", "x"))},
     "unknown",
     "",
     "pending: x"},
    {"void: cancel", "500", {reply(500)}, "unknown", "", "http-500"},
    {"refund", "not sent", {unsent()}, "not_sent", "unknown", "connect-refused"},
    {"refund", "no answer", {lost()}, "unknown", "", "timeout"},
    {"refund", "201 approved", {reply(201, R"({"id":9,"status":"approved"})")}, "approved", ""},
    {"refund",
     "201 in_process",
     {reply(201, R"({"id":9,"status":"in_process"})")},
     "unknown",
     "",
     "pending: in_process"},
    {"refund",
     "201 rejected",
     {reply(201, R"({"id":9,"status":"rejected"})")},
     "declined",
     "",
     "rejected"},
    {"refund",
     "400 of the payment's state",
     {reply(400, error("2063"))},
     "declined",
     "",
     "http-400 2063"},
    {"refund", "400", {reply(400, error("1"))}, "failed", "unknown", "http-400 1"},
    {"refund", "401", {reply(401)}, "unknown", "", "http-401"},
    {"refund", "404", {reply(404)}, "failed", "unknown", "http-404"},
    {"refund", "409", {reply(409)}, "unknown", "", "http-409"},
    {"refund", "429", {reply(429)}, "unknown", "", "http-429"},
    {"refund", "500", {reply(500)}, "unknown", "", "http-500"},
};

led_up lead(const std::string& asked, bool again) {
  if (asked == "pay" && !again)
    return {speaks.charge(first)};
  if (asked == "pay") // searched for first
    return {speaks.charge(changed(true)), {reply(200, found(""))}};
  if (asked == "search")
    return {speaks.charge(changed(true))};
  if (asked == "look")
    return {speaks.charge(changed(again, "123"))};
  if (asked == "void: search")
    return {speaks.void_charge(changed(true))};
  if (asked == "void: cancel")
    return {speaks.void_charge(changed(true)), {reply(200, found(payment("in_process")))}};
  auto what = refund_it;
  what.again = again;
  return {speaks.refund(what)};
}

using lines = std::vector<std::string>;

lines lines_of(const std::vector<client::request>& asked) {
  lines all;
  for (const auto& each : asked)
    all.push_back(line_of(each, "X-Idempotency-Key"));
  return all;
}

const std::string pay_line =
    R"(POST /v1/payments payment-0-1-aa {"transaction_amount":25.50,"description":"order-0-1-bb",)"
    R"("external_reference":"payment-0-1-aa","installments":1,"metadata":{"usher_order":)"
    R"("order-0-1-bb","usher_payment":"payment-0-1-aa"},"payer":{"email":"fan@example.com"},)"
    R"("payment_method_id":"visa","token":"tok"})";
const std::string search_line = "GET /v1/payments/search?external_reference=payment-0-1-aa";

} // namespace

BOOST_AUTO_TEST_CASE(each_answer_means_what_the_table_says) {
  check_rows(rows, lead);
}

BOOST_AUTO_TEST_CASE(the_page_has_the_table) {
  check_page(rows, "### Mercado Pago, outcomes");
}

BOOST_AUTO_TEST_CASE(a_charge_pays_and_a_repeated_one_searches_before_it_pays) {
  const auto paid = reply(201, payment("approved"));
  BOOST_TEST(lines_of(play(speaks.charge(first), {paid}).asked) == (lines{pay_line}),
             boost::test_tools::per_element());
  auto all = play(speaks.charge(changed(true)), {reply(200, found("")), paid});
  BOOST_TEST(lines_of(all.asked) == (lines{search_line, pay_line}),
             boost::test_tools::per_element());
  all = play(speaks.charge(changed(true)), {reply(200, found(payment("approved")))});
  BOOST_TEST(text_of(all.end) == "approved 123");
  all = play(speaks.charge(changed(true, "123")), {paid});
  BOOST_TEST(lines_of(all.asked) == (lines{"GET /v1/payments/123"}),
             boost::test_tools::per_element());
  BOOST_TEST(speaks.headers().at(0).value == "Bearer APP_USR-1");
}

BOOST_AUTO_TEST_CASE(what_a_search_finds_of_others_is_not_taken) {
  const auto other = R"({"id":5,"status":"approved","external_reference":"payment-0-1-zz"})";
  const auto all = play(speaks.void_charge(changed(true)), {reply(200, found(other))});
  BOOST_TEST(text_of(all.end) == "failed: no payment found");
}

BOOST_AUTO_TEST_CASE(methods_and_payers_that_are_not_there_are_left_out) {
  auto what = first;
  what.method = "card";
  what.email.clear();
  what.amount = {500, "CLP"};
  const auto body = play(speaks.charge(what), {lost()}).asked.at(0).body;
  BOOST_TEST(body.starts_with(R"({"transaction_amount":500,)"));
  BOOST_TEST(body.find("payment_method_id") == std::string::npos);
  BOOST_TEST(body.find("payer") == std::string::npos);
  for (const auto& wrong : std::vector<money>{{0, "BRL"}, {5, "XXX"}}) {
    what.amount = wrong;
    BOOST_TEST(text_of(play(speaks.charge(what), {}).end) == "declined: amount-not-representable");
  }
}

BOOST_AUTO_TEST_CASE(pix_and_three_d_secure_tell_where_the_fan_goes_on) {
  for (const std::string more :
       {R"(,"point_of_interaction":{"transaction_data":{"ticket_url":"https://go.example/"}})",
        R"(,"three_ds_info":{"external_resource_url":"https://go.example/"})",
        R"(,"transaction_details":{"external_resource_url":"https://go.example/"})"}) {
    const auto got = reply(201, payment("pending", "x", more));
    BOOST_TEST(text_of(play(speaks.charge(first), {got}).end) ==
               "unknown 123: pending: x -> https://go.example/");
  }
}

BOOST_AUTO_TEST_CASE(a_void_cancels_all_that_could_still_charge) {
  const auto two = found(payment("pending", "", "", "1") + "," + payment("rejected", "", "", "2") +
                         "," + payment("in_process", "", "", "3"));
  auto all = play(speaks.void_charge(changed(true)),
                  {reply(200, two), reply(200, payment("cancelled", "c", "", "1")),
                   reply(200, payment("cancelled", "c", "", "3"))});
  BOOST_TEST(lines_of(all.asked) ==
                 (lines{search_line, R"(PUT /v1/payments/1 {"status":"cancelled"})",
                        R"(PUT /v1/payments/3 {"status":"cancelled"})"}),
             boost::test_tools::per_element());
  BOOST_TEST(text_of(all.end) == "failed 1: c");
  // One charged, another is pending: it is cancelled nevertheless, and the money is told of.
  all = play(
      speaks.void_charge(changed(true)),
      {reply(200, found(payment("approved", "", "", "1") + "," + payment("pending", "", "", "2"))),
       reply(200, payment("cancelled", "c", "", "2"))});
  BOOST_TEST(text_of(all.end) == "approved 1");
  all =
      play(speaks.void_charge(changed(true, "7")), {reply(200, payment("approved", "", "", "7"))});
  BOOST_TEST(lines_of(all.asked) == (lines{"GET /v1/payments/7"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_refund_goes_by_its_key_and_is_looked_at_by_its_id) {
  const auto done = reply(201, R"({"id":9,"status":"approved"})");
  BOOST_TEST(lines_of(play(speaks.refund(refund_it), {done}).asked).at(0) ==
             R"(POST /v1/payments/123/refunds refund-0-1-cc-1 {"amount":10.00})");
  auto known = refund_it;
  known.refund_reference = "9";
  const auto all = play(speaks.refund(known), {done});
  BOOST_TEST(lines_of(all.asked).at(0) == "GET /v1/payments/123/refunds/9");
  BOOST_TEST(text_of(all.end) == "approved 9");
}

BOOST_AUTO_TEST_CASE(webhooks_name_a_payment_which_is_then_looked_at) {
  const std::string sum = R"(,"transaction_amount":25.50,"currency_id":"BRL")";
  const std::string ours =
      R"(,"metadata":{"usher_order":"order-0-1-b","usher_payment":"payment-0-1-a"})";
  struct row {
    client::outcome got;
    std::string told;
  };
  const std::vector<row> table{
      {reply(200, payment("approved", "accredited", sum + ours)),
       "MERCADO_PAGO approved 123 | payment-0-1-a | order-0-1-b | 2550 BRL"},
      {reply(200, payment("rejected", "cc_rejected_other_reason", sum + ours)),
       "MERCADO_PAGO declined 123: cc_rejected_other_reason | payment-0-1-a | order-0-1-b | 2550 "
       "BRL"},
      {reply(200, payment("cancelled", "expired", sum + ours)),
       "MERCADO_PAGO failed 123: expired | payment-0-1-a | order-0-1-b | 2550 BRL"},
      {reply(200, payment("in_process", "x", sum + ours)),
       "MERCADO_PAGO unknown 123: pending: x | payment-0-1-a | order-0-1-b | 2550 BRL"},
      {reply(200, payment("approved", "", sum)),
       "MERCADO_PAGO approved 123 | payment-0-1-aa | 2550 BRL"},
      {reply(200,
             R"({"id":5,"status":"approved","metadata":{"usher_hold":"cart","usher_show":"s"}})"),
       "MERCADO_PAGO approved 5 | cart | s"},
      {reply(200, R"({"id":5,"status":"approved","external_reference":"theirs"})"), "not for us"},
      {reply(200, payment("refunded", "", sum + ours)), "not for us"},
      {reply(404), "not for us"},
      {reply(401), "not now"},
      {reply(429), "not now"},
      {reply(500), "not now"},
      {reply(200, "<html>"), "not now"},
      {lost(), "not now"},
      {unsent(), "not now"}};
  const std::string body = R"({"type":"payment","action":"payment.updated","data":{"id":"123"}})";
  const std::map<std::string, std::string> headers{
      {"x-request-id", "r-1"},
      {"x-signature", "ts=1700000000,v1=" + http::to_hex(http::hmac_sha256(
                                                "new", "id:123;request-id:r-1;ts:1700000000;"))}};
  const auto reading = speaks.read_webhook(webhook_of(headers, body, 1'700'000'000'000));
  for (const auto& [got, told] : table) {
    const auto all = play(reading, {got});
    BOOST_TEST(lines_of(all.asked) == (lines{"GET /v1/payments/123"}),
               boost::test_tools::per_element());
    BOOST_TEST(text_of(all.end) == told);
  }
  const auto without_asking = [&](const std::string& text, time_ms now) {
    return text_of(play(speaks.read_webhook(webhook_of(headers, text, now)), {}).end);
  };
  BOOST_TEST(without_asking(R"({"type":"payment","data":{"id":"124"}})", 1'700'000'000'000) ==
             "not believed: signature wrong");
  BOOST_TEST(without_asking(body, 1'700'000'300'001) == "not believed: signature too old");
  BOOST_TEST(without_asking("no JSON", 1'700'000'000'000) == "not believed: signature malformed");
  BOOST_TEST(without_asking(R"({"type":"merchant_order","data":{"id":"123"}})",
                            1'700'000'000'000) == "not for us");
  BOOST_TEST(speaks.asks_about_webhooks());
}

// Providers as they are used, over real connections: what is sealed goes out opened, an attempt
// that is repeated is never `not_sent` or `failed` for want of an answer, the deadline is for all
// requests of a call together, and no reason tells a secret whatever the server says.
//
// That it bites was shown by breaking it: reasons that are not cleaned, an associated datum that is
// not the payment's id, a repeated call that is taken for the first.
#include "actors/basics/reference.hpp"
#include "http/crypto/crypto.hpp"
#include "http/gateways/options.hpp"
#include "http/gateways/text.hpp"
#include "storage/sealing.hpp"
#include "tests/gateways/asking.hpp"
#include "tests/gateways/playing.hpp"
#include "tests/gateways/scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

namespace {

using namespace usher;
using namespace usher::test;
using gateways::options;
using gateways::protocol;

const storage::secret_key seals{1, 2, 3};
const std::string key = "sk_live_KEYKEYKEY";
const std::string webhook_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const std::string fan_token = "pm_FANTOKEN";
const std::string email = "fan@example.com";
const std::string access_token = "A21ACCESSTOKEN";
constexpr protocol all[] = {protocol::plain, protocol::stripe, protocol::mercado_pago,
                            protocol::paypal};

std::string sealed(const std::string& plain, const id128& id) {
  return std::get<std::string>(storage::seal(
      seals, plain, {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()}));
}

/// A new payment each time.
payments::charge_request new_charge() {
  payments::charge_request asked;
  static_cast<id128&>(asked.payment) = http::random_id();
  static_cast<id128&>(asked.order) = http::random_id();
  asked.show = 42;
  asked.amount = {2550, "BRL"};
  asked.method = "card";
  asked.token = sealed(fan_token, asked.payment);
  asked.customer = sealed(R"({"email":")" + email + "\"}", asked.order);
  return asked;
}

payments::refund_request new_refund() {
  payments::refund_request asked;
  static_cast<id128&>(asked.refund) = http::random_id();
  asked.amount = {1000, "BRL"};
  asked.payment_reference = "pi_1";
  return asked;
}

options options_for(protocol speaks, const std::string& url) {
  return {.speaks = speaks,
          .base_url = url,
          .key = key,
          .client_id = "client-1",
          .webhook_secrets = {webhook_secret}};
}

std::unique_ptr<payments::provider> make(const options& how, client::client_thread& thread) {
  auto made = gateways::make_provider(how, thread, storage::opener_with(seals));
  if (const auto* fault = std::get_if<std::string>(&made))
    throw std::runtime_error(*fault);
  return std::move(std::get<0>(made));
}

template <class Asked>
payments::result told(payments::provider& whom,
                      void (payments::provider::*call)(const Asked&, payments::on_result),
                      const Asked& asked) {
  std::promise<payments::result> told;
  auto later = told.get_future();
  (whom.*call)(asked, [&](payments::result got) { told.set_value(std::move(got)); });
  return wait_for(later);
}

payments::result charge(payments::provider& whom, const payments::charge_request& asked) {
  return told(whom, &payments::provider::charge, asked);
}
payments::result void_charge(payments::provider& whom, const payments::charge_request& asked) {
  return told(whom, &payments::provider::void_charge, asked);
}
payments::result refund(payments::provider& whom, const payments::refund_request& asked) {
  return told(whom, &payments::provider::refund, asked);
}

payments::webhook_reading read(payments::provider& whom, const payments::webhook& got) {
  std::promise<payments::webhook_reading> told;
  auto later = told.get_future();
  whom.read_webhook(got, [&](payments::webhook_reading is) { told.set_value(std::move(is)); });
  return wait_for(later);
}

/// Gives PayPal its token, and anything else what `otherwise` says.
scripted_server::script with_token(scripted_server::script otherwise) {
  return [otherwise = std::move(otherwise)](const seen_request& got) {
    if (got.target == "/v1/oauth2/token")
      return json_answer(200, R"({"access_token":")" + access_token + R"(","expires_in":3600})");
    return otherwise(got);
  };
}

reaction silence(const seen_request&) {
  return {reaction::kind::never, ""};
}

} // namespace

BOOST_AUTO_TEST_CASE(what_is_sealed_goes_out_opened_under_our_references) {
  scripted_server server{with_token([](const seen_request&) { return json_answer(400, "{}"); })};
  client::client_thread thread;
  for (const auto speaks : all) {
    const auto provider = make(options_for(speaks, server.url()), thread);
    const auto asked = new_charge();
    const auto before = server.seen().size();
    charge(*provider, asked);
    const auto payment = write_reference("payment", 42, asked.payment);
    std::string sent;
    const auto seen = server.seen();
    for (auto i = before; i < seen.size(); ++i)
      if (seen[i].target != "/v1/oauth2/token") {
        sent += seen[i].body;
        BOOST_TEST(seen[i].headers.at("authorization").starts_with("Bearer "));
        BOOST_TEST(seen[i].headers.at("accept") == "application/json");
      }
    BOOST_TEST(sent.find(fan_token) != std::string::npos, provider->name());
    BOOST_TEST(sent.find(payment) != std::string::npos, provider->name());
    BOOST_TEST(sent.find(write_reference("order", 42, asked.order)) != std::string::npos);
    BOOST_TEST((sent.find(email) != std::string::npos) == (speaks == protocol::mercado_pago));
    BOOST_TEST(sent.find(key) == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_token_that_is_not_of_this_payment_is_not_used) {
  scripted_server server{silence};
  client::client_thread thread;
  const auto provider = make(options_for(protocol::stripe, server.url()), thread);
  auto asked = new_charge();
  asked.token = new_charge().token;
  BOOST_TEST(test::text_of(charge(*provider, asked)) == "failed: token-unreadable");
  // An earlier call may have been made while the key was there.
  BOOST_TEST(test::text_of(charge(*provider, asked)) == "unknown: token-unreadable");
  asked = new_charge();
  asked.customer = new_charge().customer;
  BOOST_TEST(test::text_of(charge(*provider, asked)) == "failed: token-unreadable");
  BOOST_TEST(server.seen().empty());
}

BOOST_AUTO_TEST_CASE(a_repeated_attempt_is_never_not_sent) {
  client::client_thread thread;
  const auto nobody = "http://127.0.0.1:" + std::to_string(closed_port());
  for (const auto speaks : all) {
    const auto provider = make(options_for(speaks, nobody), thread);
    const auto asked = new_charge();
    BOOST_TEST(test::text_of(charge(*provider, asked)) == "not_sent: connect-refused");
    BOOST_TEST(test::text_of(charge(*provider, asked)) == "unknown: connect-refused");
    BOOST_TEST(test::text_of(void_charge(*provider, asked)) == "not_sent: connect-refused");
    const auto back = new_refund();
    BOOST_TEST(test::text_of(refund(*provider, back)) == "not_sent: connect-refused");
    BOOST_TEST(test::text_of(refund(*provider, back)) == "unknown: connect-refused");
    auto next = back;
    next.attempt = 2;
    BOOST_TEST(test::text_of(refund(*provider, next)) == "not_sent: connect-refused");
  }
}

BOOST_AUTO_TEST_CASE(the_deadline_is_for_all_requests_of_a_call_together) {
  // Each answer but the last comes; what does not come ends with the call's own deadline.
  scripted_server server{with_token([](const seen_request& got) {
    if (got.target == "/v1/payment_intents")
      return json_answer(200, R"({"id":"pi_1","status":"requires_confirmation"})");
    return silence(got);
  })};
  client::client_thread thread;
  for (const auto speaks : all) {
    auto how = options_for(speaks, server.url());
    how.call_deadline = std::chrono::milliseconds{300};
    const auto provider = make(how, thread);
    const auto got = charge(*provider, new_charge());
    BOOST_TEST(test::text_of(got) ==
               (speaks == protocol::stripe ? "unknown pi_1: timeout" : "unknown: timeout"));
  }
}

// Whatever a server could say back to us stands in every place that a reason is made of.
BOOST_AUTO_TEST_CASE(no_reason_tells_a_secret) {
  const std::vector<std::string> secrets{key, webhook_secret, fan_token, email, access_token};
  std::string said;
  int status = 200;
  scripted_server server{with_token([&](const seen_request&) {
    const auto& s = said;
    auto body = R"({"id":"x","status":")" + s + R"(","reason":")" + s + R"(","code":")" + s +
                R"(","name":")" + s + R"(","status_detail":")" + s + R"(","failure_reason":")" + s +
                R"(","error":{"code":")" + s + R"(","message":")" + s + R"("},"cause":[{"code":")" +
                s + R"("}],"details":[{"issue":")" + s +
                R"("}],"results":[{"id":1,"status":"rejected"}]})";
    return json_answer(status, body);
  })};
  client::client_thread thread;
  std::size_t reasons = 0;
  const auto check = [&](const payments::result& got) {
    for (const auto& secret : secrets)
      BOOST_TEST(got.reason.find(secret) == std::string::npos, status << " " << got.reason);
    BOOST_TEST(got.reason.size() <= gateways::reason_bytes_max);
    reasons += got.reason == "withheld" ? 1 : 0;
  };
  for (const auto speaks : all)
    for (const auto& secret : secrets)
      // Only PayPal gives a token, and a secret of its own is no secret of another's.
      for (const int each : speaks != protocol::paypal && secret == access_token
                                ? std::vector<int>{}
                                : std::vector<int>{200, 201, 302, 400, 401, 402, 403, 404, 409, 422,
                                                   429, 500, 503}) {
        const auto provider = make(options_for(speaks, server.url()), thread);
        said = "no " + secret + "!";
        status = each;
        auto asked = new_charge();
        check(charge(*provider, asked));
        check(void_charge(*provider, asked));
        asked.reference = "x";
        check(charge(*provider, asked));
        check(void_charge(*provider, asked));
        const auto back = refund(*provider, new_refund());
        // A refund knows no fan.
        if (secret != fan_token && secret != email)
          check(back);
      }
  // The secrets did come, and were withheld.
  BOOST_TEST(reasons > 100U);
}

BOOST_AUTO_TEST_CASE(the_fan_is_sent_to_web_addresses_only) {
  std::string url;
  scripted_server server{[&](const seen_request&) {
    return json_answer(200, R"({"id":"c","status":"PENDING","redirectUrl":")" + url + "\"}");
  }};
  client::client_thread thread;
  const auto provider = make(options_for(protocol::plain, server.url()), thread);
  for (const auto& [told, taken] :
       std::vector<std::pair<std::string, bool>>{{"https://bank.example/3ds?a=b", true},
                                                 {"http://127.0.0.1:1/x", true},
                                                 {"javascript:alert(1)", false},
                                                 {"https://a b", false},
                                                 {"https://a\\u003cscript>", false},
                                                 {"https://a\\r\\nX: y", false},
                                                 {"https://" + std::string(4000, 'x'), false}}) {
    url = told;
    BOOST_TEST(charge(*provider, new_charge()).action_url == (taken ? told : ""), told);
  }
}

BOOST_AUTO_TEST_CASE(a_payment_without_a_name_is_not_refunded) {
  scripted_server server{silence};
  client::client_thread thread;
  const auto provider = make(options_for(protocol::plain, server.url()), thread);
  auto asked = new_refund();
  asked.payment_reference.clear();
  BOOST_TEST(test::text_of(refund(*provider, asked)) == "declined: payment-reference-missing");
}

BOOST_AUTO_TEST_CASE(webhooks_are_read_and_asked_about) {
  scripted_server server{[](const seen_request& got) {
    return got.target == "/v1/payments/7"
               ? json_answer(200,
                             R"({"id":7,"status":"approved","external_reference":"payment-0-1-a",)"
                             R"("transaction_amount":25.50,"currency_id":"BRL"})")
               : json_answer(500, "");
  }};
  client::client_thread thread;
  auto how = options_for(protocol::mercado_pago, server.url());
  const auto provider = make(how, thread);
  BOOST_TEST(provider->asks_about_webhooks());
  const std::string body = R"({"type":"payment","data":{"id":"7"}})";
  const std::map<std::string, std::string> headers{
      {"x-signature", "ts=1700000000,v1=" +
                          http::to_hex(http::hmac_sha256(webhook_secret, "id:7;ts:1700000000;"))}};
  const time_ms now = 1'700'000'000'000;
  BOOST_TEST(test::text_of(read(*provider, webhook_of(headers, body, now))) ==
             "MERCADO_PAGO approved 7 | payment-0-1-a | 2550 BRL");
  thread.stop();
  BOOST_TEST(test::text_of(read(*provider, webhook_of(headers, body, now))) == "not now");
}

BOOST_AUTO_TEST_CASE(options_that_cannot_work_are_refused_without_telling_what_is_in_them) {
  client::client_thread thread;
  struct row {
    std::string fault;
    std::function<void(options&)> change;
    protocol speaks = protocol::stripe;
  };
  const std::vector<row> rows{
      {"base url: missing", [](options& o) { o.base_url.clear(); }, protocol::plain},
      {"base url or CA file: cannot be used", [](options& o) { o.base_url = "ftp://x"; }},
      {"base url or CA file: cannot be used",
       [](options& o) {
         o.base_url = "https://x";
         o.ca_file = "/no/such/file";
       }},
      {"key: missing", [](options& o) { o.key.clear(); }},
      {"key: has characters that no key has", [](options& o) { o.key += "\r\n"; }},
      {"client id: missing", [](options& o) { o.client_id.clear(); }, protocol::paypal},
      {"client id: has characters that no id has", [](options& o) { o.client_id = "a:b"; },
       protocol::paypal},
      {"webhook secrets: one is empty", [](options& o) { o.webhook_secrets.push_back(""); }},
      {"webhook secrets: one is not whsec_ and base64 of at least 16 bytes",
       [](options& o) { o.webhook_secrets.push_back("whsec_short"); }, protocol::plain},
      {"deadlines: have to be positive", [](options& o) { o.call_deadline = {}; }},
      {"connections: at least one", [](options& o) { o.connections_max = 0; }}};
  for (const auto& [fault, change, speaks] : rows) {
    auto how = options_for(speaks, "http://127.0.0.1:1");
    change(how);
    const auto made = gateways::make_provider(how, thread, storage::opener_with(seals));
    BOOST_TEST_REQUIRE(std::holds_alternative<std::string>(made), fault);
    BOOST_TEST(std::get<std::string>(made) == fault);
  }
}

BOOST_AUTO_TEST_CASE(providers_have_the_names_of_the_api_or_those_they_are_given) {
  client::client_thread thread;
  std::set<std::string> names;
  for (const auto speaks : all)
    names.insert(std::string{make(options_for(speaks, "http://127.0.0.1:1"), thread)->name()});
  BOOST_TEST(names == (std::set<std::string>{"MERCADO_PAGO", "PAYPAL", "SANDBOX", "STRIPE"}),
             boost::test_tools::per_element());
  auto how = options_for(protocol::stripe, "");
  how.name = "STRIPE_EU";
  BOOST_TEST(make(how, thread)->name() == "STRIPE_EU");
}

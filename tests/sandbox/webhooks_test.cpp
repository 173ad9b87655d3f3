// Webhooks as they come: signed as each protocol says (computed here again from the protocol's own
// words), and in each of the ways that the rules ask for. That something does not come is shown by
// what comes instead: the sender sends in the order of what is due.

#include "http/crypto/base64.hpp"
#include "http/sandbox/signing.hpp"
#include "http/sandbox/webhooks.hpp"
#include "tests/sandbox/callers.hpp"
#include "tests/sandbox/receiver.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <thread>

namespace {

using namespace usher::test;
using usher::http::encode_base64;
using usher::sandbox::gateway;
using usher::sandbox::gateway_options;
using usher::sandbox::hex;
using usher::sandbox::hmac_sha256;
using usher::sandbox::text_at;
namespace defaults = usher::sandbox::defaults;

json parse(const received& from) {
  return json::parse(from.body);
}

/// Who takes payments and who hears of them.
struct world {
  receiver shop;
  gateway gate{gateway_options{.webhooks = shop.url()}};

  told charge(protocol by, const std::string& rule, const std::string& name = "payment-1") {
    return caller(gate, by).charge({.name = name, .means = "rule:" + rule});
  }
  /// What was delivered or given up, once it is so many.
  json list(std::size_t count) {
    for (int i = 0; i < 2000; ++i) {
      const auto all =
          json::parse(ask(gate.port(), "GET", "/control/webhooks").body).at("webhooks");
      if (all.size() >= count)
        return all;
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    throw std::runtime_error{"too few webhooks are in the list"};
  }
};

/// What the event says: its type, or for Mercado Pago, which says no more, its action.
std::string type_of(const received& from) {
  const auto body = parse(from);
  for (const auto* name : {"event_type", "action", "type"})
    if (const auto found = text_at(body, {name}); !found.empty())
      return found;
  return {};
}

bool plain_is_genuine(const received& it) {
  const std::string key = "usher-sandbox-webhooks-are-no-secret"; // what the default's base64 says
  const auto text =
      it.headers.at("webhook-id") + "." + it.headers.at("webhook-timestamp") + "." + it.body;
  return it.headers.at("webhook-signature") == "v1," + encode_base64(hmac_sha256(key, text));
}

bool stripe_is_genuine(const received& it) {
  const auto header = it.headers.at("stripe-signature");
  const auto comma = header.find(",v1=");
  return header.starts_with("t=") &&
         header.substr(comma + 4) ==
             hex(hmac_sha256(defaults::stripe_secret, header.substr(2, comma - 2) + "." + it.body));
}

bool mercado_pago_is_genuine(const received& it) {
  const auto header = it.headers.at("x-signature");
  const auto comma = header.find(",v1=");
  const auto text = "id:" + text_at(parse(it), {"data", "id"}) +
                    ";request-id:" + it.headers.at("x-request-id") +
                    ";ts:" + header.substr(3, comma - 3) + ";";
  return header.starts_with("ts=") &&
         header.substr(comma + 4) == hex(hmac_sha256(defaults::mercado_pago_secret, text));
}

/// As PayPal's own endpoint says; the event is sent as `event`.
std::string paypal_says(gateway& gate, const received& it, const std::string& event,
                        const std::string& webhook_id = std::string{defaults::paypal_webhook_id}) {
  json question{{"auth_algo", it.headers.at("paypal-auth-algo")},
                {"cert_url", it.headers.at("paypal-cert-url")},
                {"transmission_id", it.headers.at("paypal-transmission-id")},
                {"transmission_sig", it.headers.at("paypal-transmission-sig")},
                {"transmission_time", it.headers.at("paypal-transmission-time")},
                {"webhook_id", webhook_id}};
  const auto text = question.dump();
  const auto body = text.substr(0, text.size() - 1) + ",\"webhook_event\":" + event + "}";
  const auto said = caller(gate, protocol::paypal)
                        .call("POST", "/v1/notifications/verify-webhook-signature", {}, body);
  return text_at(json::parse(said.body), {"verification_status"});
}

bool is_genuine(world& in, protocol by, const received& it) {
  switch (by) {
  case protocol::plain:
    return plain_is_genuine(it);
  case protocol::stripe:
    return stripe_is_genuine(it);
  case protocol::mercado_pago:
    return mercado_pago_is_genuine(it);
  case protocol::paypal:
    return paypal_says(in.gate, it, it.body) == "SUCCESS";
  }
  return false;
}

const std::map<protocol, std::string> approved{{protocol::plain, "charge.approved"},
                                               {protocol::stripe, "payment_intent.succeeded"},
                                               {protocol::mercado_pago, "payment.created"},
                                               {protocol::paypal, "PAYMENT.CAPTURE.COMPLETED"}};
/// Mercado Pago's webhooks do not tell the outcome.
const std::map<protocol, std::string> declined{{protocol::plain, "charge.declined"},
                                               {protocol::stripe, "payment_intent.payment_failed"},
                                               {protocol::mercado_pago, "payment.created"},
                                               {protocol::paypal, "PAYMENT.CAPTURE.DENIED"}};

} // namespace

BOOST_AUTO_TEST_SUITE(sandbox_webhooks)

// RFC 4231, test case 2; RFC 4648, section 10.
BOOST_AUTO_TEST_CASE(the_macs_are_those_of_the_rfcs) {
  BOOST_TEST(hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
             "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  BOOST_TEST(encode_base64("foobar") == "Zm9vYmFy");
  BOOST_TEST(encode_base64("foob") == "Zm9vYg==");
  BOOST_TEST(encode_base64("") == "");
}

BOOST_AUTO_TEST_CASE(each_outcome_is_told_with_a_good_signature) {
  for (const auto by : all_protocols) {
    world in;
    in.charge(by, "approve");
    in.shop.wait_for(1);
    in.charge(by, "decline", "payment-2");
    const auto got = in.shop.wait_for(2);
    BOOST_TEST(type_of(got[0]) == approved.at(by));
    BOOST_TEST(type_of(got[1]) == declined.at(by));
    for (const auto& each : got) {
      BOOST_TEST(is_genuine(in, by, each));
      const auto path = each.target.substr(0, each.target.find('?'));
      BOOST_TEST(path == "/v1/webhooks/" + std::string{to_string(by)});
    }
    const auto list = in.list(2);
    BOOST_TEST(list[0].at("status") == 200);
    BOOST_TEST(list[0].at("tries") == 1);
  }
}

BOOST_AUTO_TEST_CASE(webhooks_name_the_payment_as_each_protocol_does) {
  world in;
  const auto plain = in.charge(protocol::plain, "approve");
  const auto data = parse(in.shop.wait_for(1)[0]).at("data");
  BOOST_TEST(data.at("id") == plain.id);
  BOOST_TEST(data.at("paymentId") == "payment-1");
  BOOST_TEST(data.at("orderId") == "order-1");
  BOOST_TEST(data.at("amount") == 5000);
  in.charge(protocol::stripe, "approve");
  const auto intent = parse(in.shop.wait_for(2)[1]).at("data").at("object");
  BOOST_TEST(intent.at("metadata").at("usher_payment") == "payment-1");
  BOOST_TEST(intent.at("status") == "succeeded");
  const auto mercado_pago = in.charge(protocol::mercado_pago, "approve");
  const auto came = in.shop.wait_for(3)[2];
  BOOST_TEST(parse(came).at("data").at("id") == mercado_pago.id);
  BOOST_TEST(came.target.ends_with("?data.id=" + mercado_pago.id + "&type=payment"));
  const auto paypal = in.charge(protocol::paypal, "approve");
  const auto resource = parse(in.shop.wait_for(4)[3]).at("resource");
  BOOST_TEST(resource.at("custom_id") == "payment-1");
  BOOST_TEST(resource.at("id") == paypal.capture_id);
}

BOOST_AUTO_TEST_CASE(refunds_are_told) {
  const std::map<protocol, std::vector<std::string>> wanted{
      {protocol::plain, {"refund.done"}},
      {protocol::stripe, {"charge.refunded", "refund.updated"}},
      {protocol::mercado_pago, {"payment.updated"}},
      {protocol::paypal, {"PAYMENT.CAPTURE.REFUNDED"}}};
  for (const auto by : all_protocols) {
    world in;
    const auto charged = in.charge(by, "approve");
    in.shop.wait_for(1);
    caller(in.gate, by).refund(charged, 2000, "refund-1");
    const auto& types = wanted.at(by);
    const auto got = in.shop.wait_for(1 + types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
      BOOST_TEST(type_of(got[1 + i]) == types[i]);
      BOOST_TEST(is_genuine(in, by, got[1 + i]));
    }
  }
}

BOOST_AUTO_TEST_CASE(webhook_first_is_there_before_the_answer) {
  for (const auto by : all_protocols) {
    world in;
    in.charge(by, "webhook-first");
    BOOST_TEST(in.shop.count() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(webhook_twice_is_the_same_event_twice) {
  for (const auto by : all_protocols) {
    world in;
    in.charge(by, "webhook-twice");
    const auto got = in.shop.wait_for(2);
    BOOST_TEST(got[0].body == got[1].body);
    const auto list = in.list(2);
    BOOST_TEST(list[0].at("id") == list[1].at("id"));
  }
}

BOOST_AUTO_TEST_CASE(no_webhook_sends_none) {
  for (const auto by : all_protocols) {
    world in;
    in.charge(by, "no-webhook", "silent");
    const auto told = in.charge(by, "approve", "told");
    in.list(1);
    const auto got = in.shop.wait_for(1);
    BOOST_TEST(got.size() == 1U);
    const auto id = by == protocol::mercado_pago ? told.id : "told";
    BOOST_TEST(got[0].body.find(id) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(webhook_late_comes_behind_what_happened_later) {
  world in;
  in.charge(protocol::plain, "webhook-late=700", "late");
  in.charge(protocol::plain, "approve", "soon");
  const auto got = in.shop.wait_for(2);
  BOOST_TEST(text_at(parse(got[0]), {"data", "paymentId"}) == "soon");
  BOOST_TEST(text_at(parse(got[1]), {"data", "paymentId"}) == "late");
}

BOOST_AUTO_TEST_CASE(webhook_out_of_order_tells_failures_behind_the_success) {
  for (const auto by : all_protocols) {
    world in;
    in.charge(by, "webhook-out-of-order");
    const auto got = in.shop.wait_for(3);
    BOOST_TEST(type_of(got[0]) == approved.at(by));
    BOOST_TEST(type_of(got[1]) == declined.at(by));
    BOOST_TEST(type_of(got[2]) == declined.at(by));
    for (const auto& each : got)
      BOOST_TEST(is_genuine(in, by, each));
    if (by == protocol::stripe) {
      const auto first = parse(got[0]).at("created").get<std::int64_t>();
      BOOST_TEST(parse(got[2]).at("created").get<std::int64_t>() <= first - 60);
    }
    BOOST_TEST(in.gate.book().look().charged == 5000);
  }
}

BOOST_AUTO_TEST_CASE(webhook_bad_signature_is_a_forged_failure_and_then_the_truth) {
  for (const auto by : all_protocols) {
    world in;
    in.shop.answer_next({401});
    in.charge(by, "webhook-bad-signature");
    const auto got = in.shop.wait_for(2);
    BOOST_TEST(type_of(got[0]) == declined.at(by));
    BOOST_TEST(!is_genuine(in, by, got[0]));
    BOOST_TEST(type_of(got[1]) == approved.at(by));
    BOOST_TEST(is_genuine(in, by, got[1]));
    const auto list = in.list(2);
    BOOST_TEST(list[0].at("forged") == true);
    BOOST_TEST(list[0].at("tries") == 1); // the forger does not insist
    BOOST_TEST(list[0].at("status") == 401);
    BOOST_TEST(list[1].at("forged") == false);
  }
}

BOOST_AUTO_TEST_CASE(paypal_verifies_the_bytes_that_it_sent) {
  world in;
  in.charge(protocol::paypal, "approve");
  const auto it = in.shop.wait_for(1)[0];
  BOOST_TEST(paypal_says(in.gate, it, it.body) == "SUCCESS");
  BOOST_TEST(paypal_says(in.gate, it, json::parse(it.body).dump()) == "FAILURE");
  auto other = it.body;
  other.replace(other.find("50.00"), 5, "05.00");
  BOOST_TEST(paypal_says(in.gate, it, other) == "FAILURE");
  BOOST_TEST(paypal_says(in.gate, it, it.body, "ANOTHER") == "FAILURE");
  auto later = it;
  later.headers["paypal-transmission-time"] = "2030-01-01T00:00:00Z";
  BOOST_TEST(paypal_says(in.gate, later, it.body) == "FAILURE");
}

BOOST_AUTO_TEST_CASE(a_webhook_is_tried_again_until_it_is_taken) {
  world in;
  in.shop.answer_next({500, 404});
  in.charge(protocol::stripe, "approve");
  const auto got = in.shop.wait_for(3);
  BOOST_TEST(got[0].body == got[2].body);
  const auto list = in.list(1);
  BOOST_TEST(list[0].at("tries") == 3);
  BOOST_TEST(list[0].at("status") == 200);
  BOOST_TEST(list[0].at("givenUp") == false);
}

BOOST_AUTO_TEST_CASE(after_five_tries_it_is_given_up) {
  world in;
  in.shop.answer_next({500, 500, 500, 500, 500});
  in.charge(protocol::plain, "approve");
  const auto list = in.list(1);
  BOOST_TEST(list[0].at("tries") == 5);
  BOOST_TEST(list[0].at("givenUp") == true);
  BOOST_TEST(in.shop.count() == 5U);
}

BOOST_AUTO_TEST_CASE(a_lost_answer_is_told_by_the_webhook) {
  for (const auto by : all_protocols) {
    world in;
    BOOST_TEST(in.charge(by, "timeout-after").what == "silence");
    BOOST_TEST(type_of(in.shop.wait_for(1)[0]) == approved.at(by));
    in.charge(by, "timeout-after"); // the same keys: nothing has happened that is to be told
    in.charge(by, "approve", "payment-2");
    BOOST_TEST(in.shop.wait_for(2).size() == 2U);
    BOOST_TEST(in.list(2).size() == 2U);
  }
}

BOOST_AUTO_TEST_CASE(only_plain_http_addresses_are_taken) {
  using usher::sandbox::read_webhook_target;
  using usher::sandbox::webhook_target;
  for (const auto* bad : {"", "https://a:1/b", "http://", "http://:5/", "http://a:x/", "http://a:0",
                          "http://a:70000", "http://a:1/b?c", "a:1"})
    BOOST_TEST(std::holds_alternative<std::string>(read_webhook_target(bad)), bad);
  const auto good = std::get<webhook_target>(read_webhook_target("http://a:81/b/c/"));
  BOOST_TEST(good.host == "a");
  BOOST_TEST(good.port == "81");
  BOOST_TEST(good.path == "/b/c");
}

BOOST_AUTO_TEST_SUITE_END()

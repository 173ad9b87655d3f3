#include "tests/sandbox/callers.hpp"

#include "actors/basics/money.hpp"

#include <map>

namespace usher::test {

namespace {

using sandbox::text_at;

json parse(const std::string& text) {
  return json::parse(text, nullptr, false);
}

std::string decimal(std::int64_t amount) {
  return decimal_of({amount, "EUR"});
}

std::string word_for(protocol by, const heard& from, const json& body) {
  static const std::map<std::string, std::string> words{
      {"succeeded", "APPROVED"},
      {"requires_action", "PENDING"},
      {"canceled", "VOIDED"},
      {"requires_payment_method", "DECLINED"},
      {"approved", "APPROVED"},
      {"pending", "PENDING"},
      {"rejected", "DECLINED"},
      {"cancelled", "VOIDED"},
      {"COMPLETED", "APPROVED"},
      {"VOIDED", "DECLINED"}, // PayPal, by the payer
      {"PAYER_ACTION_REQUIRED", "PENDING"},
      {"card_declined", "DECLINED"},
      {"payment_intent_authentication_failure", "DECLINED"},
      {"INSTRUMENT_DECLINED", "DECLINED"},
  };
  auto word = text_at(body, {"status"});
  if (by == protocol::stripe && from.status == 402)
    word = text_at(body, {"error", "code"});
  if (by == protocol::paypal && from.status == 422)
    word = text_at(body, {"details", "issue"});
  if (by == protocol::plain && from.status == 200)
    return word;
  const auto found = words.find(word);
  return found == words.end() ? from.how() : found->second;
}

std::string refund_word(const heard& from, const std::string& status) {
  static const std::map<std::string, std::string> words{
      {"DONE", "DONE"},      {"PENDING", "PENDING"},    {"REFUSED", "REFUSED"},
      {"succeeded", "DONE"}, {"pending", "PENDING"},    {"failed", "REFUSED"},
      {"approved", "DONE"},  {"in_process", "PENDING"}, {"rejected", "REFUSED"},
      {"COMPLETED", "DONE"}, {"FAILED", "REFUSED"},
  };
  const auto found = words.find(status);
  if (from.status / 100 == 2 && found != words.end())
    return found->second;
  return from.status == 400 || from.status == 422 ? "REFUSED" : from.how();
}

} // namespace

told caller::read_payment(const heard& from) const {
  told made{from.how(), {}, {}, parse(from.body)};
  const auto& body = made.body;
  made.what = word_for(by_, from, body);
  const auto& id = sandbox::at(body, {"id"});
  made.id = id.is_number() ? id.dump() : text_at(body, {"id"});
  made.capture_id = made.id;
  if (by_ == protocol::paypal)
    made.capture_id = text_at(body, {"purchase_units", "payments", "captures", "id"});
  return made;
}

std::string caller::authorization() {
  if (by_ != protocol::paypal)
    return "Authorization: Bearer the-key\r\n";
  const auto got = ask(at_.port(), "POST", "/paypal/v1/oauth2/token",
                       "Authorization: Basic YTpi\r\n", "grant_type=client_credentials");
  return "Authorization: Bearer " + text_at(parse(got.body), {"access_token"}) + "\r\n";
}

heard caller::call(const std::string& method, const std::string& path, const std::string& headers,
                   const std::string& body) {
  return ask(at_.port(), method, prefix_of(by_) + path, authorization() + headers, body);
}

told caller::charge(const payment& what) {
  switch (by_) {
  case protocol::plain:
    return charge_plain(what);
  case protocol::stripe:
    return charge_stripe(what);
  case protocol::mercado_pago:
    return charge_mercado_pago(what);
  case protocol::paypal:
    return charge_paypal(what);
  }
  return {};
}

told caller::charge_plain(const payment& what) {
  const json body{{"amount", what.amount}, {"currency", "EUR"},    {"method", "card"},
                  {"token", what.means},   {"orderId", "order-1"}, {"paymentId", what.name}};
  return read_payment(call("POST", "/v1/charges",
                           "Idempotency-Key: " + what.name + "\r\n" + what.headers, body.dump()));
}

told caller::charge_stripe(const payment& what) {
  const auto made = call(
      "POST", "/v1/payment_intents", "Idempotency-Key: " + what.name + "\r\n" + what.headers,
      "amount=" + std::to_string(what.amount) + "&currency=eur&payment_method=" + what.means +
          "&payment_method_types[]=card&metadata[usher_order]=order-1&metadata[usher_payment]=" +
          what.name);
  const auto id = text_at(parse(made.body), {"id"});
  if (made.status != 200 || id.empty())
    return read_payment(made);
  auto charged =
      read_payment(call("POST", "/v1/payment_intents/" + id + "/confirm",
                        "Idempotency-Key: " + what.name + "-confirm\r\n" + what.headers));
  charged.id = charged.capture_id = id;
  return charged;
}

told caller::charge_mercado_pago(const payment& what) {
  const json rest{{"token", what.means},
                  {"external_reference", what.name},
                  {"metadata", {{"usher_order", "order-1"}, {"usher_payment", what.name}}}};
  const auto body = "{\"transaction_amount\":" + decimal(what.amount) + "," + rest.dump().substr(1);
  return read_payment(call("POST", "/v1/payments",
                           "X-Idempotency-Key: " + what.name + "\r\n" + what.headers, body));
}

told caller::charge_paypal(const payment& what) {
  const json body{
      {"intent", "CAPTURE"},
      {"purchase_units",
       json::array({{{"reference_id", "order-1"},
                     {"custom_id", what.name},
                     {"invoice_id", what.name},
                     {"amount", {{"currency_code", "EUR"}, {"value", decimal(what.amount)}}}}})},
      {"payment_source", {{"token", {{"id", what.means}, {"type", "BILLING_AGREEMENT"}}}}}};
  const auto made = call("POST", "/v2/checkout/orders",
                         "PayPal-Request-Id: " + what.name + "\r\n" + what.headers, body.dump());
  const auto order = parse(made.body);
  const auto id = text_at(order, {"id"});
  if (text_at(order, {"status"}) != "APPROVED" && text_at(order, {"status"}) != "COMPLETED")
    return read_payment(made);
  auto charged =
      read_payment(call("POST", "/v2/checkout/orders/" + id + "/capture",
                        "PayPal-Request-Id: " + what.name + "-capture\r\n" + what.headers));
  charged.id = id;
  return charged;
}

told caller::look(const std::string& id) {
  const std::map<protocol, std::string> at{{protocol::plain, "/v1/charges/"},
                                           {protocol::stripe, "/v1/payment_intents/"},
                                           {protocol::mercado_pago, "/v1/payments/"},
                                           {protocol::paypal, "/v2/checkout/orders/"}};
  return read_payment(call("GET", at.at(by_) + id));
}

told caller::refund(const told& charged, std::int64_t amount, const std::string& key,
                    const std::string& headers) {
  heard got;
  switch (by_) {
  case protocol::plain:
    got = call("POST", "/v1/refunds", "Idempotency-Key: " + key + "\r\n" + headers,
               json{{"chargeId", charged.id}, {"amount", amount}, {"refundId", key}}.dump());
    break;
  case protocol::stripe:
    got = call("POST", "/v1/refunds", "Idempotency-Key: " + key + "\r\n" + headers,
               "payment_intent=" + charged.id + "&amount=" + std::to_string(amount) +
                   "&metadata[usher_refund]=" + key);
    break;
  case protocol::mercado_pago:
    got = call("POST", "/v1/payments/" + charged.id + "/refunds",
               "X-Idempotency-Key: " + key + "\r\n" + headers,
               "{\"amount\": " + decimal(amount) + "}");
    break;
  case protocol::paypal:
    got = call("POST", "/v2/payments/captures/" + charged.capture_id + "/refund",
               "PayPal-Request-Id: " + key + "\r\n" + headers,
               json{{"amount", {{"currency_code", "EUR"}, {"value", decimal(amount)}}}}.dump());
  }
  const auto body = parse(got.body);
  const auto& id = sandbox::at(body, {"id"});
  return {refund_word(got, text_at(body, {"status"})),
          id.is_number() ? id.dump() : text_at(body, {"id"}),
          {},
          body};
}

} // namespace usher::test

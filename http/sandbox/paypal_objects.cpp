#include "http/sandbox/paypal_objects.hpp"

#include "http/crypto/base64.hpp"
#include "http/sandbox/events.hpp"
#include "http/sandbox/protocols.hpp"
#include "http/sandbox/signing.hpp"

#include <utility>

namespace usher::sandbox {

namespace {

constexpr std::string_view token_prefix = "A21AA.";
constexpr int token_seconds = 32'400;

ordered_json amount_of(const money& value) {
  return {{"currency_code", value.currency}, {"value", decimal_of(value)}};
}

ordered_json link(const std::string& href, std::string_view rel, std::string_view method = "GET") {
  return {{"href", href}, {"rel", rel}, {"method", method}};
}

std::string_view order_status(const charge& known) {
  switch (known.status) {
  case charge_status::created:
    return "APPROVED";
  case charge_status::pending:
    return known.means.empty() ? "CREATED" : "PAYER_ACTION_REQUIRED";
  case charge_status::approved:
    return "COMPLETED";
  case charge_status::declined:
    if (known.single_step)
      return "COMPLETED"; // with a capture that says DECLINED
    return known.reason == "authentication_failed" ? "VOIDED" : "APPROVED";
  case charge_status::voided:
    return "VOIDED";
  }
  return {};
}

std::string_view capture_status(const charge& known) {
  if (known.status != charge_status::approved)
    return "DECLINED";
  if (known.refunded == 0)
    return "COMPLETED";
  return known.refunded == known.amount.amount_minor ? "REFUNDED" : "PARTIALLY_REFUNDED";
}

std::string_view status_of(refund_status status) {
  switch (status) {
  case refund_status::pending:
    return "PENDING";
  case refund_status::done:
    return "COMPLETED";
  case refund_status::refused:
    return "FAILED";
  }
  return {};
}

ordered_json links_of(const charge& known, const std::string& base) {
  const auto self = base + "/paypal/v2/checkout/orders/" + known.id;
  auto links = ordered_json::array({link(self, "self")});
  if (known.status == charge_status::pending)
    links.push_back(
        link(payer_url(base, known.id), known.means.empty() ? "approve" : "payer-action"));
  if (known.status == charge_status::created)
    links.push_back(link(self + "/capture", "capture", "POST"));
  return links;
}

ordered_json error_body(std::string_view name, const std::string& message) {
  return {{"name", name}, {"message", message}, {"debug_id", new_capital_id()}};
}

std::string_view event_name(event_kind kind) {
  switch (kind) {
  case event_kind::charge_approved:
    return "PAYMENT.CAPTURE.COMPLETED";
  case event_kind::charge_declined:
    return "PAYMENT.CAPTURE.DENIED";
  case event_kind::payer_agreed:
    return "CHECKOUT.ORDER.APPROVED";
  case event_kind::refund_done:
    return "PAYMENT.CAPTURE.REFUNDED";
  case event_kind::refund_pending:
    return "PAYMENT.REFUND.PENDING";
  case event_kind::refund_refused:
    return "PAYMENT.REFUND.FAILED";
  default:
    return {};
  }
}

} // namespace

ordered_json paypal_capture(const charge& known, const std::string& base) {
  const auto self = base + "/paypal/v2/payments/captures/" + known.capture_id;
  ordered_json made{{"id", known.capture_id},
                    {"status", capture_status(known)},
                    {"amount", amount_of(known.amount)},
                    {"final_capture", true},
                    {"custom_id", known.payment_id},
                    {"invoice_id", known.payment_id},
                    {"create_time", write_time(known.settled_ms)},
                    {"update_time", write_time(known.settled_ms)},
                    {"links", {link(self, "self"), link(self + "/refund", "refund", "POST")}}};
  if (known.status == charge_status::declined)
    made["processor_response"] = {{"response_code", "0500"}};
  return made;
}

ordered_json paypal_order(const charge& known, const std::vector<refund>& refunds,
                          const std::string& base) {
  ordered_json unit{{"reference_id", known.order_id},
                    {"amount", amount_of(known.amount)},
                    {"custom_id", known.payment_id},
                    {"invoice_id", known.payment_id}};
  if (known.status == charge_status::approved ||
      (known.status == charge_status::declined && known.single_step))
    unit["payments"]["captures"] = ordered_json::array({paypal_capture(known, base)});
  for (const auto& each : refunds)
    if (each.status != refund_status::refused)
      unit["payments"]["refunds"].push_back(paypal_refund(each, known, base));
  return {{"id", known.id},
          {"intent", "CAPTURE"},
          {"status", order_status(known)},
          {"purchase_units", ordered_json::array({std::move(unit)})},
          {"create_time", write_time(known.created_ms)},
          {"links", links_of(known, base)}};
}

ordered_json paypal_refund(const refund& known, const charge& of, const std::string& base) {
  const auto self = base + "/paypal/v2/payments/refunds/" + known.id;
  const auto up = base + "/paypal/v2/payments/captures/" + of.capture_id;
  return {{"id", known.id},
          {"status", status_of(known.status)},
          {"amount", amount_of(known.amount)},
          {"custom_id", of.payment_id},
          {"invoice_id", known.refund_id.empty() ? of.payment_id : known.refund_id},
          {"create_time", write_time(known.created_ms)},
          {"links", {link(self, "self"), link(up, "up")}}};
}

answer paypal_error(unsigned status, std::string_view name, const std::string& message) {
  return write(status, error_body(name, message));
}

answer paypal_unprocessable(std::string_view issue, const std::string& description) {
  auto body = error_body("UNPROCESSABLE_ENTITY",
                         "The requested action could not be performed, semantically incorrect, or "
                         "failed business validation.");
  body["details"] =
      ordered_json::array({ordered_json{{"issue", issue}, {"description", description}}});
  return write(422, body);
}

answer paypal_not_found() {
  return paypal_error(404, "RESOURCE_NOT_FOUND", "The specified resource does not exist.");
}

answer paypal_trouble(unsigned status) {
  switch (status) {
  case 401:
    return write(401, {{"error", "invalid_token"},
                       {"error_description", "Token signature verification failed"}});
  case 429:
    return paypal_error(429, "RATE_LIMIT_REACHED",
                        "Too many requests. Blocked due to rate limiting.");
  default:
    return paypal_error(500, "INTERNAL_SERVER_ERROR", "An internal server error has occurred.");
  }
}

answer paypal_token(const call& asked) {
  const auto client = basic_user_of(asked);
  if (client.empty())
    return write(
        401, {{"error", "invalid_client"}, {"error_description", "Client Authentication failed"}});
  if (asked.body.find("grant_type=client_credentials") == std::string::npos)
    return write(400, {{"error", "unsupported_grant_type"},
                       {"error_description", "grant_type has to be client_credentials"}});
  const auto token = std::string{token_prefix} + http::encode_base64url(client) + "." +
                     hex(hmac_sha256(defaults::paypal_secret, client));
  return write(200, {{"scope", "https://uri.paypal.com/services/payments/payment"},
                     {"access_token", token},
                     {"token_type", "Bearer"},
                     {"app_id", "APP-SANDBOX"},
                     {"expires_in", token_seconds},
                     {"nonce", new_id("")}});
}

std::optional<std::string> paypal_account_of(std::string_view token) {
  const auto dot = token.rfind('.');
  if (!token.starts_with(token_prefix) || dot < token_prefix.size())
    return std::nullopt;
  const auto client =
      http::decode_base64url(token.substr(token_prefix.size(), dot - token_prefix.size()));
  if (!client || token.substr(dot + 1) != hex(hmac_sha256(defaults::paypal_secret, *client)))
    return std::nullopt;
  return client;
}

answer paypal_verify(const call& asked, const json& body, const std::string& webhook_id) {
  for (const auto* each : {"auth_algo", "cert_url", "transmission_id", "transmission_sig",
                           "transmission_time", "webhook_id"})
    if (text_at(body, {each}).empty())
      return paypal_error(400, "VALIDATION_ERROR", std::string{each} + " is required.");
  if (!at(body, {"webhook_event"}).is_object())
    return paypal_error(400, "VALIDATION_ERROR", "webhook_event is required.");
  const auto id = text_at(body, {"transmission_id"});
  const auto time = text_at(body, {"transmission_time"});
  const auto wanted =
      paypal_signature({id, time, webhook_id, raw_member(asked.body, "webhook_event")});
  const bool good =
      text_at(body, {"webhook_id"}) == webhook_id && text_at(body, {"transmission_sig"}) == wanted;
  return write(200, {{"verification_status", good ? "SUCCESS" : "FAILURE"}});
}

std::vector<message> paypal_messages(const event& what) {
  const auto type = event_name(what.kind);
  const bool refused_at_once = // with a 422, which nothing follows
      what.kind == event_kind::refund_refused && what.back.reason != "failed";
  if (type.empty() || refused_at_once)
    return {};
  std::string_view resource_type = "capture";
  auto resource = paypal_capture(what.of, what.base);
  if (what.kind == event_kind::payer_agreed) {
    resource_type = "checkout-order";
    resource = paypal_order(what.of, {}, what.base);
  } else if (!what.back.id.empty()) {
    resource_type = "refund";
    resource = paypal_refund(what.back, what.of, what.base);
  }
  const auto id = "WH-" + new_capital_id();
  const ordered_json body{{"id", id},
                          {"event_version", "1.0"},
                          {"create_time", write_time(what.at, true)},
                          {"resource_type", resource_type},
                          {"event_type", type},
                          {"summary", "A payment of the sandbox"},
                          {"resource", std::move(resource)}};
  return {{std::string{type}, id, body.dump()}};
}

} // namespace usher::sandbox

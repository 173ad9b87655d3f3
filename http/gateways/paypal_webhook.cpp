#include "http/gateways/paypal_webhook.hpp"

#include "http/gateways/exact_json.hpp"
#include "http/gateways/news.hpp"
#include "http/gateways/outcomes.hpp"
#include "http/gateways/requests.hpp"

namespace usher::gateways {

namespace {

using payments::outcome;
using payments::webhook_reading;

constexpr std::size_t header_bytes_max = 1024;

std::optional<outcome> outcome_of_event(std::string_view type) {
  if (type == "PAYMENT.CAPTURE.COMPLETED")
    return outcome::approved;
  if (type == "PAYMENT.CAPTURE.DENIED" || type == "PAYMENT.CAPTURE.DECLINED")
    return outcome::declined;
  if (type == "PAYMENT.CAPTURE.PENDING" || type == "CHECKOUT.ORDER.APPROVED")
    return outcome::unknown;
  return std::nullopt;
}

/// PayPal has one text of ours: a reference of a payment or order, or the metadata as JSON.
bool read_custom_id(const std::string& custom_id, payments::report& into) {
  if (custom_id.starts_with("payment-"))
    into.payment = custom_id;
  else if (custom_id.starts_with("order-"))
    into.order = custom_id;
  else if (const auto metadata = read_object(custom_id))
    return read_metadata(*metadata, into);
  return !into.payment.empty() || !into.order.empty();
}

} // namespace

std::variant<paypal_transmission, payments::not_believed>
read_transmission(const payments::webhook& got) {
  paypal_transmission what;
  const std::pair<const char*, std::string*> wanted[] = {
      {"paypal-transmission-id", &what.id},
      {"paypal-transmission-time", &what.time},
      {"paypal-transmission-sig", &what.signature},
      {"paypal-cert-url", &what.certificate_url},
      {"paypal-auth-algo", &what.algorithm}};
  for (const auto& [name, into] : wanted) {
    *into = got.header(name);
    if (into->empty())
      return payments::not_believed{"signature missing"};
    if (into->size() > header_bytes_max)
      return payments::not_believed{"signature malformed"};
  }
  if (!read_object(got.body))
    return payments::not_believed{"body is no JSON object"};
  what.body = got.body;
  return what;
}

client::request verify_request(const paypal_transmission& what, const std::string& webhook_id) {
  std::string body = "{\"transmission_id\":" + written(what.id);
  body.append(",\"transmission_time\":").append(written(what.time));
  body.append(",\"transmission_sig\":").append(written(what.signature));
  body.append(",\"cert_url\":").append(written(what.certificate_url));
  body.append(",\"auth_algo\":").append(written(what.algorithm));
  body.append(",\"webhook_id\":").append(written(webhook_id));
  body.append(",\"webhook_event\":").append(what.body).append("}");
  return post_json("/v1/notifications/verify-webhook-signature", std::move(body));
}

std::optional<bool> read_verification(const client::outcome& got) {
  const auto* answer = std::get_if<client::answer>(&got);
  if (answer == nullptr)
    return std::nullopt;
  // That it cannot even be looked at: a certificate from elsewhere, a time that is none.
  if (answer->status == 400 || answer->status == 422)
    return false;
  const auto body = read_object(answer->body);
  if (!is_success(answer->status) || !body)
    return std::nullopt;
  const auto status = text_at(*body, "/verification_status");
  if (status == "SUCCESS")
    return true;
  return status == "FAILURE" ? std::optional{false} : std::nullopt;
}

webhook_reading read_paypal_event(std::string_view body, const std::string& gateway) {
  const auto event = read_object(body);
  const auto type = event ? text_at(*event, "/event_type") : std::string{};
  const auto what = outcome_of_event(type);
  const auto* resource = what ? find_at(*event, "/resource") : nullptr;
  if (resource == nullptr)
    return payments::not_for_us{};
  const bool is_order = type == "CHECKOUT.ORDER.APPROVED";
  const std::string unit = is_order ? "/purchase_units/0" : "";
  payments::report news{.gateway = gateway, .what = *what};
  if (!read_custom_id(text_at(*resource, unit + "/custom_id"), news))
    return payments::not_for_us{};
  // Until it charged the payment goes by the order's id.
  news.reference = is_order || news.what == outcome::approved
                       ? text_at(*resource, "/id")
                       : text_at(*resource, "/supplementary_data/related_ids/order_id");
  news.amount = decimal_amount(text_at(*resource, unit + "/amount/value"),
                               text_at(*resource, unit + "/amount/currency_code"));
  if (news.what == outcome::unknown)
    news.reason = pending({}, is_order ? "payer approved" : "capture pending").reason;
  if (news.what == outcome::declined)
    news.reason = text_at(*resource, "/status");
  return news;
}

} // namespace usher::gateways

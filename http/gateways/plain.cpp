#include "http/gateways/plain.hpp"

#include "http/gateways/exact_json.hpp"
#include "http/gateways/news.hpp"
#include "http/gateways/outcomes.hpp"
#include "http/gateways/requests.hpp"
#include "http/gateways/standard_webhooks.hpp"
#include "http/gateways/text.hpp"

namespace usher::gateways {

namespace {

using payments::webhook_reading;

client::request charge_request(const attempt& what) {
  json body{{"amount", what.amount.amount_minor},
            {"currency", what.amount.currency},
            {"method", what.method},
            {"orderId", what.order},
            {"paymentId", what.payment}};
  if (!what.token.empty())
    body["token"] = what.token;
  return with(post_json("/v1/charges", written(body)), "Idempotency-Key", what.payment);
}

/// A charge as it is; nothing if that cannot be read.
std::optional<result> read_charge(const json& charge) {
  const auto id = text_at(charge, "/id");
  const auto status = text_at(charge, "/status");
  const auto reason = text_at(charge, "/reason");
  if (status == "APPROVED")
    return approved(id);
  if (status == "DECLINED")
    return declined(id, reason);
  if (status == "VOIDED")
    return failed(id, reason.empty() ? "voided" : reason);
  if (status == "PENDING")
    return pending(id, reason, text_at(charge, "/redirectUrl"));
  return std::nullopt;
}

/// `question`: nothing was asked to be done, so an error says nothing of the charge.
result judge_charge(const client::outcome& got, const attempt& what, bool question) {
  if (const auto* why = std::get_if<client::failure>(&got))
    return not_reached(*why, what.again || !what.reference.empty(), what.reference);
  const auto& answer = std::get<client::answer>(got);
  const auto body = read_object(answer.body);
  if (is_success(answer.status) && body)
    if (auto charge = read_charge(*body))
      return std::move(*charge);
  const auto code = body ? text_at(*body, "/code") : std::string{};
  return question ? not_told(got, what.reference, code)
                  : by_status(answer, what.again, what.reference, code);
}

std::optional<result> read_refund(const json& refund) {
  const auto id = text_at(refund, "/id");
  const auto status = text_at(refund, "/status");
  const auto reason = text_at(refund, "/reason");
  if (status == "DONE")
    return approved(id);
  if (status == "REFUSED")
    return declined(id, reason);
  if (status == "PENDING")
    return pending(id, reason);
  return std::nullopt;
}

result judge_refund(const client::outcome& got, const refunding& what) {
  if (const auto* why = std::get_if<client::failure>(&got))
    return not_reached(*why, what.again || !what.refund_reference.empty(), what.refund_reference);
  const auto& answer = std::get<client::answer>(got);
  const auto body = read_object(answer.body);
  if (is_success(answer.status) && body)
    if (auto refund = read_refund(*body))
      return std::move(*refund);
  return refund_by_status(answer, what.again || !what.refund_reference.empty(),
                          what.refund_reference, body ? text_at(*body, "/code") : "");
}

std::optional<payments::outcome> outcome_of_event(std::string_view type) {
  using payments::outcome;
  if (type == "charge.approved")
    return outcome::approved;
  if (type == "charge.declined")
    return outcome::declined;
  if (type == "charge.voided")
    return outcome::failed;
  return std::nullopt;
}

webhook_reading read_event(std::string_view body, const std::string& gateway) {
  const auto event = read_object(body);
  if (!event)
    return payments::not_for_us{};
  const auto what = outcome_of_event(text_at(*event, "/type"));
  const auto* data = find_at(*event, "/data");
  if (!what || data == nullptr)
    return payments::not_for_us{};
  payments::report news{.gateway = gateway, .what = *what};
  const auto* metadata = find_at(*data, "/metadata");
  if (metadata != nullptr)
    static_cast<void>(read_metadata(*metadata, news));
  if (auto payment = text_at(*data, "/paymentId"); !payment.empty())
    news.payment = std::move(payment);
  if (auto order = text_at(*data, "/orderId"); !order.empty())
    news.order = std::move(order);
  if (news.payment.empty() && news.order.empty() && news.hold_ref.empty())
    return payments::not_for_us{};
  news.reference = text_at(*data, "/id");
  news.amount = minor_amount(text_at(*data, "/amount"), text_at(*data, "/currency"));
  news.reason = text_at(*data, "/reason");
  return news;
}

} // namespace

charge_step plain::charge(const attempt& what) const {
  if (!what.reference.empty())
    return {get("/v1/charges/" + percent_encoded(what.reference)),
            [what](const client::outcome& got) { return judge_charge(got, what, true); }};
  return {charge_request(what),
          [what](const client::outcome& got) { return judge_charge(got, what, false); }};
}

charge_step plain::void_charge(const attempt& what) const {
  return {post_json("/v1/charges/void", written({{"paymentId", what.payment}})),
          [what](const client::outcome& got) -> charge_step {
            if (const auto* why = std::get_if<client::failure>(&got))
              return not_reached(*why, false, what.reference);
            return judge_charge(got, what, true);
          }};
}

charge_step plain::refund(const refunding& what) const {
  auto ask = what.refund_reference.empty()
                 ? with(post_json("/v1/refunds", written({{"chargeId", what.payment_reference},
                                                          {"amount", what.amount.amount_minor},
                                                          {"refundId", what.refund}})),
                        "Idempotency-Key", what.key)
                 : get("/v1/refunds/" + percent_encoded(what.refund_reference));
  return {std::move(ask), [what](const client::outcome& got) { return judge_refund(got, what); }};
}

webhook_step plain::read_webhook(const payments::webhook& got) const {
  const auto judged = check_standard_webhook({.id = got.header("webhook-id"),
                                              .timestamp = got.header("webhook-timestamp"),
                                              .signatures = got.header("webhook-signature"),
                                              .body = got.body},
                                             webhook_keys_, got.now);
  if (judged != signature::good)
    return webhook_reading{payments::not_believed{std::string{to_string(judged)}}};
  return read_event(got.body, gateway_);
}

std::vector<client::header> plain::headers() const {
  if (key_.empty())
    return {};
  return {{"Authorization", "Bearer " + key_}};
}

} // namespace usher::gateways

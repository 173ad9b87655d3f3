#include "http/gateways/mercado_pago.hpp"

#include "http/gateways/mercado_pago_answers.hpp"
#include "http/gateways/news.hpp"
#include "http/gateways/outcomes.hpp"
#include "http/gateways/requests.hpp"
#include "http/gateways/signature_mercado_pago.hpp"
#include "http/gateways/text.hpp"

namespace usher::gateways {

namespace {

using payments::webhook_reading;

std::string payment_target(const std::string& id) {
  return "/v1/payments/" + percent_encoded(id);
}

client::request search_request(const attempt& what) {
  return get("/v1/payments/search?external_reference=" + percent_encoded(what.payment));
}

/// A positive amount of a known currency can be written as a decimal.
bool can_be_written(const money& amount) {
  return amount.amount_minor > 0 && minor_digits(amount.currency).has_value();
}

/// The amount stands in front, as a number with just these letters: JSON libraries write floats.
std::string with_amount(std::string_view name, const money& amount, const json& rest) {
  auto text = "{\"" + std::string{name} + "\":" + decimal_of(amount);
  if (!rest.empty())
    text.append(",").append(written(rest).substr(1));
  else
    text.append("}");
  return text;
}

client::request charge_request(const attempt& what) {
  json body{{"description", what.order},
            {"installments", 1},
            {"external_reference", what.payment},
            {"metadata", {{"usher_order", what.order}, {"usher_payment", what.payment}}}};
  if (!what.token.empty())
    body["token"] = what.token;
  // Mercado Pago's methods are brands ("visa", "pix"); that it is a card the token says.
  if (!what.method.empty() && what.method != "card")
    body["payment_method_id"] = what.method;
  if (!what.email.empty())
    body["payer"] = {{"email", what.email}};
  return with(post_json("/v1/payments", with_amount("transaction_amount", what.amount, body)),
              "X-Idempotency-Key", what.payment);
}

result judge_charge(const client::outcome& got, const attempt& what) {
  if (const auto* why = std::get_if<client::failure>(&got))
    return not_reached(*why, what.again);
  if (const auto body = good_body(got))
    if (auto read = read_payment(*body))
      return std::move(*read);
  const auto& answer = std::get<client::answer>(got);
  // A token that was used may have been used by an earlier call of this very attempt.
  if (!what.again && blames_the_fan(answer))
    return declined({}, status_reason(answer, mercado_pago_code(answer)));
  return by_status(answer, what.again, {}, mercado_pago_code(answer));
}

charge_step pay(const attempt& what) {
  return {charge_request(what),
          [what](const client::outcome& got) { return judge_charge(got, what); }};
}

result judge_look(const client::outcome& got, const std::string& id) {
  if (const auto body = good_body(got))
    if (auto read = read_payment(*body))
      return std::move(*read);
  return not_told(got, id);
}

charge_step look(const std::string& id) {
  return {get(payment_target(id)),
          [id](const client::outcome& got) { return judge_look(got, id); }};
}

charge_step cancel_from(std::vector<json> payments, std::size_t next);

/// One that cannot be cancelled any more went on in the meantime.
charge_step cancel_one(std::vector<json> payments, std::size_t at) {
  const auto id = text_at(payments[at], "/id");
  client::request ask{.method = client::verb::put,
                      .target = payment_target(id),
                      .headers = {{"Content-Type", "application/json"}},
                      .body = R"({"status":"cancelled"})"};
  return {std::move(ask), [payments, at, id](const client::outcome& got) -> charge_step {
            if (const auto* why = std::get_if<client::failure>(&got))
              return not_reached(*why, false, id);
            auto changed = payments;
            if (auto body = good_body(got); body && !can_be_cancelled(*body)) {
              changed[at] = std::move(*body);
              return cancel_from(std::move(changed), at + 1);
            }
            if (std::get<client::answer>(got).status == 400)
              return look(id);
            return not_told(got, id, mercado_pago_code(std::get<client::answer>(got)));
          }};
}

charge_step cancel_from(std::vector<json> payments, std::size_t next) {
  for (auto at = next; at < payments.size(); ++at)
    if (can_be_cancelled(payments[at]))
      return cancel_one(std::move(payments), at);
  const auto read = read_payments(payments);
  return read ? *read : unknown({}, "unreadable answer");
}

result judge_refund(const client::outcome& got, const refunding& what) {
  const bool again = what.again || !what.refund_reference.empty();
  if (const auto* why = std::get_if<client::failure>(&got))
    return not_reached(*why, again, what.refund_reference);
  if (const auto body = good_body(got))
    if (auto read = read_mercado_pago_refund(*body))
      return std::move(*read);
  const auto& answer = std::get<client::answer>(got);
  const auto code = mercado_pago_code(answer);
  // Refunded in full, more than is left, or too long ago.
  const bool never = code == "2063" || code == "2032" || code == "2024" || code == "2018";
  if (answer.status == 400 && never)
    return declined(what.refund_reference, status_reason(answer, code));
  return refund_by_status(answer, again, what.refund_reference, code);
}

webhook_reading read_news(const json& payment, const std::string& gateway) {
  const auto read = read_payment(payment);
  const auto status = text_at(payment, "/status");
  // Money that went back is no news of an attempt: that it came was told before.
  if (!read || status == "refunded" || status == "charged_back")
    return payments::not_for_us{};
  payments::report news{.gateway = gateway, .what = read->what, .reference = read->reference};
  const auto* metadata = find_at(payment, "/metadata");
  const bool named = metadata != nullptr && read_metadata(*metadata, news);
  const auto external = text_at(payment, "/external_reference");
  if (news.payment.empty() && external.starts_with("payment-"))
    news.payment = external;
  if (!named && news.payment.empty())
    return payments::not_for_us{};
  news.amount =
      decimal_amount(text_at(payment, "/transaction_amount"), text_at(payment, "/currency_id"));
  news.reason = read->reason;
  return news;
}

webhook_reading judge_news(const client::outcome& got, const std::string& gateway) {
  if (const auto body = good_body(got))
    return read_news(*body, gateway);
  const auto* answer = std::get_if<client::answer>(&got);
  // Test notifications name payments that are not there.
  if (answer != nullptr && answer->status == 404)
    return payments::not_for_us{};
  return payments::not_now{};
}

} // namespace

charge_step mercado_pago::charge(const attempt& what) const {
  if (!what.reference.empty())
    return look(what.reference);
  if (!can_be_written(what.amount))
    return declined({}, "amount-not-representable");
  if (!what.again)
    return pay(what);
  return {search_request(what), [what](const client::outcome& got) -> charge_step {
            const auto body = good_body(got);
            if (!body)
              return not_told(got, {});
            const auto read = read_payments(found_payments(*body, what.payment));
            return read ? charge_step{*read} : pay(what);
          }};
}

charge_step mercado_pago::void_charge(const attempt& what) const {
  const auto known = what.reference;
  auto ask = known.empty() ? search_request(what) : get(payment_target(known));
  return {std::move(ask), [what, known](const client::outcome& got) -> charge_step {
            if (const auto* why = std::get_if<client::failure>(&got))
              return not_reached(*why, false, known);
            const auto body = good_body(got);
            if (!body)
              return not_told(got, known, mercado_pago_code(std::get<client::answer>(got)));
            if (!known.empty())
              return cancel_from({*body}, 0);
            auto found = found_payments(*body, what.payment);
            if (found.empty() && find_at(*body, "/results") != nullptr)
              return failed({}, "no payment found");
            return cancel_from(std::move(found), 0);
          }};
}

charge_step mercado_pago::refund(const refunding& what) const {
  const auto refunds = payment_target(what.payment_reference) + "/refunds";
  if (!what.refund_reference.empty())
    return {get(refunds + "/" + percent_encoded(what.refund_reference)),
            [what](const client::outcome& got) { return judge_refund(got, what); }};
  if (!can_be_written(what.amount))
    return declined({}, "amount-not-representable");
  return {with(post_json(refunds, with_amount("amount", what.amount, json::object())),
               "X-Idempotency-Key", what.key),
          [what](const client::outcome& got) { return judge_refund(got, what); }};
}

webhook_step mercado_pago::read_webhook(const payments::webhook& got) const {
  // What is signed contains an id that stands in the body, so that one has to be read first.
  const auto body = read_object(got.body);
  const auto id = body ? text_at(*body, "/data/id") : std::string{};
  const auto judged = check_mercado_pago({.signature = got.header("x-signature"),
                                          .request_id = got.header("x-request-id"),
                                          .data_id = id},
                                         webhook_secrets_, got.now);
  if (judged != signature::good)
    return webhook_reading{payments::not_believed{std::string{to_string(judged)}}};
  if (text_at(*body, "/type") != "payment")
    return webhook_reading{payments::not_for_us{}};
  return {get(payment_target(id)), [gateway = gateway_](const client::outcome& answer) {
            return judge_news(answer, gateway);
          }};
}

std::vector<client::header> mercado_pago::headers() const {
  return {{"Authorization", "Bearer " + access_token_}};
}

} // namespace usher::gateways

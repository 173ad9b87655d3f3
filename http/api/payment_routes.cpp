#include "http/api/routes.hpp"

#include "actors/basics/reference.hpp"
#include "http/api/order_json.hpp"
#include "http/api/paying.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

// Payments without a show, for services that sell elsewhere; and the gateways.
namespace usher::http {

namespace {

using orders::order_status;
using orders::payment_outcome;

/// `PENDING` while nobody knows, then what came of it.
std::string_view payment_status(const orders::order& order) {
  switch (order.status) {
  case order_status::paid:
    return "APPROVED";
  case order_status::refund_due:
  case order_status::partly_refunded:
  case order_status::refunded:
    return orders::to_string(order.status);
  default:
    break;
  }
  const auto& last = order.last_after(order.payments.front());
  if (!last.outcome)
    return "PENDING";
  return status_text(last);
}

ordered_json payment_json(const orders::order_view& view) {
  const auto& order = view.order;
  const auto& last = order.last_after(order.payments.front());
  ordered_json body{{"id", write_reference("payment", cashier_number, view.id)},
                    {"status", payment_status(order)},
                    {"amount", order.total.amount_minor},
                    {"currency", order.total.currency},
                    {"gateway", last.gateway}};
  if (!last.reference.empty())
    body["paymentId"] = last.reference;
  if (!last.reason.empty())
    body["reason"] = last.reason;
  if (!view.action_url.empty())
    body["nextAction"] = {{"redirectUrl", view.action_url}};
  body["payments"] = payments_json(order, cashier_number);
  if (!order.refunds.empty())
    body["refunds"] = refunds_json(order, cashier_number);
  body["history"] = history_json(order);
  return body;
}

response payment_response(const orders::order_view& view, bool repeated) {
  const auto body = payment_json(view);
  std::string headers = repeated ? "Idempotent-Replayed: true\r\n" : "";
  headers += "Location: /v1/payments/" + body["id"].get<std::string>() + "\r\n";
  const auto status = payment_status(view.order);
  if (status == "PENDING")
    return json_response(202, body, headers + "Retry-After: 2\r\n");
  if (status == "FAILED" || status == "NOT_SENT" || status == "VOIDED")
    return problem_response(502, "payment-failed",
                            "The payment could not be taken. Nothing was charged; try again with a "
                            "new idempotencyKey.",
                            headers, ordered_json{{"payment", body}});
  return json_response(201, body, headers);
}

/// The payment of the first path parameter, or 404.
std::optional<order_id> payment_of(call& at) {
  const auto found = read_reference("payment", at.path[0]);
  if (!found || found->show != cashier_number) {
    send_problem(at, 404, "unknown-payment", "There is no such payment.");
    return std::nullopt;
  }
  return order_id{found->id};
}

std::function<void(const orders::answer&)> answer_payment(call& at) {
  return [later = at.to.defer()](const orders::answer& got) {
    if (const auto* view = std::get_if<orders::order_view>(&got.result))
      return later.send(json_response(200, payment_json(*view),
                                      got.repeated ? "Idempotent-Replayed: true\r\n" : ""));
    const auto* no = std::get_if<orders::rejection>(&got.result);
    if (no != nullptr && *no == orders::rejection::unknown_order)
      return later.send(problem_response(404, "unknown-payment", "There is no such payment."));
    later.send(refusal_of(no != nullptr ? *no : orders::rejection::unknown_order));
  };
}

/// A key that stands in the body, by the rules of the header.
std::optional<std::string> read_body_key(fields& from) {
  const auto* given = from.find("idempotencyKey");
  const auto key = given != nullptr && given->is_string() ? given->get<std::string>() : "";
  if (!key.empty() && key.size() <= 255 &&
      std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; }))
    return key;
  from.add_fault("idempotencyKey", "expected 1 to 255 visible ASCII characters of your own, new "
                                   "for this payment");
  return std::nullopt;
}

std::string_view breaker_text(payments::breaker_status status) {
  switch (status) {
  case payments::breaker_status::closed:
    return "CLOSED";
  case payments::breaker_status::open:
    return "OPEN";
  case payments::breaker_status::half_open:
    break;
  }
  return "HALF_OPEN";
}

ordered_json gateway_json(const payments::gateway_view& view) {
  const auto& counts = view.now.counts;
  ordered_json body{
      {"gateway", view.gateway},
      {"breaker", breaker_text(view.breaker.is)},
      {"window", {{"calls", view.now.window_calls}, {"failures", view.now.window_failures}}},
      {"inFlight", view.now.in_flight},
      {"inLine", view.now.in_line},
      {"counts",
       {{"calls", counts.calls},
        {"approved", counts.approved},
        {"declined", counts.declined},
        {"failures", counts.failures},
        {"slow", counts.slow},
        {"refusedByBreaker", counts.refused_by_breaker},
        {"refusedAsTooMany", counts.refused_as_too_many}}}};
  if (view.breaker.is == payments::breaker_status::open)
    body["trialsFrom"] = time_text(view.breaker.until);
  if (view.breaker.changed_at != 0)
    body["changedAt"] = time_text(view.breaker.changed_at);
  if (!view.now.last_error.empty())
    body["lastError"] = {{"what", view.now.last_error}, {"at", time_text(view.now.last_error_at)}};
  return body;
}

} // namespace

namespace handlers {

void post_payment(call& at) {
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  fields from{*body, faults};
  const auto key = read_body_key(from);
  for (const auto* name : {"amount", "currency"})
    from.require(name);
  const auto amount = from.integer("amount", 1, amount_minor_max).value_or(0);
  const auto currency = from.text("currency", 3);
  if (currency && !minor_digits(*currency))
    from.add_fault("currency", "expected an ISO 4217 code, e.g. EUR");
  if (!faults.empty())
    return send_invalid(at, faults);
  const auto how = read_way_to_pay(at, *body);
  if (!how)
    return;
  orders::command::take_payment asked;
  static_cast<id128&>(asked.order) = random_id();
  asked.amount = {amount, *currency};
  asked.reference = write_reference("payment", cashier_number, asked.order);
  if (!put_way_to_pay(at, *how, asked))
    return;
  asked.asked = key_of(at, "payments", *key, *body);
  ask_desk(at.with.cashier, std::move(asked), at.cause(),
           [later = at.to.defer()](const orders::answer& got) {
             if (const auto* view = std::get_if<orders::order_view>(&got.result))
               return later.send(payment_response(*view, got.repeated));
             const auto* no = std::get_if<orders::rejection>(&got.result);
             later.send(refusal_of(no != nullptr ? *no : orders::rejection::no_gateway));
           });
}

void get_payment(call& at) {
  const auto which = payment_of(at);
  if (!which)
    return;
  auto asked = std::make_shared<orders::lookup>();
  asked->what = *which;
  asked->done = answer_payment(at);
  caf::anon_send(at.with.cashier, std::move(asked));
}

void refund_payment(call& at) {
  const auto which = payment_of(at);
  if (!which)
    return;
  auto asked = read_refund(at, *which);
  if (!asked)
    return;
  ask_desk(at.with.cashier, std::move(*asked), at.cause(), answer_payment(at));
}

void get_gateways(call& at) {
  auto list = ordered_json::array();
  for (const auto& rule : at.with.gateways->rules) // in the order of the configuration
    list.push_back(gateway_json(at.with.gateways->find(rule.gateway)->board->snapshot()));
  send_json(at, 200, {{"gateways", list}});
}

} // namespace handlers

} // namespace usher::http

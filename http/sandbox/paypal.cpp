#include "http/sandbox/paypal_objects.hpp"
#include "http/sandbox/protocols.hpp"

#include <algorithm>

namespace usher::sandbox {

namespace {

/// Why the call of that key goes no further, if so.
std::optional<answer> fault_of(const ledger::entered& key) {
  using enum ledger::entered::state;
  if (key.is == other_request)
    return paypal_unprocessable("DUPLICATE_REQUEST_ID",
                                "The value of PayPal-Request-Id header has already been used.");
  if (key.is == full)
    return paypal_error(503, "SERVICE_UNAVAILABLE", "POST /control/reset makes room.");
  return std::nullopt;
}

/// How the order is to be paid, as far as it was said.
struct source {
  std::string means;        ///< empty: nothing was said
  bool needs_payer = false; ///< there is no stored means of payment: the payer has to agree
  bool single_step = false; ///< making the order charges
};

source source_of(const json& body) {
  const auto& named = at(body, {"payment_source"});
  if (const auto token = text_at(named, {"token", "id"}); !token.empty())
    return {token, false, false};
  for (const auto* kind : {"card", "paypal"})
    if (const auto vault = text_at(named, {kind, "vault_id"}); !vault.empty())
      return {vault, false, true};
  if (named.is_object() && !named.empty())
    return {named.begin().key(), true, false};
  return {{}, true, false};
}

answer tell(desk& at, unsigned status, const charge& known, const call& asked) {
  auto order = paypal_order(known, at.book().refunds_of(known.id), asked.base);
  const bool whole = asked.method == "GET" || asked.path.ends_with("/capture") ||
                     asked.header("prefer") == "return=representation";
  if (!whole)
    for (const auto* each : {"intent", "purchase_units", "create_time"})
      order.erase(each);
  return write(status, order);
}

std::variant<charge, answer> read_order(const call& asked, const json& body, const source& by) {
  const auto currency = text_at(body, {"purchase_units", "amount", "currency_code"});
  const auto amount = read_amount(text_at(body, {"purchase_units", "amount", "value"}), currency);
  if (text_at(body, {"intent"}) != "CAPTURE")
    return paypal_error(400, "INVALID_REQUEST", "intent has to be CAPTURE.");
  if (!amount)
    return paypal_unprocessable("CANNOT_BE_ZERO_OR_NEGATIVE",
                                "purchase_units[0].amount is no amount of money.");
  charge wanted{.id = new_capital_id(),
                .by = protocol::paypal,
                .account = asked.account,
                .order_id = text_at(body, {"purchase_units", "reference_id"}),
                .payment_id = text_at(body, {"purchase_units", "custom_id"}),
                .key = asked.header("paypal-request-id"),
                .amount = *amount,
                .means = by.means,
                .capture_id = new_capital_id(),
                .single_step = by.single_step,
                .created_ms = asked.at};
  if (by.single_step && wanted.key.empty())
    return paypal_unprocessable("PAYPAL_REQUEST_ID_REQUIRED",
                                "A PayPal-Request-Id is required if a payment source is given.");
  return wanted;
}

/// The payer agrees after a time only if the rule says so.
fault pending_by(const fault& by) {
  return by.what == rule::pending ? by : fault{.what = rule::pending};
}

delivery create(desk& at, const call& asked, const json& body) {
  const auto by = source_of(body);
  auto read = read_order(asked, body, by);
  if (auto* fault = std::get_if<answer>(&read))
    return just(*fault);
  auto wanted = std::get<charge>(std::move(read));
  const auto named = desk::named(asked, by.means);
  if (const auto* fault = std::get_if<std::string>(&named))
    return just(paypal_unprocessable("TOKEN_ID_NOT_FOUND", *fault));
  const auto key = key_of(protocol::paypal, asked, wanted.key);
  const auto entered = at.book().enter(key, request_of(asked), [&] {
    return at.choose(std::get<0>(named), wanted.amount.amount_minor);
  });
  if (auto fault = fault_of(entered))
    return just(*fault);
  wanted.rule = entered.rule;
  const unsigned status = entered.subject.empty() ? 201 : 200;
  const auto move = [&]() -> desk::moved {
    std::vector<event> events;
    auto now = at.book().open(key, wanted);
    const bool waits = by.needs_payer || entered.rule.what == rule::pending;
    if (waits && !now.payer_agreed)
      now = at.settle(now.id, pending_by(entered.rule), asked.at, events);
    else if (by.single_step && !now.payer_agreed) // or else the money comes with the capture
      now = at.settle(now.id, entered.rule, asked.at, events);
    return {tell(at, status, now, asked), std::move(events)};
  };
  if (by.single_step)
    return at.run(key, entered.rule, move, paypal_trouble);
  return at.run(key, {}, move, paypal_trouble);
}

/// Why the order cannot be captured, if so.
std::optional<answer> fault_of_capture(desk& at, const charge& known) {
  switch (known.status) {
  case charge_status::pending:
    return known.means.empty()
               ? paypal_unprocessable("ORDER_NOT_APPROVED", "Payer has not yet approved the Order.")
               : paypal_unprocessable("PAYER_ACTION_REQUIRED", "Payer action is required.");
  case charge_status::approved:
    return paypal_unprocessable("ORDER_ALREADY_CAPTURED", "Order already captured.");
  case charge_status::voided:
    return paypal_unprocessable("ORDER_NOT_APPROVED", "The order was voided.");
  default:
    break;
  }
  const auto same = at.book().of_payment(protocol::paypal, known.account, known.payment_id);
  const bool paid = std::any_of(same.begin(), same.end(), [&](const charge& each) {
    return !each.payment_id.empty() && each.id != known.id &&
           each.status == charge_status::approved;
  });
  if (paid)
    return paypal_unprocessable("DUPLICATE_INVOICE_ID", "Duplicate Invoice ID detected.");
  return std::nullopt;
}

delivery capture(desk& at, const call& asked, const std::string& id) {
  const auto known = at.book().find(protocol::paypal, asked.account, id);
  if (!known)
    return just(paypal_not_found());
  const auto key = key_of(protocol::paypal, asked, asked.header("paypal-request-id"));
  const auto entered = at.book().enter(key, request_of(asked),
                                       [&] { return desk::choose_later(asked.rule, *known); });
  if (auto fault = fault_of(entered))
    return just(*fault);
  if (entered.subject.empty())
    if (auto fault = fault_of_capture(at, *known))
      return just(*fault);
  const unsigned status = entered.subject.empty() ? 201 : 200;
  const auto move = [&]() -> desk::moved {
    std::vector<event> events;
    at.book().bind(key, id);
    const auto now = at.settle(id, entered.rule, asked.at, events);
    if (now.status == charge_status::declined)
      return {paypal_unprocessable("INSTRUMENT_DECLINED",
                                   "The instrument presented was either declined by the processor "
                                   "or bank, or it can't be used for this payment."),
              std::move(events)};
    return {tell(at, status, now, asked), std::move(events)};
  };
  return at.run(key, entered.rule, move, paypal_trouble);
}

answer tell_refund(const ledger::paid_back& back, unsigned status, const std::string& base) {
  if (back.now.status != refund_status::refused || back.now.reason == "failed")
    return write(status, paypal_refund(back.now, back.of, base));
  if (back.now.reason == "refused")
    return paypal_unprocessable("REFUND_FAILED_INSUFFICIENT_FUNDS",
                                "Capture could not be refunded due to insufficient funds.");
  if (back.of.refunded == back.of.amount.amount_minor)
    return paypal_unprocessable("CAPTURE_FULLY_REFUNDED", "The capture has been fully refunded.");
  return paypal_unprocessable("REFUND_AMOUNT_EXCEEDED",
                              "The refund amount must be less than or equal to the capture amount "
                              "that has not yet been refunded.");
}

/// What a refund is of: the amount that the body names, else all that is left.
std::optional<money> refund_amount(const json& body, const charge& of) {
  if (!body.contains("amount")) {
    const auto left = of.left();
    return money{std::max<std::int64_t>(left, 1), of.amount.currency};
  }
  const auto currency = text_at(body, {"amount", "currency_code"});
  if (currency != of.amount.currency)
    return std::nullopt;
  return read_amount(text_at(body, {"amount", "value"}), currency);
}

delivery refund_it(desk& at, const call& asked, const std::string& id, const json& body) {
  const auto of = at.book().find_capture(asked.account, id);
  if (!of || of->status != charge_status::approved)
    return just(paypal_not_found());
  const auto amount = refund_amount(body, *of);
  if (!amount)
    return just(paypal_error(400, "INVALID_REQUEST", "amount is no amount of that currency."));
  const auto key = key_of(protocol::paypal, asked, asked.header("paypal-request-id"));
  const auto entered =
      at.book().enter(key, request_of(asked), [&] { return at.choose_refund(asked.rule, *of); });
  if (auto fault = fault_of(entered))
    return just(*fault);
  const unsigned status = entered.subject.empty() ? 201 : 200;
  const auto move = [&]() -> desk::moved {
    auto name = text_at(body, {"custom_id"});
    if (name.empty())
      name = text_at(body, {"invoice_id"});
    refund wanted{.id = new_capital_id(),
                  .by = protocol::paypal,
                  .account = asked.account,
                  .charge_id = of->id,
                  .refund_id = name,
                  .key = key.key,
                  .amount = *amount,
                  .created_ms = asked.at};
    std::vector<event> events;
    const auto back = at.give_back(key, std::move(wanted), entered.rule, events);
    return {tell_refund(back, status, asked.base), std::move(events)};
  };
  return at.run(key, entered.rule, move, paypal_trouble);
}

delivery look(desk& at, const call& asked) {
  if (const auto id = between(asked.path, "/v2/checkout/orders/"))
    if (const auto known = at.book().find(protocol::paypal, asked.account, *id))
      return just(tell(at, 200, *known, asked));
  if (const auto id = between(asked.path, "/v2/payments/captures/"))
    if (const auto known = at.book().find_capture(asked.account, *id);
        known && known->status == charge_status::approved)
      return just(write(200, paypal_capture(*known, asked.base)));
  if (const auto id = between(asked.path, "/v2/payments/refunds/")) {
    const auto known = at.book().find_refund(protocol::paypal, asked.account, *id);
    const auto of = known ? at.book().find_any(known->charge_id) : std::nullopt;
    if (of)
      return just(write(200, paypal_refund(*known, *of, asked.base)));
  }
  return just(paypal_not_found());
}

} // namespace

delivery answer_paypal(desk& at, const protocol_settings& with, call asked) {
  if (asked.path == "/v1/oauth2/token")
    return just(paypal_token(asked));
  const auto account = paypal_account_of(bearer_of(asked));
  if (!account)
    return just(paypal_trouble(401));
  asked.account = *account;
  if (asked.method == "GET")
    return look(at, asked);
  const auto body = asked.body.empty() ? std::optional{json::object()} : read_object(asked.body);
  if (!body)
    return just(paypal_error(400, "INVALID_REQUEST", "The body is no JSON object."));
  if (asked.path == "/v1/notifications/verify-webhook-signature")
    return just(paypal_verify(asked, *body, with.paypal_webhook_id));
  if (asked.path == "/v2/checkout/orders")
    return create(at, asked, *body);
  if (const auto id = between(asked.path, "/v2/checkout/orders/", "/capture"))
    return capture(at, asked, *id);
  if (const auto id = between(asked.path, "/v2/payments/captures/", "/refund"))
    return refund_it(at, asked, *id, *body);
  return just(paypal_not_found());
}

} // namespace usher::sandbox

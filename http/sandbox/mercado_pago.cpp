#include "http/sandbox/mercado_pago_objects.hpp"
#include "http/sandbox/protocols.hpp"

#include <algorithm>

namespace usher::sandbox {

namespace {

/// Why the call of that key goes no further, if so.
std::optional<answer> fault_of(const ledger::entered& key) {
  using enum ledger::entered::state;
  if (key.is == other_request)
    return mercado_pago_error(409, "idempotency_key_already_used", 0,
                              "The value sent as the idempotency header has already been used "
                              "with a different request");
  if (key.is == full)
    return mercado_pago_error(503, "ledger_full", 0, "POST /control/reset makes room");
  return std::nullopt;
}

answer payment_not_found() {
  return mercado_pago_error(404, "not_found", 2000, "Payment not found");
}

answer tell(desk& at, unsigned status, const charge& known, const std::string& base) {
  return write(status, mercado_pago_payment(known, at.book().refunds_of(known.id), base));
}

std::variant<charge, answer> read_payment(const call& asked, const protocol_settings& with,
                                          const json& body) {
  const auto amount =
      read_amount(raw_member(asked.body, "transaction_amount"), with.mercado_pago_currency);
  charge wanted{.id = new_number(),
                .by = protocol::mercado_pago,
                .account = asked.account,
                .order_id = text_at(body, {"metadata", "usher_order"}),
                .payment_id = text_at(body, {"external_reference"}),
                .key = asked.header("x-idempotency-key"),
                .means = text_at(body, {"token"}),
                .created_ms = asked.at};
  if (wanted.key.empty())
    return mercado_pago_error(400, "bad_request", 4292, "Header X-Idempotency-Key can't be null");
  if (!amount)
    return mercado_pago_error(400, "bad_request", 4037, "Invalid transaction_amount");
  wanted.amount = *amount;
  return wanted;
}

delivery pay(desk& at, const protocol_settings& with, const call& asked, const json& body) {
  auto read = read_payment(asked, with, body);
  if (auto* fault = std::get_if<answer>(&read))
    return just(*fault);
  auto wanted = std::get<charge>(std::move(read));
  const auto named = desk::named(asked, wanted.means);
  if (const auto* fault = std::get_if<std::string>(&named))
    return just(mercado_pago_error(400, "bad_request", 2006, *fault));
  const key_name key{protocol::mercado_pago, asked.account, wanted.key};
  const auto entered = at.book().enter(key, request_of(asked), [&] {
    return at.choose(std::get<0>(named), wanted.amount.amount_minor);
  });
  if (auto fault = fault_of(entered))
    return just(*fault);
  wanted.rule = entered.rule;
  const unsigned status = entered.subject.empty() ? 201 : 200;
  const auto move = [&]() -> desk::moved {
    std::vector<event> events;
    const auto opened = at.book().open(key, wanted);
    const auto now = at.settle(opened.id, entered.rule, asked.at, events);
    return {tell(at, status, now, asked.base), std::move(events)};
  };
  return at.run(key, entered.rule, move, mercado_pago_trouble);
}

delivery cancel(desk& at, const call& asked, const std::string& id, const json& body) {
  const auto known = at.book().find(protocol::mercado_pago, asked.account, id);
  if (!known)
    return just(payment_not_found());
  if (text_at(body, {"status"}) != "cancelled")
    return just(mercado_pago_error(400, "bad_request", 2016,
                                   "The action requested is not valid: only cancelled is"));
  const auto voided = at.book().settle(id, charge_status::voided, "", asked.at);
  if (!voided.changed)
    return just(
        mercado_pago_error(400, "bad_request", 2018,
                           "The action requested is not valid for the current payment state"));
  auto made = just(tell(at, 200, voided.now, asked.base));
  made.after_answer = notices_of({event_kind::charge_voided, voided.now, {}, asked.at});
  return made;
}

answer tell_refund(const ledger::paid_back& back, unsigned status) {
  if (back.now.reason == "not_charged" || back.now.reason == "amount_exceeded")
    return mercado_pago_error(400, "bad_request", 2063,
                              "The action requested is not valid for the current payment state");
  if (back.now.reason == "refused")
    return mercado_pago_error(400, "bad_request", 2024, "Payment too old to be refunded");
  return write(status, mercado_pago_refund(back.now));
}

/// What a refund is of: the amount that the body names, else all that is left.
std::optional<money> refund_amount(const call& asked, const charge& of) {
  if (const auto raw = raw_member(asked.body, "amount"); !raw.empty())
    return read_amount(raw, of.amount.currency);
  const auto left = of.left();
  return money{std::max<std::int64_t>(left, 1), of.amount.currency};
}

delivery refund_it(desk& at, const call& asked, const std::string& id) {
  const auto of = at.book().find(protocol::mercado_pago, asked.account, id);
  if (!of)
    return just(payment_not_found());
  const auto sent = asked.header("x-idempotency-key");
  if (sent.empty())
    return just(
        mercado_pago_error(400, "bad_request", 4292, "Header X-Idempotency-Key can't be null"));
  const auto amount = refund_amount(asked, *of);
  if (!amount)
    return just(mercado_pago_error(400, "bad_request", 4040, "amount attribute must be positive"));
  const auto key = key_of(protocol::mercado_pago, asked, sent);
  const auto entered =
      at.book().enter(key, request_of(asked), [&] { return at.choose_refund(asked.rule, *of); });
  if (auto fault = fault_of(entered))
    return just(*fault);
  const unsigned status = entered.subject.empty() ? 201 : 200;
  const auto move = [&]() -> desk::moved {
    refund wanted{.id = new_number(),
                  .by = protocol::mercado_pago,
                  .account = asked.account,
                  .charge_id = of->id,
                  .key = sent,
                  .amount = *amount,
                  .created_ms = asked.at};
    std::vector<event> events;
    const auto back = at.give_back(key, std::move(wanted), entered.rule, events);
    return {tell_refund(back, status), std::move(events)};
  };
  return at.run(key, entered.rule, move, mercado_pago_trouble);
}

delivery search(desk& at, const call& asked) {
  const auto asked_for = asked.query.find("external_reference");
  ordered_json results = ordered_json::array();
  if (asked_for != asked.query.end())
    for (const auto& each :
         at.book().of_payment(protocol::mercado_pago, asked.account, asked_for->second))
      results.push_back(mercado_pago_payment(each, at.book().refunds_of(each.id), asked.base));
  const ordered_json paging{{"total", results.size()}, {"limit", 30}, {"offset", 0}};
  return just(write(200, {{"paging", paging}, {"results", std::move(results)}}));
}

delivery look(desk& at, const call& asked) {
  if (asked.path == "/v1/payments/search")
    return search(at, asked);
  if (const auto id = between(asked.path, "/v1/payments/")) {
    const auto known = at.book().find(protocol::mercado_pago, asked.account, *id);
    return just(known ? tell(at, 200, *known, asked.base) : payment_not_found());
  }
  const auto refunds = asked.path.find("/refunds");
  const auto id = between(asked.path.substr(0, refunds), "/v1/payments/");
  if (!id || refunds == std::string::npos)
    return just(mercado_pago_error(404, "not_found", 0, "There is no such address"));
  if (!at.book().find(protocol::mercado_pago, asked.account, *id))
    return just(payment_not_found());
  ordered_json all = ordered_json::array();
  for (const auto& each : at.book().refunds_of(*id)) {
    if (asked.path.ends_with("/refunds/" + each.id))
      return just(write(200, mercado_pago_refund(each)));
    all.push_back(mercado_pago_refund(each));
  }
  if (!asked.path.ends_with("/refunds"))
    return just(mercado_pago_error(404, "not_found", 2032, "Refund not found"));
  return just(write(200, all));
}

} // namespace

delivery answer_mercado_pago(desk& at, const protocol_settings& with, call asked) {
  asked.account = bearer_of(asked);
  if (asked.account.empty())
    return just(mercado_pago_trouble(401));
  if (asked.method == "GET")
    return look(at, asked);
  const auto body = asked.body.empty() ? std::optional{json::object()} : read_object(asked.body);
  if (!body)
    return just(mercado_pago_error(400, "bad_request", 0, "The body is no JSON object"));
  if (asked.method == "POST" && asked.path == "/v1/payments")
    return pay(at, with, asked, *body);
  if (const auto id = between(asked.path, "/v1/payments/"); id && asked.method == "PUT")
    return cancel(at, asked, *id, *body);
  if (const auto id = between(asked.path, "/v1/payments/", "/refunds");
      id && asked.method == "POST")
    return refund_it(at, asked, *id);
  return just(mercado_pago_error(404, "not_found", 0, "There is no such address"));
}

} // namespace usher::sandbox

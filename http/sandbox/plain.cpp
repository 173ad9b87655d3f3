#include "http/sandbox/protocols.hpp"

namespace usher::sandbox {

namespace {

answer refuse(unsigned status, const std::string& code, const std::string& why) {
  return write(status, {{"error", code}, {"message", why}});
}

answer trouble(unsigned status) {
  switch (status) {
  case 401:
    return refuse(401, "unauthorized", "The key is not one of ours.");
  case 429:
    return refuse(429, "rate_limited", "Too many requests.");
  default:
    return refuse(500, "internal_error", "Something went wrong on our side.");
  }
}

/// `created` is not seen from outside: it lasts within one call only.
ordered_json render(const charge& known, const std::string& base) {
  ordered_json made{{"id", known.id},
                    {"status", to_string(known.status)},
                    {"orderId", known.order_id},
                    {"paymentId", known.payment_id},
                    {"amount", known.amount.amount_minor},
                    {"currency", known.amount.currency}};
  if (!known.reason.empty())
    made["reason"] = known.reason;
  if (known.status == charge_status::pending)
    made["redirectUrl"] = payer_url(base, known.id);
  return made;
}

ordered_json render(const refund& known) {
  ordered_json made{{"id", known.id},
                    {"status", to_string(known.status)},
                    {"chargeId", known.charge_id},
                    {"refundId", known.refund_id},
                    {"amount", known.amount.amount_minor},
                    {"currency", known.amount.currency}};
  if (!known.reason.empty())
    made["reason"] = known.reason;
  return made;
}

/// Why the call of that key goes no further, if so.
std::optional<answer> fault_of(const ledger::entered& key) {
  using enum ledger::entered::state;
  if (key.is == other_request)
    return refuse(422, "key_reused", "This Idempotency-Key came with another request before.");
  if (key.is == full)
    return refuse(503, "ledger_full", "POST /control/reset makes room.");
  return std::nullopt;
}

/// A whole number of minor units, more than none and no more than 10^15; 0 if it is none.
std::int64_t minor_amount(const json& body) {
  constexpr std::int64_t most = 1'000'000'000'000'000;
  const auto& value = at(body, {"amount"});
  const auto amount = value.is_number_integer() ? value.get<std::int64_t>() : 0;
  return amount > most ? 0 : amount;
}

std::variant<charge, answer> read_charge(const call& asked, const json& body) {
  charge wanted{.id = new_id("ch_"),
                .by = protocol::plain,
                .account = asked.account,
                .order_id = text_at(body, {"orderId"}),
                .payment_id = text_at(body, {"paymentId"}),
                .key = asked.header("idempotency-key"),
                .amount = {minor_amount(body), text_at(body, {"currency"})},
                .means = text_at(body, {"token"}),
                .created_ms = asked.at};
  if (wanted.key.empty())
    return refuse(400, "bad_request", "An Idempotency-Key is needed.");
  if (wanted.amount.amount_minor <= 0 || !minor_digits(wanted.amount.currency))
    return refuse(400, "bad_request", "amount (minor units) and currency (ISO 4217) are needed.");
  if (wanted.payment_id.empty())
    return refuse(400, "bad_request", "paymentId is needed.");
  return wanted;
}

delivery charge_it(desk& at, const call& asked, const json& body) {
  auto read = read_charge(asked, body);
  if (auto* fault = std::get_if<answer>(&read))
    return just(*fault);
  auto wanted = std::get<charge>(std::move(read));
  const auto named = desk::named(asked, wanted.means);
  if (const auto* fault = std::get_if<std::string>(&named))
    return just(refuse(400, "bad_request", *fault));
  const key_name key{protocol::plain, asked.account, wanted.key};
  const auto entered = at.book().enter(key, request_of(asked), [&] {
    return at.choose(std::get<0>(named), wanted.amount.amount_minor);
  });
  if (auto fault = fault_of(entered))
    return just(*fault);
  const auto by = entered.rule;
  wanted.rule = by;
  const auto move = [&]() -> desk::moved {
    std::vector<event> events;
    const auto opened = at.book().open(key, wanted);
    const auto now = at.settle(opened.id, by, asked.at, events);
    return {write(200, render(now, asked.base)), std::move(events)};
  };
  return at.run(key, by, move, trouble);
}

delivery void_it(desk& at, const call& asked, const json& body) {
  const auto payment = text_at(body, {"paymentId"});
  if (payment.empty())
    return just(refuse(400, "bad_request", "paymentId is needed."));
  const auto voided = at.book().void_payment(protocol::plain, asked.account, payment, asked.at);
  if (!voided)
    return just(write(200, {{"status", "VOIDED"}, {"paymentId", payment}}));
  auto made = just(write(200, render(voided->now, asked.base)));
  if (voided->changed)
    made.after_answer = notices_of({event_kind::charge_voided, voided->now, {}, asked.at});
  return made;
}

delivery refund_it(desk& at, const call& asked, const json& body) {
  const auto of = at.book().find(protocol::plain, asked.account, text_at(body, {"chargeId"}));
  const auto sent = asked.header("idempotency-key");
  const auto amount = minor_amount(body);
  if (sent.empty() || amount <= 0)
    return just(refuse(400, "bad_request", "An Idempotency-Key and an amount are needed."));
  if (!of)
    return just(refuse(404, "not_found", "There is no such charge."));
  const key_name key{protocol::plain, asked.account, sent};
  const auto entered =
      at.book().enter(key, request_of(asked), [&] { return at.choose_refund(asked.rule, *of); });
  if (auto fault = fault_of(entered))
    return just(*fault);
  const auto move = [&]() -> desk::moved {
    refund wanted{.id = new_id("re_"),
                  .by = protocol::plain,
                  .account = asked.account,
                  .charge_id = of->id,
                  .refund_id = text_at(body, {"refundId"}),
                  .key = sent,
                  .amount = {amount, of->amount.currency},
                  .created_ms = asked.at};
    std::vector<event> events;
    const auto back = at.give_back(key, std::move(wanted), entered.rule, events);
    return {write(200, render(back.now)), std::move(events)};
  };
  return at.run(key, entered.rule, move, trouble);
}

delivery look(desk& at, const call& asked) {
  if (const auto id = between(asked.path, "/v1/charges/")) {
    if (const auto known = at.book().find(protocol::plain, asked.account, *id))
      return just(write(200, render(*known, asked.base)));
  }
  if (const auto id = between(asked.path, "/v1/refunds/")) {
    if (const auto known = at.book().find_refund(protocol::plain, asked.account, *id))
      return just(write(200, render(*known)));
  }
  return just(refuse(404, "not_found", "There is nothing of that kind."));
}

std::string_view type_of(event_kind kind) {
  switch (kind) {
  case event_kind::charge_approved:
    return "charge.approved";
  case event_kind::charge_declined:
    return "charge.declined";
  case event_kind::charge_voided:
    return "charge.voided";
  case event_kind::refund_done:
    return "refund.done";
  case event_kind::refund_refused:
    return "refund.refused";
  default:
    return {};
  }
}

} // namespace

delivery answer_plain(desk& at, const protocol_settings& with, call asked) {
  asked.account = bearer_of(asked);
  if (!with.plain_key.empty() && asked.account != with.plain_key)
    return just(trouble(401));
  if (asked.method == "GET")
    return look(at, asked);
  const auto body = read_object(asked.body);
  if (asked.method != "POST")
    return just(refuse(405, "method_not_allowed", "GET and POST are what there is."));
  if (!body)
    return just(refuse(400, "bad_request", "The body is no JSON object."));
  if (asked.path == "/v1/charges")
    return charge_it(at, asked, *body);
  if (asked.path == "/v1/charges/void")
    return void_it(at, asked, *body);
  if (asked.path == "/v1/refunds")
    return refund_it(at, asked, *body);
  return just(refuse(404, "not_found", "There is no such address."));
}

std::vector<message> plain_messages(const event& what) {
  const auto type = type_of(what.kind);
  if (type.empty())
    return {};
  ordered_json data{{"id", what.of.id},
                    {"orderId", what.of.order_id},
                    {"paymentId", what.of.payment_id},
                    {"amount", what.of.amount.amount_minor},
                    {"currency", what.of.amount.currency}};
  auto reason = what.of.reason;
  if (!what.back.id.empty()) {
    data["refundId"] = what.back.refund_id;
    data["amount"] = what.back.amount.amount_minor;
    reason = what.back.reason;
  }
  if (!reason.empty())
    data["reason"] = reason;
  const ordered_json body{
      {"type", type}, {"timestamp", write_time(what.at, true)}, {"data", std::move(data)}};
  return {{std::string{type}, new_id("msg_"), body.dump()}};
}

} // namespace usher::sandbox

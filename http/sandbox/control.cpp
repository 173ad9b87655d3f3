#include "http/sandbox/control.hpp"

#include "http/sandbox/json.hpp"
#include "http/sandbox/protocols.hpp"

namespace usher::sandbox {

namespace {

constexpr std::string_view overview =
    R"(Usher's sandbox gateway: payment providers that take no money.

/plain  /stripe  /mercado-pago  /paypal   base URLs of the providers
GET  /ledger[?orderId=ORDER]              who was charged, what was paid back
POST /control/next {"rules": [RULE...]}   for the next payments, one each
POST /control/default {"rule": RULE}      for all others; approve is how it begins
POST /control/charges/ID/approve          of a pending one; or decline
POST /control/refunds/ID/approve          of a pending one; or decline
GET  /control/webhooks                    what was delivered or given up
POST /control/webhooks {"url": URL}       where to send them; "" for none
POST /control/reset                       forgets everything but that

Rules: )";

answer refuse(unsigned status, const std::string& why) {
  return write(status, {{"error", why}});
}

ordered_json render(const charge& known) {
  return {{"protocol", to_string(known.by)},
          {"id", known.id},
          {"orderId", known.order_id},
          {"paymentId", known.payment_id},
          {"key", known.key},
          {"amount", known.amount.amount_minor},
          {"currency", known.amount.currency},
          {"status", to_string(known.status)},
          {"reason", known.reason},
          {"captureId", known.capture_id},
          {"rule", to_text(known.rule)},
          {"refunded", known.refunded},
          {"calls", known.calls}};
}

ordered_json render(const refund& known) {
  return {{"protocol", to_string(known.by)},
          {"id", known.id},
          {"chargeId", known.charge_id},
          {"refundId", known.refund_id},
          {"key", known.key},
          {"amount", known.amount.amount_minor},
          {"currency", known.amount.currency},
          {"status", to_string(known.status)},
          {"reason", known.reason},
          {"calls", known.calls}};
}

answer tell_ledger(desk& at, const call& asked) {
  const auto order = asked.query.find("orderId");
  const auto seen = at.book().look(order == asked.query.end() ? "" : order->second);
  ordered_json charges = ordered_json::array();
  for (const auto& each : seen.charges)
    charges.push_back(render(each));
  ordered_json refunds = ordered_json::array();
  for (const auto& each : seen.refunds)
    refunds.push_back(render(each));
  return write(200, {{"charges", std::move(charges)},
                     {"refunds", std::move(refunds)},
                     {"totals",
                      {{"charged", seen.charged},
                       {"refunded", seen.refunded},
                       {"kept", seen.charged - seen.refunded}}}});
}

answer tell_webhooks(desk& at) {
  ordered_json all = ordered_json::array();
  for (const auto& each : at.office().list())
    all.push_back({{"protocol", to_string(each.by)},
                   {"type", each.type},
                   {"id", each.event_id},
                   {"forged", each.forged},
                   {"tries", each.tries},
                   {"status", each.status},
                   {"trouble", each.trouble},
                   {"givenUp", each.given_up}});
  return write(200, {{"webhooks", std::move(all)}});
}

std::string no_rule(const std::string& text) {
  return "'" + text + "' is no rule; the rules are: " + rule_names();
}

answer queue_rules(desk& at, const json& body) {
  const auto& list = sandbox::at(body, {"rules"});
  if (!list.is_array())
    return refuse(400, "rules: expected a list of rules");
  std::vector<fault> next;
  for (const auto& each : list) {
    const auto text = each.is_string() ? each.get<std::string>() : each.dump();
    const auto read = read_fault(text);
    if (!read)
      return refuse(400, no_rule(text));
    next.push_back(*read);
  }
  if (!at.queue_rules(next))
    return refuse(409, "more than " + std::to_string(desk::queued_rules_max) + " rules");
  return write(200, {{"queued", next.size()}});
}

answer set_default(desk& at, const json& body) {
  const auto text = text_at(body, {"rule"});
  const auto read = read_fault(text);
  if (!read)
    return refuse(400, no_rule(text));
  at.set_default(*read);
  return write(200, {{"rule", to_text(*read)}});
}

answer set_webhooks(desk& at, const json& body) {
  const auto& url = sandbox::at(body, {"url"});
  if (!url.is_string())
    return refuse(400, "url: expected a text");
  const auto text = url.get<std::string>();
  if (text.empty()) {
    at.office().set_target(std::nullopt);
    return write(200, {{"url", ""}});
  }
  auto read = read_webhook_target(text);
  if (const auto* why = std::get_if<std::string>(&read))
    return refuse(400, "url: " + *why);
  at.office().set_target(std::get<webhook_target>(std::move(read)));
  return write(200, {{"url", text}});
}

template <class What>
answer tell_resolved(const std::optional<What>& done, bool known) {
  if (done)
    return write(200, render(*done));
  return known ? refuse(409, "it is not pending") : refuse(404, "there is nothing of that id");
}

/// `/charges/ID/approve` and its like; nothing if the path is another one.
std::optional<answer> resolve(desk& at, std::string_view path, time_ms now) {
  for (const bool approve : {true, false}) {
    const auto* const verb = approve ? "/approve" : "/decline";
    if (const auto id = between(path, "/control/charges/", verb)) {
      const auto done = at.resolve_charge(*id, approve, now);
      return tell_resolved(done, at.book().find_any(*id).has_value());
    }
    if (const auto id = between(path, "/control/refunds/", verb)) {
      const auto done = at.resolve_refund(*id, approve, now);
      return tell_resolved(done, at.book().find_any_refund(*id).has_value());
    }
  }
  return std::nullopt;
}

answer html(unsigned status, const std::string& inside) {
  return {status,
          "<!doctype html><meta charset=\"utf-8\"><title>Sandbox payment</title>" + inside + "\n",
          "text/html; charset=utf-8"};
}

/// The page on which the payer agrees. Everything in it is the gateway's own text.
answer payer_page(desk& at, const std::string& id) {
  const auto known = at.book().find_any(id);
  if (!known)
    return html(404, "<p>There is no such payment.");
  if (known->payer_agreed && known->status == charge_status::created)
    return html(200, "<p>You have agreed to this payment. You may close this page.");
  if (known->status != charge_status::pending)
    return html(200, "<p>This payment is " + std::string{to_string(known->status)} +
                         ". You may close this page.");
  const auto form = [&](const std::string& verb) {
    return "<form method=\"post\" action=\"/pay/" + known->id + "/" + verb + "\"><button>" + verb +
           "</button></form>";
  };
  return html(200, "<p>Pay " + decimal_of(known->amount) + " " + known->amount.currency + "?" +
                       form("approve") + form("decline"));
}

std::optional<answer> answer_payer(desk& at, const call& asked) {
  for (const bool approve : {true, false})
    if (const auto id = between(asked.path, "/pay/", approve ? "/approve" : "/decline");
        id && asked.method == "POST") {
      at.resolve_charge(*id, approve, asked.at);
      return payer_page(at, *id);
    }
  if (const auto id = between(asked.path, "/pay/"); id && asked.method == "GET")
    return payer_page(at, *id);
  return std::nullopt;
}

answer look(desk& at, const call& asked) {
  if (asked.path == "/ledger")
    return tell_ledger(at, asked);
  if (asked.path == "/control/webhooks")
    return tell_webhooks(at);
  if (asked.path == "/")
    return {200, std::string{overview} + rule_names() + "\n", "text/plain; charset=utf-8"};
  return refuse(404, "there is no such address; GET / lists them");
}

} // namespace

delivery answer_control(desk& at, const call& asked) {
  if (auto paid = answer_payer(at, asked))
    return just(std::move(*paid));
  if (asked.method == "GET")
    return just(look(at, asked));
  if (asked.method != "POST")
    return just(refuse(405, "GET and POST are what there is"));
  if (asked.path == "/control/reset") {
    at.reset();
    return just(write(200, ordered_json::object()));
  }
  if (auto resolved = resolve(at, asked.path, asked.at))
    return just(std::move(*resolved));
  const auto body = read_object(asked.body);
  if (!body)
    return just(refuse(400, "the body is no JSON object"));
  if (asked.path == "/control/next")
    return just(queue_rules(at, *body));
  if (asked.path == "/control/default")
    return just(set_default(at, *body));
  if (asked.path == "/control/webhooks")
    return just(set_webhooks(at, *body));
  return just(refuse(404, "there is no such address; GET / lists them"));
}

} // namespace usher::sandbox

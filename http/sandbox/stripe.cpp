#include "http/sandbox/form.hpp"
#include "http/sandbox/protocols.hpp"
#include "http/sandbox/stripe_objects.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace usher::sandbox {

namespace {

using form = std::map<std::string, std::string>;

std::string value_of(const form& from, const std::string& name) {
  const auto found = from.find(name);
  return found == from.end() ? std::string{} : found->second;
}

std::int64_t amount_of(const form& from) {
  constexpr std::int64_t most = 1'000'000'000'000'000;
  const auto text = value_of(from, "amount");
  std::int64_t amount = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
  const bool good = error == std::errc{} && end == text.data() + text.size() && amount <= most;
  return good ? amount : 0;
}

/// Why the call of that key goes no further, if so.
std::optional<answer> fault_of(const ledger::entered& key) {
  using enum ledger::entered::state;
  if (key.is == other_request)
    return stripe_error(400, "idempotency_error", "",
                        "Keys for idempotent requests can only be used with the same parameters "
                        "they were first used with.");
  if (key.is == full)
    return stripe_error(503, "api_error", "", "The ledger is full: POST /control/reset");
  return std::nullopt;
}

answer not_found(const std::string& what, const std::string& id) {
  return stripe_error(404, "invalid_request_error", "resource_missing",
                      "No such " + what + ": '" + id + "'");
}

/// What the caller hears of an intent that it has asked to be charged.
answer tell_charged(const charge& now, const std::string& base) {
  if (now.status == charge_status::declined)
    return stripe_card_error(now, base);
  return write(200, stripe_intent(now, base));
}

std::variant<charge, answer> read_intent(const call& asked, const form& sent) {
  auto currency = value_of(sent, "currency");
  std::transform(currency.begin(), currency.end(), currency.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  charge wanted{.id = new_id("pi_"),
                .by = protocol::stripe,
                .account = asked.account,
                .order_id = value_of(sent, "metadata[usher_order]"),
                .payment_id = value_of(sent, "metadata[usher_payment]"),
                .key = asked.header("idempotency-key"),
                .amount = {amount_of(sent), currency},
                .means = value_of(sent, "payment_method"),
                .capture_id = new_id("ch_"),
                .created_ms = asked.at};
  if (wanted.amount.amount_minor <= 0)
    return stripe_error(400, "invalid_request_error", "parameter_invalid_integer",
                        "Invalid positive integer: amount");
  if (!minor_digits(currency))
    return stripe_error(400, "invalid_request_error", "", "Invalid currency: " + currency);
  return wanted;
}

delivery create(desk& at, const call& asked) {
  const auto sent = read_form(asked.body);
  auto read = read_intent(asked, sent);
  if (auto* fault = std::get_if<answer>(&read))
    return just(*fault);
  auto wanted = std::get<charge>(std::move(read));
  const auto named = desk::named(asked, wanted.means);
  if (const auto* fault = std::get_if<std::string>(&named))
    return just(stripe_error(400, "invalid_request_error", "", *fault));
  const auto key = key_of(protocol::stripe, asked, wanted.key);
  const auto entered = at.book().enter(key, request_of(asked), [&] {
    return at.choose(std::get<0>(named), wanted.amount.amount_minor);
  });
  if (auto fault = fault_of(entered))
    return just(*fault);
  wanted.rule = entered.rule;
  if (value_of(sent, "confirm") != "true") {
    auto made = at.book().open(key, wanted);
    made.status = charge_status::created; // a key is answered as it was the first time
    return just(write(200, stripe_intent(made, asked.base)));
  }
  const auto move = [&]() -> desk::moved {
    std::vector<event> events;
    const auto opened = at.book().open(key, wanted);
    const auto now = at.settle(opened.id, entered.rule, asked.at, events);
    return {tell_charged(now, asked.base), std::move(events)};
  };
  return at.run(key, entered.rule, move, stripe_trouble);
}

delivery confirm(desk& at, const call& asked, const std::string& id) {
  const auto known = at.book().find(protocol::stripe, asked.account, id);
  if (!known)
    return just(not_found("payment_intent", id));
  const auto means = value_of(read_form(asked.body), "payment_method");
  const auto named = desk::named(asked, means);
  if (const auto* fault = std::get_if<std::string>(&named))
    return just(stripe_error(400, "invalid_request_error", "", *fault));
  const auto key = key_of(protocol::stripe, asked, asked.header("idempotency-key"));
  const auto entered = at.book().enter(
      key, request_of(asked), [&] { return desk::choose_later(std::get<0>(named), *known); });
  if (auto fault = fault_of(entered))
    return just(*fault);
  if (known->means.empty() && means.empty())
    return just(stripe_error(400, "invalid_request_error", "payment_intent_unexpected_state",
                             "This PaymentIntent has no payment method."));
  const bool over =
      known->status == charge_status::approved || known->status == charge_status::voided;
  if (over && entered.subject.empty())
    return just(stripe_unexpected_state(*known, asked.base, "confirm"));
  const auto move = [&]() -> desk::moved {
    std::vector<event> events;
    at.book().bind(key, id);
    return {tell_charged(at.settle(id, entered.rule, asked.at, events), asked.base),
            std::move(events)};
  };
  return at.run(key, entered.rule, move, stripe_trouble);
}

delivery cancel(desk& at, const call& asked, const std::string& id) {
  if (!at.book().find(protocol::stripe, asked.account, id))
    return just(not_found("payment_intent", id));
  const auto key = key_of(protocol::stripe, asked, asked.header("idempotency-key"));
  const auto entered = at.book().enter(key, request_of(asked), [] { return fault{}; });
  if (auto fault = fault_of(entered))
    return just(*fault);
  const auto voided = at.book().settle(id, charge_status::voided, "", asked.at);
  const bool again = voided.now.status == charge_status::voided && !entered.subject.empty();
  if (!voided.changed && !again)
    return just(stripe_unexpected_state(voided.now, asked.base, "cancel"));
  at.book().bind(key, id);
  auto made = just(write(200, stripe_intent(voided.now, asked.base)));
  if (voided.changed)
    made.after_answer = notices_of({event_kind::charge_voided, voided.now, {}, asked.at});
  return made;
}

answer tell_refund(const ledger::paid_back& back) {
  if (back.now.reason == "not_charged")
    return stripe_error(400, "invalid_request_error", "",
                        "This PaymentIntent does not have a successful charge to refund.");
  if (back.now.reason != "amount_exceeded")
    return write(200, stripe_refund(back.now, back.of));
  if (back.of.refunded == back.of.amount.amount_minor)
    return stripe_error(400, "invalid_request_error", "charge_already_refunded",
                        "Charge " + back.of.capture_id + " has already been refunded.");
  return stripe_error(400, "invalid_request_error", "",
                      "Refund amount is greater than unrefunded amount on charge");
}

delivery refund_it(desk& at, const call& asked) {
  const auto sent = read_form(asked.body);
  const auto intent = value_of(sent, "payment_intent");
  const auto of = at.book().find(protocol::stripe, asked.account, intent);
  if (!of)
    return just(not_found("payment_intent", intent));
  const auto left = of->left();
  const auto amount = sent.contains("amount") ? amount_of(sent) : std::max<std::int64_t>(left, 1);
  if (amount <= 0)
    return just(stripe_error(400, "invalid_request_error", "parameter_invalid_integer",
                             "Invalid positive integer: amount"));
  const auto key = key_of(protocol::stripe, asked, asked.header("idempotency-key"));
  const auto entered =
      at.book().enter(key, request_of(asked), [&] { return at.choose_refund(asked.rule, *of); });
  if (auto fault = fault_of(entered))
    return just(*fault);
  const auto move = [&]() -> desk::moved {
    refund wanted{.id = new_id("re_"),
                  .by = protocol::stripe,
                  .account = asked.account,
                  .charge_id = of->id,
                  .refund_id = value_of(sent, "metadata[usher_refund]"),
                  .key = key.key,
                  .amount = {amount, of->amount.currency},
                  .created_ms = asked.at};
    std::vector<event> events;
    const auto back = at.give_back(key, std::move(wanted), entered.rule, events);
    return {tell_refund(back), std::move(events)};
  };
  return at.run(key, entered.rule, move, stripe_trouble);
}

delivery look(desk& at, const call& asked) {
  if (const auto id = between(asked.path, "/v1/payment_intents/")) {
    if (const auto known = at.book().find(protocol::stripe, asked.account, *id))
      return just(write(200, stripe_intent(*known, asked.base)));
    return just(not_found("payment_intent", *id));
  }
  if (const auto id = between(asked.path, "/v1/refunds/")) {
    const auto known = at.book().find_refund(protocol::stripe, asked.account, *id);
    const auto of = known ? at.book().find_any(known->charge_id) : std::nullopt;
    return just(of ? write(200, stripe_refund(*known, *of)) : not_found("refund", *id));
  }
  return just(stripe_error(404, "invalid_request_error", "", "Unrecognized request URL"));
}

} // namespace

delivery answer_stripe(desk& at, const protocol_settings&, call asked) {
  asked.account = bearer_of(asked);
  if (asked.account.empty())
    asked.account = basic_user_of(asked);
  if (asked.account.empty())
    return just(stripe_trouble(401));
  if (asked.method != "POST")
    return look(at, asked);
  if (asked.path == "/v1/payment_intents")
    return create(at, asked);
  if (asked.path == "/v1/refunds")
    return refund_it(at, asked);
  if (const auto id = between(asked.path, "/v1/payment_intents/", "/confirm"))
    return confirm(at, asked, *id);
  if (const auto id = between(asked.path, "/v1/payment_intents/", "/cancel"))
    return cancel(at, asked, *id);
  return just(stripe_error(404, "invalid_request_error", "", "Unrecognized request URL"));
}

} // namespace usher::sandbox

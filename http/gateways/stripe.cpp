#include "http/gateways/stripe.hpp"

#include "http/gateways/news.hpp"
#include "http/gateways/outcomes.hpp"
#include "http/gateways/requests.hpp"
#include "http/gateways/signature_stripe.hpp"
#include "http/gateways/stripe_amount.hpp"
#include "http/gateways/stripe_answers.hpp"
#include "http/gateways/text.hpp"

namespace usher::gateways {

namespace {

using payments::webhook_reading;

constexpr std::string_view intents = "/v1/payment_intents";

std::string intent_target(const std::string& id, std::string_view action = {}) {
  return std::string{intents}.append("/").append(percent_encoded(id)).append(action);
}

client::request create_request(const attempt& what, std::int64_t amount) {
  const auto digits = std::to_string(amount);
  const auto currency = lower(what.amount.currency);
  std::vector<std::pair<std::string_view, std::string_view>> fields{
      {"amount", digits}, {"currency", currency}, {"payment_method_types[]", "card"}};
  if (!what.token.empty())
    fields.emplace_back("payment_method", what.token);
  fields.emplace_back("metadata[usher_order]", what.order);
  fields.emplace_back("metadata[usher_payment]", what.payment);
  return with(post_form(std::string{intents}, form(fields)), "Idempotency-Key", what.payment);
}

/// How it stands, whatever that is.
result judge_look(const client::outcome& outcome, const std::string& id) {
  const stripe_answer got{outcome};
  if (!got.good())
    return not_told(outcome, id, got.code());
  const auto read = read_intent(got.body);
  return read ? *read : unknown(id, got.status());
}

charge_step look_once(const std::string& id) {
  return {get(intent_target(id)),
          [id](const client::outcome& outcome) -> charge_step { return judge_look(outcome, id); }};
}

result judge_confirm(const stripe_answer& got, const attempt& what, const std::string& id) {
  if (got.failure != nullptr)
    return not_reached(*got.failure, what.again, id);
  if (got.good()) {
    const auto read = read_intent(got.body);
    return read ? *read : unknown(id, status_reason(*got.answer, got.status()));
  }
  if (got.blames_the_card())
    return declined(id, got.code());
  return by_status(*got.answer, what.again, id, got.code());
}

charge_step confirm(const attempt& what, const std::string& id, const std::string& return_url) {
  const auto body = return_url.empty() ? std::string{} : form({{"return_url", return_url}});
  return {
      with(post_form(intent_target(id, "/confirm"), body), "Idempotency-Key",
           what.payment + "-confirm"),
      [what, id](const client::outcome& outcome) -> charge_step {
        const stripe_answer got{outcome};
        // It is past being confirmed: by us, when we did not hear of it.
        if (got.answer != nullptr && got.answer->status == 400 &&
            (got.code() == "payment_intent_unexpected_state" || got.code() == "idempotency_error"))
          return look_once(id);
        return judge_confirm(got, what, id);
      }};
}

/// How it stands, and on from there.
charge_step look(const attempt& what, const std::string& id, const std::string& return_url) {
  return {get(intent_target(id)),
          [what, id, return_url](const client::outcome& outcome) -> charge_step {
            const stripe_answer got{outcome};
            if (got.good() && got.status() == "requires_confirmation")
              return confirm(what, id, return_url);
            return judge_look(outcome, id);
          }};
}

/// Creating charges nothing, and neither does it when it arrives late. So what goes wrong here is
/// `failed`, unless an earlier call came further.
result judge_failed_create(const stripe_answer& got, const attempt& what) {
  if (got.failure != nullptr)
    return got.failure->kind == client::fault::not_sent ? not_reached(*got.failure, what.again)
                                                        : refused(what.again, {}, got.failure->why);
  if (!what.again && got.blames_the_card())
    return declined({}, got.code());
  if (got.answer->status == 409) // the same key is being worked on: not by this call
    return unknown({}, status_reason(*got.answer, got.code()));
  return refused(what.again, {}, status_reason(*got.answer, got.code()));
}

charge_step cancel(const std::string& id) {
  return {post_form(intent_target(id, "/cancel"), {}),
          [id](const client::outcome& outcome) -> charge_step {
            const stripe_answer got{outcome};
            if (got.failure != nullptr)
              return not_reached(*got.failure, false, id);
            if (got.good())
              if (const auto read = read_intent(got.body))
                return *read;
            if (got.answer->status == 400) // it went on in the meantime
              return look_once(id);
            return unknown(id, status_reason(*got.answer, got.code()));
          }};
}

/// Looks first: an intent that has charged cannot be cancelled, and one that is, is.
charge_step void_from(const std::string& id) {
  return {get(intent_target(id)), [id](const client::outcome& outcome) -> charge_step {
            const stripe_answer got{outcome};
            if (got.failure != nullptr)
              return not_reached(*got.failure, false, id);
            if (!got.good())
              return not_told(outcome, id, got.code());
            if (got.status() == "succeeded" || got.status() == "canceled")
              return *read_intent(got.body);
            return cancel(id);
          }};
}

/// Whether there ever was an intent is known only by making it.
charge_step judge_create_of_void(const client::outcome& outcome) {
  const stripe_answer got{outcome};
  if (got.failure != nullptr)
    return not_reached(*got.failure, false);
  if (got.good())
    return void_from(got.id());
  if (got.blames_the_card())
    return declined({}, got.code());
  const auto status = got.answer->status;
  if ((status == 400 || status == 404) && got.code() != "idempotency_error")
    return failed({}, status_reason(*got.answer, got.code()));
  return unknown({}, status_reason(*got.answer, got.code()));
}

result judge_refund(const client::outcome& outcome, const refunding& what) {
  const stripe_answer got{outcome};
  const bool again = what.again || !what.refund_reference.empty();
  if (got.failure != nullptr)
    return not_reached(*got.failure, again, what.refund_reference);
  if (got.good())
    if (auto read = read_stripe_refund(got.body))
      return std::move(*read);
  const auto code = got.code();
  if (code == "charge_already_refunded" || code == "charge_disputed" ||
      (got.answer->status == 400 && text_at(got.body, "/error/param") == "amount"))
    return declined(what.refund_reference, code);
  return refund_by_status(*got.answer, again || code == "idempotency_error", what.refund_reference,
                          code);
}

std::optional<payments::outcome> outcome_of_event(std::string_view type) {
  using payments::outcome;
  if (type == "payment_intent.succeeded")
    return outcome::approved;
  if (type == "payment_intent.payment_failed")
    return outcome::declined;
  if (type == "payment_intent.canceled")
    return outcome::failed;
  if (type == "payment_intent.processing" || type == "payment_intent.requires_action")
    return outcome::unknown;
  return std::nullopt;
}

std::string reason_of_event(const json& intent, payments::outcome what) {
  using payments::outcome;
  if (what == outcome::approved)
    return {};
  if (what == outcome::unknown)
    return pending({}, text_at(intent, "/status")).reason;
  for (const auto* name : {"/last_payment_error/decline_code", "/last_payment_error/code",
                           "/cancellation_reason", "/status"})
    if (auto text = text_at(intent, name); !text.empty())
      return text;
  return {};
}

webhook_reading read_event(std::string_view body, const std::string& gateway) {
  const auto event = read_object(body);
  const auto what = event ? outcome_of_event(text_at(*event, "/type")) : std::nullopt;
  const auto* intent = what ? find_at(*event, "/data/object") : nullptr;
  if (intent == nullptr)
    return payments::not_for_us{};
  payments::report news{.gateway = gateway, .what = *what};
  const auto* metadata = find_at(*intent, "/metadata");
  if (metadata == nullptr || !read_metadata(*metadata, news))
    return payments::not_for_us{};
  news.reference = text_at(*intent, "/id");
  const bool came =
      news.what == payments::outcome::approved && find_at(*intent, "/amount_received") != nullptr;
  news.amount = from_stripe_amount(text_at(*intent, came ? "/amount_received" : "/amount"),
                                   upper(text_at(*intent, "/currency")));
  news.reason = reason_of_event(*intent, news.what);
  return news;
}

} // namespace

charge_step stripe::charge(const attempt& what) const {
  if (!what.reference.empty()) {
    auto known = what;
    known.again = true;
    return look(known, what.reference, return_url_);
  }
  const auto amount = stripe_amount(what.amount);
  if (!amount)
    return declined({}, "amount-not-representable");
  if (what.token.empty())
    return declined({}, "payment-method-missing");
  return {create_request(what, *amount),
          [what, return_url = return_url_](const client::outcome& outcome) -> charge_step {
            const stripe_answer got{outcome};
            if (!got.good())
              return judge_failed_create(got, what);
            // The answer to a key that was used is the first one: it tells of then, not of now.
            if (what.again || got.answer->header_of("idempotent-replayed") == "true") {
              auto known = what;
              known.again = true;
              return look(known, got.id(), return_url);
            }
            if (got.status() == "requires_confirmation")
              return confirm(what, got.id(), return_url);
            const auto read = read_intent(got.body);
            return read ? *read : unknown(got.id(), got.status());
          }};
}

charge_step stripe::void_charge(const attempt& what) const {
  if (!what.reference.empty())
    return void_from(what.reference);
  const auto amount = stripe_amount(what.amount);
  if (!amount)
    return failed({}, "amount-not-representable");
  return {create_request(what, *amount), judge_create_of_void};
}

charge_step stripe::refund(const refunding& what) const {
  if (!what.refund_reference.empty())
    return {get("/v1/refunds/" + percent_encoded(what.refund_reference)),
            [what](const client::outcome& got) { return judge_refund(got, what); }};
  const auto amount = stripe_amount(what.amount);
  if (!amount)
    return declined({}, "amount-not-representable");
  const auto digits = std::to_string(*amount);
  return {with(post_form("/v1/refunds", form({{"payment_intent", what.payment_reference},
                                              {"amount", digits},
                                              {"metadata[usher_refund]", what.refund}})),
               "Idempotency-Key", what.key),
          [what](const client::outcome& got) { return judge_refund(got, what); }};
}

webhook_step stripe::read_webhook(const payments::webhook& got) const {
  const auto judged =
      check_stripe(got.header("stripe-signature"), got.body, webhook_secrets_, got.now);
  if (judged != signature::good)
    return webhook_reading{payments::not_believed{std::string{to_string(judged)}}};
  return read_event(got.body, gateway_);
}

std::vector<client::header> stripe::headers() const {
  return {{"Authorization", "Bearer " + secret_key_}, {"Stripe-Version", "2024-06-20"}};
}

} // namespace usher::gateways

#include "http/sandbox/stripe_objects.hpp"

#include "http/sandbox/events.hpp"
#include "http/sandbox/protocols.hpp"

#include <cctype>

namespace usher::sandbox {

namespace {

std::string lower(std::string text) {
  for (auto& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json{} : ordered_json(text);
}

std::string_view status_of(const charge& known) {
  switch (known.status) {
  case charge_status::created:
    return known.means.empty() ? "requires_payment_method" : "requires_confirmation";
  case charge_status::pending:
    return "requires_action";
  case charge_status::approved:
    return "succeeded";
  case charge_status::declined:
    return "requires_payment_method";
  case charge_status::voided:
    return "canceled";
  }
  return {};
}

std::string_view status_of(refund_status status) {
  switch (status) {
  case refund_status::pending:
    return "pending";
  case refund_status::done:
    return "succeeded";
  case refund_status::refused:
    return "failed";
  }
  return {};
}

ordered_json metadata_of(const charge& known) {
  return {{"usher_order", known.order_id}, {"usher_payment", known.payment_id}};
}

ordered_json payment_error(const charge& known) {
  if (known.reason == "authentication_failed")
    return {{"type", "card_error"},
            {"code", "payment_intent_authentication_failure"},
            {"message", "The payer did not authenticate the payment."}};
  return {{"type", "card_error"},
          {"code", "card_declined"},
          {"decline_code", "generic_decline"},
          {"message", "Your card was declined."}};
}

ordered_json charge_object(const charge& known) {
  return {{"id", known.capture_id},
          {"object", "charge"},
          {"amount", known.amount.amount_minor},
          {"amount_captured", known.amount.amount_minor},
          {"amount_refunded", known.refunded},
          {"currency", lower(known.amount.currency)},
          {"captured", true},
          {"paid", true},
          {"refunded", known.refunded == known.amount.amount_minor},
          {"payment_intent", known.id},
          {"metadata", metadata_of(known)},
          {"status", "succeeded"}};
}

message envelope(std::string_view type, const event& what, ordered_json object) {
  const auto id = new_id("evt_");
  const ordered_json body{{"id", id},
                          {"object", "event"},
                          {"api_version", "2024-06-20"},
                          {"created", what.at / 1000},
                          {"data", {{"object", std::move(object)}}},
                          {"livemode", false},
                          {"pending_webhooks", 1},
                          {"request", {{"id", nullptr}, {"idempotency_key", what.of.key}}},
                          {"type", type}};
  return {std::string{type}, id, body.dump(2)}; // Stripe's bodies have line breaks
}

std::string_view intent_event(event_kind kind) {
  switch (kind) {
  case event_kind::charge_pending:
    return "payment_intent.requires_action";
  case event_kind::charge_approved:
    return "payment_intent.succeeded";
  case event_kind::charge_declined:
    return "payment_intent.payment_failed";
  case event_kind::charge_voided:
    return "payment_intent.canceled";
  default:
    return {};
  }
}

} // namespace

ordered_json stripe_intent(const charge& known, const std::string& base) {
  const bool tried =
      known.status == charge_status::approved || known.status == charge_status::declined;
  const bool approved = known.status == charge_status::approved;
  ordered_json next_action;
  if (known.status == charge_status::pending)
    next_action = {
        {"type", "redirect_to_url"},
        {"redirect_to_url", {{"return_url", nullptr}, {"url", payer_url(base, known.id)}}}};
  ordered_json made{
      {"id", known.id},
      {"object", "payment_intent"},
      {"amount", known.amount.amount_minor},
      {"amount_received", approved ? known.amount.amount_minor : 0},
      {"canceled_at", nullptr},
      {"capture_method", "automatic"},
      {"client_secret", known.id + "_secret_sandbox"},
      {"confirmation_method", "automatic"},
      {"created", known.created_ms / 1000},
      {"currency", lower(known.amount.currency)},
      {"last_payment_error",
       known.status == charge_status::declined ? payment_error(known) : ordered_json{}},
      {"latest_charge", text_or_null(tried ? known.capture_id : "")},
      {"livemode", false},
      {"metadata", metadata_of(known)},
      {"next_action", std::move(next_action)},
      {"payment_method", text_or_null(known.status == charge_status::declined ? "" : known.means)},
      {"payment_method_types", ordered_json::array({"card"})},
      {"status", status_of(known)}};
  if (known.status == charge_status::voided)
    made["canceled_at"] = known.settled_ms / 1000;
  return made;
}

ordered_json stripe_refund(const refund& known, const charge& of) {
  ordered_json made{{"id", known.id},
                    {"object", "refund"},
                    {"amount", known.amount.amount_minor},
                    {"charge", of.capture_id},
                    {"created", known.created_ms / 1000},
                    {"currency", lower(known.amount.currency)},
                    {"metadata", {{"usher_refund", known.refund_id}}},
                    {"payment_intent", of.id},
                    {"reason", nullptr},
                    {"status", status_of(known.status)}};
  if (known.status == refund_status::refused)
    made["failure_reason"] = "expired_or_canceled_card";
  return made;
}

answer stripe_error(unsigned status, std::string_view type, std::string_view code,
                    const std::string& message) {
  ordered_json error{{"type", type}, {"message", message}};
  if (!code.empty())
    error["code"] = code;
  return write(status, {{"error", std::move(error)}});
}

answer stripe_trouble(unsigned status) {
  switch (status) {
  case 401:
    return stripe_error(401, "invalid_request_error", "", "Invalid API Key provided.");
  case 429:
    return stripe_error(429, "invalid_request_error", "rate_limit", "Too many requests.");
  default:
    return stripe_error(500, "api_error", "", "An unknown error occurred.");
  }
}

answer stripe_card_error(const charge& known, const std::string& base) {
  auto error = payment_error(known);
  error["charge"] = known.capture_id;
  error["payment_intent"] = stripe_intent(known, base);
  return write(402, {{"error", std::move(error)}});
}

answer stripe_unexpected_state(const charge& known, const std::string& base,
                               const std::string& verb) {
  const ordered_json error{{"type", "invalid_request_error"},
                           {"code", "payment_intent_unexpected_state"},
                           {"message", "You cannot " + verb +
                                           " this PaymentIntent because it has a status of " +
                                           std::string{status_of(known)} + "."},
                           {"payment_intent", stripe_intent(known, base)}};
  return write(400, {{"error", error}});
}

std::vector<message> stripe_messages(const event& what) {
  if (const auto type = intent_event(what.kind); !type.empty())
    return {envelope(type, what, stripe_intent(what.of, what.base))};
  if (what.back.id.empty() || what.back.reason == "amount_exceeded" ||
      what.back.reason == "not_charged") // it was refused at once: there is no refund to tell of
    return {};
  std::vector<message> all;
  if (what.kind == event_kind::refund_done)
    all.push_back(envelope("charge.refunded", what, charge_object(what.of)));
  all.push_back(envelope("refund.updated", what, stripe_refund(what.back, what.of)));
  return all;
}

} // namespace usher::sandbox

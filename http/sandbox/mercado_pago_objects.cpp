#include "http/sandbox/mercado_pago_objects.hpp"

#include "http/sandbox/events.hpp"
#include "http/sandbox/protocols.hpp"

#include <cstdint>
#include <utility>

namespace usher::sandbox {

namespace {

/// Ids are numbers in JSON.
std::int64_t number(const std::string& id) {
  return std::stoll(id);
}

struct status_words {
  std::string_view status;
  std::string_view detail;
};

status_words status_of(const charge& known) {
  switch (known.status) {
  case charge_status::created:
  case charge_status::pending:
    return {"pending", "pending_challenge"};
  case charge_status::declined:
    if (known.reason == "authentication_failed")
      return {"rejected", "cc_rejected_3ds_challenge"};
    return {"rejected", "cc_rejected_other_reason"};
  case charge_status::voided:
    return {"cancelled", "by_collector"};
  case charge_status::approved:
    break;
  }
  if (known.refunded == known.amount.amount_minor)
    return {"refunded", "refunded"};
  return {"approved", known.refunded > 0 ? "partially_refunded" : "accredited"};
}

std::string_view status_of(refund_status status) {
  switch (status) {
  case refund_status::pending:
    return "in_process";
  case refund_status::done:
    return "approved";
  case refund_status::refused:
    return "rejected";
  }
  return {};
}

/// Refused refunds are in no list of Mercado Pago's.
ordered_json list_of(const std::vector<refund>& refunds) {
  ordered_json all = ordered_json::array();
  for (const auto& each : refunds)
    if (each.status != refund_status::refused)
      all.push_back(mercado_pago_refund(each));
  return all;
}

} // namespace

ordered_json mercado_pago_payment(const charge& known, const std::vector<refund>& refunds,
                                  const std::string& base) {
  const auto [status, detail] = status_of(known);
  const bool approved = known.status == charge_status::approved;
  ordered_json made{
      {"id", number(known.id)},
      {"date_created", write_time(known.created_ms, true)},
      {"date_approved", approved ? ordered_json(write_time(known.settled_ms, true)) : nullptr},
      {"operation_type", "regular_payment"},
      {"payment_method_id", "visa"},
      {"payment_type_id", "credit_card"},
      {"status", status},
      {"status_detail", detail},
      {"currency_id", known.amount.currency},
      {"live_mode", false},
      {"external_reference", known.payment_id},
      {"metadata", {{"usher_order", known.order_id}, {"usher_payment", known.payment_id}}},
      {"transaction_amount", amount_number(known.amount)},
      {"transaction_amount_refunded", amount_number({known.refunded, known.amount.currency})},
      {"captured", true},
      {"installments", 1},
      {"refunds", list_of(refunds)}};
  if (known.status == charge_status::pending)
    made["three_ds_info"] = {{"external_resource_url", payer_url(base, known.id)},
                             {"creq", "sandbox"}};
  return made;
}

ordered_json mercado_pago_refund(const refund& known) {
  return {{"id", number(known.id)},
          {"payment_id", number(known.charge_id)},
          {"amount", amount_number(known.amount)},
          {"date_created", write_time(known.created_ms, true)},
          {"refund_mode", "standard"},
          {"status", status_of(known.status)}};
}

answer mercado_pago_error(unsigned status, std::string_view error, int cause,
                          const std::string& message) {
  ordered_json causes = ordered_json::array();
  if (cause != 0)
    causes.push_back({{"code", cause}, {"description", message}, {"data", nullptr}});
  return write(
      status,
      {{"message", message}, {"error", error}, {"status", status}, {"cause", std::move(causes)}});
}

answer mercado_pago_trouble(unsigned status) {
  switch (status) {
  case 401:
    return mercado_pago_error(401, "unauthorized", 0, "invalid access token");
  case 429:
    return mercado_pago_error(429, "too_many_requests", 0, "Too many requests");
  default:
    return mercado_pago_error(500, "internal_server_error", 0, "internal_error");
  }
}

std::vector<message> mercado_pago_messages(const event& what) {
  if (what.kind == event_kind::refund_refused && what.back.reason != "failed")
    return {}; // with a 400, which nothing follows
  // The payment's first status comes as `created`, whatever it is.
  const bool first =
      what.back.id.empty() && what.kind != event_kind::charge_voided &&
      (what.kind == event_kind::charge_pending || what.of.rule.what != rule::pending);
  const std::string action = first ? "payment.created" : "payment.updated";
  const auto id = new_number();
  const ordered_json body{{"action", action},
                          {"api_version", "v1"},
                          {"data", {{"id", what.of.id}}},
                          {"date_created", write_time(what.at)},
                          {"id", number(id)},
                          {"live_mode", false},
                          {"type", "payment"},
                          {"user_id", "1234567"}};
  return {{action, id, body.dump(), "?data.id=" + what.of.id + "&type=payment", what.of.id}};
}

} // namespace usher::sandbox

#include "http/gateways/paypal_answers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace usher::gateways {

namespace {

result read_capture(const json& capture, const std::string& order) {
  auto id = text_at(capture, "/id");
  const auto status = text_at(capture, "/status");
  if (status == "COMPLETED" || status == "PARTIALLY_REFUNDED")
    return approved(std::move(id));
  if (status == "DECLINED" || status == "FAILED" || status == "REFUNDED") {
    auto code = text_at(capture, "/processor_response/response_code");
    return declined(order, code.empty() ? status : "processor-" + code);
  }
  if (status == "PENDING")
    return pending(order, text_at(capture, "/status_details/reason"));
  return unknown(order, "unreadable answer");
}

} // namespace

std::string paypal_answer::issue() const {
  for (const auto* name : {"/details/0/issue", "/name", "/error"})
    if (auto text = text_at(body, name); !text.empty())
      return text;
  return {};
}

std::string paypal_answer::link(std::string_view relation) const {
  const auto* links = find_at(body, "/links");
  if (links == nullptr || !links->is_array())
    return {};
  for (const auto& each : *links)
    if (text_at(each, "/rel") == relation)
      return text_at(each, "/href");
  return {};
}

std::string paypal_answer::approval_url() const {
  for (const auto* relation : {"payer-action", "approve", "redirect"})
    if (auto url = link(relation); !url.empty())
      return url;
  return {};
}

bool blames_the_payer(std::string_view issue) {
  constexpr std::array<std::string_view, 16> issues{"INSTRUMENT_DECLINED",
                                                    "TRANSACTION_REFUSED",
                                                    "TRANSACTION_LIMIT_EXCEEDED",
                                                    "PAYER_CANNOT_PAY",
                                                    "PAYER_ACCOUNT_RESTRICTED",
                                                    "PAYER_ACCOUNT_LOCKED_OR_CLOSED",
                                                    "PAYER_COUNTRY_NOT_SUPPORTED",
                                                    "CARD_EXPIRED",
                                                    "CARD_CLOSED",
                                                    "CARD_BRAND_NOT_SUPPORTED",
                                                    "REDIRECT_PAYER_FOR_ALTERNATE_FUNDING",
                                                    "MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED",
                                                    "COMPLIANCE_VIOLATION",
                                                    "TOKEN_ID_NOT_FOUND",
                                                    "AGREEMENT_ALREADY_CANCELLED",
                                                    "INVALID_VAULT_ID"};
  return std::ranges::find(issues, issue) != issues.end();
}

bool refuses_refund_for_good(std::string_view issue) {
  constexpr std::array<std::string_view, 7> issues{"CAPTURE_FULLY_REFUNDED",
                                                   "REFUND_AMOUNT_EXCEEDED",
                                                   "MAX_NUMBER_OF_REFUNDS_EXCEEDED",
                                                   "PARTIAL_REFUND_NOT_ALLOWED",
                                                   "REFUND_TIME_LIMIT_EXCEEDED",
                                                   "REFUND_NOT_ALLOWED",
                                                   "CAPTURE_DISPUTED_PARTIAL_REFUND_NOT_ALLOWED"};
  return std::ranges::find(issues, issue) != issues.end();
}

std::optional<result> read_order(const paypal_answer& order) {
  const auto* captures = find_at(order.body, "/purchase_units/0/payments/captures");
  std::optional<result> best;
  if (captures != nullptr && captures->is_array())
    for (const auto& each : *captures)
      keep_better(best, read_capture(each, order.id()));
  if (best)
    return best;
  const auto status = order.status();
  if (status == "VOIDED")
    return failed(order.id(), "voided");
  if (status == "CREATED" || status == "PAYER_ACTION_REQUIRED" || status == "SAVED")
    return pending(order.id(), "payer action", order.approval_url());
  return std::nullopt;
}

std::optional<result> read_paypal_refund(const json& refund) {
  auto id = text_at(refund, "/id");
  const auto status = text_at(refund, "/status");
  if (status == "COMPLETED")
    return approved(std::move(id));
  if (status == "CANCELLED" || status == "FAILED")
    return declined(std::move(id), status);
  if (status == "PENDING")
    return pending(std::move(id), text_at(refund, "/status_details/reason"));
  return std::nullopt;
}

} // namespace usher::gateways

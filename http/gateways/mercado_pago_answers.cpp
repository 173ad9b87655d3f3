#include "http/gateways/mercado_pago_answers.hpp"

#include "http/gateways/outcomes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace usher::gateways {

namespace {

/// Where a fan goes on: to a bank's check, a code to be scanned, a slip to be paid.
std::string action_url(const json& payment) {
  for (const auto* name :
       {"/three_ds_info/external_resource_url", "/point_of_interaction/transaction_data/ticket_url",
        "/transaction_details/external_resource_url"})
    if (auto url = text_at(payment, name); !url.empty())
      return url;
  return {};
}

bool waits(std::string_view status) {
  return status == "pending" || status == "in_process" || status == "authorized";
}

} // namespace

std::optional<json> good_body(const client::outcome& got) {
  const auto* answer = std::get_if<client::answer>(&got);
  return answer != nullptr && is_success(answer->status) ? read_object(answer->body) : std::nullopt;
}

std::string mercado_pago_code(const client::answer& got) {
  const auto body = read_object(got.body);
  if (!body)
    return {};
  for (const auto* name : {"/cause/0/code", "/cause/code", "/error", "/code"})
    if (auto code = text_at(*body, name); !code.empty())
      return code;
  return {};
}

bool blames_the_fan(const client::answer& got) {
  // Card token not found, not valid or used; the payer's address or document is none.
  constexpr std::array<std::string_view, 9> codes{"2006", "2062", "3003", "2067", "4050",
                                                  "4037", "324",  "3034", "2131"};
  const auto code = mercado_pago_code(got);
  return got.status >= 400 && got.status < 500 && std::ranges::find(codes, code) != codes.end();
}

std::optional<result> read_payment(const json& payment) {
  auto id = text_at(payment, "/id");
  const auto status = text_at(payment, "/status");
  const auto detail = text_at(payment, "/status_detail");
  const auto& reason = detail.empty() ? status : detail;
  if (status == "approved")
    return approved(std::move(id));
  if (status == "rejected")
    return declined(std::move(id), reason);
  // It came and went back, and not by us: an order must not be given for it.
  if (status == "refunded" || status == "charged_back")
    return declined(std::move(id), status);
  if (status == "cancelled")
    return failed(std::move(id), reason);
  if (waits(status) || status == "in_mediation")
    return pending(std::move(id), reason, action_url(payment));
  return std::nullopt;
}

bool can_be_cancelled(const json& payment) {
  return waits(text_at(payment, "/status"));
}

std::vector<json> found_payments(const json& search, std::string_view reference) {
  std::vector<json> found;
  const auto* results = find_at(search, "/results");
  if (results == nullptr || !results->is_array())
    return found;
  for (const auto& each : *results)
    if (text_at(each, "/external_reference") == reference && !text_at(each, "/id").empty())
      found.push_back(each);
  return found;
}

std::optional<result> read_payments(const std::vector<json>& payments) {
  std::optional<result> best;
  for (const auto& each : payments)
    if (auto read = read_payment(each))
      keep_better(best, std::move(*read));
  return best;
}

std::optional<result> read_mercado_pago_refund(const json& refund) {
  auto id = text_at(refund, "/id");
  const auto status = text_at(refund, "/status");
  if (status == "approved")
    return approved(std::move(id));
  if (status == "rejected" || status == "cancelled")
    return declined(std::move(id), status);
  if (waits(status))
    return pending(std::move(id), status);
  return std::nullopt;
}

} // namespace usher::gateways

#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/defaults.hpp"
#include "http/sandbox/desk.hpp"
#include "http/sandbox/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

// The four protocols: each reads a call, has the desk do it and writes the answer as the provider
// would. What they read is as little as they need; what they write has the public shapes.
namespace usher::sandbox {

struct protocol_settings {
  std::string plain_key; ///< empty: whoever calls may
  std::string mercado_pago_currency{defaults::mercado_pago_currency};
  std::string paypal_webhook_id{defaults::paypal_webhook_id};
};

delivery answer_plain(desk& at, const protocol_settings& with, call asked);
delivery answer_stripe(desk& at, const protocol_settings& with, call asked);
delivery answer_mercado_pago(desk& at, const protocol_settings& with, call asked);
delivery answer_paypal(desk& at, const protocol_settings& with, call asked);

// --- what they share ---

[[nodiscard]] inline answer write(unsigned status, const ordered_json& body) {
  return {status, body.dump(-1, ' ', false, ordered_json::error_handler_t::replace)};
}
[[nodiscard]] inline delivery just(answer what) {
  return {.what = std::move(what)};
}

/// The key of a call; one of its own if the caller sent none, and so never the same again.
[[nodiscard]] key_name key_of(protocol by, const call& asked, const std::string& sent);
/// What an idempotency key stands for.
[[nodiscard]] std::string request_of(const call& asked);

/// `KEY` of `Authorization: Bearer KEY`; empty if there is none.
[[nodiscard]] std::string bearer_of(const call& asked);
/// `USER` of `Authorization: Basic`; empty if there is none.
[[nodiscard]] std::string basic_user_of(const call& asked);

/// What stands between the two in the path, if anything does and no slash is in it.
[[nodiscard]] std::optional<std::string> between(std::string_view path, std::string_view before,
                                                 std::string_view after = {});

/// Where a payer goes on.
[[nodiscard]] std::string payer_url(const std::string& base, const std::string& charge_id);

/// `ch_` and 24 letters and digits, at random.
[[nodiscard]] std::string new_id(std::string_view prefix);
/// Eleven digits; not with a zero first.
[[nodiscard]] std::string new_number();
/// Seventeen capital letters and digits.
[[nodiscard]] std::string new_capital_id();

} // namespace usher::sandbox

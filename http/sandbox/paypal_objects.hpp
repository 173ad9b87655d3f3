#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/json.hpp"
#include "http/sandbox/ledger.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// PayPal's objects and errors, its access tokens, and what it says of the signature of a webhook.
namespace usher::sandbox {

[[nodiscard]] ordered_json paypal_order(const charge& known, const std::vector<refund>& refunds,
                                        const std::string& base);
[[nodiscard]] ordered_json paypal_capture(const charge& known, const std::string& base);
[[nodiscard]] ordered_json paypal_refund(const refund& known, const charge& of,
                                         const std::string& base);

[[nodiscard]] answer paypal_error(unsigned status, std::string_view name,
                                  const std::string& message);
/// 422 with one issue.
[[nodiscard]] answer paypal_unprocessable(std::string_view issue, const std::string& description);
[[nodiscard]] answer paypal_not_found();
/// 401, 429, 500.
[[nodiscard]] answer paypal_trouble(unsigned status);

/// A token for whoever has a client id and a secret, whichever they are. It never runs out.
[[nodiscard]] answer paypal_token(const call& asked);
/// The client id of a token that this gateway gave out.
[[nodiscard]] std::optional<std::string> paypal_account_of(std::string_view token);

/// Whether a webhook is genuine: its body has to come as it was sent, byte for byte.
[[nodiscard]] answer paypal_verify(const call& asked, const json& body,
                                   const std::string& webhook_id);

} // namespace usher::sandbox

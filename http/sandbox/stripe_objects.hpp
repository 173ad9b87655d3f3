#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/json.hpp"
#include "http/sandbox/ledger.hpp"

#include <string>
#include <string_view>

// Stripe's objects and errors.
namespace usher::sandbox {

[[nodiscard]] ordered_json stripe_intent(const charge& known, const std::string& base);
[[nodiscard]] ordered_json stripe_refund(const refund& known, const charge& of);

/// An empty code is left out.
[[nodiscard]] answer stripe_error(unsigned status, std::string_view type, std::string_view code,
                                  const std::string& message);
/// 401, 429, 500.
[[nodiscard]] answer stripe_trouble(unsigned status);
/// 402: the card was declined.
[[nodiscard]] answer stripe_card_error(const charge& known, const std::string& base);
[[nodiscard]] answer stripe_unexpected_state(const charge& known, const std::string& base,
                                             const std::string& verb);

} // namespace usher::sandbox

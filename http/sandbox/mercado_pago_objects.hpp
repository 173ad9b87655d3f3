#pragma once

#include "http/sandbox/call.hpp"
#include "http/sandbox/json.hpp"
#include "http/sandbox/ledger.hpp"

#include <string>
#include <string_view>
#include <vector>

// Mercado Pago's objects and errors.
namespace usher::sandbox {

[[nodiscard]] ordered_json mercado_pago_payment(const charge& known,
                                                const std::vector<refund>& refunds,
                                                const std::string& base);
[[nodiscard]] ordered_json mercado_pago_refund(const refund& known);

/// `cause` 0 is left out.
[[nodiscard]] answer mercado_pago_error(unsigned status, std::string_view error, int cause,
                                        const std::string& message);
/// 401, 429, 500.
[[nodiscard]] answer mercado_pago_trouble(unsigned status);

} // namespace usher::sandbox

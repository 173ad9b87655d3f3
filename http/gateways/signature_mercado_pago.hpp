#pragma once

#include "http/gateways/signature.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace usher::gateways {

struct mercado_pago_webhook {
  std::string_view signature;  ///< x-signature: `ts=TIME,v1=HEX`; seconds or milliseconds
  std::string_view request_id; ///< x-request-id; empty: left out of what is signed
  std::string_view data_id;    ///< what it is about
};

/// HMAC-SHA256 of `id:<data.id, lower case>;request-id:<…>;ts:<…>;`. The body is not signed: it
/// names a payment, and nothing else of it may be believed.
[[nodiscard]] signature check_mercado_pago(const mercado_pago_webhook& got,
                                           const std::vector<std::string>& secrets, time_ms now);

} // namespace usher::gateways

#pragma once

#include "http/gateways/signature.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace usher::gateways {

/// `Stripe-Signature: t=SECONDS,v1=HEX[,v1=HEX]`: HMAC-SHA256 of `t.body` with the endpoint's
/// secret, all of it (`whsec_…`). One signature by one of the secrets is enough; other schemes
/// (`v0`) are passed over.
[[nodiscard]] signature check_stripe(std::string_view header, std::string_view body,
                                     const std::vector<std::string>& secrets, time_ms now);

} // namespace usher::gateways

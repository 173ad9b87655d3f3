#pragma once

#include "actors/payments/provider.hpp"
#include "http/client/message.hpp"
#include "http/gateways/exact_json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What Mercado Pago's answers say. Pure.
namespace usher::gateways {

namespace client = http::client;

/// The JSON of a success; nothing for anything else.
[[nodiscard]] std::optional<json> good_body(const client::outcome& got);

/// The most exact code of an error: of the first cause, or the error's own; may be empty.
[[nodiscard]] std::string mercado_pago_code(const client::answer& got);

/// A refusal of what the fan gave: a card token that is unknown or used, an address that is none.
[[nodiscard]] bool blames_the_fan(const client::answer& got);

/// A payment as it is; nothing if that cannot be read.
[[nodiscard]] std::optional<payments::result> read_payment(const json& payment);

[[nodiscard]] bool can_be_cancelled(const json& payment);

/// Those of a search that have this reference, however many the search gives.
[[nodiscard]] std::vector<json> found_payments(const json& search, std::string_view reference);

/// Of several payments for one attempt the one that counts: one that charged, else one that may
/// still charge, else any. Nothing if none can be read.
[[nodiscard]] std::optional<payments::result> read_payments(const std::vector<json>& payments);

[[nodiscard]] std::optional<payments::result> read_mercado_pago_refund(const json& refund);

} // namespace usher::gateways

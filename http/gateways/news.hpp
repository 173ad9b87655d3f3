#pragma once

#include "actors/payments/provider.hpp"
#include "http/gateways/exact_json.hpp"

#include <optional>
#include <string>
#include <string_view>

// What a webhook tells of whose payment it is.
namespace usher::gateways {

/// The metadata by which a payment is known as ours:
/// `usher_payment` and `usher_order` of payments that Usher made; of others `usher_order` alone, or
/// `usher_hold` (the seller's own reference) with `usher_show`. False if none of it is there.
[[nodiscard]] bool read_metadata(const json& metadata, payments::report& into);

/// An integer of minor units; nothing if either is not there or no such thing.
[[nodiscard]] std::optional<money> minor_amount(std::string_view digits, std::string_view currency);

/// A decimal, to the letter.
[[nodiscard]] std::optional<money> decimal_amount(std::string_view decimal,
                                                  std::string_view currency);

[[nodiscard]] std::string upper(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);

} // namespace usher::gateways

#pragma once

#include "actors/payments/provider.hpp"
#include "http/gateways/outcomes.hpp"

#include <optional>
#include <string>

// What Stripe's answers say. Pure.
namespace usher::gateways {

/// An answer of Stripe's, or that there is none.
struct stripe_answer : parsed_answer {
  using parsed_answer::parsed_answer;

  [[nodiscard]] std::string code() const; ///< of the error: the most exact that is told

  /// The card, or what the fan pays with, is no good: 402, or a refusal of just that parameter.
  [[nodiscard]] bool blames_the_card() const;
};

/// An intent as it is; nothing while it waits to be confirmed, or cannot be read.
[[nodiscard]] std::optional<payments::result> read_intent(const json& intent);

/// A refund as it is; nothing if that cannot be read.
[[nodiscard]] std::optional<payments::result> read_stripe_refund(const json& refund);

} // namespace usher::gateways

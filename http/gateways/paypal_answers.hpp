#pragma once

#include "actors/payments/provider.hpp"
#include "http/gateways/outcomes.hpp"

#include <optional>
#include <string>
#include <string_view>

// What PayPal's answers say. Pure.
namespace usher::gateways {

/// An answer of PayPal's, or that there is none.
struct paypal_answer : parsed_answer {
  using parsed_answer::parsed_answer;

  /// Of the error: the issue, or its name.
  [[nodiscard]] std::string issue() const;
  /// The address of the first link with that relation; empty if there is none.
  [[nodiscard]] std::string link(std::string_view relation) const;
  /// Where the fan approves; empty if nowhere.
  [[nodiscard]] std::string approval_url() const;
};

/// A refusal of what the fan pays with.
[[nodiscard]] bool blames_the_payer(std::string_view issue);

/// A refund that can never be made.
[[nodiscard]] bool refuses_refund_for_good(std::string_view issue);

/// An order as it is: by its captures, if there are any. Nothing while it could be captured and was
/// not, or cannot be read. The reference is the capture's where it charged, else the order's.
[[nodiscard]] std::optional<payments::result> read_order(const paypal_answer& order);

[[nodiscard]] std::optional<payments::result> read_paypal_refund(const json& refund);

} // namespace usher::gateways

#pragma once

#include "actors/basics/money.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Which gateway is asked, and which next if that one could not charge. Pure.
namespace usher::payments {

/// What a gateway takes, as configured. Empty lists take everything.
struct gateway_rule {
  std::string gateway;
  std::vector<std::string> currencies{}; ///< ISO 4217
  std::vector<std::string> methods{};    ///< e.g. "card", "pix"
  std::vector<std::string> countries{};  ///< ISO 3166-1 alpha-2; a payment without one fits
  std::int64_t amount_min_minor = 0;
  std::optional<std::int64_t> amount_max_minor{}; ///< inclusive
  std::uint32_t priority = 100;                   ///< the smallest that fits is asked first
  std::uint32_t weight = 1; ///< share among those of one priority; 0: only if no other is left
};

struct route_question {
  money amount;
  std::string method;
  std::string country{};            ///< empty: not known
  std::string only{};               ///< empty, or the one gateway that the fan chose
  std::vector<std::string> tried{}; ///< by this payment already
  std::uint64_t draw = 0;           ///< random bits, for the weights
};

/// Why a gateway that fits was passed over.
struct passed_over {
  std::string gateway;
  std::string why; ///< "breaker-open"
  bool operator==(const passed_over&) const = default;
};

struct route {
  std::optional<std::string> gateway; ///< none: there is none, or none can be asked now
  std::vector<passed_over> skipped;   ///< fit better, and could not be asked
};

/// May this gateway be called now, as its breaker stands?
using may_call = std::function<bool(const std::string& gateway)>;

/// The first by priority, then by weight, that takes this payment, was not tried and may be called.
[[nodiscard]] route choose(const std::vector<gateway_rule>& rules, const route_question& asked,
                           const may_call& ready);

} // namespace usher::payments

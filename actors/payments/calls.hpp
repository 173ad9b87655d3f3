#pragma once

#include "actors/payments/provider.hpp"

#include <caf/allowed_unsafe_message_type.hpp>

#include <memory>
#include <variant>

// What is asked of a gateway's actor.
namespace usher::payments {

enum class call_kind : std::uint8_t { charge, void_charge, refund };

/// `done` is called once, from any thread, and must not block. A call that the breaker does not let
/// through is `not_sent`, with `breaker_open_reason`.
struct call {
  call_kind kind = call_kind::charge;
  charge_request charge{}; ///< of charge and void_charge
  refund_request refund{};
  on_result done;
};
using call_ptr = std::shared_ptr<call>;

inline constexpr std::string_view breaker_open_reason = "breaker-open";
/// Of `not_sent`, too: the gateway has as many calls under way as it may have.
inline constexpr std::string_view too_many_calls_reason = "too-many-calls";

} // namespace usher::payments

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(usher::payments::call_ptr)

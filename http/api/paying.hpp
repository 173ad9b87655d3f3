#pragma once

#include "actors/orders/command.hpp"
#include "http/api/call.hpp"

#include <optional>
#include <string>
#include <string_view>

// What the calls that take money or give it back have in common.
namespace usher::http {

/// A gateway's name, from how it may stand in an address: `stripe`, `mercado-pago`.
[[nodiscard]] std::string gateway_name(std::string text);

/// How somebody wants to pay.
struct way_to_pay {
  std::string method = "card";
  std::string gateway{}; ///< empty: the router chooses
  std::string token{};   ///< the gateway's name of the means of payment; never stored in the clear
  std::string country{}; ///< ISO 3166-1 alpha-2, or empty
};

/// Answers 400 and gives nothing if it does not fit.
[[nodiscard]] std::optional<way_to_pay> read_way_to_pay(call& at, const json& body);

/// Seals what is personal, bound to the thing it belongs to. Answers 503 if no key is ready, or 500
/// with `otherwise` if it failed, and gives nothing.
[[nodiscard]] std::optional<std::string>
seal_for(call& at, const id128& bound_to, const std::string& plain, std::string_view otherwise);

/// Seals a token for the attempt; an empty one stays empty. Answers like seal_for.
[[nodiscard]] std::optional<std::string> seal_token(call& at, const payment_id& payment,
                                                    const std::string& token);

/// Fills start_payment or take_payment, with a fresh id; false if it was answered.
template <class Command>
[[nodiscard]] bool put_way_to_pay(call& at, const way_to_pay& how, Command& into) {
  static_cast<id128&>(into.payment) = random_id();
  auto sealed = seal_token(at, into.payment, how.token);
  if (!sealed)
    return false;
  into.token = std::move(*sealed);
  into.gateway = how.gateway;
  into.chosen = !how.gateway.empty();
  into.method = how.method;
  into.country = how.country;
  return true;
}

/// A refund as it is asked for, with its Idempotency-Key; answers and gives nothing if it does not
/// fit.
[[nodiscard]] std::optional<orders::command::refund> read_refund(call& at, const order_id& order);

} // namespace usher::http

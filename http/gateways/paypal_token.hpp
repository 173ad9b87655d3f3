#pragma once

#include "http/gateways/outcomes.hpp"
#include "http/gateways/protocol.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

// PayPal lets nobody in without a token, which is fetched with the account's id and secret and good
// for some hours.
namespace usher::gateways {

/// The token that all calls share. From any thread.
class paypal_token {
public:
  using clock = std::chrono::steady_clock;

  paypal_token(std::string client_id, std::string secret)
      : client_id_{std::move(client_id)}, secret_{std::move(secret)} {}

  /// Nothing when one has to be fetched.
  [[nodiscard]] std::optional<std::string> at(clock::time_point now) const;
  /// Good or not any more; empty before the first.
  [[nodiscard]] std::string last() const;
  [[nodiscard]] client::request fetch_request() const;
  /// Keeps the token of an answer; if there is none, what that means for what was to be asked.
  [[nodiscard]] std::optional<payments::result> take(const client::outcome& got,
                                                     clock::time_point now);
  /// It was refused. Another one that came meanwhile stays.
  void forget(const std::string& token);

private:
  std::string client_id_;
  std::string secret_;
  mutable std::mutex mutex_;
  std::string token_;
  clock::time_point until_{};
};

/// The step with the token in its request, and those after it; before it, the request for a token
/// where that is needed. One that is refused is replaced once. `no_token` makes an end of the
/// failure to get one.
template <class End>
step<End> with_token(std::shared_ptr<paypal_token> tokens, step<End> inner,
                     std::function<End(payments::result)> no_token, bool replaced = false) {
  if (std::holds_alternative<End>(inner.what))
    return inner;
  const auto token = tokens->at(paypal_token::clock::now());
  if (!token)
    return {tokens->fetch_request(),
            [tokens, inner, no_token](const client::outcome& got) -> step<End> {
              if (auto why = tokens->take(got, paypal_token::clock::now()))
                return no_token(std::move(*why));
              return with_token(tokens, inner, no_token, true);
            }};
  auto ask = std::get<client::request>(inner.what);
  ask.headers.push_back({"Authorization", "Bearer " + *token});
  return {
      std::move(ask),
      [tokens, inner, no_token, replaced, token = *token](const client::outcome& got) -> step<End> {
        const auto* answer = std::get_if<client::answer>(&got);
        if (answer != nullptr && answer->status == 401) {
          tokens->forget(token);
          if (!replaced)
            return with_token(tokens, inner, no_token, true);
        }
        return with_token(tokens, inner.then(got), no_token);
      }};
}

} // namespace usher::gateways

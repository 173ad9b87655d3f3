#pragma once

#include "actors/payments/actor.hpp"
#include "actors/payments/board.hpp"
#include "actors/payments/router.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace usher::payments {

/// A gateway as it is chosen at the start.
struct gateway_setup {
  payments::provider* provider = nullptr; ///< outlives the actors
  gateway_rule rule{};                    ///< its `gateway` is the provider's name
  breaker_settings breaker{};
};

/// The gateways of a node: how each is reached, how its breaker stands, and what each takes. Made
/// at the start and not changed; boards are read from any thread.
struct switchboard {
  struct line {
    payments::actor actor;
    std::shared_ptr<const gateway_board> board;
  };
  std::map<std::string, line> lines; ///< by name
  std::vector<gateway_rule> rules;   ///< of those lines, in the order of the configuration

  /// The next gateway for a payment, as the breakers stand at `now`.
  [[nodiscard]] route route_for(const route_question& asked, time_ms now) const {
    return choose(rules, asked, [this, now](const std::string& name) {
      const auto found = lines.find(name);
      return found != lines.end() && found->second.board->may_call(now);
    });
  }

  /// Null: there is no such gateway (any more).
  [[nodiscard]] const line* find(const std::string& name) const {
    const auto found = lines.find(name);
    return found == lines.end() ? nullptr : &found->second;
  }
};

} // namespace usher::payments

#pragma once

#include "actors/basics/overloaded.hpp"
#include "actors/payments/breaker.hpp"

#include <optional>
#include <string>

// A breaker under test, and what it decides in words.
namespace usher::payments::test {

inline const std::string gateway = "STRIPE";
inline const breaker_settings set{};

/// `closed->open 5/10`: five of ten calls failed.
inline std::string said(const event::breaker_changed& e) {
  return std::string{to_string(e.from)} + "->" + std::string{to_string(e.to)} + " " +
         std::to_string(e.failures) + "/" + std::to_string(e.calls);
}

inline std::string said(const breaker_step& what) {
  return std::visit(
      overloaded{
          [](const step::granted&) { return std::string{"granted"}; },
          [](const step::counted& s) { return std::string{s.failed ? "bad" : "good"}; },
          [](const step::trial_passed&) { return std::string{"passed"}; },
          [](const step::trial_ended&) { return std::string{"ended"}; },
          [](const event::breaker_changed& e) { return said(e); },
      },
      what);
}

/// The steps with commas between them; `refused` is an ask without a permit.
inline std::string said(const breaker_decision& made, bool of_ask) {
  std::string all;
  for (const auto& what : made.steps)
    all += (all.empty() ? "" : ", ") + said(what);
  return of_ask && !made.given ? "refused" : all;
}

struct breaker_world {
  breaker it;
  time_ms now = 1'000'000;
  permit last; ///< given last

  template <class Command>
  std::string take(const Command& asked) {
    constexpr bool of_ask = std::is_same_v<Command, command::ask>;
    const auto made = decide(it, asked, {gateway, set});
    for (const auto& what : made.steps)
      apply(it, what, now);
    if (made.given)
      last = *made.given;
    return said(made, of_ask);
  }

  std::string ask() { return take(command::ask{now}); }
  std::string report(const permit& which, bool failed) {
    return take(command::report{which, failed, failed ? "failed: 500" : "", now});
  }
  std::string give_back(const permit& which) { return take(command::give_back{which}); }
  std::string expire(const permit& which) { return take(command::expire{which, now}); }

  permit begin() {
    ask();
    return last;
  }
  /// One call after the other: 'x' fails, '.' does not.
  void calls(std::string_view outcomes) {
    for (const char how : outcomes)
      report(begin(), how == 'x');
  }
};

} // namespace usher::payments::test

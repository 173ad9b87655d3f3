#include "actors/payments/router.hpp"

#include <algorithm>
#include <utility>

namespace usher::payments {

namespace {

constexpr std::string_view breaker_open = "breaker-open";

bool takes(const std::vector<std::string>& list, const std::string& what) {
  return list.empty() || std::ranges::find(list, what) != list.end();
}

bool fits(const gateway_rule& rule, const route_question& asked) {
  return (asked.only.empty() || asked.only == rule.gateway) &&
         std::ranges::find(asked.tried, rule.gateway) == asked.tried.end() &&
         takes(rule.currencies, asked.amount.currency) && takes(rule.methods, asked.method) &&
         (asked.country.empty() || takes(rule.countries, asked.country)) &&
         asked.amount.amount_minor >= rule.amount_min_minor &&
         (!rule.amount_max_minor || asked.amount.amount_minor <= *rule.amount_max_minor);
}

/// What fits, by priority, and in the order of the configuration where that is the same. Of several
/// rules of one gateway the first counts.
std::vector<const gateway_rule*> fitting(const std::vector<gateway_rule>& rules,
                                         const route_question& asked) {
  std::vector<const gateway_rule*> all;
  for (const auto& rule : rules)
    if (fits(rule, asked))
      all.push_back(&rule);
  std::ranges::stable_sort(all, {}, [](const gateway_rule* rule) { return rule->priority; });
  std::vector<const gateway_rule*> once;
  for (const auto* rule : all)
    if (std::ranges::none_of(once, [&](const auto* one) { return one->gateway == rule->gateway; }))
      once.push_back(rule);
  return once;
}

/// The next number that follows from `draw` (splitmix64): one draw serves several choices.
std::uint64_t next_bits(std::uint64_t& draw) {
  draw += 0x9E37'79B9'7F4A'7C15;
  auto bits = draw;
  bits = (bits ^ (bits >> 30U)) * 0xBF58'476D'1CE4'E5B9;
  bits = (bits ^ (bits >> 27U)) * 0x94D0'49BB'1331'11EB;
  return bits ^ (bits >> 31U);
}

/// Takes one of those that share the first one's priority, by weight.
const gateway_rule* take_next(std::vector<const gateway_rule*>& left, std::uint64_t& draw) {
  const auto end = std::ranges::find_if(
      left, [&](const auto* rule) { return rule->priority != left.front()->priority; });
  std::uint64_t sum = 0;
  for (auto at = left.begin(); at != end; ++at)
    sum += (*at)->weight;
  auto taken = left.begin();
  if (sum > 0) {
    auto ticket = next_bits(draw) % sum;
    while (ticket >= (*taken)->weight)
      ticket -= (*taken++)->weight;
  }
  const auto* rule = *taken;
  left.erase(taken);
  return rule;
}

} // namespace

route choose(const std::vector<gateway_rule>& rules, const route_question& asked,
             const may_call& ready) {
  route found;
  auto draw = asked.draw;
  for (auto left = fitting(rules, asked); !left.empty();) {
    const auto* rule = take_next(left, draw);
    if (ready(rule->gateway)) {
      found.gateway = rule->gateway;
      return found;
    }
    found.skipped.push_back({rule->gateway, std::string{breaker_open}});
  }
  return found;
}

} // namespace usher::payments

#pragma once

#include "actors/seating/rules.hpp"

#include <cstddef>
#include <functional>
#include <string>

// Every state that three buyers, each with a hold in two generations, and an operator can bring two
// seats into, and every command (but plans) in each of them: the answers are compared with a naive
// model that keeps no index and knows no events. Time moves in steps of one through a hold's life,
// so that now == until is met from both sides.
namespace usher::test {

using seating_decider =
    std::function<seating::decision(const seating::state&, const seating::any_command&)>;

struct seating_report {
  std::size_t states = 0;
  std::size_t answers = 0;
  std::string fault; ///< the first one; empty: none
};

/// Visits every reachable state, breadth first, until there is no new one or a fault is found.
[[nodiscard]] seating_report explore(const seating_decider& decide);

} // namespace usher::test

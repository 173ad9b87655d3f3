#include "bench/load/in_turn.hpp"

#include <algorithm>
#include <string>

namespace usher::load {

in_turn::in_turn(world& in, worker& of, const turns_plan& when)
    : in_{in}, of_{of}, random_{when.seed * 1'000 + of.index}, begin_{when.begin} {
  if (when.arrivals)
    arrivals_.emplace(*when.arrivals);
}

std::optional<task> in_turn::next_arrival() {
  return arrivals_ ? next_fan(begin_ + arrivals_->next()) : std::nullopt;
}

std::optional<task> in_turn::next_at_once() {
  return arrivals_ ? std::nullopt : next_fan(of_.runs.clock().now());
}

void in_turn::lost(const task& what, std::string_view why, time_ns now) {
  of_.runs.count(what, verdict::wrong(std::string{why}), now, {});
}

void in_turn::ask_again(const task& what, const answer& got, time_ns now) {
  auto again = what;
  again.at_once = false;
  again.due = now + std::max(got.retry_after_s, 1) * second_ns;
  of_.runs.add(again);
}

} // namespace usher::load

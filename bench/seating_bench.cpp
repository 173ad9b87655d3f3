// A block of seats: what a hold of one seat and its end cost the actor, without the log.
#include "actors/seating/rules.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <variant>
#include <vector>

namespace usher::seating {
namespace {

constexpr time_ms life_ms = 300'000;

void carry_out(benchmark::State& run, state& block, const any_command& asked) {
  const auto decided = decide(block, asked);
  const auto* const events = std::get_if<std::vector<any_event>>(&decided);
  if (events == nullptr)
    return run.SkipWithError("refused");
  for (const auto& one : *events)
    apply(block, one, 0);
}

state planned(std::int64_t seats) {
  command::plan asked;
  for (std::int64_t i = 0; i < seats; ++i)
    asked.seats.push_back("A-" + std::to_string(i));
  state block;
  const auto decided = decide(block, any_command{asked});
  for (const auto& one : std::get<std::vector<any_event>>(decided))
    apply(block, one, 0);
  return block;
}

/// Seat after seat is held and given back. Argument: seats of the block.
void hold_and_release(benchmark::State& run) {
  auto block = planned(run.range(0));
  hold_id id;
  std::size_t at = 0;
  for ([[maybe_unused]] auto _ : run) {
    const std::vector seats{block.seats[at++ % block.seats.size()].id};
    ++id.bytes[at % id.bytes.size()];
    carry_out(run, block, command::hold{id, seats, life_ms, 0});
    carry_out(run, block, command::release{{{id, 1, seats}}});
  }
}
BENCHMARK(hold_and_release)->ArgName("seats")->Arg(100)->Arg(1'000)->Arg(10'000)->Arg(200'000);

} // namespace
} // namespace usher::seating

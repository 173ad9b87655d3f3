// The draw of a prequeue: at once, as of a small one, and worked out ahead, of which only the last
// step remains for opensAt.
#include "actors/runtime/draw.hpp"

#include <benchmark/benchmark.h>

#include <numeric>

namespace usher::runtime {
namespace {

std::vector<slot_t> tickets(benchmark::State& state) {
  std::vector<slot_t> all(static_cast<std::size_t>(state.range(0)));
  std::iota(all.begin(), all.end(), slot_t{0});
  return all;
}

/// HMACs and sorting.
void draw_order_of(benchmark::State& state) {
  const auto all = tickets(state);
  bytes32 seed{};
  for (auto _ : state) {
    ++seed[0];
    benchmark::DoNotOptimize(draw_order(seed, "beacon", {all}));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(draw_order_of)->Arg(5'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void draw_worked_out_ahead(benchmark::State& state) {
  const auto all = tickets(state);
  draw_ahead draw;
  draw.aim({}, "beacon", 0);
  draw.go_on(static_cast<slot_t>(all.size()), all.size());
  for (auto _ : state)
    benchmark::DoNotOptimize(draw.order({all}));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(draw_worked_out_ahead)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace usher::runtime

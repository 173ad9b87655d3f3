// The draw of a prequeue: what the room's actor is busy with at opensAt, once.
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

} // namespace
} // namespace usher::runtime

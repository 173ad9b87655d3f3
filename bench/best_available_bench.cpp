// The best seats of a stadium with sixty thousand: everything free, almost sold, and split.
#include "actors/shows/best_available.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <random>

namespace usher::shows {
namespace {

constexpr std::uint32_t block_count = 40;
constexpr std::uint32_t row_count = 30;
constexpr std::uint32_t row_seats = 50;

/// Blocks side by side around the pitch, rows one behind the other.
plan stadium() {
  plan made;
  made.focal_point = point{0, 0};
  made.categories = {{"all", "All", 10'000}};
  for (std::uint32_t b = 0; b < block_count; ++b) {
    const double angle = 2 * std::numbers::pi * b / block_count;
    block next{std::to_string(b), "all", {}};
    for (std::uint32_t r = 0; r < row_count; ++r) {
      row line{std::to_string(r), {}};
      for (std::uint32_t s = 0; s < row_seats; ++s) {
        const double away = 170 + 0.8 * r;
        const double along = 0.5 * (s - (row_seats - 1) / 2.0);
        const point at{away * std::cos(angle) - along * std::sin(angle),
                       away * std::sin(angle) + along * std::cos(angle)};
        line.seats.push_back(
            {next.id + "-" + line.id + "-" + std::to_string(s), at, r == 0 && s < 2});
      }
      next.rows.push_back(std::move(line));
    }
    made.blocks.push_back(std::move(next));
  }
  return made;
}

const seat_chart& chart() {
  static const seat_chart only{stadium()};
  return only;
}

constexpr std::uint32_t block_seats = row_count * row_seats;

/// So many per thousand are free, here and there.
std::vector<bool> free_here_and_there(std::int64_t per_mille) {
  std::mt19937_64 dice{7};
  std::vector<bool> free;
  for (std::uint32_t i = 0; i < block_count * block_seats; ++i)
    free.push_back(static_cast<std::int64_t>(dice() % 1000) < per_mille);
  return free;
}

void search(benchmark::State& loop, const std::vector<bool>& free, const best_ask& ask) {
  for ([[maybe_unused]] auto _ : loop)
    benchmark::DoNotOptimize(best_available(
        chart(),
        [&](std::uint32_t block, std::uint32_t seat) -> bool {
          return free[block * block_seats + seat];
        },
        ask));
}

/// Arguments: quantity, free per thousand, accessible.
void best_seats(benchmark::State& loop) {
  best_ask ask;
  ask.quantity = static_cast<std::uint32_t>(loop.range(0));
  ask.accessible = static_cast<std::uint32_t>(loop.range(2));
  search(loop, free_here_and_there(loop.range(1)), ask);
}
BENCHMARK(best_seats)
    ->ArgNames({"quantity", "free", "accessible"})
    ->ArgsProduct({{2, 4}, {1000, 500, 50, 1}, {0}})
    ->Args({2, 1000, 1})
    ->Args({4, 50, 1})
    ->Args({4, 500, 2})
    ->Args({100, 1000, 0})
    ->Args({100, 1000, 10})
    ->Unit(benchmark::kMicrosecond);

/// Free are three seats side by side, then one is not: every party of four is split.
void best_seats_in_threes(benchmark::State& loop) {
  std::vector<bool> free;
  for (std::uint32_t i = 0; i < block_count * block_seats; ++i)
    free.push_back(i % 4 != 3);
  best_ask ask;
  ask.quantity = 4;
  search(loop, free, ask);
}
BENCHMARK(best_seats_in_threes)->Unit(benchmark::kMicrosecond);

void make_chart(benchmark::State& loop) {
  const auto what = stadium();
  for ([[maybe_unused]] auto _ : loop)
    benchmark::DoNotOptimize(seat_chart{what});
}
BENCHMARK(make_chart)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace usher::shows

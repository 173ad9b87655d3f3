// What the log costs per batch beside the disk: events to bytes, bytes to events, the batch around
// them, and the chain. Joins come in batches: one fan alone, and as many as a busy moment has.
#include "storage/batch.hpp"
#include "storage/codec.hpp"
#include "storage/log_tail.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

namespace usher::storage {
namespace {

waiting_room::any_event joins(std::int64_t fans) {
  waiting_room::event::fans_joined joined;
  for (std::int64_t i = 0; i < fans; ++i) {
    joined.nonces.push_back(0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(i + 1));
    identity who;
    who.bytes[0] = static_cast<std::uint8_t>(i);
    joined.keys.push_back(who);
  }
  return joined;
}

record record_of(const encoded& what) {
  return {.at = 1'780'000'000'000,
          .subject = "queue/hamlet",
          .type = std::string{what.type},
          .schema = what.schema,
          .cause = {"req-0123456789abcdef", "fan"},
          .data = what.data};
}

prepared_batch prepare(log_tail& tail, const std::vector<record>& records) {
  auto made = tail.prepare(records, 1);
  if (std::holds_alternative<failure>(made))
    std::abort();
  return std::get<prepared_batch>(std::move(made));
}

void encode_joins(benchmark::State& run) {
  const auto event = joins(run.range(0));
  for ([[maybe_unused]] auto _ : run)
    benchmark::DoNotOptimize(encode(event));
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(encode_joins)->ArgName("fans")->Arg(1)->Arg(64)->Arg(500);

void decode_joins(benchmark::State& run) {
  const auto stored = encode(joins(run.range(0)));
  for ([[maybe_unused]] auto _ : run)
    benchmark::DoNotOptimize(decode_waiting_room(stored.type, stored.schema, stored.data));
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(decode_joins)->ArgName("fans")->Arg(1)->Arg(64)->Arg(500);

/// Codec and chain of a batch with one event of so many fans: all that a durable join costs but
/// the disk, the actor and the edge.
void encode_and_chain_joins(benchmark::State& run) {
  const auto event = joins(run.range(0));
  log_tail tail;
  for ([[maybe_unused]] auto _ : run)
    tail.accept(prepare(tail, {record_of(encode(event))}));
  run.SetItemsProcessed(run.iterations() * run.range(0));
}
BENCHMARK(encode_and_chain_joins)->ArgName("fans")->Arg(1)->Arg(64)->Arg(500);

/// A hold of one seat as the desk writes it: three events in a batch.
void encode_and_chain_hold(benchmark::State& run) {
  const hold_id id{{1}};
  orders::event::hold_placed placed{id, 7, {}, "EUR", 1'780'000'300'000, {}};
  placed.seats.push_back({"A-1", "A", "stalls", 4'500});
  log_tail tail;
  for ([[maybe_unused]] auto _ : run) {
    auto desk = record_of(encode(orders::any_event{placed}));
    desk.subject = "desk/hamlet";
    auto block = record_of(
        encode(seating::any_event{seating::event::seats_held{id, {"A-1"}, placed.until, 1}}));
    block.subject = "block/hamlet/A";
    auto room = record_of(encode(waiting_room::any_event{
        waiting_room::event::admission_kept{placed.owner.value_or(0), placed.until, false}}));
    tail.accept(prepare(tail, {std::move(desk), std::move(block), std::move(room)}));
  }
  run.SetItemsProcessed(run.iterations());
}
BENCHMARK(encode_and_chain_hold);

void decode_batch_of_45(benchmark::State& run) {
  log_tail tail;
  const auto value = prepare(tail, std::vector(45, record_of(encode(joins(1))))).value;
  batch into;
  for ([[maybe_unused]] auto _ : run)
    if (decode_batch(value, into))
      run.SkipWithError("our own bytes");
  run.SetItemsProcessed(run.iterations() * 45);
}
BENCHMARK(decode_batch_of_45);

} // namespace
} // namespace usher::storage

// The waiting room with two million places: what a poll, a join and a tick cost.
#include "actors/waiting_room/board.hpp"
#include "actors/waiting_room/rules.hpp"

#include <benchmark/benchmark.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>

namespace usher::waiting_room {
namespace {

constexpr slot_t size = 2'000'000;
constexpr slot_t batch = 500;
constexpr slot_t tick_fans = 5'000;

identity random_identity(std::mt19937_64& dice) {
  identity made;
  const std::uint64_t words[] = {dice(), dice()};
  std::memcpy(made.bytes.data(), words, sizeof words);
  return made;
}

command::join random_joins(std::mt19937_64& dice) {
  command::join asked;
  for (slot_t fan = 0; fan < batch; ++fan)
    asked.fans.push_back({dice(), random_identity(dice), {}, {}});
  return asked;
}

settings fast() {
  settings set;
  set.admit_per_second_micro = std::uint64_t{tick_fans} * 1'000'000;
  set.max_active = std::nullopt;
  return set;
}

/// A full room and its board, made once.
struct full_room {
  state room;
  board seen;
  std::mt19937_64 dice{1};

  full_room() {
    happen(event::room_configured{fast()});
    happen(event::room_opened{});
    while (room.joined() < size)
      for (const auto& one : decide(room, random_joins(dice)).events)
        happen(one);
  }
  void happen(const any_event& one) {
    apply(room, one, 0);
    seen.publish(one, 0);
  }
  static full_room& instance() {
    static full_room only;
    return only;
  }
};

void look_at_random_tickets(benchmark::State& run) {
  auto& full = full_room::instance();
  std::vector<std::pair<slot_t, std::uint64_t>> asked(1 << 16);
  for (auto& [slot, nonce] : asked) {
    slot = static_cast<slot_t>(full.dice() % size);
    nonce = *full.seen.nonce_of(slot);
  }
  std::size_t at = 0;
  for (auto _ : run) {
    const auto& [slot, nonce] = asked[++at % asked.size()];
    benchmark::DoNotOptimize(full.seen.look(slot, nonce));
  }
}
BENCHMARK(look_at_random_tickets);

std::vector<slot_t> random_places() {
  std::mt19937_64 dice{1};
  std::vector<slot_t> asked(1 << 16);
  for (auto& slot : asked)
    slot = static_cast<slot_t>(dice() % size);
  return asked;
}

void rank_in_a_quiet_lane(benchmark::State& run) {
  lane quiet;
  quiet.append(size);
  const auto asked = random_places();
  std::size_t at = 0;
  for (auto _ : run)
    benchmark::DoNotOptimize(quiet.present_before(asked[++at % asked.size()]));
}
BENCHMARK(rank_in_a_quiet_lane);

/// Somebody leaves and comes back all the time, as fast as one thread can do it.
class busy_writer {
public:
  explicit busy_writer(lane& of)
      : writer_{[this, &of] {
          std::mt19937_64 dice{3};
          while (!over_) {
            const auto place = static_cast<slot_t>(dice() % size);
            of.depart(place);
            of.arrive(place);
          }
        }} {}
  ~busy_writer() {
    over_ = true;
    writer_.join();
  }
  busy_writer(const busy_writer&) = delete;
  busy_writer& operator=(const busy_writer&) = delete;

private:
  std::atomic<bool> over_{false};
  std::thread writer_;
};

void rank_beside_a_busy_writer(benchmark::State& run) {
  lane busy;
  busy.append(size);
  const auto asked = random_places();
  const busy_writer beside{busy};
  std::size_t at = 0;
  for (auto _ : run)
    benchmark::DoNotOptimize(busy.present_before(asked[++at % asked.size()]));
}
BENCHMARK(rank_beside_a_busy_writer);

/// Per fan: decide and apply in batches of 500 among two million, without the board.
void join_decide_and_apply(benchmark::State& run) {
  auto room = full_room::instance().room;
  std::mt19937_64 dice{2};
  room.set.max_queue = slots_max;
  for (auto _ : run) {
    run.PauseTiming();
    const auto asked = random_joins(dice);
    run.ResumeTiming();
    for (const auto& one : decide(room, asked).events)
      apply(room, one, 0);
  }
  run.SetItemsProcessed(run.iterations() * batch);
}
BENCHMARK(join_decide_and_apply)->Iterations(2000);

void publish_joins(benchmark::State& run) {
  board seen;
  event::fans_joined joined{0, std::vector<std::uint64_t>(batch, 7), {}, {}};
  for (auto _ : run) {
    seen.publish(joined, 0);
    joined.first += batch;
  }
  run.SetItemsProcessed(run.iterations() * batch);
}
BENCHMARK(publish_joins)->Iterations(4000);

void tick_of_5000_decide(benchmark::State& run) {
  const auto& room = full_room::instance().room;
  for (auto _ : run)
    benchmark::DoNotOptimize(decide(room, command::tick{1000}));
}
BENCHMARK(tick_of_5000_decide)->Unit(benchmark::kMicrosecond);

void tick_of_5000_decide_and_apply(benchmark::State& run) {
  auto room = full_room::instance().room;
  time_ms now = 0;
  for (auto _ : run) {
    now += 1000;
    const auto decided = decide(room, command::tick{now});
    for (const auto& one : std::get<std::vector<any_event>>(decided))
      apply(room, one, now);
  }
}
BENCHMARK(tick_of_5000_decide_and_apply)->Unit(benchmark::kMicrosecond)->Iterations(300);

void tick_of_5000_publish(benchmark::State& run) {
  board seen;
  event::fans_joined everybody{0, std::vector<std::uint64_t>(size, 7), {}, {}};
  seen.publish(everybody, 0);
  event::fans_admitted admitted{std::vector<slot_t>(tick_fans), 300'000, 0};
  slot_t next = 0;
  for (auto _ : run) {
    run.PauseTiming();
    for (auto& slot : admitted.slots)
      slot = next++;
    run.ResumeTiming();
    seen.publish(admitted, 0);
  }
}
BENCHMARK(tick_of_5000_publish)->Unit(benchmark::kMicrosecond)->Iterations(300);

} // namespace
} // namespace usher::waiting_room

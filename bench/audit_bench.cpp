// How fast `usher audit verify` goes through a log, beside what reading it takes at least. One log
// for all: USHER_BENCH_EVENTS events (300000 unless given; 10000000 take some minutes and about 4
// GB), made in the directory for temporary files and removed, or below USHER_BENCH_DIR and kept
// there for the next time.
//
//   log_scan     RocksDB's iterator over the batches, nothing else
//   log_replay   with the chain and everything else that replay checks, for nobody
//   log_audit    with every rule derived again
//
// The counters of log_audit say how many times as long as the two others it took, in the same run.
#include "bench/sale_log.hpp"
#include "storage/audit/auditor.hpp"
#include "storage/rocksdb_log.hpp"
#include "storage/rocksdb_store.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

namespace usher::bench {
namespace {

using clock = std::chrono::steady_clock;

double seconds(clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

[[noreturn]] void give_up(const std::string& why) {
  std::cerr << "audit_bench: " << why << "\n";
  std::exit(1);
}

/// The log, closed and opened again for reading.
class logged_sale {
public:
  logged_sale() {
    const char* const wanted = std::getenv("USHER_BENCH_EVENTS");
    const auto events = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 300'000;
    if (const char* const kept = std::getenv("USHER_BENCH_DIR")) {
      root_ = std::filesystem::path{kept} / ("sale-" + std::to_string(events));
    } else {
      auto name = (std::filesystem::temp_directory_path() / "usher-bench-XXXXXX").string();
      if (::mkdtemp(name.data()) == nullptr)
        give_up("cannot make " + name);
      root_ = name;
      is_kept_ = false;
    }
    if (!std::filesystem::exists(root_ / "data"))
      make(events);
    auto directory = storage::data_directory::open_read_only(root_ / "data");
    if (const auto* fault = std::get_if<storage::failure>(&directory))
      give_up(fault->what);
    auto log = storage::rocksdb_log::open_read_only(std::get<storage::data_directory>(directory));
    if (const auto* fault = std::get_if<storage::failure>(&log))
      give_up(fault->what);
    log_ = std::move(std::get<std::unique_ptr<storage::rocksdb_log>>(log));
    if (!storage::open_store(root_ / "data" / "log", {.mode = storage::store_mode::read}, store_)
             .ok())
      give_up("cannot open the store");
  }
  logged_sale(const logged_sale&) = delete;
  logged_sale& operator=(const logged_sale&) = delete;
  ~logged_sale() {
    log_.reset();
    store_.reset();
    std::error_code ignored;
    if (!is_kept_)
      std::filesystem::remove_all(root_, ignored);
  }

  [[nodiscard]] const storage::rocksdb_log& log() const { return *log_; }

  /// Bytes read.
  std::uint64_t scan() const {
    std::uint64_t bytes = 0;
    const auto entry = store_->scan(store_->batches);
    for (entry->SeekToFirst(); entry->Valid(); entry->Next())
      bytes += entry->key().size() + entry->value().size();
    return bytes;
  }

private:
  /// Under another name until it is whole.
  void make(std::uint64_t events) const {
    const auto fresh = root_ / "being-made";
    std::filesystem::remove_all(fresh);
    write(events, fresh);
    std::filesystem::rename(fresh, root_ / "data");
  }

  static void write(std::uint64_t events, const std::filesystem::path& to) {
    std::filesystem::create_directories(to.parent_path());
    const auto directory = storage::data_directory::open(to);
    if (const auto* fault = std::get_if<storage::failure>(&directory))
      give_up(fault->what);
    const auto log = storage::rocksdb_log::open(std::get<storage::data_directory>(directory),
                                                {.sync = false, .env = nullptr});
    if (const auto* fault = std::get_if<storage::failure>(&log))
      give_up(fault->what);
    if (auto fault = write_sale(*std::get<std::unique_ptr<storage::rocksdb_log>>(log), events))
      give_up(fault->what);
  }

  std::filesystem::path root_;
  bool is_kept_ = true;
  std::unique_ptr<storage::rocksdb_log> log_;
  storage::store_ptr store_;
};

const logged_sale& the_sale() {
  static const logged_sale made;
  return made;
}

void replay_nothing(const storage::rocksdb_log& log) {
  if (auto fault = log.replay(1, [](const storage::stored_record&) { return true; }))
    give_up(fault->what);
}

void audit_everything(const storage::rocksdb_log& log) {
  storage::audit::auditor auditor;
  if (auto fault = log.replay(1, [&](const storage::stored_record& next) {
        auditor.take(next);
        return true;
      }))
    give_up(fault->what);
  auditor.finish();
  for (const auto& one : auditor.found().listed())
    give_up(std::to_string(one.position) + ": " + one.sentence);
}

void count_events(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(the_sale().log().head().position));
}

void log_scan(benchmark::State& state) {
  auto bytes = the_sale().scan(); // also makes the log
  for (auto _ : state)
    bytes = the_sale().scan();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  count_events(state);
}
BENCHMARK(log_scan)->Unit(benchmark::kMillisecond)->UseRealTime();

void log_replay(benchmark::State& state) {
  replay_nothing(the_sale().log());
  for (auto _ : state)
    replay_nothing(the_sale().log());
  count_events(state);
}
BENCHMARK(log_replay)->Unit(benchmark::kMillisecond)->UseRealTime();

void log_audit(benchmark::State& state) {
  clock::duration scanned{};
  clock::duration replayed{};
  clock::duration audited{};
  for (auto _ : state) {
    const auto begin = clock::now();
    audit_everything(the_sale().log());
    audited += clock::now() - begin;
    state.PauseTiming();
    const auto replay_begin = clock::now();
    replay_nothing(the_sale().log());
    replayed += clock::now() - replay_begin;
    const auto scan_begin = clock::now();
    benchmark::DoNotOptimize(the_sale().scan());
    scanned += clock::now() - scan_begin;
    state.ResumeTiming();
  }
  count_events(state);
  state.counters["times_scan"] = seconds(audited) / seconds(scanned);
  state.counters["times_replay"] = seconds(audited) / seconds(replayed);
}
BENCHMARK(log_audit)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace usher::bench

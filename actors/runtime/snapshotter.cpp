#include "actors/runtime/snapshotter.hpp"

#include "actors/runtime/snapshot/content.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <utility>
#include <variant>

namespace usher::runtime {

namespace {

using std::chrono::steady_clock;
using storage::failure;

constexpr std::chrono::milliseconds look_every{250};
constexpr int low_priority = 10; ///< as of nice(1)

duration_ms since(steady_clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - begin).count();
}

std::variant<recovered, failure> read_snapshot(const storage::snapshot_files& files,
                                               storage::position_t position,
                                               const storage::event_log& log) {
  auto opened = files.open(position, log);
  if (auto* fault = std::get_if<failure>(&opened))
    return std::move(*fault);
  auto& file = std::get<storage::snapshot_reader>(opened);
  snapshot::reader io{[&](char* into, std::size_t bytes) { return file.take(into, bytes); },
                      file.bytes()};
  return snapshot::read(io);
}

} // namespace

fold newest_snapshot(const storage::snapshot_files& files, const storage::event_log& log,
                     const snapshot_warning& warn) {
  for (const auto position : files.positions()) {
    auto found = read_snapshot(files, position, log);
    if (auto* world = std::get_if<recovered>(&found))
      return {std::move(*world), position};
    warn("the snapshot " + files.path_of(position).string() +
         " is ignored: " + std::get<failure>(found).what);
  }
  return {};
}

snapshotter::snapshotter(const storage::event_log& log, storage::snapshot_files files,
                         const snapshot_options& with, snapshot_warning warn,
                         storage::position_t last)
    : log_{log},
      files_{std::move(files)},
      with_{with},
      warn_{std::move(warn)},
      position_{last},
      tried_at_{last},
      thread_{[this] { run(); }} {}

snapshotter::~snapshotter() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void snapshotter::run() {
  // Of this thread alone, on Linux. Without it there is more to compete with, nothing else.
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), low_priority);
  while (wait())
    if (is_due())
      make();
}

bool snapshotter::wait() {
  std::unique_lock lock{mutex_};
  return !wake_.wait_for(lock, look_every, [this] { return ending_.load(); });
}

bool snapshotter::is_due() const {
  const auto events = log_.head().position - tried_at_;
  return events >= with_.every_events ||
         (events >= snapshot_events_min && since(tried_) >= with_.every_ms);
}

void snapshotter::make() {
  const auto begin = steady_clock::now();
  tried_at_ = log_.head().position;
  auto found = fold_on(newest_snapshot(files_, log_, warn_), log_,
                       [this](storage::position_t) { return !ending_; });
  if (ending_)
    return;
  auto* now = std::get_if<fold>(&found);
  auto fault = now != nullptr ? write(*now) : std::optional{std::get<failure>(std::move(found))};
  tried_ = steady_clock::now();
  if (ending_)
    return;
  if (fault) {
    ++failed_;
    warn_("no snapshot could be made, the next one is tried later: " + fault->what);
    return;
  }
  position_ = now->at;
  took_ms_ = since(begin);
  ++made_;
}

std::optional<failure> snapshotter::write(fold& now) {
  const auto chain = log_.chain_at(now.at);
  if (const auto* fault = std::get_if<failure>(&chain))
    return *fault;
  const auto& ends = std::get<0>(chain);
  if (!ends)
    return failure{"no batch ends at position " + std::to_string(now.at)};
  auto created = files_.create({now.at, *ends}, with_.free_bytes_min);
  if (auto* fault = std::get_if<failure>(&created))
    return std::move(*fault);
  auto& file = std::get<storage::snapshot_writer>(created);
  snapshot::writer io{[&](std::string_view bytes) {
    if (!ending_)
      file.put(bytes);
  }};
  snapshot::write(io, now.world);
  if (ending_)
    return std::nullopt; // not finished: it leaves nothing
  if (auto fault = file.finish())
    return fault;
  files_.prune(now.at);
  return std::nullopt;
}

} // namespace usher::runtime

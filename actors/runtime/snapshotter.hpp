#pragma once

#include "actors/basics/time.hpp"
#include "actors/runtime/recovered.hpp"
#include "storage/snapshot_files.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace usher::runtime {

/// Told what an operator should know, in a sentence.
using snapshot_warning = std::function<void(const std::string&)>;

/// The newest snapshot that is sound and of this log; of those that are not, `warn` is told file
/// and reason. Without one: the beginning.
[[nodiscard]] fold newest_snapshot(const storage::snapshot_files& files,
                                   const storage::event_log& log, const snapshot_warning& warn);

struct snapshot_options {
  std::uint64_t every_events = 500'000; ///< since the one before
  duration_ms every_ms = 600'000;       ///< also after this time, if there is anything worth it
  std::uint64_t free_bytes_min = 0;     ///< never leaves less space on the disk
};

/// So many events are worth a snapshot when its time has come.
inline constexpr std::uint64_t snapshot_events_min = 1'000;

/// Makes snapshots of a log that somebody else writes, from a thread of its own, of low priority:
/// it takes the newest snapshot, replays what came since, as recovery does, and writes the result.
/// It asks no actor and takes no lock that anybody waits behind for long. While it is at it, the
/// memory of all states is taken once more. If a snapshot cannot be made, the next is tried when
/// the next is due.
class snapshotter {
public:
  /// `log`, and what `warn` uses, outlive it. `last`: position of the newest snapshot; 0: none.
  snapshotter(const storage::event_log& log, storage::snapshot_files files,
              const snapshot_options& with, snapshot_warning warn, storage::position_t last);
  ~snapshotter(); ///< ends what is under way, within a second or so
  snapshotter(const snapshotter&) = delete;
  snapshotter& operator=(const snapshotter&) = delete;

  // Any thread.
  [[nodiscard]] storage::position_t position() const { return position_; } ///< of the newest
  [[nodiscard]] std::uint64_t made() const { return made_; }
  [[nodiscard]] std::uint64_t failed() const { return failed_; }
  [[nodiscard]] duration_ms last_took_ms() const { return took_ms_; } ///< 0: none was made

private:
  void run();
  [[nodiscard]] bool wait(); ///< false: it is over
  [[nodiscard]] bool is_due() const;
  void make();
  [[nodiscard]] std::optional<storage::failure> write(fold& now);

  const storage::event_log& log_;
  const storage::snapshot_files files_;
  const snapshot_options with_;
  const snapshot_warning warn_;
  std::atomic<storage::position_t> position_;
  std::atomic<std::uint64_t> made_{0};
  std::atomic<std::uint64_t> failed_{0};
  std::atomic<duration_ms> took_ms_{0};
  // The thread's own.
  storage::position_t tried_at_; ///< where the log was
  std::chrono::steady_clock::time_point tried_ = std::chrono::steady_clock::now();

  std::atomic<bool> ending_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_; ///< the last: it uses the others
};

} // namespace usher::runtime

#pragma once

#include "storage/backup/make.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

namespace usher::storage {

/// The backups of a running server, one at a time, on a thread of its own.
class backup_job {
public:
  struct running {
    backup::progress at;
  };
  /// What the last one came to.
  using outcome = std::variant<backup::manifest, failure>;
  struct state {
    std::filesystem::path to;
    std::variant<running, outcome> what;
  };

  /// `now` gives wall time. Both others outlive it. Removes what a crash left of an earlier one.
  backup_job(const rocksdb_log& log, const data_directory& directory, std::function<time_ms()> now);
  /// Gives up the one that is under way and waits for it.
  ~backup_job();
  backup_job(const backup_job&) = delete;
  backup_job& operator=(const backup_job&) = delete;

  /// False, and nothing is begun, while one is under way. Any thread, as the next one.
  [[nodiscard]] bool start(const backup::order& wanted);

  /// None: none was asked for since the server started.
  [[nodiscard]] std::optional<state> now() const;

private:
  void run(const backup::order& wanted);

  const rocksdb_log& log_;
  const data_directory& directory_;
  std::function<time_ms()> clock_;
  std::atomic<bool> stop_{false};
  mutable std::mutex guard_;
  std::optional<state> state_; ///< under guard_
  std::thread thread_;         ///< under guard_
};

} // namespace usher::storage

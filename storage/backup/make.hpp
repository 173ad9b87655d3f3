#pragma once

#include "storage/backup/copying.hpp"
#include "storage/rocksdb_log.hpp"

#include <filesystem>
#include <variant>

namespace usher::storage::backup {

struct order {
  std::filesystem::path to;   ///< empty or missing; not within the data directory
  bool secrets = true;        ///< without them a restored server cannot know its fans again
  bool customer_keys = false; ///< with them, whoever is erased later comes back with the copy
};

/// Copies the log as it is now, while others append to it; then reads the copy as a whole: hashes,
/// RocksDB's checksums, the chain, and every rule by the audit. Counts once it is in the target's
/// `backup.json`; what a failure leaves in the target is removed. One at a time. Blocks for as long
/// as all of that takes, so on a thread of its own; `log` is only read.
[[nodiscard]] std::variant<manifest, failure> make(const rocksdb_log& log,
                                                   const data_directory& directory,
                                                   const order& wanted, time_ms now,
                                                   const on_progress& report);

/// What a crash left of one that was under way.
void remove_checkpoint(const data_directory& directory);

/// Reads a copy of a data directory to its end. How many violations the audit finds, and where the
/// log ends.
struct verified {
  log_head head;
  std::uint64_t violations = 0;
};
[[nodiscard]] std::variant<verified, failure> verify(const std::filesystem::path& directory,
                                                     const on_progress& report);

} // namespace usher::storage::backup

#pragma once

#include "storage/event_log.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// `backup.json`: what belongs to a backup. It is written last, so a directory without one is no
// backup. docs/backup.md describes it.
namespace usher::storage::backup {

inline constexpr std::string_view manifest_name = "backup.json";

struct file_entry {
  std::uint64_t size = 0;
  std::string sha256; ///< hex
  bool operator==(const file_entry&) const = default;
};

struct manifest {
  time_ms made_at = 0;
  log_head head;
  std::uint64_t violations = 0; ///< that the audit found in what was copied
  bool secrets = false;
  bool customer_keys = false;
  /// By path below the backup, `/` between names.
  std::map<std::string, file_entry> files;

  [[nodiscard]] std::uint64_t bytes() const;
  bool operator==(const manifest&) const = default;
};

[[nodiscard]] std::string write_manifest(const manifest& what);
/// Fails on anything that it would not write itself, also a path that leads out of the backup.
[[nodiscard]] std::variant<manifest, failure> read_manifest(std::string_view text);

/// Of a directory: fails if it is missing, too.
[[nodiscard]] std::variant<manifest, failure>
read_manifest_of(const std::filesystem::path& directory);

/// What of the files differs by name or size: missing, cut off or grown, not listed. A sentence
/// each; empty: they fit. RocksDB's own notes (`log/LOG…`) do not count.
[[nodiscard]] std::vector<std::string> differences(const manifest& what,
                                                   const std::filesystem::path& directory);

} // namespace usher::storage::backup

#pragma once

#include "storage/backup/manifest.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Copying files so that the copy is durable and known by its hash.
namespace usher::storage::backup {

/// How far it is. Called on the thread that works, often; false: give up.
enum class step : std::uint8_t { checkpoint, copy, verify };
struct progress {
  backup::step step = step::checkpoint;
  std::uint64_t done = 0;  ///< bytes, or records while verifying
  std::uint64_t total = 0; ///< 0: not known yet
};
using on_progress = std::function<bool(const progress&)>;

[[nodiscard]] std::string_view to_string(step what);

/// What copying has come to, and whether it goes on.
class counter {
public:
  counter(const on_progress& report, step what, std::uint64_t total)
      : report_{report}, now_{what, 0, total} {}
  /// A failure if it is to be given up.
  [[nodiscard]] std::optional<failure> add(std::uint64_t done);

private:
  on_progress report_;
  progress now_;
};

/// The regular files below a directory, by path below it; those that end in `.new` are being made
/// and do not count. Empty if there is no such directory.
[[nodiscard]] std::variant<std::vector<std::string>, failure>
files_below(const std::filesystem::path& directory);

/// Copies one file (0600) to where there is none, synced; makes no directories. The hash is of what
/// was read.
[[nodiscard]] std::variant<file_entry, failure>
copy_file(const std::filesystem::path& from, const std::filesystem::path& to, counter& count);

/// Of a file as it lies there, from the disk as far as the system can be told so.
[[nodiscard]] std::variant<file_entry, failure> hash_file(const std::filesystem::path& path,
                                                          counter& count);

/// Takes a directory for a copy: makes it (0700) if it is missing, and refuses one that is not
/// empty. The directory above has to be there.
[[nodiscard]] std::optional<failure> take_empty_directory(const std::filesystem::path& path);

/// Syncs a directory and all those below it.
[[nodiscard]] std::optional<failure> sync_all_directories(const std::filesystem::path& path);

/// Removes what is in a directory, not the directory.
void remove_contents(const std::filesystem::path& path);

} // namespace usher::storage::backup

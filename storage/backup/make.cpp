#include "storage/backup/make.hpp"

#include "storage/disk_guard.hpp"
#include "storage/files.hpp"
#include "storage/head_file.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

namespace usher::storage::backup {

namespace {

namespace fs = std::filesystem;

/// One directory that goes into the backup.
struct part {
  fs::path from;
  std::string name; ///< in the backup
  std::vector<std::string> files{};
};

std::uint64_t bytes_of(const std::vector<part>& parts) {
  std::uint64_t sum = 0;
  std::error_code ignored;
  for (const auto& each : parts)
    for (const auto& file : each.files)
      sum += fs::file_size(each.from / file, ignored);
  return sum;
}

std::optional<failure> list_files(std::vector<part>& parts) {
  for (auto& each : parts) {
    auto files = files_below(each.from);
    if (auto* failed = std::get_if<failure>(&files))
      return std::move(*failed);
    each.files = std::get<std::vector<std::string>>(std::move(files));
  }
  return std::nullopt;
}

std::optional<failure> copy_part(const part& from, const fs::path& to, manifest& into,
                                 counter& count) {
  if (::mkdir((to / from.name).c_str(), 0700) != 0)
    return system_failure("make", to / from.name);
  for (const auto& file : from.files) {
    const auto path = from.name + "/" + file;
    auto copied = copy_file(from.from / file, to / path, count);
    if (auto* failed = std::get_if<failure>(&copied))
      return std::move(*failed);
    into.files.emplace(path, std::get<file_entry>(std::move(copied)));
  }
  return std::nullopt;
}

/// Another reading of what was written.
std::optional<failure> compare(const manifest& made, const fs::path& to) {
  counter uncounted{nullptr, step::verify, 0};
  for (const auto& [path, file] : made.files) {
    const auto read = hash_file(to / path, uncounted);
    if (const auto* failed = std::get_if<failure>(&read))
      return *failed;
    if (std::get<file_entry>(read) != file)
      return failure{(to / path).string() + " is not what was written to it"};
  }
  return std::nullopt;
}

std::optional<failure> write_head(const log_head& head, const fs::path& to, manifest& into) {
  if (auto failed = write_whole_file(to / "HEAD", format_head(head)))
    return failed;
  counter uncounted{nullptr, step::copy, 0};
  auto entry = hash_file(to / "HEAD", uncounted);
  if (auto* failed = std::get_if<failure>(&entry))
    return std::move(*failed);
  into.files["HEAD"] = std::get<file_entry>(std::move(entry));
  return std::nullopt;
}

/// Into a directory that is there and empty.
std::variant<manifest, failure> fill(const fs::path& checkpoint, const log_head& acknowledged,
                                     const data_directory& directory, const order& wanted,
                                     time_ms now, const on_progress& report) {
  std::vector<part> parts{{checkpoint, "log"}};
  if (wanted.secrets)
    parts.push_back({directory.secrets(), "secrets"});
  if (wanted.customer_keys)
    parts.push_back({directory.customer_keys(), "customer-keys"});
  if (auto failed = list_files(parts))
    return std::move(*failed);
  manifest made{.made_at = now,
                .head = {},
                .secrets = wanted.secrets,
                .customer_keys = wanted.customer_keys,
                .files = {}};
  const auto bytes = bytes_of(parts);
  if (const auto space = space_of(wanted.to); space && space->free_bytes < bytes + bytes / 16)
    return failure{"there is no room at " + wanted.to.string() + ": " + std::to_string(bytes) +
                   " bytes are to be copied, " + std::to_string(space->free_bytes) + " are free"};
  counter count{report, step::copy, bytes};
  for (const auto& each : parts)
    if (auto failed = copy_part(each, wanted.to, made, count))
      return std::move(*failed);
  // What was acknowledged before is in it: opening the copy compares the two.
  if (auto failed = write_head(acknowledged, wanted.to, made))
    return std::move(*failed);
  const auto checked = verify(wanted.to, report);
  if (const auto* failed = std::get_if<failure>(&checked))
    return *failed;
  made.head = std::get<verified>(checked).head;
  made.violations = std::get<verified>(checked).violations;
  if (auto failed = write_head(made.head, wanted.to, made))
    return std::move(*failed);
  if (auto failed = compare(made, wanted.to))
    return std::move(*failed);
  if (auto failed = sync_all_directories(wanted.to))
    return std::move(*failed);
  if (auto failed = write_whole_file(wanted.to / manifest_name, write_manifest(made)))
    return std::move(*failed);
  return made;
}

/// Is `inner` the directory `outer`, or below it?
bool is_within(const fs::path& inner, const fs::path& outer) {
  std::error_code trouble;
  const auto in = fs::weakly_canonical(inner, trouble);
  const auto out = fs::weakly_canonical(outer, trouble);
  return std::mismatch(out.begin(), out.end(), in.begin(), in.end()).first == out.end();
}

fs::path checkpoint_of(const data_directory& directory) {
  return directory.root() / "checkpoint";
}

} // namespace

void remove_checkpoint(const data_directory& directory) {
  std::error_code ignored;
  fs::remove_all(checkpoint_of(directory), ignored);
  fs::remove_all(checkpoint_of(directory).string() + ".tmp", ignored); // RocksDB's own
}

std::variant<manifest, failure> make(const rocksdb_log& log, const data_directory& directory,
                                     const order& wanted, time_ms now, const on_progress& report) {
  if (is_within(wanted.to, directory.root()))
    return failure{wanted.to.string() + " lies in the data directory"};
  if (auto failed = take_empty_directory(wanted.to))
    return std::move(*failed);
  const auto checkpoint = checkpoint_of(directory);
  remove_checkpoint(directory);
  if (report)
    static_cast<void>(report({step::checkpoint, 0, 0}));
  const auto acknowledged = log.head();
  auto made = [&]() -> std::variant<manifest, failure> {
    if (auto failed = log.checkpoint(checkpoint))
      return std::move(*failed);
    return fill(checkpoint, acknowledged, directory, wanted, now, report);
  }();
  remove_checkpoint(directory);
  if (std::holds_alternative<failure>(made))
    remove_contents(wanted.to);
  return made;
}

} // namespace usher::storage::backup

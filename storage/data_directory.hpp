#pragma once

#include "storage/files.hpp"

#include <filesystem>
#include <variant>

namespace usher::storage {

/// Where one server keeps everything durable:
///
///     log/       the RocksDB database
///     log.new/   one that is being made; dropped and made again if found
///     snapshots/ of the log; caches, see snapshot_files.hpp
///     secrets/   keys, 0700; never in a backup of the log
///     customer-keys/  the keys of personal data, see customer_keys.hpp
///     HEAD       the last acknowledged head, see head_file.hpp
///     LOCK       locked by the one process that may write; holds its process id
class data_directory {
public:
  /// For writing: makes what is missing (0700) and takes the lock, which is held as long as this
  /// object lives. Fails if another process, or another object in this one, holds it.
  [[nodiscard]] static std::variant<data_directory, failure>
  open(const std::filesystem::path& root = "./usher-data");

  /// For reading beside a running server, or a copy: changes nothing, locks nothing, and fails if
  /// there is no log.
  [[nodiscard]] static std::variant<data_directory, failure>
  open_read_only(const std::filesystem::path& root);

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path log() const { return root_ / "log"; }
  [[nodiscard]] std::filesystem::path new_log() const { return root_ / "log.new"; }
  [[nodiscard]] std::filesystem::path snapshots() const { return root_ / "snapshots"; }
  [[nodiscard]] std::filesystem::path secrets() const { return root_ / "secrets"; }
  [[nodiscard]] std::filesystem::path customer_keys() const { return root_ / "customer-keys"; }
  [[nodiscard]] std::filesystem::path head_file() const { return root_ / "HEAD"; }
  [[nodiscard]] std::filesystem::path lock_file() const { return root_ / "LOCK"; }
  [[nodiscard]] bool writable() const { return lock_.is_open(); }

private:
  data_directory(std::filesystem::path root, file_handle lock)
      : root_{std::move(root)}, lock_{std::move(lock)} {}

  std::filesystem::path root_;
  file_handle lock_;
};

} // namespace usher::storage

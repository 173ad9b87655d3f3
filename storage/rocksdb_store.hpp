#pragma once

#include "storage/log_format.hpp"
#include "storage/log_tail.hpp"

#include <rocksdb/db.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// The database under the log: opening it, and the few reads that opening and reading need.
namespace usher::storage {

/// "cannot <verb> the log: <what RocksDB says>", which names file and offset where it knows them.
[[nodiscard]] failure store_failure(std::string_view verb, const rocksdb::Status& status);

/// An open database with its column families.
struct rocksdb_store {
  rocksdb_store() = default;
  rocksdb_store(const rocksdb_store&) = delete;
  rocksdb_store& operator=(const rocksdb_store&) = delete;
  ~rocksdb_store();

  [[nodiscard]] std::unique_ptr<rocksdb::Iterator>
  iterate(rocksdb::ColumnFamilyHandle* family) const;
  /// For reading a whole family once: reads ahead, and leaves the cache to others.
  [[nodiscard]] std::unique_ptr<rocksdb::Iterator> scan(rocksdb::ColumnFamilyHandle* family) const;

  std::unique_ptr<rocksdb::DB> db;
  rocksdb::ColumnFamilyHandle* none = nullptr; ///< RocksDB's `default`, which stays empty
  rocksdb::ColumnFamilyHandle* batches = nullptr;
  rocksdb::ColumnFamilyHandle* streams = nullptr;
  rocksdb::ColumnFamilyHandle* meta = nullptr;
  /// None: opened for reading, and made before there was such an index.
  rocksdb::ColumnFamilyHandle* places = nullptr;
};

using store_ptr = std::unique_ptr<rocksdb_store>;

enum class store_mode : std::uint8_t { create, read, write };

struct store_options {
  store_mode mode = store_mode::read;
  rocksdb::WALRecoveryMode recovery = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  rocksdb::Env* env = nullptr; ///< none: the system's
};

/// Opening for writing adds `places` if it is missing; its entries are rocksdb_places.hpp's.
[[nodiscard]] rocksdb::Status open_store(const std::filesystem::path& path,
                                         const store_options& how, store_ptr& store);

/// Refuses a format that is newer, or none.
[[nodiscard]] std::optional<failure> check_format(const rocksdb_store& store);

/// The end of the log: the head in `meta`, checked against the last batch, and the last version of
/// every subject, checked against the number of records. Reads one batch and one key a subject.
[[nodiscard]] std::variant<log_tail, failure> read_tail(const rocksdb_store& store);

/// The batch that holds this position, found with an iterator over `batches`. Checks that it is
/// sound, not the chain. None such is a failure.
[[nodiscard]] std::variant<batch, failure> batch_with(rocksdb::Iterator& batches,
                                                      position_t position);

/// The batch that begins at this position, or none.
[[nodiscard]] std::variant<std::optional<batch>, failure> read_batch_at(const rocksdb_store& store,
                                                                        position_t first);

} // namespace usher::storage

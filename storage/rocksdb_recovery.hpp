#pragma once

#include "storage/data_directory.hpp"
#include "storage/rocksdb_store.hpp"

#include <variant>

// Opening a database that a crash, a power cut or a damaged disk may have left behind, without ever
// passing over something that was acknowledged. docs/log-format.md has the rules.
namespace usher::storage {

/// A store that was found sound, and where its log ends.
struct recovered {
  store_ptr store;
  log_tail tail;
  rocksdb::WALRecoveryMode recovery; ///< how its write-ahead log was read
};

/// Opens read-only and decides: the write-ahead log may have a torn tail; any other damage to it is
/// passed over only if HEAD proves that nothing acknowledged lies behind it. A log that ends before
/// HEAD, or is another log than HEAD's, is refused. Changes nothing on disk.
/// `env`: nullptr for the system's.
[[nodiscard]] std::variant<recovered, failure> inspect(const data_directory& directory,
                                                       rocksdb::Env* env);

/// The same beside a server that writes: tried again while its files change under the reading.
[[nodiscard]] std::variant<recovered, failure> inspect_live(const data_directory& directory,
                                                            rocksdb::Env* env);

/// Inspects, then opens for writing. Makes an empty log if there is none and HEAD knows of none.
[[nodiscard]] std::variant<recovered, failure> recover(const data_directory& directory,
                                                       rocksdb::Env* env);

} // namespace usher::storage

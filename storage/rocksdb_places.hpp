#pragma once

#include "storage/receipts.hpp"
#include "storage/rocksdb_store.hpp"

#include <rocksdb/write_batch.h>

#include <functional>
#include <memory>
#include <optional>
#include <variant>

// The column family `places`: written with each batch, read for receipts, made anew where a
// database is older than the index or the index has another format.
namespace usher::storage {

/// Puts what the index has of this record into the same write as its batch.
[[nodiscard]] rocksdb::Status put_places(rocksdb::WriteBatch& all, const rocksdb_store& store,
                                         const stored_record& record);

/// Whether the index is there, complete, and of the format that this program knows.
[[nodiscard]] std::variant<bool, failure> places_complete(const rocksdb_store& store);

/// event_log::replay from the beginning.
using record_source =
    std::function<std::optional<failure>(const std::function<bool(const stored_record&)>&)>;

/// Empties the index and makes it from all records. A crash meanwhile leaves it incomplete, and the
/// next opening begins again. The store must be open for writing.
[[nodiscard]] std::optional<failure> make_places(const rocksdb_store& store,
                                                 const record_source& replay);

/// Reads of one moment. Lives no longer than the store; one thread at a time.
[[nodiscard]] receipt_source receipts_in(const rocksdb_store& store);

} // namespace usher::storage

#pragma once

#include "storage/rocksdb_store.hpp"
#include "tests/storage/support.hpp"

#include <rocksdb/options.h>

#include <string>

// A log's batches as they lie in RocksDB: for tests that change them behind its back.
namespace usher::storage::test {

inline std::string value_at(const rocksdb_store& store, position_t first) {
  std::string value;
  BOOST_REQUIRE(store.db->Get({}, store.batches, batch_key(first), &value).ok());
  return value;
}

inline void put(const rocksdb_store& store, position_t first, const std::string& value) {
  BOOST_REQUIRE(store.db->Put({}, store.batches, batch_key(first), value).ok());
}

} // namespace usher::storage::test

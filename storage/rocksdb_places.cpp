#include "storage/rocksdb_places.hpp"

#include <string>
#include <utility>

namespace usher::storage {

namespace {

// While the index is made: so many keys are written at once.
constexpr std::uint32_t keys_per_write = 10'000;

rocksdb::Status write_synced(const rocksdb_store& store, rocksdb::WriteBatch& what) {
  rocksdb::WriteOptions synced;
  synced.sync = true;
  return store.db->Write(synced, &what);
}

/// Says first that the index is not complete, then empties it.
rocksdb::Status empty_places(const rocksdb_store& store) {
  rocksdb::WriteBatch all;
  auto status = all.Delete(store.meta, places_key);
  // Above every key: subjects are UTF-8, where ff is no byte.
  if (status.ok())
    status = all.DeleteRange(store.places, "", "\xff");
  return status.ok() ? write_synced(store, all) : status;
}

std::optional<failure> put_from_payload(rocksdb::WriteBatch& all, const rocksdb_store& store,
                                        stored_record record) {
  auto found = places_of(record);
  if (auto* fault = std::get_if<failure>(&found))
    return std::move(*fault);
  auto& [places, joins] = std::get<indexed_places>(found);
  record.places = std::move(places);
  record.joins = joins;
  const auto status = put_places(all, store, record);
  return status.ok() ? std::nullopt : std::optional{store_failure("index", status)};
}

} // namespace

rocksdb::Status put_places(rocksdb::WriteBatch& all, const rocksdb_store& store,
                           const stored_record& record) {
  for (const auto& key : place_keys(record))
    if (auto status = all.Put(store.places, key, ""); !status.ok())
      return status;
  return rocksdb::Status::OK();
}

std::variant<bool, failure> places_complete(const rocksdb_store& store) {
  if (store.places == nullptr)
    return false;
  std::string value;
  const auto status = store.db->Get(rocksdb::ReadOptions{}, store.meta, places_key, &value);
  if (status.IsNotFound())
    return false;
  if (!status.ok())
    return store_failure("read the index of places of", status);
  return read_big_endian_32(value) == places_format;
}

std::optional<failure> make_places(const rocksdb_store& store, const record_source& replay) {
  if (const auto status = empty_places(store); !status.ok())
    return store_failure("index", status);
  rocksdb::WriteBatch pending;
  std::optional<failure> fault;
  auto unsound = replay([&](const stored_record& record) {
    fault = put_from_payload(pending, store, record);
    if (!fault && pending.Count() >= keys_per_write) {
      if (const auto status = store.db->Write({}, &pending); !status.ok())
        fault = store_failure("index", status);
      pending.Clear();
    }
    return !fault;
  });
  if (unsound)
    return unsound;
  if (fault)
    return fault;
  // Syncs all that was written before it, too.
  auto status = pending.Put(store.meta, places_key, big_endian_32(places_format));
  if (status.ok())
    status = write_synced(store, pending);
  return status.ok() ? std::nullopt : std::optional{store_failure("index", status)};
}

receipt_source receipts_in(const rocksdb_store& store) {
  // In this order: whatever the index has, the batches have too.
  const std::shared_ptr<rocksdb::Iterator> keys = store.iterate(store.places);
  const std::shared_ptr<rocksdb::Iterator> batches = store.iterate(store.batches);
  return {.last_key_up_to =
              [keys](const std::string& key) -> std::variant<std::optional<std::string>, failure> {
            keys->SeekForPrev(key);
            if (!keys->status().ok())
              return store_failure("read", keys->status());
            return keys->Valid() ? std::optional{keys->key().ToString()} : std::nullopt;
          },
          .batch_with = [batches](position_t position) { return batch_with(*batches, position); }};
}

} // namespace usher::storage

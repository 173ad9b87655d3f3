#include "storage/rocksdb_store.hpp"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace usher::storage {

namespace {

constexpr std::size_t write_buffer_bytes = std::size_t{16} << 20;  // per column family, and
constexpr std::size_t write_buffers_bytes = std::size_t{32} << 20; // of all together
constexpr std::size_t wal_bytes_max = std::size_t{96} << 20; // bounds what a start reads again
constexpr std::size_t info_logs_kept = 4;
constexpr std::size_t readahead_bytes = std::size_t{2} << 20;

rocksdb::CompressionType compression() {
  const auto linked = rocksdb::GetSupportedCompressions();
  const auto has_lz4 = std::ranges::find(linked, rocksdb::kLZ4Compression) != linked.end();
  return has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

rocksdb::DBOptions database_options(const store_options& how) {
  rocksdb::DBOptions options;
  options.create_if_missing = how.mode == store_mode::create;
  options.create_missing_column_families = how.mode != store_mode::read;
  options.error_if_exists = how.mode == store_mode::create;
  options.wal_recovery_mode = how.recovery;
  options.paranoid_checks = true;
  options.max_open_files = -1;
  options.max_total_wal_size = wal_bytes_max;
  options.db_write_buffer_size = write_buffers_bytes;
  options.keep_log_file_num = info_logs_kept;
  if (how.env != nullptr)
    options.env = how.env;
  return options;
}

/// Appended once, read in order, never deleted: no bloom filter, nothing that expires.
rocksdb::ColumnFamilyOptions family_options() {
  rocksdb::ColumnFamilyOptions options;
  options.write_buffer_size = write_buffer_bytes;
  options.compression = compression();
  options.ttl = 0;
  options.periodic_compaction_seconds = 0;
  return options;
}

std::variant<version_map, failure> read_versions(const rocksdb_store& store) {
  version_map versions;
  const auto entry = store.iterate(store.streams);
  for (entry->SeekToFirst(); entry->Valid();) {
    const auto first = read_stream_key(entry->key().ToStringView());
    if (!first)
      return failure{"the index of subjects has a key that is none"};
    const std::string subject{first->subject};
    const auto end = stream_end(subject);
    entry->SeekForPrev(end);
    const auto last = entry->Valid() ? read_stream_key(entry->key().ToStringView()) : std::nullopt;
    if (!last || last->subject != subject)
      return failure{"the index of subjects is out of order at " + subject};
    versions.emplace(subject, last->version);
    entry->Seek(end);
  }
  if (!entry->status().ok())
    return store_failure("read", entry->status());
  return versions;
}

struct last_batch {
  position_t position = 0;
  std::uint64_t epoch = 0;
  digest chain{};
};

/// All zero for the empty log.
std::variant<last_batch, failure> read_last_batch(const rocksdb_store& store) {
  const auto found = store.iterate(store.batches);
  found->SeekToLast();
  if (!found->status().ok())
    return store_failure("read", found->status());
  if (!found->Valid())
    return last_batch{};
  const auto value = found->value().ToStringView();
  auto read = decode_batch(value);
  if (auto* fault = std::get_if<failure>(&read))
    return failure{"the last batch: " + fault->what};
  const auto& what = std::get<batch>(read);
  return last_batch{.position = what.last(),
                    .epoch = what.epoch,
                    .chain = chain_hasher{}.next(what.previous, value)};
}

} // namespace

failure store_failure(std::string_view verb, const rocksdb::Status& status) {
  return {"cannot " + std::string{verb} + " the log: " + status.ToString()};
}

rocksdb_store::~rocksdb_store() {
  for (auto* family : {none, batches, streams, meta, places})
    if (family != nullptr)
      db->DestroyColumnFamilyHandle(family);
}

std::unique_ptr<rocksdb::Iterator>
rocksdb_store::iterate(rocksdb::ColumnFamilyHandle* family) const {
  return std::unique_ptr<rocksdb::Iterator>{db->NewIterator(rocksdb::ReadOptions{}, family)};
}

std::unique_ptr<rocksdb::Iterator> rocksdb_store::scan(rocksdb::ColumnFamilyHandle* family) const {
  rocksdb::ReadOptions once;
  once.readahead_size = readahead_bytes;
  once.fill_cache = false;
  return std::unique_ptr<rocksdb::Iterator>{db->NewIterator(once, family)};
}

rocksdb::Status open_store(const std::filesystem::path& path, const store_options& how,
                           store_ptr& store) {
  const auto options = database_options(how);
  std::vector<rocksdb::ColumnFamilyDescriptor> families{
      {rocksdb::kDefaultColumnFamilyName, family_options()},
      {batches_family, family_options()},
      {streams_family, family_options()},
      {meta_family, family_options()},
      {places_family, family_options()}};
  if (how.mode == store_mode::read) {
    std::vector<std::string> there;
    auto status = rocksdb::DB::ListColumnFamilies(options, path.string(), &there);
    if (!status.ok())
      return status;
    if (std::ranges::find(there, places_family) == there.end())
      families.pop_back();
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const auto status =
      how.mode == store_mode::read
          ? rocksdb::DB::OpenForReadOnly(options, path.string(), families, &handles, &db)
          : rocksdb::DB::Open(options, path.string(), families, &handles, &db);
  if (!status.ok())
    return status;
  store = std::make_unique<rocksdb_store>();
  store->db.reset(db);
  store->none = handles[0];
  store->batches = handles[1];
  store->streams = handles[2];
  store->meta = handles[3];
  if (handles.size() > 4)
    store->places = handles[4];
  return status;
}

std::optional<failure> check_format(const rocksdb_store& store) {
  std::string value;
  const auto status = store.db->Get(rocksdb::ReadOptions{}, store.meta, format_key, &value);
  if (!status.ok())
    return store_failure("read the format of", status);
  const auto format = read_big_endian_32(value);
  if (!format || *format == 0)
    return failure{"the log does not say what format it has"};
  if (*format > log_format)
    return failure{"the log has format " + std::to_string(*format) +
                   ", which is newer than this program, which knows " + std::to_string(log_format)};
  return std::nullopt;
}

std::variant<log_tail, failure> read_tail(const rocksdb_store& store) {
  std::string value;
  const auto status = store.db->Get(rocksdb::ReadOptions{}, store.meta, head_key, &value);
  if (!status.ok())
    return store_failure("read the head of", status);
  const auto head = decode_head(value);
  if (!head)
    return failure{"the log has a head that is none"};
  auto last = read_last_batch(store);
  if (auto* fault = std::get_if<failure>(&last))
    return std::move(*fault);
  const auto& end = std::get<last_batch>(last);
  if (end.position != head->position)
    return failure{"the last batch ends at position " + std::to_string(end.position) +
                   ", the head of the log says " + std::to_string(head->position)};
  if (end.chain != head->chain)
    return failure{"the last batch, up to position " + std::to_string(end.position) +
                   ", is not the one that the head of the chain was made of"};
  auto versions = read_versions(store);
  if (auto* fault = std::get_if<failure>(&versions))
    return std::move(*fault);
  std::uint64_t records = 0;
  for (const auto& [subject, version] : std::get<version_map>(versions))
    records += version;
  if (records != head->position)
    return failure{"the index of subjects has " + std::to_string(records) +
                   " records, the log has " + std::to_string(head->position)};
  return log_tail{*head, std::move(std::get<version_map>(versions)), end.epoch};
}

std::variant<batch, failure> batch_with(rocksdb::Iterator& batches, position_t position) {
  const auto none = failure{"there is no record at position " + std::to_string(position)};
  batches.SeekForPrev(batch_key(position));
  if (!batches.status().ok())
    return store_failure("read", batches.status());
  if (!batches.Valid())
    return none;
  auto found = decode_batch(batches.value().ToStringView());
  if (auto* fault = std::get_if<failure>(&found))
    return failure{"position " + std::to_string(position) + ": " + fault->what};
  const auto& what = std::get<batch>(found);
  if (position < what.first() || position > what.last())
    return none;
  return found;
}

std::variant<std::optional<batch>, failure> read_batch_at(const rocksdb_store& store,
                                                          position_t first) {
  std::string value;
  const auto status =
      store.db->Get(rocksdb::ReadOptions{}, store.batches, batch_key(first), &value);
  if (status.IsNotFound())
    return std::nullopt;
  if (!status.ok())
    return store_failure("read", status);
  auto found = decode_batch(value);
  if (auto* fault = std::get_if<failure>(&found))
    return failure{"batch filed at position " + std::to_string(first) + ": " + fault->what};
  return std::move(std::get<batch>(found));
}

} // namespace usher::storage

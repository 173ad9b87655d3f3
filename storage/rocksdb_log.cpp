#include "storage/rocksdb_log.hpp"

#include "storage/head_file.hpp"
#include "storage/replay.hpp"
#include "storage/rocksdb_places.hpp"
#include "storage/rocksdb_recovery.hpp"

#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

namespace usher::storage {

struct rocksdb_log::parts {
  store_ptr store;
  mutable std::mutex ending; ///< of `tail`, which the writer moves and readers copy the end of
  log_tail tail;
  std::uint64_t epoch = 0;
  rocksdb::WriteOptions write;
  std::optional<head_writer> head; ///< none: opened for reading
  bool failed = false;
  bool has_places = false; ///< the index of places is complete; not changed after opening
};

namespace {

rocksdb::Status fill(rocksdb::WriteBatch& all, const rocksdb_store& store,
                     const prepared_batch& next) {
  auto status = all.Put(store.batches, batch_key(next.what.first()), next.value);
  for (const auto& record : next.what.records) {
    if (!status.ok())
      return status;
    status = all.Put(store.streams, stream_key(record.subject, record.version),
                     big_endian_64(record.position));
    if (status.ok())
      status = put_places(all, store, record);
  }
  if (!status.ok())
    return status;
  return all.Put(store.meta, head_key, encode_head(next.head));
}

} // namespace

rocksdb_log::rocksdb_log(std::unique_ptr<parts> all) : parts_{std::move(all)} {}
rocksdb_log::~rocksdb_log() = default;

std::variant<std::unique_ptr<rocksdb_log>, failure>
rocksdb_log::open(const data_directory& directory, const rocksdb_options& options) {
  if (!directory.writable())
    return failure{directory.root().string() + " was opened for reading"};
  auto found = recover(directory, options.env);
  if (auto* fault = std::get_if<failure>(&found))
    return std::move(*fault);
  auto& sound = std::get<recovered>(found);
  auto head = head_writer::open(directory.head_file());
  if (auto* fault = std::get_if<failure>(&head))
    return std::move(*fault);
  auto& writer = std::get<head_writer>(head);
  if (auto fault = writer.write(sound.tail.head()))
    return std::move(*fault);
  if (auto fault = writer.sync())
    return std::move(*fault);
  auto all = std::make_unique<parts>();
  all->epoch = sound.tail.epoch() + 1;
  all->store = std::move(sound.store);
  all->tail = std::move(sound.tail);
  all->write.sync = options.sync;
  all->head = std::move(writer);
  std::unique_ptr<rocksdb_log> log{new rocksdb_log{std::move(all)}};
  if (auto fault = log->look_at_places(true))
    return std::move(*fault);
  return log;
}

std::variant<std::unique_ptr<rocksdb_log>, failure>
rocksdb_log::open_read_only(const data_directory& directory, const rocksdb_options& options) {
  auto found = inspect_live(directory, options.env);
  if (auto* fault = std::get_if<failure>(&found))
    return std::move(*fault);
  auto& sound = std::get<recovered>(found);
  auto all = std::make_unique<parts>();
  all->store = std::move(sound.store);
  all->tail = std::move(sound.tail);
  std::unique_ptr<rocksdb_log> log{new rocksdb_log{std::move(all)}};
  if (auto fault = log->look_at_places(false))
    return std::move(*fault);
  return log;
}

std::optional<failure> rocksdb_log::look_at_places(bool make) {
  const auto complete = places_complete(*parts_->store);
  if (const auto* fault = std::get_if<failure>(&complete))
    return *fault;
  parts_->has_places = std::get<bool>(complete);
  if (parts_->has_places || !make)
    return std::nullopt;
  auto fault = make_places(*parts_->store, [this](const auto& visit) { return replay(1, visit); });
  parts_->has_places = !fault;
  return fault;
}

std::optional<failure> rocksdb_log::append(const std::vector<record>& records) {
  if (!parts_->head)
    return failure{"the log was opened for reading"};
  if (parts_->failed)
    return failure{"the log has failed before and takes nothing more"};
  if (records.empty())
    return std::nullopt;
  auto fault = write(records);
  parts_->failed = fault.has_value();
  return fault;
}

std::optional<failure> rocksdb_log::write(const std::vector<record>& records) {
  auto prepared = parts_->tail.prepare(records, parts_->epoch);
  if (auto* fault = std::get_if<failure>(&prepared))
    return std::move(*fault);
  const auto& next = std::get<prepared_batch>(prepared);
  rocksdb::WriteBatch all;
  auto status = fill(all, *parts_->store, next);
  if (status.ok())
    status = parts_->store->db->Write(parts_->write, &all);
  if (!status.ok())
    return store_failure("append to", status);
  if (auto fault = parts_->head->write(next.head))
    return fault;
  const std::lock_guard lock{parts_->ending};
  parts_->tail.accept(next);
  return std::nullopt;
}

log_head rocksdb_log::head() const {
  const std::lock_guard lock{parts_->ending};
  return parts_->tail.head();
}

std::variant<std::optional<digest>, failure> rocksdb_log::chain_at(position_t position) const {
  if (position == 0)
    return digest{};
  if (position > head().position)
    return std::nullopt;
  const auto entry = parts_->store->iterate(parts_->store->batches);
  const auto found = batch_with(*entry, position);
  if (const auto* fault = std::get_if<failure>(&found))
    return *fault;
  const auto& what = std::get<batch>(found);
  if (what.last() != position)
    return std::nullopt;
  return chain_hasher{}.next(what.previous, entry->value().ToStringView());
}

std::optional<failure>
rocksdb_log::replay(position_t from, const std::function<bool(const stored_record&)>& visit) const {
  // First the end, then the view: it may show more than that, never less.
  const auto end = [this] {
    const std::lock_guard lock{parts_->ending};
    return parts_->tail.end();
  }();
  const auto& store = *parts_->store;
  const auto entry = from <= 1 ? store.scan(store.batches) : store.iterate(store.batches);
  // A gap before the batch that is asked for shows only if reading begins at the very first.
  if (from <= 1)
    entry->SeekToFirst();
  else
    entry->SeekForPrev(batch_key(std::min(from, end.head.position)));
  bool begun = false;
  const auto next = [&]() -> std::variant<std::optional<stored_batch>, failure> {
    if (std::exchange(begun, true))
      entry->Next();
    if (!entry->status().ok())
      return store_failure("read", entry->status());
    if (!entry->Valid())
      return std::nullopt;
    const auto key = read_batch_key(entry->key().ToStringView());
    if (!key)
      return failure{"a batch is filed under a key that is none"};
    return stored_batch{.key = *key, .value = entry->value().ToStringView()};
  };
  return replay_batches(from, end, next, visit);
}

std::variant<std::vector<position_t>, failure>
rocksdb_log::positions_of(std::string_view subject) const {
  std::vector<position_t> positions;
  const auto entry = parts_->store->iterate(parts_->store->streams);
  for (entry->Seek(stream_key(subject, 0)); entry->Valid(); entry->Next()) {
    const auto key = read_stream_key(entry->key().ToStringView());
    if (!key || key->subject != subject)
      break;
    const auto position = read_big_endian_64(entry->value().ToStringView());
    if (!position || key->version != positions.size() + 1)
      return failure{"the index of subjects is damaged at " + std::string{subject} + " version " +
                     std::to_string(key->version)};
    positions.push_back(*position);
  }
  if (!entry->status().ok())
    return store_failure("read", entry->status());
  return positions;
}

std::variant<stored_record, failure> rocksdb_log::read(position_t position) const {
  const auto batches = parts_->store->iterate(parts_->store->batches);
  auto found = batch_with(*batches, position);
  if (auto* fault = std::get_if<failure>(&found))
    return std::move(*fault);
  auto& what = std::get<batch>(found);
  return std::move(what.records[position - what.first()]);
}

// On any thread: reads nothing but the store, which is as it was opened.
std::variant<std::vector<stored_record>, failure>
rocksdb_log::records_about(std::string_view subject, std::uint32_t slot, std::size_t limit) const {
  if (!parts_->has_places)
    return failure{
        "the log has no index of places yet: it is made when usher opens it for writing"};
  return storage::records_about(receipts_in(*parts_->store), subject, slot, limit);
}

std::optional<failure> rocksdb_log::verify_files() const {
  const auto status = parts_->store->db->VerifyChecksum();
  return status.ok() ? std::nullopt : std::optional{store_failure("verify", status)};
}

std::optional<failure> rocksdb_log::checkpoint(const std::filesystem::path& to) const {
  auto& db = *parts_->store->db;
  rocksdb::Checkpoint* made = nullptr;
  auto status = db.FlushWAL(true);
  if (status.ok())
    status = rocksdb::Checkpoint::Create(&db, &made);
  const std::unique_ptr<rocksdb::Checkpoint> owned{made};
  if (status.ok())
    status = made->CreateCheckpoint(to.string());
  return status.ok() ? std::nullopt : std::optional{store_failure("copy", status)};
}

} // namespace usher::storage

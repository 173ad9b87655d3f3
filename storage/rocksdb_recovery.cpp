#include "storage/rocksdb_recovery.hpp"

#include "storage/head_file.hpp"

#include <rocksdb/write_batch.h>

#include <fcntl.h>

#include <string>
#include <system_error>
#include <utility>

namespace usher::storage {

namespace {

using mode = rocksdb::WALRecoveryMode;

failure missing(const log_head& acknowledged, position_t found, const std::string& why) {
  return {"the log ends at position " + std::to_string(found) + ", but records up to " +
          std::to_string(acknowledged.position) + " were acknowledged: " +
          std::to_string(acknowledged.position - found) + " are missing" + why};
}

/// Whether the log holds all that HEAD knows of, and is the log that HEAD was written for.
std::optional<failure> check_against(const log_head& acknowledged, const rocksdb_store& store,
                                     const log_head& found) {
  if (found.position < acknowledged.position)
    return missing(acknowledged, found.position, "");
  auto chain = found.chain;
  if (found.position > acknowledged.position) {
    // The batch after HEAD was durable when the process ended, but nobody had been told.
    auto next = read_batch_at(store, acknowledged.position + 1);
    if (auto* fault = std::get_if<failure>(&next))
      return std::move(*fault);
    const auto& following = std::get<std::optional<batch>>(next);
    if (!following)
      return failure{"no batch follows position " + std::to_string(acknowledged.position) +
                     ", where HEAD says that one ended"};
    chain = following->previous;
  }
  if (chain != acknowledged.chain)
    return failure{"HEAD was written for another log: the chain at position " +
                   std::to_string(acknowledged.position) + " differs"};
  return std::nullopt;
}

std::variant<recovered, failure> open_checked(const data_directory& directory,
                                              const std::optional<log_head>& acknowledged,
                                              store_ptr store, mode recovery) {
  if (auto fault = check_format(*store))
    return std::move(*fault);
  auto tail = read_tail(*store);
  if (auto* fault = std::get_if<failure>(&tail))
    return failure{directory.log().string() + ": " + fault->what};
  auto& end = std::get<log_tail>(tail);
  if (acknowledged)
    if (auto fault = check_against(*acknowledged, *store, end.head()))
      return failure{directory.log().string() + ": " + fault->what};
  return recovered{std::move(store), std::move(end), recovery};
}

/// Changes whenever a flush or a compaction makes files obsolete, which happens before any is
/// deleted: the name of the manifest and how long it is.
std::string manifest_mark(const data_directory& directory) {
  const auto current = read_file(open_file(directory.log() / "CURRENT", O_RDONLY), 100);
  auto name = current.value_or("");
  while (!name.empty() && name.back() == '\n')
    name.pop_back();
  std::error_code trouble;
  return name + " " + std::to_string(std::filesystem::file_size(directory.log() / name, trouble));
}

/// Made beside its place and moved there when complete: a crash leaves all of it or none.
std::optional<failure> create_log(const data_directory& directory, rocksdb::Env* env) {
  std::error_code trouble;
  std::filesystem::remove_all(directory.new_log(), trouble);
  store_ptr store;
  auto status = open_store(directory.new_log(), {.mode = store_mode::create, .env = env}, store);
  if (!status.ok())
    return store_failure("make", status);
  rocksdb::WriteBatch first;
  rocksdb::WriteOptions synced;
  synced.sync = true;
  status = first.Put(store->meta, format_key, big_endian_32(log_format));
  if (status.ok())
    status = first.Put(store->meta, head_key, encode_head({}));
  if (status.ok())
    status = first.Put(store->meta, places_key, big_endian_32(places_format));
  if (status.ok())
    status = store->db->Write(synced, &first);
  if (!status.ok())
    return store_failure("make", status);
  store.reset();
  std::filesystem::rename(directory.new_log(), directory.log(), trouble);
  if (trouble)
    return failure{"cannot make " + directory.log().string() + ": " + trouble.message()};
  return sync_directory(directory.root());
}

} // namespace

std::variant<recovered, failure> inspect(const data_directory& directory, rocksdb::Env* env) {
  // Read first: beside a running server the log may only be further than this.
  const auto acknowledged = read_head_file(directory.head_file());
  store_ptr store;
  store_options how{.mode = store_mode::read, .env = env};
  auto status = open_store(directory.log(), how, store);
  if (status.ok())
    return open_checked(directory, acknowledged, std::move(store), how.recovery);
  if (!status.IsCorruption())
    return store_failure("open", status);
  const auto damage = status.ToString();
  if (!acknowledged)
    return failure{directory.log().string() + " is damaged (" + damage +
                   "), and there is no HEAD that could prove that nothing acknowledged is lost"};
  how.recovery = mode::kPointInTimeRecovery;
  status = open_store(directory.log(), how, store);
  if (!status.ok())
    return store_failure("open", status);
  auto found = open_checked(directory, acknowledged, std::move(store), how.recovery);
  if (const auto* fault = std::get_if<failure>(&found))
    return failure{fault->what + " (the damage: " + damage + ")"};
  return found;
}

std::variant<recovered, failure> inspect_live(const data_directory& directory, rocksdb::Env* env) {
  constexpr int attempts_max = 20;
  for (int attempt = 1;; ++attempt) {
    const auto before = manifest_mark(directory);
    auto found = inspect(directory, env);
    if (before == manifest_mark(directory))
      return found;
    if (attempt == attempts_max)
      return failure{directory.log().string() + " changes faster than it can be opened"};
  }
}

std::variant<recovered, failure> recover(const data_directory& directory, rocksdb::Env* env) {
  std::error_code trouble;
  if (!std::filesystem::exists(directory.log(), trouble)) {
    const auto acknowledged = read_head_file(directory.head_file());
    if (acknowledged && acknowledged->position > 0)
      return missing(*acknowledged, 0, ": there is no " + directory.log().string());
    if (auto fault = create_log(directory, env))
      return std::move(*fault);
  }
  auto found = inspect(directory, env);
  if (std::holds_alternative<failure>(found))
    return found;
  auto& sound = std::get<recovered>(found);
  sound.store.reset();
  const auto status =
      open_store(directory.log(),
                 {.mode = store_mode::write, .recovery = sound.recovery, .env = env}, sound.store);
  if (!status.ok())
    return store_failure("open", status);
  const auto expected = sound.tail.head();
  auto opened = read_tail(*sound.store);
  if (auto* fault = std::get_if<failure>(&opened))
    return std::move(*fault);
  if (std::get<log_tail>(opened).head() != expected)
    return failure{directory.log().string() + " changed while it was opened"};
  return found;
}

} // namespace usher::storage

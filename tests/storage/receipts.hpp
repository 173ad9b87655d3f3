#pragma once

#include "storage/codec.hpp"
#include "storage/receipts.hpp"
#include "storage/rocksdb_store.hpp"
#include "tests/storage/support.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the tests of receipts and of their index share.
namespace usher::storage::test {

namespace room = waiting_room::event;

/// A record of a waiting room with its places, as actors make it.
inline record happened(const std::string& subject, const waiting_room::any_event& event) {
  auto stored = encode(event);
  auto [places, joins] = places_of(event);
  return {.at = 1000,
          .subject = subject,
          .type = std::string{stored.type},
          .schema = stored.schema,
          .cause = {.request = "r-1", .who = "fan"},
          .data = std::move(stored.data),
          .places = std::move(places),
          .joins = joins};
}

/// So many fans take the slots from `first` on.
inline record joined(const std::string& subject, slot_t first, std::size_t fans) {
  room::fans_joined event;
  event.first = first;
  event.nonces.assign(fans, 7);
  return happened(subject, event);
}

inline std::vector<position_t> receipt(const event_log& log, std::string_view subject, slot_t slot,
                                       std::size_t limit = 1000) {
  std::vector<position_t> positions;
  for (const auto& record : must(log.records_about(subject, slot, limit)))
    positions.push_back(record.position);
  return positions;
}

/// What the index should have, by the payloads of all records.
inline std::set<std::string> wanted_keys(const event_log& log) {
  std::set<std::string> keys;
  for (auto record : all_of(log)) {
    auto [places, joins] = must(places_of(record));
    record.places = std::move(places);
    record.joins = joins;
    for (auto& key : place_keys(record))
      keys.insert(std::move(key));
  }
  return keys;
}

/// What the index of the closed log at `root` has.
inline std::set<std::string> stored_keys(const std::filesystem::path& root) {
  store_ptr store;
  BOOST_REQUIRE(open_store(root / "log", {.mode = store_mode::read}, store).ok());
  BOOST_REQUIRE(store->places != nullptr);
  std::set<std::string> keys;
  const auto entry = store->iterate(store->places);
  for (entry->SeekToFirst(); entry->Valid(); entry->Next())
    keys.insert(entry->key().ToString());
  BOOST_REQUIRE(entry->status().ok());
  return keys;
}

/// Opens the log at `root` for writing, closes it, and compares its index with its records.
/// Gives the number of entries.
inline std::size_t check_index(const std::filesystem::path& root) {
  const auto wanted = wanted_keys(*open_at(root).log);
  BOOST_TEST((stored_keys(root) == wanted));
  return wanted.size();
}

} // namespace usher::storage::test

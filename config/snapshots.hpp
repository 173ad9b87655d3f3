#pragma once

#include "actors/runtime/snapshotter.hpp"
#include "config/settings.hpp"
#include "storage/data_directory.hpp"

#include <memory>
#include <optional>

// The part of snapshots in a server's life: where they are, what the operator is told of them.
namespace usher::config {

/// Those of a data directory. None if this program has no name: then nobody could tell who wrote
/// one.
[[nodiscard]] std::optional<storage::snapshot_files>
snapshots_of(const storage::data_directory& directory);

/// The newest that is any good; the beginning without one.
[[nodiscard]] runtime::fold newest_of(const std::optional<storage::snapshot_files>& files,
                                      const storage::event_log& log);

/// "recovered N events …"; nothing of an empty log.
void say_recovered(storage::position_t events, storage::position_t snapshot);

/// Null if none are to be made. `log` outlives it.
[[nodiscard]] std::unique_ptr<runtime::snapshotter>
start_snapshots(const settings& with, const std::optional<storage::snapshot_files>& files,
                const storage::event_log& log, storage::position_t newest,
                std::uint64_t disk_floor_bytes);

} // namespace usher::config

#include "config/snapshots.hpp"

#include "actors/runtime/snapshot/program.hpp"

#include <spdlog/spdlog.h>

namespace usher::config {

namespace {

void warn(const std::string& what) {
  spdlog::warn("{}", what);
}

} // namespace

std::optional<storage::snapshot_files> snapshots_of(const storage::data_directory& directory) {
  const auto program = runtime::snapshot::program_name();
  if (!program) {
    warn("this program was linked without a build id: there are no snapshots");
    return std::nullopt;
  }
  return storage::snapshot_files{directory.snapshots(), *program};
}

runtime::fold newest_of(const std::optional<storage::snapshot_files>& files,
                        const storage::event_log& log) {
  return files ? runtime::newest_snapshot(*files, log, warn) : runtime::fold{};
}

void say_recovered(storage::position_t events, storage::position_t snapshot) {
  if (snapshot > 0)
    spdlog::info("recovered {} events (snapshot at {} and {} events after it)", events, snapshot,
                 events - snapshot);
  else if (events > 0)
    spdlog::info("recovered {} events", events);
}

std::unique_ptr<runtime::snapshotter>
start_snapshots(const settings& with, const std::optional<storage::snapshot_files>& files,
                const storage::event_log& log, storage::position_t newest,
                std::uint64_t disk_floor_bytes) {
  if (!files || with.snapshot_every_events == 0)
    return nullptr;
  // Twice the floor: a snapshot never makes a server refuse writes.
  const runtime::snapshot_options options{with.snapshot_every_events, with.snapshot_every_ms,
                                          2 * disk_floor_bytes};
  return std::make_unique<runtime::snapshotter>(log, *files, options, warn, newest);
}

} // namespace usher::config

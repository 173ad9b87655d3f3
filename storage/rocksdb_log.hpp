#pragma once

#include "storage/data_directory.hpp"
#include "storage/event_log.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace rocksdb {
class Env;
} // namespace rocksdb

namespace usher::storage {

struct rocksdb_options {
  /// Off: appends are not durable. It exists so that tests can show what is lost without it.
  bool sync = true;
  /// Another view of the files, for tests; must outlive the log. None: the system's.
  rocksdb::Env* env = nullptr;
};

/// The event log on disk. Errors of RocksDB are failures; its exceptions and asserts end the
/// process. Threads as for event_log; what it has more of is the writer's.
class rocksdb_log final : public event_log {
public:
  ~rocksdb_log() override;
  rocksdb_log(const rocksdb_log&) = delete;
  rocksdb_log& operator=(const rocksdb_log&) = delete;

  /// For writing: `directory` was opened for writing and must outlive the log. Makes an empty log
  /// if there is none. Refuses a newer format, a damaged log, and a log that lacks anything which
  /// HEAD says was acknowledged. Replay is what checks every batch. Where the index of places is
  /// missing or of another format, it is made first, by one replay.
  [[nodiscard]] static std::variant<std::unique_ptr<rocksdb_log>, failure>
  open(const data_directory& directory, const rocksdb_options& options = {});

  /// For audit, beside a running server or on a copy: the log as it is now, later appends are not
  /// seen. Every append fails. Close it soon when a server writes: it keeps old files alive.
  [[nodiscard]] static std::variant<std::unique_ptr<rocksdb_log>, failure>
  open_read_only(const data_directory& directory, const rocksdb_options& options = {});

  [[nodiscard]] std::optional<failure> append(const std::vector<record>& records) override;
  [[nodiscard]] std::optional<failure>
  replay(position_t from, const std::function<bool(const stored_record&)>& visit) const override;
  [[nodiscard]] log_head head() const override;
  [[nodiscard]] std::variant<std::optional<digest>, failure>
  chain_at(position_t position) const override;
  /// Fails also where the log was opened for reading and has no complete index: one that was made
  /// before there was an index, and not opened for writing since.
  [[nodiscard]] std::variant<std::vector<stored_record>, failure>
  records_about(std::string_view subject, std::uint32_t slot, std::size_t limit) const override;

  /// The positions of all records of a subject, in order; empty if there are none.
  [[nodiscard]] std::variant<std::vector<position_t>, failure>
  positions_of(std::string_view subject) const;

  /// One record. Checks that its batch is sound, not the chain.
  [[nodiscard]] std::variant<stored_record, failure> read(position_t position) const;

  /// A copy of the database as it is now at `to`, which is missing, on the same file system: all
  /// that was acknowledged before is in it. Quick (the files are shared); any thread, while others
  /// append.
  [[nodiscard]] std::optional<failure> checkpoint(const std::filesystem::path& to) const;

  /// Checks the checksum of every block of every column family. Reads all of the log's files.
  [[nodiscard]] std::optional<failure> verify_files() const;

private:
  struct parts;
  explicit rocksdb_log(std::unique_ptr<parts> all);

  [[nodiscard]] std::optional<failure> write(const std::vector<record>& records);
  /// Finds out whether the index of places is complete; `make`: makes it if it is not.
  [[nodiscard]] std::optional<failure> look_at_places(bool make);

  std::unique_ptr<parts> parts_;
};

} // namespace usher::storage

#pragma once

#include "storage/record.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace usher::storage {

/// Disk or data trouble, as a value with a sentence for the operator. Never a rejection by the
/// rules.
struct failure {
  std::string what;
};

/// Where the log ends.
struct log_head {
  position_t position = 0; ///< of the last record; 0: the log is empty
  std::uint64_t batches = 0;
  digest chain{}; ///< hash over everything up to here; all zero for the empty log
  bool operator==(const log_head&) const = default;
};

/// An append-only log of records in batches. One thread appends; any thread may call the rest while
/// it does.
class event_log {
public:
  virtual ~event_log() = default;

  /// Appends all records as one batch, or none. On return the batch is durable (synced), and only
  /// then may anybody be answered. After a failure the log refuses every further append: what was
  /// written is unknown, so the process has to stop and recover.
  [[nodiscard]] virtual std::optional<failure> append(const std::vector<record>& records) = 0;

  /// Calls `visit` for every record in order of position, from `from` (1 for all). Stops early when
  /// it returns false. Checks positions, versions and the hash chain on the way and fails, saying
  /// where, on the first fault. Of what is appended meanwhile nothing is visited: it ends where the
  /// log ended when it was called.
  [[nodiscard]] virtual std::optional<failure>
  replay(position_t from, const std::function<bool(const stored_record&)>& visit) const = 0;

  [[nodiscard]] virtual log_head head() const = 0;

  /// The chain after the batch that ends at this position, made of that batch's bytes; all zero at
  /// 0. None if no batch ends there.
  [[nodiscard]] virtual std::variant<std::optional<digest>, failure>
  chain_at(position_t position) const = 0;

  /// The receipt of a slot: the record that gave the slot out, then in order of position the
  /// records after it whose `places` name the slot or whole_room. At most `limit` records: the
  /// first is kept, then the newest of the slot's own, then the newest of the room's. Empty if the
  /// slot was not given out. What it gives is durable, one moment of the log, and may be a batch
  /// ahead of what the boards show. Decodes every batch that one of the records is in, and checks
  /// neither chain nor versions.
  [[nodiscard]] virtual std::variant<std::vector<stored_record>, failure>
  records_about(std::string_view subject, std::uint32_t slot, std::size_t limit) const = 0;
};

} // namespace usher::storage

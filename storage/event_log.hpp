#pragma once

#include "storage/record.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

/// An append-only log of records in batches. One writer; not thread-safe.
class event_log {
public:
  virtual ~event_log() = default;

  /// Appends all records as one batch, or none. On return the batch is durable (synced), and only
  /// then may anybody be answered. After a failure the log refuses every further append: what was
  /// written is unknown, so the process has to stop and recover.
  [[nodiscard]] virtual std::optional<failure> append(const std::vector<record>& records) = 0;

  /// Calls `visit` for every record in order of position, from `from` (1 for all). Stops early when
  /// it returns false. Checks positions, versions and the hash chain on the way and fails, saying
  /// where, on the first fault.
  [[nodiscard]] virtual std::optional<failure>
  replay(position_t from, const std::function<bool(const stored_record&)>& visit) const = 0;

  [[nodiscard]] virtual log_head head() const = 0;
};

} // namespace usher::storage

#pragma once

#include "storage/audit/findings.hpp"
#include "storage/event_log.hpp"

#include <iosfwd>
#include <optional>

namespace usher::storage::audit {

/// What `verify` has found. `head`: where the log ends; `read`: how many records were seen;
/// `broken`: why the log could not be read to its end, if so.
struct verdict {
  log_head head;
  std::uint64_t read = 0;
  std::optional<failure> broken;

  /// 0 clean, 1 violations, 2 cannot read.
  [[nodiscard]] int exit_code(const findings& found) const {
    return broken ? 2 : found.total() > 0 ? 1 : 0;
  }
};

void write_verdict(std::ostream& out, const verdict& what, const findings& found, bool as_json);

} // namespace usher::storage::audit

#pragma once

#include "storage/audit/findings.hpp"
#include "storage/audit/money_sums.hpp"
#include "storage/customer_keys_check.hpp"
#include "storage/event_log.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace usher::storage::audit {

/// What `verify` has found. `head`: where the log ends; `read`: how many records were seen;
/// `broken`: why the log could not be read to its end, if so.
struct verdict {
  log_head head;
  std::uint64_t read = 0;
  std::optional<failure> broken;
  money_by_currency money{}; ///< as far as the log was read

  /// What is wrong with files beside the log: sentences that name them. Those of `keys` are not in
  /// it.
  std::vector<std::string> damage{};
  std::optional<checked_keys> keys{}; ///< of personal data; none: not checked, or there are none
  std::string keys_not_checked{};     ///< why, if there are some

  [[nodiscard]] std::uint64_t damages() const { return damage.size() + (keys ? keys->damaged : 0); }

  /// 0 clean, 1 violations or damage, 2 cannot read.
  [[nodiscard]] int exit_code(const findings& found) const {
    return broken ? 2 : found.total() + damages() > 0 ? 1 : 0;
  }
};

void write_verdict(std::ostream& out, const verdict& what, const findings& found, bool as_json);

} // namespace usher::storage::audit

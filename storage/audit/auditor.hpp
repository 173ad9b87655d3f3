#pragma once

#include "storage/audit/batch_audit.hpp"
#include "storage/audit/findings.hpp"
#include "storage/audit/reader.hpp"
#include "storage/audit/world.hpp"

#include <string>
#include <unordered_map>

namespace usher::storage::audit {

/// Derives every rule again from the events alone, one record after the other, and keeps the world
/// they make. Never stops: what is wrong is reported and taken as it stands. Chain, positions and
/// versions are checked by the log's own replay.
class auditor {
public:
  /// At most `list_max` violations are kept; all are counted.
  explicit auditor(std::size_t list_max = 100) : found_{list_max} {}
  auditor(const auditor&) = delete;
  auditor& operator=(const auditor&) = delete;

  /// In order of position, with `batch_first` as replay sets it.
  void take(const stored_record& next);
  /// After the last record: judges the batch that is open.
  void finish();

  [[nodiscard]] const world& seen() const { return world_; }
  [[nodiscard]] const findings& found() const { return found_; }

private:
  void judge_time(const stored_record& next, const spot& here);
  void take(const place& where, const any_fact& what, const spot& here);
  void take(const shows::any_event& happened, const spot& here);
  show* find(const show_id& id, const spot& here);

  findings found_;
  world world_;
  batch_audit together_;
  position_t batch_first_ = 0;
  std::unordered_map<std::string, time_ms> last_at_; ///< by subject
};

} // namespace usher::storage::audit

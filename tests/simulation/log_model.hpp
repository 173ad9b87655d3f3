#pragma once

#include "storage/audit/auditor.hpp"
#include "storage/record.hpp"
#include "tests/simulation/desk_model.hpp"
#include "tests/simulation/queue_model.hpp"
#include "tests/simulation/seat_model.hpp"

#include <map>
#include <memory>
#include <string>

namespace usher::simulation {

/// All that the log says, record by record, judged as it comes: by the naive models, and by the
/// audit.
class log_model {
public:
  struct show {
    queue_model room;
    std::map<block_id, seat_model> blocks;
    desk_model desk;
  };

  explicit log_model(desk_model::money_check has_taken, std::uint32_t seats_max);

  /// The next record. Throws a violation.
  void take(const storage::stored_record& next);
  /// All of a batch, or of several, was taken.
  void end_of_batch();
  /// After the last record.
  void finish();
  /// The process has started anew.
  void restart(time_ms now);

  [[nodiscard]] storage::position_t position() const { return position_; }
  [[nodiscard]] const std::map<show_id, show>& shows() const { return shows_; }
  [[nodiscard]] std::map<show_id, show>& shows() { return shows_; }
  [[nodiscard]] const desk_model& cashier() const { return cashier_; }
  /// `position type subject`, for people.
  [[nodiscard]] const std::string& last() const { return last_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& types() const { return types_; }

private:
  void judge_by_audit() const;
  show& known(const show_id& id);

  desk_model::money_check has_taken_;
  std::uint32_t seats_max_;
  storage::position_t position_ = 0;
  std::map<std::string, std::uint64_t> versions_;
  std::map<show_id, show> shows_;
  desk_model cashier_;
  std::unique_ptr<storage::audit::auditor> audit_ = std::make_unique<storage::audit::auditor>();
  std::string last_;
  std::map<std::string, std::uint64_t> types_; ///< how many there were of each
};

} // namespace usher::simulation

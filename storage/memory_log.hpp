#pragma once

#include "storage/log_tail.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace usher::storage {

/// What a failed append left behind: a caller must be right in both cases.
enum class failed_append : std::uint8_t { nothing_written, written };

/// The event log without a disk, for tests: the same batches, bytes and chain as rocksdb_log, and
/// switches for what can go wrong, which are the writer's.
class memory_log final : public event_log {
public:
  [[nodiscard]] std::optional<failure> append(const std::vector<record>& records) override;
  [[nodiscard]] std::optional<failure>
  replay(position_t from, const std::function<bool(const stored_record&)>& visit) const override;
  [[nodiscard]] log_head head() const override;
  [[nodiscard]] std::variant<std::optional<digest>, failure>
  chain_at(position_t position) const override;
  [[nodiscard]] std::variant<std::vector<stored_record>, failure>
  records_about(std::string_view subject, std::uint32_t slot, std::size_t limit) const override;

  /// Off: appends say that they are durable and are not, until the next one with it on.
  void sync(bool on) { sync_ = on; }

  /// The nth append from now (1: the next) fails; from then on all do, until crash().
  void fail_append(std::uint64_t nth, failed_append leaves = failed_append::nothing_written);

  /// The power goes and comes back: what was not synced is lost, a failure is over.
  void crash();

private:
  void keep(const prepared_batch& next);
  void forget_beyond(position_t durable);
  [[nodiscard]] std::variant<batch, failure> batch_with(position_t position) const;

  mutable std::mutex guard_; ///< of what readers on other threads read: the next three
  std::map<position_t, std::string> values_; ///< batches as stored, by first position
  std::set<std::string> places_;             ///< the keys of the index
  log_tail tail_;
  position_t durable_ = 0; ///< up to here a crash loses nothing
  std::uint64_t epoch_ = 1;
  bool sync_ = true;
  std::uint64_t appends_until_failure_ = 0; ///< 0: none is planned
  failed_append leaves_ = failed_append::nothing_written;
  std::optional<prepared_batch> unknown_; ///< of the failed append, if it is there after a crash
  bool failed_ = false;
};

} // namespace usher::storage

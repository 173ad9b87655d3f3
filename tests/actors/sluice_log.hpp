#pragma once

#include "storage/memory_log.hpp"

#include <functional>
#include <utility>

namespace usher::testing {

/// Between the journal and the memory log: what happens while a sync runs, and a power cut at
/// either end of it. One for each life of a node; after `cut` nothing gets through any more.
class sluice_log final : public storage::event_log {
public:
  explicit sluice_log(storage::event_log& under) : under_{&under} {}

  [[nodiscard]] std::optional<storage::failure>
  append(const std::vector<storage::record>& records) override {
    if (cut_)
      return storage::failure{"the power is off"};
    ++appends_;
    if (during_)
      during_();
    if (cut_)
      return storage::failure{"the power went before the sync"};
    auto failed = under_->append(records);
    if (!failed && cut_after_sync_) {
      cut_ = true;
      return storage::failure{"the power went after the sync"};
    }
    return failed;
  }

  [[nodiscard]] std::optional<storage::failure>
  replay(storage::position_t from,
         const std::function<bool(const storage::stored_record&)>& visit) const override {
    return under_->replay(from, visit);
  }
  [[nodiscard]] storage::log_head head() const override { return under_->head(); }
  [[nodiscard]] std::variant<std::optional<storage::digest>, storage::failure>
  chain_at(storage::position_t position) const override {
    return under_->chain_at(position);
  }
  [[nodiscard]] std::variant<std::vector<storage::stored_record>, storage::failure>
  records_about(std::string_view subject, std::uint32_t slot, std::size_t limit) const override {
    return under_->records_about(subject, slot, limit);
  }

  void during(std::function<void()> what) { during_ = std::move(what); }
  void cut() { cut_ = true; }
  void cut_after_next_sync() { cut_after_sync_ = true; }
  [[nodiscard]] bool is_cut() const { return cut_; }
  [[nodiscard]] std::uint64_t appends() const { return appends_; }

private:
  storage::event_log* under_;
  std::function<void()> during_;
  bool cut_ = false;
  bool cut_after_sync_ = false;
  std::uint64_t appends_ = 0;
};

} // namespace usher::testing

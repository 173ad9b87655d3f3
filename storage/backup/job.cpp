#include "storage/backup/job.hpp"

#include <utility>

namespace usher::storage {

backup_job::backup_job(const rocksdb_log& log, const data_directory& directory,
                       std::function<time_ms()> now)
    : log_{log}, directory_{directory}, clock_{std::move(now)} {
  backup::remove_checkpoint(directory);
}

backup_job::~backup_job() {
  stop_ = true;
  if (thread_.joinable())
    thread_.join();
}

bool backup_job::start(const backup::order& wanted) {
  const std::lock_guard lock{guard_};
  if (state_ && std::holds_alternative<running>(state_->what))
    return false;
  if (thread_.joinable())
    thread_.join(); // it has said its last word
  state_ = state{wanted.to, running{}};
  thread_ = std::thread{[this, wanted] { run(wanted); }};
  return true;
}

std::optional<backup_job::state> backup_job::now() const {
  const std::lock_guard lock{guard_};
  return state_;
}

void backup_job::run(const backup::order& wanted) {
  auto made = backup::make(log_, directory_, wanted, clock_(), [this](const backup::progress& at) {
    const std::lock_guard lock{guard_};
    state_->what = running{at};
    return !stop_;
  });
  const std::lock_guard lock{guard_};
  state_->what = std::move(made);
}

} // namespace usher::storage

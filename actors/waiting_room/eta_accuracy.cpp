#include "actors/waiting_room/eta_accuracy.hpp"

#include <algorithm>

namespace usher::waiting_room {

void eta_accuracy::promise(slot_t slot, std::uint32_t seconds, time_ms at) {
  if (slot % sampled_every == 0 && open_.size() < promises_max)
    open_.insert_or_assign(slot, promised{at, std::max<std::uint32_t>(seconds, 1)});
}

void eta_accuracy::kept(slot_t slot, time_ms at) {
  const auto found = open_.find(slot);
  if (found == open_.end())
    return;
  const auto actual_ms = static_cast<std::uint64_t>(std::max<time_ms>(at - found->second.at, 0));
  const auto percent = actual_ms / 10 / found->second.seconds;
  open_.erase(found);
  const auto* const bucket =
      std::lower_bound(bounds_percent.begin(), bounds_percent.end(), percent);
  counts_[static_cast<std::size_t>(bucket - bounds_percent.begin())].fetch_add(
      1, std::memory_order_relaxed);
  ratio_sum_percent_.fetch_add(percent, std::memory_order_relaxed);
}

void eta_accuracy::forget(slot_t slot) {
  open_.erase(slot);
}

void eta_accuracy::forget_all() {
  open_.clear();
}

double eta_accuracy::sum_of_ratios() const {
  return static_cast<double>(ratio_sum_percent_.load(std::memory_order_relaxed)) / 100;
}

} // namespace usher::waiting_room

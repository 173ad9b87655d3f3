#include "storage/audit/simulated_lines.hpp"

#include <algorithm>

namespace usher::storage::audit {

std::optional<slot_t> simulated_lines::first(time_ms now) {
  for (std::size_t tier = 0; tier < head_.size(); ++tier) {
    const auto& all = of_.lines[tier];
    for (auto one = early_.lower_bound({tier, 0}); one != early_.end() && one->first == tier;) {
      if (waits(all[one->second], now))
        return all[one->second].fan;
      one = early_.erase(one);
    }
    auto& head = head_[tier];
    while (head < all.size() && all[head].from <= now && !waits(all[head], now))
      ++head;
    if (head < all.size() && all[head].from <= now)
      return all[head].fan;
  }
  return std::nullopt;
}

time_ms simulated_lines::comes_next(time_ms now) const {
  auto next = never;
  for (std::size_t tier = 0; tier < head_.size(); ++tier) {
    const auto& all = of_.lines[tier];
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(head_[tier]);
    // Those of a draw came in another order, and all of them before now.
    const auto found = std::upper_bound(
        begin, all.end(), now, [](time_ms at, const line_entry& entry) { return at < entry.from; });
    if (found != all.end())
      next = std::min(next, found->from);
  }
  return next;
}

void simulated_lines::stand_again(slot_t fan) {
  fans_[fan] = fan_state::waiting;
  const auto& who = of_.fans[fan];
  if (who.index < head_[who.tier])
    early_.insert({who.tier, who.index});
}

} // namespace usher::storage::audit

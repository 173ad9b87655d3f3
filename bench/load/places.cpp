#include "bench/load/places.hpp"

#include <algorithm>

namespace usher::load {

std::optional<std::string> fault_in_line(std::vector<place>& all) {
  std::ranges::sort(all, {}, &place::position);
  moment latest_sent = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& each = all[i];
    if (i > 0 && each.position == all[i - 1].position)
      return "position " + std::to_string(each.position) + " was given to two fans";
    if (each.position != i + 1)
      return "nobody has position " + std::to_string(i + 1) + " of " + std::to_string(all.size());
    if (each.answered < latest_sent)
      return "the fan at position " + std::to_string(each.position) +
             " had a place before somebody ahead asked for one";
    latest_sent = std::max(latest_sent, each.sent);
  }
  return std::nullopt;
}

void turnstile::admitted(const fan& who) {
  auto seen = latest_.load(std::memory_order_relaxed);
  while (who.join_sent > seen &&
         !latest_.compare_exchange_weak(seen, who.join_sent, std::memory_order_acq_rel)) {
  }
}

} // namespace usher::load

#include "storage/outbox/schedule.hpp"

#include <algorithm>

namespace usher::storage::outbox {

duration_ms retry_wait_ms(std::uint32_t failures, std::uint64_t random) {
  const auto row = std::min<std::size_t>(std::max(failures, 1U), retry_waits_ms.size()) - 1;
  const auto wait = retry_waits_ms[row];
  const auto most = static_cast<std::uint64_t>(wait * jitter_percent / 100);
  return wait + static_cast<duration_ms>(random % (most + 1));
}

} // namespace usher::storage::outbox

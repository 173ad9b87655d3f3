#pragma once

#include <atomic>
#include <cstdint>

namespace usher::orders {

/// What a desk has open at gateways, for the metrics. One writer, the desk, about once a second;
/// any reader.
struct desk_board {
  std::atomic<std::uint32_t> payments_unknown{0}; ///< attempts whose outcome is not known yet
  std::atomic<std::uint32_t> refunds_open{0};
  std::atomic<std::uint32_t> refunds_stuck{0}; ///< of those: somebody should look
};

} // namespace usher::orders

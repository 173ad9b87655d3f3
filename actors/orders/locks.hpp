#pragma once

#include "actors/orders/command.hpp"
#include "actors/orders/state.hpp"

#include <optional>
#include <unordered_set>
#include <vector>

namespace usher::orders {

/// Two decisions that touch the same admission, hold, order or idempotency key must not be under
/// way at once; all others may. A lock is named by 128 bits.
using lock_names = std::vector<id128>;

[[nodiscard]] lock_names locks_of(const state& desk, const any_command& asked);
[[nodiscard]] lock_names locks_of(const state& desk, const proposal& what);

/// The lock of its idempotency key; nothing without one.
[[nodiscard]] std::optional<id128> key_of(const any_command& asked);

class lock_table {
public:
  [[nodiscard]] bool free(const lock_names& names) const;
  void take(const lock_names& names); ///< all must be free
  void give_back(const lock_names& names);
  [[nodiscard]] bool empty() const { return taken_.empty(); }

private:
  std::unordered_set<id128, id_hash> taken_;
};

} // namespace usher::orders

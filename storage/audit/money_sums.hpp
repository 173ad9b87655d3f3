#pragma once

#include "storage/audit/world.hpp"

#include <map>
#include <string>

namespace usher::storage::audit {

/// What became of the money of one currency, in minor units: in = refunded + owed + sold.
struct money_sums {
  std::int64_t in = 0;
  std::int64_t refunded = 0; ///< it went back
  std::int64_t owed = 0;     ///< it is on its way back, or has to go back
  std::int64_t sold = 0;     ///< it is for what was sold
};

using money_by_currency = std::map<std::string, money_sums>;

void add_money(money_by_currency& to, const show& of);

/// Of every show and of the cashier.
[[nodiscard]] money_by_currency money_of(const world& all);

} // namespace usher::storage::audit

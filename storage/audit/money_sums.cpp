#include "storage/audit/money_sums.hpp"

namespace usher::storage::audit {

void add_money(money_by_currency& to, const show& of) {
  for (const auto& [id, it] : of.orders)
    for (const auto& money : it.came) {
      auto& sum = to[it.total.currency];
      const auto left = money.amount_minor - money.gone_back_minor;
      const auto sells = money.is_kept && it.is != order_state::refund_due;
      const auto owed = sells ? money.going_back_minor - money.gone_back_minor : left;
      sum.in += money.amount_minor;
      sum.refunded += money.gone_back_minor;
      sum.owed += owed;
      sum.sold += left - owed;
    }
}

money_by_currency money_of(const world& all) {
  money_by_currency sums;
  for (const auto& [id, it] : all.shows)
    add_money(sums, it);
  add_money(sums, all.cashier);
  return sums;
}

} // namespace usher::storage::audit

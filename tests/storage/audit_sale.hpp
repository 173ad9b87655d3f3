#pragma once

#include "tests/storage/audit_payment_script.hpp"

namespace usher::storage::test {

/// Fan 0 buys. Batches begin at 1, 4, 5, 6, 7, 8 (of two records: the hold), 10 (the
/// order), 11 (the attempt) and 12 (of three, up to 14: the sale).
inline script a_sale() {
  return beginning() +
         script{holding(1, 0, {"A-1", "A-2"}, 2000),
                {desk(3000, ordered(1, 0, 1, 2, 3000))},
                {desk(4000, started(1, 1))},
                {desk(5000, settled(1, 1, payment_outcome::approved)), desk(5000, paid(1)),
                 block(5000, seat_event::seats_sold{hold_no(1), order_no(1), {"A-1", "A-2"}})}};
}

} // namespace usher::storage::test

#include "storage/audit/findings.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage::audit {

namespace {

/// In the order of the enum.
constexpr std::array<std::string_view, fault_count> names{
    "event-unreadable",      "event-misplaced",       "show-unknown",
    "show-created-wrongly",  "time-ran-backwards",    "room-state-wrong",
    "join-while-off",        "slots-out-of-order",    "ticket-unknown",
    "ticket-ended-twice",    "admitted-while-off",    "admitted-twice",
    "admitted-out-of-turn",  "over-capacity",         "over-rate",
    "over-max-per-tick",     "deadline-wrong",        "expired-early",
    "admission-not-live",    "seat-not-in-plan",      "seat-held-twice",
    "seat-sold-twice",       "sold-while-held",       "seat-released-by-other",
    "plan-drops-seat",       "hold-seats-differ",     "held-without-hold",
    "paid-seats-differ",     "sold-without-paid",     "released-without-end",
    "money-without-outcome", "hold-placed-twice",     "hold-without-admission",
    "over-max-seats",        "hold-unknown",          "hold-ended-wrongly",
    "hold-expired-early",    "order-placed-twice",    "order-without-admission",
    "order-without-hold",    "order-total-wrong",     "order-unknown",
    "order-ended-wrongly",   "order-expired-early",   "payment-not-allowed",
    "payment-unknown",       "payment-settled-twice", "order-paid-twice",
    "refund-not-due",
};
static_assert(!names.back().empty(), "every fault has a name");

} // namespace

std::string_view to_string(fault what) {
  return names[static_cast<std::size_t>(what)];
}

void findings::add(violation found) {
  ++total_;
  ++by_fault_[found.what];
  if (listed_.size() < list_max_)
    listed_.push_back(std::move(found));
}

std::vector<violation> findings::listed() const {
  auto sorted = listed_;
  std::ranges::stable_sort(sorted, {}, &violation::position);
  return sorted;
}

} // namespace usher::storage::audit

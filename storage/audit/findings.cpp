#include "storage/audit/findings.hpp"

#include <algorithm>
#include <utility>

namespace usher::storage::audit {

namespace {

/// In the order of the enum.
constexpr std::array<std::string_view, fault_count> names{
    "event-unreadable",
    "event-misplaced",
    "show-unknown",
    "show-created-wrongly",
    "time-ran-backwards",
    "room-state-wrong",
    "settings-fixed",
    "settings-differ",
    "opened-early",
    "opened-without-draw",
    "draw-without-opening",
    "drawn-twice",
    "beacon-wrong",
    "draw-seed-wrong",
    "draw-beacon-wrong",
    "draw-members-wrong",
    "draw-order-wrong",
    "join-while-off",
    "join-while-scheduled",
    "join-while-ended",
    "over-max-queue",
    "slots-out-of-order",
    "ticket-unknown",
    "codes-added-wrongly",
    "code-unknown",
    "code-not-valid",
    "code-used-twice",
    "tier-wrong",
    "promoted-wrongly",
    "passed-over-wrongly",
    "passed-over-early",
    "passed-over-out-of-turn",
    "returned-wrongly",
    "returned-late",
    "reentered-wrongly",
    "reentered-twice",
    "reentered-late",
    "wish-set-wrongly",
    "wish-answered-wrongly",
    "admitted-while-off",
    "admitted-before-opening",
    "admitted-while-paused",
    "admitted-while-none-left",
    "admitted-twice",
    "admitted-out-of-turn",
    "admitted-as-another",
    "over-capacity",
    "over-rate",
    "over-max-per-tick",
    "deadline-wrong",
    "admission-not-live",
    "ticket-ended-twice",
    "expired-early",
    "used-early",
    "idle-early",
    "absent-early",
    "seat-not-in-plan",
    "seat-held-twice",
    "seat-sold-twice",
    "sold-while-held",
    "seat-released-by-other",
    "generation-too-old",
    "seat-not-on-sale",
    "blocked-wrongly",
    "unblocked-wrongly",
    "seat-returned-wrongly",
    "plan-drops-seat",
    "seats-not-conserved",
    "hold-seats-differ",
    "held-until-differs",
    "held-without-hold",
    "generation-wrong",
    "paid-seats-differ",
    "sold-without-paid",
    "released-without-end",
    "released-seats-differ",
    "withdrawn-without-block",
    "returned-seats-differ",
    "money-without-outcome",
    "money-does-not-add-up",
    "surplus-not-refunded",
    "refund-not-started",
    "tickets-missing",
    "payment-without-seats",
    "seats-kept-too-long",
    "hold-placed-twice",
    "hold-without-admission",
    "box-office-by-other",
    "over-max-seats",
    "hold-unknown",
    "hold-changed-wrongly",
    "over-max-life",
    "hold-ended-wrongly",
    "hold-expired-early",
    "order-placed-twice",
    "order-without-admission",
    "order-without-hold",
    "order-total-wrong",
    "order-unknown",
    "order-ended-wrongly",
    "order-expired-early",
    "payment-not-allowed",
    "payment-unknown",
    "payment-settled-twice",
    "payment-followed-wrongly",
    "payment-known-wrongly",
    "payment-reported-wrongly",
    "money-reported-twice",
    "report-kept-wrongly",
    "order-paid-twice",
    "paid-wrong-amount",
    "sold-though-cancelled",
    "refund-not-due",
    "refund-started-wrongly",
    "refund-too-large",
    "refund-seats-wrong",
    "refund-unknown",
    "refund-settled-twice",
    "refund-refused-wrongly",
    "return-not-allowed",
    "tickets-wrong",
    "ticket-used-wrongly",
    "breaker-changed-wrongly",
    "breaker-opened-wrongly",
    "breaker-tried-early",
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

#include "bench/load/seat_ledger.hpp"

#include <algorithm>

namespace usher::load {

std::optional<std::string> seat_ledger::hold(fan_number fan, std::span<const seat_number> which,
                                             time_ns now, time_ns until) {
  const std::scoped_lock hold_on{lock_};
  std::optional<std::string> fault;
  for (const auto seat : which) {
    if (seat >= seats_.size()) {
      fault = "a hold of a seat that the plan does not have";
      continue;
    }
    auto& its = seats_[seat];
    if (its.sold)
      fault = "a hold of a seat that is sold";
    else if (its.held_until > now && its.owner != fan)
      fault = "a hold of a seat that another fan holds";
    else {
      its.owner = fan;
      its.held_until = until;
    }
  }
  return fault;
}

std::optional<std::string> seat_ledger::sell(fan_number fan, std::span<const seat_number> which) {
  const std::scoped_lock hold_on{lock_};
  std::optional<std::string> fault;
  for (const auto seat : which) {
    if (seat >= seats_.size()) {
      fault = "a sale of a seat that the plan does not have";
      continue;
    }
    auto& its = seats_[seat];
    if (its.sold) {
      fault = "a seat was sold twice";
      continue;
    }
    if (its.owner != fan || its.held_until == 0)
      fault = "a sale of a seat that another fan holds";
    its.owner = fan;
    its.sold = true;
    ++sold_;
  }
  return fault;
}

void seat_ledger::refuse(seat_number seat) {
  const std::scoped_lock hold_on{lock_};
  if (seat < seats_.size())
    seats_[seat].refused = true;
}

seat_number seat_ledger::sold() const {
  const std::scoped_lock hold_on{lock_};
  return sold_;
}

seat_number seat_ledger::taken(time_ns now) const {
  const std::scoped_lock hold_on{lock_};
  return static_cast<seat_number>(std::ranges::count_if(
      seats_, [&](const entry& each) { return each.sold || each.held_until > now; }));
}

seat_number seat_ledger::refused_for_nobody() const {
  const std::scoped_lock hold_on{lock_};
  return static_cast<seat_number>(std::ranges::count_if(
      seats_, [](const entry& each) { return each.refused && each.held_until == 0; }));
}

seat_ledger::standing seat_ledger::of(seat_number seat, time_ns now) const {
  const std::scoped_lock hold_on{lock_};
  if (seat >= seats_.size())
    return {};
  const auto& its = seats_[seat];
  return {its.sold, its.sold || its.held_until > now, its.held_until != 0};
}

} // namespace usher::load

#include "actors/seating/board.hpp"

#include "actors/basics/bug.hpp"
#include "actors/basics/overloaded.hpp"

#include <utility>

namespace usher::seating {

namespace {

// Four counts in one atomic, so that readers never see a seat counted twice or not at all.
constexpr unsigned bits = 16;
constexpr std::uint64_t mask = (1ULL << bits) - 1;

std::uint32_t& of(tally& counted, shown what) {
  switch (what) {
  case shown::available:
    return counted.available;
  case shown::held:
    return counted.held;
  case shown::sold:
    return counted.sold;
  case shown::blocked:
    break;
  }
  return counted.blocked;
}

time_ms stored(shown what, time_ms until) {
  return what == shown::held ? until : -1 - static_cast<time_ms>(what);
}

} // namespace

board::view::view(std::vector<seat_id> seats)
    : ids_(std::move(seats)), states_(std::make_unique<std::atomic<time_ms>[]>(ids_.size())) {}

board::board() : current_(&views_.emplace_back(std::make_shared<view>(std::vector<seat_id>{}))) {}

void board::publish(const any_event& happened, time_ms at) {
  std::visit(overloaded{
                 [&](const event::block_planned& e) { replan(e.seats); },
                 [&](const event::seats_held& e) { show(e.seats, shown::held, e.until); },
                 [&](const event::seats_released& e) { show(e.seats, shown::available); },
                 [&](const event::seats_sold& e) { show(e.seats, shown::sold); },
                 [&](const event::seats_blocked& e) { show(e.seats, shown::blocked); },
                 [&](const event::seats_unblocked& e) { show(e.seats, shown::available); },
                 [&](const event::seats_returned& e) { show(e.seats, shown::available); },
             },
             happened);
  as_of_ms_.store(at, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_acq_rel);
}

tally board::count() const {
  const auto packed = packed_tally_.load(std::memory_order_acquire);
  return {static_cast<std::uint32_t>(packed & mask),
          static_cast<std::uint32_t>(packed >> bits & mask),
          static_cast<std::uint32_t>(packed >> 2 * bits & mask),
          static_cast<std::uint32_t>(packed >> 3 * bits & mask)};
}

void board::store(const tally& counted) {
  packed_tally_.store(counted.available | std::uint64_t{counted.held} << bits |
                          std::uint64_t{counted.sold} << 2 * bits |
                          std::uint64_t{counted.blocked} << 3 * bits,
                      std::memory_order_release);
}

void board::replan(const std::vector<seat_id>& seats) {
  bug_unless(seats.size() <= mask, "a block has more seats than a board can count");
  auto next = std::make_shared<view>(seats);
  std::unordered_map<seat_id, std::size_t> index_of;
  tally counted;
  for (std::size_t index = 0; index < seats.size(); ++index) {
    const auto old = index_of_.find(seats[index]);
    const auto state = old == index_of_.end()
                           ? stored(shown::available, 0)
                           : views_.back()->states_[old->second].load(std::memory_order_relaxed);
    next->states_[index].store(state, std::memory_order_relaxed);
    index_of.emplace(seats[index], index);
    ++of(counted, next->at(index));
  }
  index_of_ = std::move(index_of);
  views_.push_back(std::move(next)); // moves none of the others
  current_.store(&views_.back(), std::memory_order_release);
  store(counted);
}

void board::show(const std::vector<seat_id>& seats, shown what, time_ms until) {
  auto counted = count();
  for (const auto& id : seats) {
    const auto found = index_of_.find(id);
    bug_unless(found != index_of_.end(), "an event names a seat that the board does not have");
    --of(counted, views_.back()->at(found->second));
    ++of(counted, what);
    views_.back()->states_[found->second].store(stored(what, until), std::memory_order_release);
  }
  store(counted);
}

} // namespace usher::seating

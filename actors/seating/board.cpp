#include "actors/seating/board.hpp"

#include "actors/basics/bug.hpp"
#include "actors/basics/overloaded.hpp"

#include <utility>

namespace usher::seating {

namespace {

// Three counts in one atomic, so that readers never see a seat counted twice or not at all.
constexpr unsigned bits = 21;
constexpr std::uint64_t mask = (1ULL << bits) - 1;

std::uint32_t& of(tally& counted, shown what) {
  switch (what) {
  case shown::available:
    return counted.available;
  case shown::held:
    return counted.held;
  case shown::sold:
    break;
  }
  return counted.sold;
}

} // namespace

board::view::view(std::vector<seat_id> seats)
    : ids_(std::move(seats)), states_(std::make_unique<std::atomic<shown>[]>(ids_.size())) {}

board::board() : current_(&views_.emplace_back(std::make_shared<view>(std::vector<seat_id>{}))) {}

void board::publish(const any_event& happened, time_ms at) {
  std::visit(overloaded{
                 [&](const event::block_planned& e) { replan(e.seats); },
                 [&](const event::seats_held& e) { show(e.seats, shown::held); },
                 [&](const event::seats_released& e) { show(e.seats, shown::available); },
                 [&](const event::seats_sold& e) { show(e.seats, shown::sold); },
             },
             happened);
  as_of_ms_.store(at, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_acq_rel);
}

tally board::count() const {
  const auto packed = packed_tally_.load(std::memory_order_acquire);
  return {static_cast<std::uint32_t>(packed & mask),
          static_cast<std::uint32_t>(packed >> bits & mask),
          static_cast<std::uint32_t>(packed >> 2 * bits & mask)};
}

void board::store(const tally& counted) {
  packed_tally_.store(counted.available | std::uint64_t{counted.held} << bits |
                          std::uint64_t{counted.sold} << 2 * bits,
                      std::memory_order_release);
}

void board::replan(const std::vector<seat_id>& seats) {
  bug_unless(seats.size() <= mask, "a block has more seats than a board can count");
  auto next = std::make_shared<view>(seats);
  std::unordered_map<seat_id, std::size_t> index_of;
  tally counted;
  for (std::size_t index = 0; index < seats.size(); ++index) {
    const auto old = index_of_.find(seats[index]);
    const auto what = old == index_of_.end() ? shown::available : views_.back()->at(old->second);
    next->states_[index].store(what, std::memory_order_relaxed);
    index_of.emplace(seats[index], index);
    ++of(counted, what);
  }
  index_of_ = std::move(index_of);
  views_.push_back(std::move(next)); // moves none of the others
  current_.store(&views_.back(), std::memory_order_release);
  store(counted);
}

void board::show(const std::vector<seat_id>& seats, shown what) {
  auto counted = count();
  for (const auto& id : seats) {
    const auto found = index_of_.find(id);
    bug_unless(found != index_of_.end(), "an event names a seat that the board does not have");
    auto& state = views_.back()->states_[found->second];
    --of(counted, state.load(std::memory_order_relaxed));
    ++of(counted, what);
    state.store(what, std::memory_order_release);
  }
  store(counted);
}

} // namespace usher::seating

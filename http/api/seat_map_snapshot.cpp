#include "http/api/seat_map_snapshot.hpp"

#include <algorithm>
#include <utility>

namespace usher::http {

namespace {

seating::tally tally_of(const std::vector<seating::shown>& states) {
  const auto count = [&states](seating::shown what) {
    return static_cast<std::uint32_t>(std::ranges::count(states, what));
  };
  return {count(seating::shown::available), count(seating::shown::held),
          count(seating::shown::sold), count(seating::shown::blocked)};
}

} // namespace

seat_snapshot take_snapshot(std::shared_ptr<const shows::published> of) {
  seat_snapshot made;
  made.blocks.resize(of->boards.size());
  for (std::size_t b = 0; b < made.blocks.size(); ++b) {
    auto& block = made.blocks[b];
    block.seats = of->boards[b]->seats();
    block.states.resize(block.seats->ids().size());
    for (std::size_t i = 0; i < block.states.size(); ++i)
      block.states[i] = block.seats->at(i);
    // The places of an area have no names outside: in this order two differ only where counts do.
    if (of->what.plan->blocks[b].capacity > 0)
      std::ranges::sort(block.states);
    block.count = tally_of(block.states);
  }
  made.of = std::move(of);
  return made;
}

bool same_seats(const seat_snapshot& one, const seat_snapshot& other) {
  const auto& first = *one.of->what.plan;
  const auto& second = *other.of->what.plan;
  const bool same_categories = std::ranges::equal(first.categories, second.categories, {},
                                                  &shows::category::id, &shows::category::id);
  if (!same_categories || first.blocks.size() != second.blocks.size())
    return false;
  for (std::size_t b = 0; b < first.blocks.size(); ++b) {
    const auto& its = first.blocks[b];
    const auto& others = second.blocks[b];
    if (its.id != others.id || its.category != others.category || its.capacity != others.capacity ||
        one.blocks[b].seats != other.blocks[b].seats)
      return false;
  }
  return true;
}

std::vector<seat_change> changes_between(const seat_snapshot& before, const seat_snapshot& now) {
  std::vector<seat_change> found;
  for (std::uint32_t b = 0; b < now.blocks.size(); ++b) {
    const auto& was = before.blocks[b].states;
    const auto& is = now.blocks[b].states;
    for (std::uint32_t i = 0; i < is.size(); ++i)
      if (was[i] != is[i])
        found.push_back({b, i, was[i]});
  }
  return found;
}

} // namespace usher::http

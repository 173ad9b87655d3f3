#include "http/api/seat_map_history.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace usher::http {

namespace {

auto place_of(const seat_change& which) {
  return std::tuple{which.block, which.index};
}

constexpr auto from_of = [](const auto& step) { return step->from; };

} // namespace

void seat_history::add(seat_map_version older, std::vector<seat_change> changes) {
  changes_ += changes.size();
  steps_.push_back(std::make_shared<const step>(step{older, std::move(changes)}));
  auto first_kept = steps_.begin();
  while (changes_ > changes_max || steps_.end() - first_kept > std::ptrdiff_t{maps_max}) {
    changes_ -= (*first_kept)->changes.size();
    ++first_kept;
  }
  steps_.erase(steps_.begin(), first_kept);
}

bool seat_history::knows(seat_map_version version) const {
  const auto found = std::ranges::lower_bound(steps_, version, {}, from_of);
  return found != steps_.end() && (*found)->from == version;
}

std::vector<seat_change> seat_history::since(seat_map_version version) const {
  std::vector<seat_change> all;
  for (auto each = std::ranges::lower_bound(steps_, version, {}, from_of); each != steps_.end();
       ++each)
    all.insert(all.end(), (*each)->changes.begin(), (*each)->changes.end());
  // Of a seat that changed more than once the oldest counts.
  std::ranges::stable_sort(all, {}, place_of);
  const auto [end, last] = std::ranges::unique(all, {}, place_of);
  all.erase(end, last);
  return all;
}

} // namespace usher::http

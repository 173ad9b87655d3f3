#pragma once

#include "actors/seating/board.hpp"
#include "actors/shows/event.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace usher::http {

/// How much is left, in five levels: none; few (under a twentieth of all), limited (under a
/// quarter), good (under a half), plenty.
[[nodiscard]] constexpr std::string_view availability_level(std::uint64_t available,
                                                            std::uint64_t all) {
  if (available == 0)
    return "none";
  if (available * 20 < all)
    return "few";
  if (available * 4 < all)
    return "limited";
  return available * 2 < all ? "good" : "plenty";
}

/// Of what is for sale: a blocked seat is not.
[[nodiscard]] constexpr std::string_view availability_level(const seating::tally& of) {
  return availability_level(of.available, std::uint64_t{of.available} + of.held + of.sold);
}

/// By a category's id, what its blocks have together; `count_of(index)` is a block's. A category
/// without blocks is not in it. The ids are the plan's, which has to stay alive.
template <class Count>
[[nodiscard]] std::unordered_map<std::string_view, seating::tally>
count_by_category(const shows::plan& plan, Count count_of) {
  std::unordered_map<std::string_view, seating::tally> all;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    const seating::tally its = count_of(b);
    auto& together = all[plan.blocks[b].category];
    together.available += its.available;
    together.held += its.held;
    together.sold += its.sold;
    together.blocked += its.blocked;
  }
  return all;
}

} // namespace usher::http

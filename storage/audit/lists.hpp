#pragma once

#include "actors/basics/ids.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Lists as people read them.
namespace usher::storage::audit {

/// Separated by commas; of a long one the first twenty, and how many more there are.
template <class Items, class Text>
[[nodiscard]] std::string list_text(const Items& items, Text text) {
  constexpr std::size_t shown_max = 20;
  std::string all;
  for (std::size_t i = 0; i < items.size() && i < shown_max; ++i)
    all += (i == 0 ? "" : ", ") + text(items[i]);
  if (items.size() > shown_max)
    all += " and " + std::to_string(items.size() - shown_max) + " more";
  return all;
}

/// `ticket 7`, `tickets 7, 9`
[[nodiscard]] inline std::string tickets_text(const std::vector<slot_t>& all) {
  return (all.size() == 1 ? "ticket " : "tickets ") +
         list_text(all, [](slot_t slot) { return std::to_string(slot); });
}

} // namespace usher::storage::audit

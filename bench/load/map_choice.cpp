#include "bench/load/map_choice.hpp"

#include "bench/load/json_look.hpp"

#include <cstdint>

namespace usher::load {

std::vector<seat_number> choose_on_map(std::string_view map_json, std::size_t quantity,
                                       double chance) {
  std::vector<std::string_view> blocks;
  std::int64_t free_seats = 0;
  each_element(member(map_json, "blocks"), [&](std::string_view block) {
    blocks.push_back(block);
    free_seats += number_member(block, "available").value_or(0);
  });
  auto skipped = static_cast<std::int64_t>(chance * static_cast<double>(free_seats));
  std::vector<seat_number> chosen;
  for (const auto block : blocks) {
    const auto here = number_member(block, "available").value_or(0);
    if (skipped >= here) {
      skipped -= here;
      continue;
    }
    each_member(member(block, "seats"), [&](std::string_view name, std::string_view state) {
      if (state != R"("AVAILABLE")" || chosen.size() == quantity || skipped-- > 0)
        return;
      if (const auto seat = seat_named(name))
        chosen.push_back(*seat);
    });
    break;
  }
  return chosen;
}

} // namespace usher::load

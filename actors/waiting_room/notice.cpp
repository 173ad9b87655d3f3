#include "actors/waiting_room/notice.hpp"

namespace usher::waiting_room {

std::optional<std::uint32_t> drawn_place(const draw_notice& draw, std::uint8_t tier, slot_t place) {
  std::uint32_t before = 0;
  for (std::size_t at = 0; at < draw.tiers.size() && at <= tier; ++at) {
    const auto& those = draw.tiers[at];
    if (at == tier && place >= those.first_place && place - those.first_place < those.count)
      return before + (place - those.first_place) + 1;
    before += those.count;
  }
  return std::nullopt;
}

} // namespace usher::waiting_room

#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "actors/waiting_room/event.hpp"
#include "actors/waiting_room/settings.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace usher::waiting_room {

/// The drawn ones of one tier.
struct drawn_tier {
  std::string name;       ///< empty: the general one
  slot_t first_place = 0; ///< index in the tier's lane of whoever was drawn first
  std::uint32_t count = 0;
  std::vector<std::pair<slot_t, slot_t>> tickets; ///< who took part: ranges of slots, both included
};

/// The draw of a room: ahead (with its commitment), or done.
struct draw_notice {
  bytes32 commitment{}; ///< SHA-256 of the seed
  std::optional<beacon_source> source;
  std::string beacon; ///< the value, or empty
  bool done = false;
  bytes32 seed{}; ///< this and the rest once it is done
  time_ms drawn_at = 0;
  std::vector<drawn_tier> tiers;
};

/// What everybody may know of a room and what changes seldom. Immutable; each change makes another.
struct notice {
  settings set;
  std::vector<std::pair<std::string, std::string>> message; ///< language and text
  std::shared_ptr<const draw_notice> draw;                  ///< null: none is scheduled
};

/// The 1-based place in the draw of whoever has this place in that tier's lane; none if it was not
/// drawn.
[[nodiscard]] std::optional<std::uint32_t> drawn_place(const draw_notice& draw, std::uint8_t tier,
                                                       slot_t place);

} // namespace usher::waiting_room

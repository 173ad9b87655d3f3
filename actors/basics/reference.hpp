#pragma once

#include "actors/basics/ids.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace usher {

/// The outside form of hold, order and payment ids: `order-0-2a-<32 hex digits>`, that is kind,
/// shard, show number (hex), 128 random bits. It leads to the show without being told.
struct reference {
  show_number show = 0;
  id128 id;
};

[[nodiscard]] std::string write_reference(std::string_view kind, show_number show, const id128& id);

/// Nothing unless it is of this kind and well-formed to the letter.
[[nodiscard]] std::optional<reference> read_reference(std::string_view kind, std::string_view text);

} // namespace usher

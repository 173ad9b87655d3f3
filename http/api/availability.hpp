#pragma once

#include <cstdint>
#include <string_view>

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

} // namespace usher::http

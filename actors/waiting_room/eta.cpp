#include "actors/waiting_room/eta.hpp"

#include <algorithm>
#include <limits>

namespace usher::waiting_room {
namespace {

constexpr std::uint32_t seconds_max = std::numeric_limits<std::uint32_t>::max();

std::uint32_t within(std::uint32_t from, std::uint32_t to, std::uint32_t random_bits) {
  return from + random_bits % (to - from + 1);
}

} // namespace

std::optional<std::uint32_t> eta_seconds(std::uint32_t position, std::uint64_t rate_micro) {
  if (rate_micro == 0)
    return std::nullopt;
  const auto fans_micro = std::uint64_t{position} * 1'000'000;
  const auto seconds = fans_micro / rate_micro + (fans_micro % rate_micro != 0 ? 1 : 0);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(seconds, 1, seconds_max));
}

std::optional<eta> eta_of(std::uint32_t position, std::uint64_t rate_micro) {
  const auto seconds = eta_seconds(position, rate_micro);
  if (!seconds)
    return std::nullopt;
  const auto quarter = *seconds / 4 + (*seconds % 4 != 0 ? 1 : 0);
  const auto low = std::max<std::uint32_t>(*seconds - quarter, 1);
  const auto high = *seconds > seconds_max - quarter ? seconds_max : *seconds + quarter;
  return eta{*seconds, low, high};
}

std::uint32_t poll_after_seconds(std::uint32_t position, std::optional<std::uint32_t> eta_seconds,
                                 std::uint32_t random_bits) {
  if (position <= 20 || (eta_seconds && *eta_seconds <= 10))
    return within(2, 4, random_bits);
  if (position <= 1000)
    return within(8, 12, random_bits);
  return within(40, 50, random_bits);
}

std::uint32_t poll_before_opening_seconds(std::uint32_t opens_in_seconds,
                                          std::uint32_t random_bits) {
  if (opens_in_seconds > 50)
    return within(40, 50, random_bits);
  return within(opens_in_seconds + 2, opens_in_seconds + 8, random_bits);
}

} // namespace usher::waiting_room

#pragma once

#include <cstdint>
#include <optional>

// When it will be a fan's turn, and when to ask again. Little's law; pure.
namespace usher::waiting_room {

struct eta {
  std::uint32_t seconds = 0;
  std::uint32_t low = 0; ///< the range around it, a quarter to either side
  std::uint32_t high = 0;
  bool operator==(const eta&) const = default;
};

/// position / rate, rounded up, at least 1; none if nobody is being admitted (rate 0).
/// `position` is 1-based, `rate_micro` fans per second in millionths.
[[nodiscard]] std::optional<std::uint32_t> eta_seconds(std::uint32_t position,
                                                       std::uint64_t rate_micro);
[[nodiscard]] std::optional<eta> eta_of(std::uint32_t position, std::uint64_t rate_micro);

/// 2–4 s for those about to enter (position <= 20 or within 10 s), 8–12 s up to position 1,000,
/// 40–50 s beyond. `random_bits` spreads the fans over the range.
[[nodiscard]] std::uint32_t poll_after_seconds(std::uint32_t position,
                                               std::optional<std::uint32_t> eta_seconds,
                                               std::uint32_t random_bits);

/// Before the opening: as in the back of a queue, but soon after it at the latest; 2 to 60 s.
[[nodiscard]] std::uint32_t poll_before_opening_seconds(std::uint32_t opens_in_seconds,
                                                        std::uint32_t random_bits);

} // namespace usher::waiting_room

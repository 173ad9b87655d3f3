#pragma once

#include <cstdint>

// How likely it is that a waiting fan still finds a seat. Pure.
namespace usher::waiting_room {

struct sales_so_far {
  std::uint32_t available = 0; ///< seats that can be had now
  std::uint32_t held = 0;
  std::uint32_t sold = 0;
  std::uint32_t active = 0; ///< admissions that go on
  std::uint32_t bought = 0; ///< admissions that ended with a purchase
  std::uint32_t others = 0; ///< admissions that ended without one
};

/// Chance, 0 to 1, that at least one seat is left after `ahead` further admissions and those that
/// go on and hold nothing yet. Each buys with the measured share, and then as many seats as a buyer
/// did on average; the number that buys is taken as normally distributed around its mean. Until
/// much is measured, ten admissions are added of which eight bought two seats each. Held seats
/// count as gone: the figure errs towards less.
[[nodiscard]] double chance_of_seats(const sales_so_far& sales, std::uint32_t ahead);

} // namespace usher::waiting_room

#include "actors/waiting_room/chance.hpp"

#include <algorithm>
#include <cmath>

namespace usher::waiting_room {
namespace {

constexpr double assumed_admissions = 10;
constexpr double assumed_buyers = 8;
constexpr double assumed_seats = 16;

} // namespace

double chance_of_seats(const sales_so_far& sales, std::uint32_t ahead) {
  if (sales.available == 0)
    return 0;
  const auto buyers = sales.bought + assumed_buyers;
  const auto share = buyers / (sales.bought + double{1} * sales.others + assumed_admissions);
  const auto each = (sales.sold + assumed_seats) / buyers;
  const auto choosing = std::max(0.0, sales.active - sales.held / each);
  const auto before = ahead + choosing;
  const auto mean = before * share * each;
  const auto deviation = each * std::sqrt(before * share * (1 - share));
  // Demand below what is available; half a seat of continuity correction.
  const auto margin = (sales.available - 0.5 - mean) / (deviation + 1e-9);
  return 0.5 * std::erfc(-margin / std::sqrt(2.0));
}

} // namespace usher::waiting_room

#include "bench/load/hall.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace usher::load {

namespace {

bool read_from_one(std::string_view text, seat_number& into) {
  const auto* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, into);
  return error == std::errc{} && at == end && into >= 1 && text.front() != '0';
}

} // namespace

std::string seat_name(seat_number seat) {
  return "r" + std::to_string(seat / seats_per_row + 1) + "-" +
         std::to_string(seat % seats_per_row + 1);
}

std::optional<seat_number> seat_named(std::string_view name) {
  const auto dash = name.find('-');
  seat_number row = 0;
  seat_number place = 0;
  if (!name.starts_with('r') || dash == std::string_view::npos ||
      !read_from_one(name.substr(1, dash - 1), row) ||
      !read_from_one(name.substr(dash + 1), place) || place > seats_per_row ||
      row > seats_max / seats_per_row)
    return std::nullopt;
  return (row - 1) * seats_per_row + place - 1;
}

nlohmann::json plan_of(seat_number seats) {
  auto blocks = nlohmann::json::array();
  for (seat_number first = 0; first < seats; first += seats_per_row) {
    const auto row = first / seats_per_row;
    if (row % rows_per_block == 0)
      blocks.push_back({{"id", "b" + std::to_string(row / rows_per_block + 1)},
                        {"category", "all"},
                        {"rows", nlohmann::json::array()}});
    blocks.back()["rows"].push_back(
        {{"id", "r" + std::to_string(row + 1)}, {"count", std::min(seats_per_row, seats - first)}});
  }
  return {{"categories", {{{"id", "all"}, {"name", "All"}, {"price", seat_price_minor}}}},
          {"blocks", std::move(blocks)}};
}

} // namespace usher::load

#include "tests/system/sell_out_world.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace usher::test::sell_out {

namespace {

constexpr std::size_t complaints_max = 50;

} // namespace

const std::vector<section>& hall() {
  static const std::vector<section> all{
      {"north", "standard", 100, 200},
      {"south", "standard", 100, 200},
      {"balcony", "premium", 60, 200},
      {"floor", "standard", 0, 8'000},
  };
  return all;
}

json plan() {
  auto blocks = json::array();
  for (const auto& each : hall()) {
    json block{{"id", each.id}, {"category", each.category}};
    if (each.rows == 0)
      block["capacity"] = each.per_row;
    for (std::uint32_t row = 1; row <= each.rows; ++row)
      block["rows"].push_back({{"id", each.id + std::to_string(row)}, {"count", each.per_row}});
    blocks.push_back(std::move(block));
  }
  return {
      {"categories", {{{"id", "standard"}, {"price", 5000}}, {{"id", "premium"}, {"price", 9000}}}},
      {"blocks", blocks}};
}

world::world(std::uint64_t seed) : dice{seed}, shown(hall().size()) {
  for (std::uint32_t s = 0; s < hall().size(); ++s) {
    const auto& its = hall()[s];
    if (its.rows == 0)
      for (std::uint32_t n = 1; n <= its.per_row; ++n)
        ledger.add_seat(its.id + ":" + std::to_string(n), s);
    for (std::uint32_t row = 1; row <= its.rows; ++row)
      for (std::uint32_t n = 1; n <= its.per_row; ++n)
        ledger.add_seat(its.id + std::to_string(row) + "-" + std::to_string(n), s);
  }
}

void world::see(const json& map) {
  map_version = map.at("version").get<std::uint64_t>();
  for (const auto& block : map.at("blocks")) {
    const auto found = std::ranges::find(hall(), block.at("id").get<std::string>(), &section::id);
    auto& its = shown.at(static_cast<std::size_t>(found - hall().begin()));
    for (const auto& [seat, state] : block.at("seats").items())
      its.states[seat] = state.get<std::string>();
    its.free.clear();
    for (const auto& [seat, state] : its.states)
      if (state == "AVAILABLE")
        its.free.push_back(seat);
  }
}

void world::complain(const std::string& what) {
  complaints.push_back(what);
  stopped = stopped || complaints.size() >= complaints_max;
}

float quantile(std::vector<float> times, double share) {
  if (times.empty())
    return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(times.size() - 1));
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(at);
  std::ranges::nth_element(times, middle);
  return *middle;
}

} // namespace usher::test::sell_out

#include "bench/load/map_check.hpp"

#include "bench/load/json_look.hpp"

namespace usher::load {

namespace {

std::optional<std::string> fault_of(std::string_view state, const seat_ledger::standing& told) {
  if (state == R"("SOLD")" && !told.sold)
    return "is sold, and nobody was told so";
  if (state != R"("SOLD")" && told.sold)
    return "was sold, and is not any more";
  if (state == R"("HELD")" && !told.given)
    return "is held, and nobody was told so";
  if (state == R"("AVAILABLE")" && told.taken)
    return "is free, and somebody holds it";
  return std::nullopt;
}

} // namespace

std::optional<std::string> fault_in_map(std::string_view map_json, const seat_ledger& told,
                                        time_ns now) {
  std::optional<std::string> fault;
  seat_number seen = 0;
  const auto see = [&](std::string_view name, std::string_view state) {
    const auto seat = seat_named(name);
    const auto what = seat ? fault_of(state, told.of(*seat, now)) : "is not in the plan";
    if (what && !fault)
      fault = "seat " + std::string{name} + " " + *what;
    ++seen;
  };
  each_element(member(map_json, "blocks"),
               [&](std::string_view block) { each_member(member(block, "seats"), see); });
  if (!fault && seen != told.size())
    fault = std::to_string(seen) + " seats on the map, and " + std::to_string(told.size()) +
            " in the plan";
  return fault;
}

} // namespace usher::load

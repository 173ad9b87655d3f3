#include "actors/basics/duration.hpp"

#include <array>
#include <charconv>

namespace usher {

namespace {

struct unit {
  std::string_view name;
  duration_ms ms;
};

constexpr std::array units{unit{"d", 86'400'000}, unit{"h", 3'600'000}, unit{"m", 60'000},
                           unit{"s", 1'000}, unit{"ms", 1}};
constexpr duration_ms longest = 3'650LL * 86'400'000; // ten years: enough, and far from overflow

} // namespace

std::optional<duration_ms> read_duration(std::string_view text) {
  duration_ms count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0)
    return std::nullopt;
  const std::string_view name{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  for (const auto& each : units)
    if (each.name == name)
      return count > longest / each.ms ? std::nullopt : std::optional{count * each.ms};
  return std::nullopt;
}

std::string to_text(duration_ms length) {
  for (const auto& each : units)
    if (length % each.ms == 0 && (length != 0 || each.name == "s"))
      return std::to_string(length / each.ms) + std::string{each.name};
  return "0s";
}

} // namespace usher

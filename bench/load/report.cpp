#include "bench/load/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace usher::load {

bool report::passed() const {
  return !checks.empty() && std::ranges::all_of(checks, &check::held);
}

void report::check_quantile(const phase& in, request_kind kind, double quantile, double limit_ms) {
  const auto& latency = in.tally.of(kind).latency;
  char name[96];
  std::snprintf(name, sizeof name, "%s p%g at most %g ms", to_string(kind).data(), quantile * 100,
                limit_ms);
  const auto measured = latency.at_us(quantile);
  const bool held = latency.count() > 0 && static_cast<double>(measured) <= limit_ms * 1'000;
  checks.push_back(
      {name, held, latency.count() == 0 ? "nothing was measured" : milliseconds(measured) + " ms"});
}

void report::check_no_errors() {
  std::uint64_t answers = 0;
  std::uint64_t wrong = 0;
  for (const auto& each : phases) {
    answers += each.tally.answered();
    wrong += each.tally.wrong();
  }
  checks.push_back({"every answer is right", wrong == 0 && answers > 0,
                    grouped(wrong) + " errors in " + grouped(answers) + " answers"});
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", share * 100);
  return text;
}

std::string grouped(std::uint64_t count) {
  auto text = std::to_string(count);
  for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string milliseconds(std::uint64_t microseconds) {
  const auto value = static_cast<double>(microseconds) / 1'000;
  if (value >= 1'000)
    return grouped(static_cast<std::uint64_t>(std::llround(value)));
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  return text;
}

} // namespace usher::load

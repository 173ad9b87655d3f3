#include "storage/audit/names.hpp"
#include "storage/audit/what_if.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <string>

namespace usher::storage::audit {

namespace {

using json = nlohmann::ordered_json;

constexpr std::array percentiles{50U, 75U, 90U, 95U, 99U, 100U};

std::string percentile_name(unsigned hundredths) {
  return hundredths == 100 ? "max" : "p" + std::to_string(hundredths);
}

json or_null(const std::optional<duration_ms>& value) {
  return value ? json(*value) : json(nullptr);
}

std::uint64_t most_of(const by_minute& minutes) {
  return minutes.empty() ? 0 : *std::ranges::max_element(minutes);
}

/// Whole minutes count, also the one that has begun.
double mean_of(const by_minute& minutes) {
  const auto sum = std::accumulate(minutes.begin(), minutes.end(), std::uint64_t{0});
  return minutes.empty() ? 0 : static_cast<double>(sum) / static_cast<double>(minutes.size());
}

json figures_json(const figures& it) {
  auto waits = json::object();
  for (const auto at : percentiles)
    waits[percentile_name(at)] = or_null(it.wait_at(at));
  return {{"fans", it.fans},
          {"admitted", it.waits.size()},
          {"waitMs", std::move(waits)},
          {"lastAdmissionMs", or_null(it.last_admission)},
          {"activeMost", it.active_most},
          {"sold", it.sold},
          {"soldOutMs", or_null(it.sold_out_after)},
          {"admittedByMinute", it.admitted_by_minute},
          {"soldByMinute", it.sold_by_minute}};
}

json limit_json(const std::optional<std::uint32_t>& most) {
  return most ? json(*most) : json("none");
}

json changes_json(const changes& asked) {
  auto all = json::object();
  if (asked.admit_per_second_micro)
    all["admitPerSecond"] = static_cast<double>(*asked.admit_per_second_micro) / 1e6;
  if (asked.max_active)
    all["maxActive"] = limit_json(asked.max_active->most);
  if (asked.max_per_tick)
    all["maxPerTick"] = limit_json(asked.max_per_tick->most);
  if (asked.admission_ttl_ms)
    all["admissionTtlMs"] = *asked.admission_ttl_ms;
  return all;
}

json logged_json(const waiting_room::settings& set) {
  return {{"admitPerSecond", static_cast<double>(set.admit_per_second_micro) / 1e6},
          {"maxActive", limit_json(set.max_active)},
          {"maxPerTick", limit_json(set.max_per_tick)},
          {"admissionTtlMs", set.admission_ttl_ms},
          {"tickMs", set.tick_ms}};
}

/// `1h 02m 03.4s`
std::string span_text(const std::optional<duration_ms>& span) {
  if (!span)
    return "-";
  const auto tenths = (*span + 50) / 100;
  std::array<char, 40> text{};
  const auto hours = static_cast<long long>(tenths / 36'000);
  const auto minutes = static_cast<long long>(tenths / 600 % 60);
  const auto seconds = static_cast<long long>(tenths / 10 % 60);
  const auto tenth = static_cast<long long>(tenths % 10);
  if (hours > 0)
    std::snprintf(text.data(), text.size(), "%lldh %02lldm %02lld.%llds", hours, minutes, seconds,
                  tenth);
  else if (minutes > 0)
    std::snprintf(text.data(), text.size(), "%lldm %02lld.%llds", minutes, seconds, tenth);
  else
    std::snprintf(text.data(), text.size(), "%lld.%llds", seconds, tenth);
  return text.data();
}

std::string rate_text(const by_minute& minutes) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.1f, most %llu", mean_of(minutes),
                static_cast<unsigned long long>(most_of(minutes)));
  return text.data();
}

class table {
public:
  table(std::ostream& out, const what_if_report& what) : out_{out}, what_{what} {}

  void head() { row("", "as it was", "simulated", "what if"); }
  template <class Text>
  void line(const std::string& name, Text text) {
    row(name, text(what_.as_it_was), text(what_.as_logged), text(what_.other));
  }

private:
  void row(const std::string& name, const std::string& a, const std::string& b,
           const std::string& c) {
    out_ << "  " << std::left << std::setw(22) << name << std::right << std::setw(20) << a
         << std::setw(20) << b << std::setw(20) << c << "\n";
  }

  std::ostream& out_;
  const what_if_report& what_;
};

std::string settings_text(const json& set) {
  std::string all;
  for (const auto& [name, value] : set.items())
    all += (all.empty() ? "" : ", ") + name + " " +
           (value.is_string() ? value.get<std::string>() : value.dump());
  return all;
}

constexpr std::array assumptions{
    "Fans come, leave and fall silent when they did; nobody comes after the end of the log.",
    "Operators do what they did, when they did it; every other setting is as logged.",
    "Who was admitted does the same again, counted from the admission.",
    "Who was never admitted does what those did who were, one after the other and over again.",
    "Who wants more seats than are left buys none.",
    "It goes on until everybody is in or gone, or nothing is left, also beyond the log.",
};

void write_table(std::ostream& out, const what_if_report& what) {
  table all{out, what};
  all.head();
  all.line("fans", [](const figures& it) { return std::to_string(it.fans); });
  all.line("admitted", [](const figures& it) { return std::to_string(it.waits.size()); });
  for (const auto at : percentiles)
    all.line("wait " + percentile_name(at),
             [at](const figures& it) { return span_text(it.wait_at(at)); });
  all.line("last admission after", [](const figures& it) { return span_text(it.last_admission); });
  all.line("admitted a minute", [](const figures& it) { return rate_text(it.admitted_by_minute); });
  all.line("peak active", [](const figures& it) { return std::to_string(it.active_most); });
  const std::string sold = what.has_seats ? "seats" : "orders";
  all.line(sold + " sold", [](const figures& it) { return std::to_string(it.sold); });
  all.line("sold a minute", [](const figures& it) { return rate_text(it.sold_by_minute); });
  all.line("sold out after", [](const figures& it) { return span_text(it.sold_out_after); });
}

} // namespace

void write_what_if(std::ostream& out, const what_if_report& what, bool as_json) {
  if (as_json) {
    const json all{
        {"show", what.show},
        {"openedAt", time_text(what.opened_at)},
        {"logged", logged_json(what.logged)},
        {"changes", changes_json(what.asked)},
        {"unit", what.has_seats ? "seats" : "orders"},
        {"asItWas", figures_json(what.as_it_was)},
        {"simulated", figures_json(what.as_logged)},
        {"whatIf", figures_json(what.other)},
        {"difference",
         {{"fans", what.off.fans}, {"medianMs", what.off.median}, {"mostMs", what.off.most}}},
        {"holdsRefused", what.holds_refused},
        {"endedEarly", what.went_on},
        {"assumptions", assumptions}};
    out << all.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
    return;
  }
  const auto asked = changes_json(what.asked);
  out << "show " << what.show << ", opened " << time_text(what.opened_at) << "\n"
      << "  as logged  " << settings_text(logged_json(what.logged)) << "\n"
      << "  what if    " << (asked.empty() ? "nothing were other" : settings_text(asked)) << "\n\n";
  write_table(out, what);
  out << "\nsimulated: under the settings of the log. It admits " << what.off.fans
      << " of those who were admitted; half of them within " << span_text(what.off.median)
      << " of when they were, all within " << span_text(what.off.most) << ".\n";
  if (what.holds_refused > 0)
    out << what.holds_refused << " would have found too few seats left.\n";
  if (what.went_on)
    out << "It was ended " << simulated_max_ms / 86'400'000 << " days after the opening.\n";
  for (const auto* const one : assumptions)
    out << "- " << one << "\n";
}

} // namespace usher::storage::audit

#include "bench/load/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace usher::load {

namespace {

constexpr std::array columns{12, 11, 10, 9, 9, 8, 9, 9, 9, 9, 9, 9};

template <class Texts>
void append_row(std::string& to, const Texts& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = texts[i];
    const auto width = static_cast<std::size_t>(columns[i]);
    const auto space = text.size() < width ? width - text.size() : 0;
    if (i == 0)
      to.append("  ").append(text).append(space, ' ');
    else
      to.append(space, ' ').append(text);
  }
  to += '\n';
}

void append_latencies(std::array<std::string, columns.size()>& row, const histogram& latency) {
  constexpr std::array quantiles{0.5, 0.9, 0.95, 0.99, 0.999};
  for (std::size_t i = 0; i < quantiles.size(); ++i)
    row[6 + i] = latency.count() == 0 ? "-" : milliseconds(latency.at_us(quantiles[i]));
  row.back() = latency.count() == 0 ? "-" : milliseconds(latency.max_us());
}

/// With one decimal, where that is not lost in the rest.
std::string rounded(double value) {
  if (value >= 1'000 || value == std::floor(value))
    return grouped(static_cast<std::uint64_t>(std::llround(value)));
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string rate(std::uint64_t count, double seconds) {
  return seconds > 0 ? rounded(static_cast<double>(count) / seconds) : "-";
}

void append_kind(std::string& to, const phase& in, request_kind kind) {
  const auto& its = in.tally.of(kind);
  if (its.all() == 0)
    return;
  std::array<std::string, columns.size()> row;
  row[0] = to_string(kind);
  row[1] = grouped(its.all());
  row[2] = rate(its.all(), in.seconds);
  row[3] = grouped(its.refused);
  row[4] = grouped(its.shed);
  row[5] = grouped(its.wrong);
  append_latencies(row, its.latency);
  append_row(to, row);
  if (its.shed == 0)
    return;
  std::array<std::string, columns.size()> sheds;
  sheds[0] = "  its 503s";
  append_latencies(sheds, its.shed_latency);
  append_row(to, sheds);
}

std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

void append_remarks(std::string& to, const phase& in, outcome which, std::string_view title) {
  bool first = true;
  for (const auto& [key, what] : in.tally.remarks()) {
    if (key.what != which)
      continue;
    if (std::exchange(first, false))
      to.append("\n").append(title).append("\n");
    to.append("  ").append(grouped(what.count)).append(" x ").append(to_string(key.kind));
    to.append(": ").append(on_one_line(key.why)).append("\n");
    if (which == outcome::wrong && !what.example.empty())
      to.append("      e.g. ").append(on_one_line(what.example)).append("\n");
  }
}

void append_phase(std::string& to, const phase& in) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", in.seconds);
  to.append("\n").append(in.name).append(", ").append(seconds).append(" s: ").append(in.what);
  to += in.tally.answered() > 0 ? "\n\n" : "\n";
  if (in.tally.answered() > 0)
    append_row(to, std::array{"", "answers", "per s", "refused", "shed", "errors", "p50 ms", "p90",
                              "p95", "p99", "p99.9", "max"});
  for (std::size_t kind = 0; kind < request_kinds; ++kind)
    append_kind(to, in, static_cast<request_kind>(kind));
  if (in.lateness.waiting_max > 0)
    to.append("\nUp to ")
        .append(grouped(in.lateness.waiting_max))
        .append(" requests waited for a connection, ")
        .append(
            milliseconds(static_cast<std::uint64_t>(in.lateness.sent_late_max / microsecond_ns)))
        .append(" ms at most.\n");
  append_remarks(to, in, outcome::refused, "refused, rightly");
  append_remarks(to, in, outcome::wrong, "errors");
}

} // namespace

std::string text_of(const report& all) {
  auto to = "usher load " + all.scenario + " on " + all.url + ", show " + all.show + "\n";
  for (const auto& [name, value] : all.settings)
    to.append("  ").append(name).append(": ").append(value).append("\n");
  for (const auto& each : all.phases)
    append_phase(to, each);
  if (!all.figures.empty())
    to += "\nfigures\n";
  for (const auto& each : all.figures)
    to.append("  ")
        .append(each.name)
        .append(": ")
        .append(rounded(each.value))
        .append(" ")
        .append(each.unit)
        .append("\n");
  to += "\nchecks\n";
  for (const auto& each : all.checks)
    to.append(each.held ? "  held    " : "  MISSED  ")
        .append(each.name)
        .append(": ")
        .append(each.detail)
        .append("\n");
  return to + (all.passed() ? "\nAll checks held.\n" : "\nNot all checks held.\n");
}

} // namespace usher::load

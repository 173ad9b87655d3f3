#include "actors/basics/duration.hpp"
#include "config/audit_options.hpp"
#include "config/audit_progress.hpp"
#include "storage/audit/what_if.hpp"

#include <charconv>
#include <cmath>
#include <iostream>
#include <optional>
#include <string>

namespace usher::config {

namespace {

namespace audit = storage::audit;

constexpr double rate_max = 1e6; ///< fans a second

/// In millionths; none: not a number, negative, or too large.
std::optional<std::uint64_t> read_rate(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(value >= 0 && value <= rate_max))
    return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(value * 1e6));
}

/// `none` or a whole number.
std::optional<audit::new_limit> read_limit(const std::string& text) {
  if (text == "none")
    return audit::new_limit{};
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return audit::new_limit{value};
}

/// Reads one option if it is given; false if it is wrong.
template <class Value, class Read>
bool read(const std::string& text, std::optional<Value>& into, Read read_one) {
  if (text.empty())
    return true;
  into = read_one(text);
  return into.has_value();
}

std::optional<std::string> read_changes(const audit_options& given, audit::changes& asked) {
  if (!read(given.admit_per_second, asked.admit_per_second_micro, read_rate))
    return "--admit-per-second takes a number from 0 to 1000000, also a fraction, not " +
           given.admit_per_second;
  if (!read(given.max_active, asked.max_active, read_limit))
    return "--max-active takes a whole number or `none`, not " + given.max_active;
  if (!read(given.max_per_tick, asked.max_per_tick, read_limit))
    return "--max-per-tick takes a whole number or `none`, not " + given.max_per_tick;
  if (!read(given.admission_ttl, asked.admission_ttl_ms,
            [](const std::string& text) { return read_duration(text); }))
    return "--admission-ttl takes a length of time like 90s or 5m, not " + given.admission_ttl;
  return std::nullopt;
}

} // namespace

int audit_what_if(const audited& in, const audit_options& given) {
  audit::changes asked;
  if (const auto wrong = read_changes(given, asked))
    return refuse_audit(*wrong);
  if (!given.names.empty() && !given.show.empty() && given.names[0] != given.show)
    return refuse_audit("two shows are named: " + given.names[0] + " and " + given.show);
  const auto& name = given.names.empty() ? given.show : given.names[0];
  progress shown{in.log.head().position, !given.json};
  const auto found = audit::what_if(in.log, name.empty() ? std::nullopt : std::optional{name},
                                    asked, [&](storage::position_t done) { shown.reached(done); });
  shown.end();
  if (const auto* fault = std::get_if<storage::failure>(&found))
    return refuse_audit(fault->what);
  audit::write_what_if(std::cout, std::get<audit::what_if_report>(found), given.json);
  return 0;
}

} // namespace usher::config

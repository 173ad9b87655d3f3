#pragma once

#include "bench/load/tally.hpp"
#include "bench/load/time.hpp"

#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

// What a run tells at its end: to people as tables, to machines as JSON.
namespace usher::load {

/// One part of a run, with everything that was asked in it.
struct phase {
  std::string name;
  std::string what; ///< a sentence about it
  double seconds = 0;
  load::tally tally{};
  load::lateness lateness{};
};

/// Something that has to be so.
struct check {
  std::string name;
  bool held = false;
  std::string detail; ///< what was measured, and what was wanted
};

/// A number that has no other place.
struct figure {
  std::string name;
  double value = 0;
  std::string unit;
};

struct report {
  std::string scenario;
  std::string url;
  std::string show;
  std::vector<std::pair<std::string, std::string>> settings; ///< as they were chosen
  std::deque<phase> phases;                                  ///< references to them stay valid
  std::vector<check> checks;
  std::vector<figure> figures;

  /// All checks held, and there were some.
  [[nodiscard]] bool passed() const;

  /// `p95 of KIND <= limit`; missed if there is nothing to measure.
  void check_quantile(const phase& in, request_kind kind, double quantile, double limit_ms);
  /// No answer of any phase was wrong.
  void check_no_errors();
};

[[nodiscard]] std::string text_of(const report& all);
[[nodiscard]] nlohmann::ordered_json json_of(const report& all);

/// As short as it can be: `0.5`, `12`.
[[nodiscard]] std::string number(double value);
/// 0.123 as `12.3 %`.
[[nodiscard]] std::string percent(double share);
/// 1234567 as `1,234,567`.
[[nodiscard]] std::string grouped(std::uint64_t count);
/// Milliseconds with three digits that count: `0.123`, `12.3`, `1,234`.
[[nodiscard]] std::string milliseconds(std::uint64_t microseconds);

} // namespace usher::load

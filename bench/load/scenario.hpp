#pragma once

#include "bench/load/report.hpp"
#include "bench/load/rushing.hpp"
#include "bench/load/team.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace usher::load {

/// What may be chosen of a run. Each scenario has its own defaults.
struct scenario_settings {
  std::uint32_t fans = 1'000;
  double arrivals_per_second = 0; ///< 0: as fast as they are answered
  double admits_per_second = 0;
  seat_number seats = 1'000;
  double seconds = 30;         ///< of the phase that is measured; the most, where it ends by itself
  double polls_per_second = 0; ///< 0: as fast as they are answered
  double watching = 1;         ///< share of the waiting fans who ask at the advised pace
  load::wish wish = load::wish::random;
  std::size_t connections = 512;
  std::uint32_t threads = 1;
  std::uint64_t seed = 1;
};

/// Those of the settings that not every scenario has.
enum class knob : std::uint8_t { fans, arrivals, admits, seats, seconds, polls, watching, wish };

struct scenario {
  std::string_view name;
  std::string_view what; ///< a sentence for `--help` and the report
  std::vector<knob> knobs;
  scenario_settings defaults;
};
[[nodiscard]] std::span<const scenario> scenarios();

/// One call of the seller's staff: method, path, and a body that is JSON or empty. Throws
/// std::runtime_error with a sentence if it is refused.
using staff_call =
    std::function<void(const char* method, const std::string& path, const std::string& body)>;

/// Makes a show of the name `show`, opens it, lets the fans of the scenario come, and closes it
/// whatever happens. Throws std::runtime_error if the run cannot go on: the server is gone or
/// refuses the staff's calls, or somebody stopped it.
[[nodiscard]] report play(const scenario& which, const scenario_settings& with,
                          const std::string& show, const target& to, const staff_call& staff,
                          team::watcher watch);

} // namespace usher::load

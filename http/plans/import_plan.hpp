#pragma once

#include "http/plans/draft.hpp"

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A seating plan out of a file in any of four formats. docs/plans.md says what is read of each.
namespace usher::plans {

enum class format { automatic, usher, pretix, seatsio, csv };

/// "auto", "usher", "pretix", "seatsio", "csv".
[[nodiscard]] std::string_view to_string(format which);
[[nodiscard]] std::optional<format> format_named(std::string_view name);

/// Larger files are not read.
inline constexpr std::size_t file_bytes_max = std::size_t{32} * 1024 * 1024;
inline constexpr int json_depth_max = 64;

struct import_options {
  format as = format::automatic;
  price_list prices{};                       ///< over those of the file
  std::optional<shows::point> focal_point{}; ///< instead of that of the file
};

struct imported {
  format as = format::automatic;    ///< automatic: it was not recognised
  shows::plan plan;                 ///< counts only if there are no faults
  std::vector<shows::fault> faults; ///< places are those of the file; at most faults_kept_max
  std::vector<mapping> mapped;
  std::vector<std::string> notes; ///< what was left out, and other things worth knowing
};

/// `text` is the whole file, file_bytes_max at most. A plan without faults is one that the server
/// takes.
[[nodiscard]] imported import_plan(std::string_view text, const import_options& with);

/// What the plan has, for people: blocks, categories with prices, accessible seats, the extent,
/// mapped ids (at most some of each kind), notes.
void write_summary(std::ostream& to, const imported& what);

/// "3 blocks, 14 rows, 220 seats (4 accessible), 1 area of 500 places".
[[nodiscard]] std::string counts_of(const shows::plan& what);

} // namespace usher::plans

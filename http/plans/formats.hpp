#pragma once

#include "http/plans/draft.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>
#include <vector>

// The readers of foreign formats: each tells a draft what the file says. docs/plans.md lists the
// members that they read.
namespace usher::plans {

using nlohmann::json;

/// What a file has beside blocks and seats.
struct surroundings {
  std::optional<shows::point> focal_point;
};

/// pretix seating plan. Zones become blocks.
[[nodiscard]] const vocabulary& pretix_words();
surroundings read_pretix(const json& document, draft& into, std::vector<shows::fault>& faults);

/// seats.io chart. Sections, and rows that are in none, become blocks; so do areas.
[[nodiscard]] const vocabulary& seatsio_words();
surroundings read_seatsio(const json& document, draft& into, std::vector<shows::fault>& faults);

/// A table with a header line, one seat a line.
[[nodiscard]] const vocabulary& csv_words();
surroundings read_csv(std::string_view text, draft& into);

} // namespace usher::plans

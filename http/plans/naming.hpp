#pragma once

#include <string>
#include <string_view>
#include <vector>

// Ids out of the labels that people give: "Parkett links" is no id, `Parkett-links` is.
namespace usher::plans {

/// What is an id already stays as it is. Otherwise Latin letters lose their accents (ß is ss, æ ae,
/// œ oe), each run of other characters becomes one '-', and none of those stays at an end. Always
/// the same for the same label; may be empty or too long, which shows::is_id tells. `label` is
/// UTF-8.
[[nodiscard]] std::string id_of(std::string_view label);

/// The ids of the labels with '-' between them; empty if one of them has none.
[[nodiscard]] std::string id_of(const std::vector<std::string_view>& labels);

/// The labels themselves with '-' between them.
[[nodiscard]] std::string label_of(const std::vector<std::string_view>& labels);

/// In quotes, for a sentence: cut off where it is longer than anybody reads, and '?' for what would
/// steer a terminal.
[[nodiscard]] std::string in_quotes(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

/// Without white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

} // namespace usher::plans

#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace usher::gateways {

using nlohmann::json;

inline constexpr int json_depth_max = 32;

/// One JSON object and nothing else, or nothing. Numbers with a fraction or exponent become texts
/// with just their letters, so that amounts are read to the letter; no float is ever made of one.
[[nodiscard]] std::optional<json> read_object(std::string_view text);

/// What stands at the pointer ("/error/code", "/results/0/id"); null if nothing does.
[[nodiscard]] const json* find_at(const json& in, const std::string& pointer);

/// A text, or an integer's digits; empty for anything else or nothing.
[[nodiscard]] std::string text_at(const json& in, const std::string& pointer);

/// As JSON; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string written(const json& what);

} // namespace usher::gateways

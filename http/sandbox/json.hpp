#pragma once

#include "actors/basics/money.hpp"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

// Reading requests without ceremony: the gateway forgives what the providers forgive.
namespace usher::sandbox {

using json = nlohmann::json;
/// Written in the order of its members, which is not that of the alphabet: whoever parses such a
/// body and writes it again changes its bytes.
using ordered_json = nlohmann::ordered_json;

/// The object of that text, or nothing.
[[nodiscard]] std::optional<json> read_object(std::string_view text);

/// The text at that path of members and, where a list is, of its first element; empty if there is
/// none, or it is no text.
[[nodiscard]] std::string text_at(const json& from, std::initializer_list<std::string_view> path);

/// The same for anything; null if there is nothing.
[[nodiscard]] const json& at(const json& from, std::initializer_list<std::string_view> path);

/// The value of a member of the outermost object, byte for byte as it was sent; empty if there is
/// none. The text has to be a good JSON object.
[[nodiscard]] std::string_view raw_member(std::string_view json_text, std::string_view name);

/// A decimal number of JSON as money, exactly; more than nothing, or there is no result.
[[nodiscard]] std::optional<money> read_amount(std::string_view decimal, std::string_view currency);

/// The money as a number of JSON, which is for display: 350, 350.1.
[[nodiscard]] ordered_json amount_number(const money& value);

} // namespace usher::sandbox

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

// Looking into JSON that a machine wrote, without making anything of it: the load is on the other
// side, so each answer may cost a microsecond at most. What is no JSON has no members.
namespace usher::load {

/// The value of a member of the object that `json` is, as it stands there; empty if it has none.
/// Members of objects inside do not count.
[[nodiscard]] std::string_view member(std::string_view json, std::string_view name);

/// Of a member that is a text without escapes, as ids and states are; empty if it is none.
[[nodiscard]] std::string_view text_member(std::string_view json, std::string_view name);

/// Of a member that is a whole number.
[[nodiscard]] std::optional<std::int64_t> number_member(std::string_view json,
                                                        std::string_view name);

/// Calls `see` with each element of the list that `json` is. False if it is no list.
bool each_element(std::string_view json, const std::function<void(std::string_view)>& see);

/// Calls `see` with each member of the object that `json` is. False if it is no object.
bool each_member(std::string_view json,
                 const std::function<void(std::string_view name, std::string_view value)>& see);

} // namespace usher::load

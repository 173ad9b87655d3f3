#pragma once

#include "http/json/fields.hpp"
#include "http/plans/draft.hpp"

#include <optional>
#include <string>
#include <string_view>

// What the JSON formats of others have in common: members that are null for "not given", numbers
// where a label is meant.
namespace usher::plans {

/// Nothing if the member is absent or null.
[[nodiscard]] const http::json* given(const http::fields& from, std::string_view name);

/// The text of a label, trimmed, or the digits of a whole number; empty if it is neither. The draft
/// says what is wrong with an empty one.
[[nodiscard]] std::string label_in(const http::fields& from, std::string_view name);

/// True only if the member is `true`; whatever is no boolean and not null is a fault.
[[nodiscard]] bool flag_in(http::fields& from, std::string_view name);

/// The point `{"x", "y"}` of that name; a fault if it is there and no such point.
[[nodiscard]] std::optional<shows::point> point_in(http::fields& from, std::string_view name);
/// The point whose `x` and `y` are members of this object; a fault if one is missing or no number.
[[nodiscard]] std::optional<shows::point> point_of(http::fields& from);

/// The category that this member names; a fault if there is none.
[[nodiscard]] std::optional<draft::handle> category_in(http::fields& from, std::string_view name,
                                                       const draft& into);

/// As fields::object and fields::each_object, but null is absent.
template <class Read>
void object_in(http::fields& from, std::string_view name, Read read) {
  if (given(from, name) != nullptr)
    from.object(name, read);
}
template <class Read>
void each_in(http::fields& from, std::string_view name, Read read) {
  if (given(from, name) != nullptr)
    from.each_object(name, read);
}

} // namespace usher::plans

#include "http/plans/foreign_json.hpp"

#include "http/plans/naming.hpp"

namespace usher::plans {

using http::fields;
using http::json;

const json* given(const fields& from, std::string_view name) {
  const auto* value = from.find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string label_in(const fields& from, std::string_view name) {
  const auto* value = given(from, name);
  if (value != nullptr && value->is_string())
    return std::string{trimmed(value->get_ref<const std::string&>())};
  if (value != nullptr && value->is_number_integer())
    return value->dump();
  return {};
}

bool flag_in(fields& from, std::string_view name) {
  return given(from, name) != nullptr && from.boolean(name).value_or(false);
}

std::optional<shows::point> point_of(fields& from) {
  from.require("x");
  from.require("y");
  const auto x = from.number("x", -1e6, 1e6);
  const auto y = from.number("y", -1e6, 1e6);
  return x && y ? std::optional{shows::point{*x, *y}} : std::nullopt;
}

std::optional<shows::point> point_in(fields& from, std::string_view name) {
  std::optional<shows::point> made;
  object_in(from, name, [&](fields& inside) { made = point_of(inside); });
  return made;
}

std::optional<draft::handle> category_in(fields& from, std::string_view name, const draft& into) {
  const auto key = label_in(from, name);
  auto found = into.find_category(key);
  if (key.empty())
    from.add_fault(name, "expected a category");
  else if (!found)
    from.add_fault(name, in_quotes(key) + " is not among the categories");
  return key.empty() ? std::nullopt : found;
}

} // namespace usher::plans

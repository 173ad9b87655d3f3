#include "bench/load/json_look.hpp"

#include <charconv>

namespace usher::load {

namespace {

constexpr auto nowhere = std::string_view::npos;

std::size_t skip_space(std::string_view json, std::size_t at) {
  while (at < json.size() && static_cast<unsigned char>(json[at]) <= ' ')
    ++at;
  return at;
}

/// Behind the text that begins at `at` with a quotation mark.
std::size_t skip_text(std::string_view json, std::size_t at) {
  for (++at; at < json.size(); ++at)
    if (json[at] == '\\')
      ++at;
    else if (json[at] == '"')
      return at + 1;
  return nowhere;
}

/// Behind the list or object that begins at `at`.
std::size_t skip_nest(std::string_view json, std::size_t at) {
  for (int depth = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      at = skip_text(json, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[')
      ++depth;
    else if ((c == '}' || c == ']') && --depth == 0)
      return at;
  }
  return nowhere;
}

/// Behind the value that begins at `at`.
std::size_t skip_value(std::string_view json, std::size_t at) {
  if (at >= json.size())
    return nowhere;
  if (json[at] == '"')
    return skip_text(json, at);
  if (json[at] == '{' || json[at] == '[')
    return skip_nest(json, at);
  return json.find_first_of(",]} \t\r\n", at);
}

/// Calls `see(name, value)` until it says that it has seen enough.
template <class See>
bool walk_object(std::string_view json, See see) {
  auto at = skip_space(json, 0);
  if (at >= json.size() || json[at] != '{')
    return false;
  at = skip_space(json, at + 1);
  while (at < json.size() && json[at] == '"') {
    const auto name_end = skip_text(json, at);
    if (name_end == nowhere)
      return false;
    const auto name = json.substr(at + 1, name_end - at - 2);
    at = skip_space(json, name_end);
    if (at >= json.size() || json[at] != ':')
      return false;
    at = skip_space(json, at + 1);
    const auto end = skip_value(json, at);
    if (end == nowhere)
      return false;
    if (see(name, json.substr(at, end - at)))
      return true;
    at = skip_space(json, end);
    if (at < json.size() && json[at] == ',')
      at = skip_space(json, at + 1);
  }
  return at < json.size() && json[at] == '}';
}

} // namespace

std::string_view member(std::string_view json, std::string_view name) {
  std::string_view found;
  walk_object(json, [&](std::string_view its_name, std::string_view value) {
    if (its_name != name)
      return false;
    found = value;
    return true;
  });
  return found;
}

std::string_view text_member(std::string_view json, std::string_view name) {
  const auto value = member(json, name);
  if (value.size() < 2 || value.front() != '"' || value.find('\\') != nowhere)
    return {};
  return value.substr(1, value.size() - 2);
}

std::optional<std::int64_t> number_member(std::string_view json, std::string_view name) {
  const auto value = member(json, name);
  std::int64_t number = 0;
  const auto* end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, number);
  if (value.empty() || error != std::errc{} || at != end)
    return std::nullopt;
  return number;
}

bool each_element(std::string_view json, const std::function<void(std::string_view)>& see) {
  auto at = skip_space(json, 0);
  if (at >= json.size() || json[at] != '[')
    return false;
  at = skip_space(json, at + 1);
  while (at < json.size() && json[at] != ']') {
    const auto end = skip_value(json, at);
    if (end == nowhere || end == at)
      return false;
    see(json.substr(at, end - at));
    at = skip_space(json, end);
    if (at < json.size() && json[at] == ',')
      at = skip_space(json, at + 1);
  }
  return at < json.size();
}

bool each_member(std::string_view json,
                 const std::function<void(std::string_view, std::string_view)>& see) {
  return walk_object(json, [&](std::string_view name, std::string_view value) {
    see(name, value);
    return false;
  });
}

} // namespace usher::load

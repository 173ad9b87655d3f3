#include "http/sandbox/json.hpp"

#include <cmath>
#include <cstddef>

namespace usher::sandbox {

namespace {

/// Behind the text that begins at `from` with a quotation mark.
std::size_t end_of_text(std::string_view json_text, std::size_t from) {
  for (auto i = from + 1; i < json_text.size(); ++i) {
    if (json_text[i] == '\\')
      ++i;
    else if (json_text[i] == '"')
      return i + 1;
  }
  return json_text.size();
}

std::size_t skip_blanks(std::string_view json_text, std::size_t from) {
  const auto next = json_text.find_first_not_of(" \t\r\n", from);
  return next == std::string_view::npos ? json_text.size() : next;
}

/// Behind the value that begins at `from`.
std::size_t end_of_value(std::string_view json_text, std::size_t from) {
  int depth = 0;
  for (auto i = from; i < json_text.size();) {
    const char c = json_text[i];
    if (depth == 0 && (c == ',' || c == '}' || c == ']'))
      return i;
    if (c == '"') {
      i = end_of_text(json_text, i);
      continue;
    }
    if (c == '{' || c == '[')
      ++depth;
    else if (c == '}' || c == ']')
      --depth;
    ++i;
  }
  return json_text.size();
}

} // namespace

std::optional<json> read_object(std::string_view text) {
  auto read = json::parse(text, nullptr, false);
  if (!read.is_object())
    return std::nullopt;
  return read;
}

const json& at(const json& from, std::initializer_list<std::string_view> path) {
  static const json nothing;
  const auto* here = &from;
  for (const auto name : path) {
    if (here->is_array() && !here->empty())
      here = &here->front();
    if (!here->is_object())
      return nothing;
    const auto found = here->find(name);
    if (found == here->end())
      return nothing;
    here = &*found;
  }
  return *here;
}

std::string text_at(const json& from, std::initializer_list<std::string_view> path) {
  const auto& found = at(from, path);
  return found.is_string() ? found.get<std::string>() : std::string{};
}

std::string_view raw_member(std::string_view json_text, std::string_view name) {
  auto i = skip_blanks(json_text, 0) + 1;
  while (i < json_text.size()) {
    i = skip_blanks(json_text, i);
    if (i >= json_text.size() || json_text[i] != '"')
      return {};
    const auto end = end_of_text(json_text, i);
    const auto member = json_text.substr(i + 1, end - i - 2);
    const auto value = skip_blanks(json_text, skip_blanks(json_text, end) + 1);
    const auto value_end = end_of_value(json_text, value);
    if (member == name) {
      auto raw = json_text.substr(value, value_end - value);
      return raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1);
    }
    i = value_end + 1;
  }
  return {};
}

std::optional<money> read_amount(std::string_view decimal, std::string_view currency) {
  auto read = read_money(decimal, currency);
  auto* value = std::get_if<money>(&read);
  if (value == nullptr || value->amount_minor == 0)
    return std::nullopt;
  return *value;
}

ordered_json amount_number(const money& value) {
  const auto digits = minor_digits(value.currency).value_or(2);
  const auto unit = std::llround(std::pow(10, digits));
  if (value.amount_minor % unit == 0)
    return value.amount_minor / unit;
  return static_cast<double>(value.amount_minor) / static_cast<double>(unit);
}

} // namespace usher::sandbox

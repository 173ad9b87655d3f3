#include "http/plans/naming.hpp"

#include "actors/shows/rules.hpp"

#include <algorithm>

namespace usher::plans {

namespace {

constexpr char32_t broken = 0xFFFFFFFF;

// U+00C0 … U+00FF and U+0100 … U+017F without accents; '-' is no letter.
constexpr std::string_view latin_1 =
    "AAAAAAACEEEEIIIIDNOOOOO-OUUUUYTsaaaaaaaceeeeiiiidnooooo-ouuuuyty";
constexpr std::string_view latin_extended =
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSsSs"
    "SsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static_assert(latin_1.size() == 0x40 && latin_extended.size() == 0x80);

/// The character at the front, which is taken off; `broken` if that is no UTF-8.
char32_t take(std::string_view& from) {
  const auto first = static_cast<unsigned char>(from.front());
  from.remove_prefix(1);
  if (first < 0x80)
    return first;
  const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4 || from.size() < more)
    return broken;
  char32_t made = first & (0x3FU >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const auto next = static_cast<unsigned char>(from[i]);
    if ((next & 0xC0U) != 0x80)
      return broken;
    made = (made << 6) | (next & 0x3FU);
  }
  from.remove_prefix(more);
  constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
  const bool surrogate = made >= 0xD800 && made <= 0xDFFF;
  return made < least[more] || surrogate || made > 0x10FFFF ? broken : made;
}

/// What stands for one character in an id; empty: nothing may.
std::string plain(char32_t letter) {
  switch (letter) {
  case U'Æ':
    return "AE";
  case U'æ':
    return "ae";
  case U'ß':
    return "ss";
  case U'Œ':
    return "OE";
  case U'œ':
    return "oe";
  default:
    break;
  }
  char made = '-';
  if (letter < 0x80)
    made = static_cast<char>(letter);
  else if (letter >= 0xC0 && letter < 0x100)
    made = latin_1[letter - 0xC0];
  else if (letter >= 0x100 && letter < 0x180)
    made = latin_extended[letter - 0x100];
  else
    return {};
  // A dot is fine but for the first place, which is not looked at here.
  return shows::is_id(std::string{'x', made}) && (letter < 0x80 || made != '-') ? std::string{made}
                                                                                : std::string{};
}

/// Accents as characters of their own, as some systems write them.
bool is_combining(char32_t letter) {
  return letter >= 0x300 && letter < 0x370;
}

template <class Joined>
std::string joined(const std::vector<std::string_view>& labels, Joined part) {
  std::string made;
  for (std::size_t i = 0; i < labels.size(); ++i)
    made += (i == 0 ? "" : "-") + part(labels[i]);
  return made;
}

} // namespace

std::string id_of(std::string_view label) {
  if (shows::is_id(label))
    return std::string{label};
  std::string made;
  bool gap = false;
  while (!label.empty()) {
    const auto letter = take(label);
    if (is_combining(letter))
      continue;
    const auto kept = plain(letter);
    if (!kept.empty() && gap && !made.empty())
      made += '-';
    made += kept;
    gap = kept.empty();
  }
  return made;
}

std::string id_of(const std::vector<std::string_view>& labels) {
  for (const auto& each : labels)
    if (id_of(each).empty())
      return {};
  return joined(labels, [](std::string_view one) { return id_of(one); });
}

std::string label_of(const std::vector<std::string_view>& labels) {
  return joined(labels, [](std::string_view one) { return std::string{one}; });
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t bytes_max = 80;
  auto end = std::min(text.size(), bytes_max);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80)
    --end; // not within a character
  auto made = "'" + std::string{text.substr(0, end)} + (end < text.size() ? "…'" : "'");
  for (auto& c : made)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
      c = '?';
  return made;
}

bool is_utf8(std::string_view text) {
  while (!text.empty())
    if (take(text) == broken)
      return false;
  return true;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  const auto first = text.find_first_not_of(white);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

} // namespace usher::plans

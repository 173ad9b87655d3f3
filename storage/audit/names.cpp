#include "storage/audit/names.hpp"

#include "actors/basics/rfc3339.hpp"
#include "storage/files.hpp"

#include <charconv>
#include <chrono>

namespace usher::storage::audit {

namespace {

constexpr std::string_view base64url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t ticket_text_length = 44;

std::string number_in_hex(show_number show) {
  char text[8];
  const auto [end, error] = std::to_chars(text, text + sizeof text, show, 16);
  return {text, end};
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes)
    value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

/// Takes that many digits off the front.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count)
    return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + count, value);
  if (error != std::errc{} || end != text.data() + count || text.front() == '-')
    return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted))
    return false;
  text.remove_prefix(wanted.size());
  return true;
}

std::optional<int> take_fraction_ms(std::string_view& text) {
  if (!take(text, "."))
    return 0;
  const auto count = text.find_first_not_of("0123456789");
  if (count == 0 || count == std::string_view::npos || count > 3)
    return std::nullopt;
  auto value = take_digits(text, count).value_or(0);
  for (auto digits = count; digits < 3; ++digits)
    value *= 10;
  return value;
}

std::optional<time_ms> take_offset(std::string_view& text) {
  if (take(text, "Z") || take(text, "z"))
    return 0;
  const int sign = take(text, "+") ? 1 : take(text, "-") ? -1 : 0;
  const auto hours = take_digits(text, 2);
  if (sign == 0 || !hours || !take(text, ":"))
    return std::nullopt;
  const auto minutes = take_digits(text, 2);
  if (!minutes || *hours > 23 || *minutes > 59)
    return std::nullopt;
  return sign * (*hours * 60 + *minutes) * time_ms{60'000};
}

std::optional<time_ms> take_date(std::string_view& text) {
  using namespace std::chrono;
  const auto y = take_digits(text, 4);
  if (!y || !take(text, "-"))
    return std::nullopt;
  const auto m = take_digits(text, 2);
  if (!m || !take(text, "-"))
    return std::nullopt;
  const auto d = take_digits(text, 2);
  if (!d)
    return std::nullopt;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)},
                            day{static_cast<unsigned>(*d)}};
  if (!date.ok())
    return std::nullopt;
  return milliseconds{sys_days{date}.time_since_epoch()}.count();
}

std::optional<time_ms> take_time_of_day(std::string_view& text) {
  const auto h = take_digits(text, 2);
  if (!h || !take(text, ":"))
    return std::nullopt;
  const auto m = take_digits(text, 2);
  if (!m || !take(text, ":"))
    return std::nullopt;
  const auto s = take_digits(text, 2);
  if (!s || *h > 23 || *m > 59 || *s > 60)
    return std::nullopt;
  return ((*h * 60 + *m) * 60 + *s) * time_ms{1000};
}

} // namespace

std::string hex(const id128& id) {
  return to_hex({reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()});
}

std::string reference_text(std::string_view kind, show_number show, const id128& id) {
  return std::string{kind} + "-0-" + number_in_hex(show) + "-" + hex(id);
}

std::optional<reference> read_reference(std::string_view kind, std::string_view text) {
  const auto whole = text;
  if (!take(text, kind) || !take(text, "-0-"))
    return std::nullopt;
  reference found;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found.show, 16);
  if (error != std::errc{})
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!take(text, "-"))
    return std::nullopt;
  const auto bytes = from_hex(text);
  if (!bytes || bytes->size() != found.id.bytes.size())
    return std::nullopt;
  for (std::size_t i = 0; i < bytes->size(); ++i)
    found.id.bytes[i] = static_cast<std::uint8_t>((*bytes)[i]);
  if (reference_text(kind, found.show, found.id) != whole)
    return std::nullopt;
  return found;
}

std::optional<ticket_place> read_ticket_id(std::string_view text) {
  if (text.size() != ticket_text_length)
    return std::nullopt;
  std::string raw;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char letter : text) {
    const auto value = base64url.find(letter);
    if (value == std::string_view::npos)
      return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    have += 6;
    if (have >= 8) {
      have -= 8;
      raw.push_back(static_cast<char>(bits >> have & 0xFF));
    }
  }
  const std::string_view bytes{raw};
  return ticket_place{big_endian(bytes.substr(1, 4)), big_endian(bytes.substr(5, 4))};
}

std::string time_text(time_ms at) {
  return write_rfc3339(at);
}

std::optional<time_ms> read_time(std::string_view text) {
  const auto date = take_date(text);
  if (!date || !(take(text, "T") || take(text, "t") || take(text, " ")))
    return std::nullopt;
  const auto time_of_day = take_time_of_day(text);
  if (!time_of_day)
    return std::nullopt;
  const auto fraction = take_fraction_ms(text);
  const auto offset = fraction ? take_offset(text) : std::nullopt;
  if (!offset || !text.empty())
    return std::nullopt;
  return *date + *time_of_day + *fraction - *offset;
}

} // namespace usher::storage::audit

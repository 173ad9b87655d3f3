#include "actors/basics/rfc3339.hpp"

#include <chrono>
#include <cstdio>

namespace usher {

namespace {

constexpr int year_min = 1970;
constexpr int year_max = 9999;

constexpr time_ms first_ms_of(int year) {
  using namespace std::chrono;
  return milliseconds{sys_days{std::chrono::year{year} / January / 1}.time_since_epoch()}.count();
}

/// Takes a text apart from the front. Once something did not fit, nothing fits any more.
class reader {
public:
  explicit reader(std::string_view text) : rest_{text} {}

  /// A number of exactly so many digits, from `least` to `most`; 0 if it does not fit.
  int number(std::size_t digits, int least, int most) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i)
      value = value * 10 + digit();
    good_ = good_ && value >= least && value <= most;
    return good_ ? value : 0;
  }

  /// One of these characters; 0 if it is none of them.
  char one_of(std::string_view allowed) {
    good_ = good_ && !rest_.empty() && allowed.find(rest_.front()) != std::string_view::npos;
    return good_ ? take() : '\0';
  }

  /// What comes after the seconds: nothing, or a point and at least one digit; in milliseconds.
  int fraction() {
    if (!good_ || !rest_.starts_with('.'))
      return 0;
    take();
    int value = digit() * 100;
    for (int weight = 10; good_ && at_digit(); weight /= 10)
      value += digit() * weight;
    return value;
  }

  [[nodiscard]] bool is_done() const { return good_ && rest_.empty(); }

private:
  [[nodiscard]] bool at_digit() const {
    return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9';
  }
  int digit() {
    good_ = good_ && at_digit();
    return good_ ? take() - '0' : 0;
  }
  char take() {
    const char front = rest_.front();
    rest_.remove_prefix(1);
    return front;
  }

  std::string_view rest_;
  bool good_ = true;
};

} // namespace

std::optional<time_ms> read_rfc3339(std::string_view text) {
  using namespace std::chrono;
  reader from{text};
  const int year_number = from.number(4, year_min, year_max);
  from.one_of("-");
  const int month_number = from.number(2, 1, 12);
  from.one_of("-");
  const int day_number = from.number(2, 1, 31);
  from.one_of("Tt");
  const hours hour{from.number(2, 0, 23)};
  from.one_of(":");
  const minutes minute{from.number(2, 0, 59)};
  from.one_of(":");
  const seconds second{from.number(2, 0, 59)};
  const milliseconds fraction{from.fraction()};
  const char zone = from.one_of("Zz+-");
  minutes offset{0};
  if (zone == '+' || zone == '-') {
    offset = hours{from.number(2, 0, 23)};
    from.one_of(":");
    offset += minutes{from.number(2, 0, 59)};
  }
  const auto date = year{year_number} / month_number / day_number;
  if (!from.is_done() || !date.ok())
    return std::nullopt;
  const auto local = sys_days{date} + hour + minute + second + fraction;
  const auto utc = zone == '-' ? local + offset : local - offset;
  const time_ms at = utc.time_since_epoch().count();
  if (at < first_ms_of(year_min) || at >= first_ms_of(year_max + 1))
    return std::nullopt;
  return at;
}

std::string write_rfc3339(time_ms at) {
  using namespace std::chrono;
  const sys_time<milliseconds> when{milliseconds{at}};
  const auto midnight = floor<days>(when);
  const year_month_day date{midnight};
  const hh_mm_ss clock{when - midnight};
  char text[64];
  std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

} // namespace usher

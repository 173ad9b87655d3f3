#include "http/outbox/webhook_answer.hpp"

#include <charconv>
#include <ctime>
#include <string>

namespace usher::http {

namespace {

namespace outbox = storage::outbox;

/// What is longer is no time to wait for.
constexpr std::int64_t seconds_max = 10 * 365 * 86'400;

std::optional<time_ms> read_date(const std::string& text) {
  for (const auto* form :
       {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"}) {
    std::tm parts{};
    const auto* const end = ::strptime(text.c_str(), form, &parts);
    if (end != nullptr && *end == '\0')
      return time_ms{::timegm(&parts)} * 1000;
  }
  return std::nullopt;
}

} // namespace

std::optional<time_ms> read_retry_after(std::string_view text, time_ms now) {
  std::int64_t seconds = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seconds);
  if (error == std::errc{} && stop == end && text.front() != '-')
    return now + std::min(seconds, seconds_max) * 1000;
  return read_date(std::string{text});
}

outbox::outcome judge_webhook(const client::outcome& got, time_ms now) {
  if (const auto* fault = std::get_if<client::failure>(&got))
    return outbox::retry{fault->why};
  const auto& answer = std::get<client::answer>(got);
  if (answer.status >= 200 && answer.status < 300)
    return outbox::delivered{};
  auto why = "HTTP " + std::to_string(answer.status);
  if (answer.status == 410)
    return outbox::gone{why + ": gone"};
  return outbox::retry{std::move(why), read_retry_after(answer.header_of("Retry-After"), now)};
}

} // namespace usher::http

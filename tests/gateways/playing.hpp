#pragma once

#include "http/gateways/exact_json.hpp"
#include "http/gateways/outcomes.hpp"
#include "http/gateways/protocol.hpp"

#include <stdexcept>
#include <string>
#include <vector>

// Steps, played against answers that are given: no network, no time.
namespace usher::test {

using namespace usher::gateways;
using payments::outcome;

inline client::outcome reply(int status, std::string body = {},
                             std::vector<client::header> headers = {}) {
  return client::answer{status, std::move(headers), std::move(body)};
}
inline client::outcome unsent() {
  return client::failure{client::fault::not_sent, "connect-refused"};
}
inline client::outcome lost() {
  return client::failure{client::fault::unknown, "timeout"};
}

template <class End>
struct played {
  std::vector<client::request> asked;
  End end;
};

/// Throws if the steps ask for more answers than there are, or for fewer.
template <class End>
played<End> play(step<End> now, const std::vector<client::outcome>& answers) {
  std::vector<client::request> asked;
  for (std::size_t next = 0;; ++next) {
    if (auto* end = std::get_if<End>(&now.what)) {
      if (next != answers.size())
        throw std::runtime_error("ended before the last answer");
      return {std::move(asked), std::move(*end)};
    }
    asked.push_back(std::get<client::request>(now.what));
    if (next == answers.size())
      throw std::runtime_error("asks on: " + asked.back().target);
    now = now.then(answers[next]);
  }
}

inline std::string header_of(const client::request& asked, std::string_view name) {
  for (const auto& each : asked.headers)
    if (each.name == name)
      return each.value;
  return {};
}

/// "POST /v1/x key body"
inline std::string line_of(const client::request& asked, std::string_view key_header) {
  const char* methods[] = {"GET ", "POST ", "PUT "};
  auto line = methods[static_cast<int>(asked.method)] + asked.target;
  if (const auto key = header_of(asked, key_header); !key.empty())
    line += " " + key;
  return asked.body.empty() ? line : line + " " + asked.body;
}

/// "approved ref", "declined ref: reason", "unknown ref: reason -> url"
inline std::string text_of(const payments::result& got) {
  auto text = std::string{to_string(got.what)};
  if (!got.reference.empty())
    text += " " + got.reference;
  if (!got.reason.empty())
    text += ": " + got.reason;
  if (!got.action_url.empty())
    text += " -> " + got.action_url;
  return text;
}

inline std::string text_of(const payments::webhook_reading& got) {
  if (std::holds_alternative<payments::not_for_us>(got))
    return "not for us";
  if (std::holds_alternative<payments::not_now>(got))
    return "not now";
  if (const auto* why = std::get_if<payments::not_believed>(&got))
    return "not believed: " + why->why;
  const auto& news = std::get<payments::report>(got);
  auto text =
      news.gateway + " " + text_of(payments::result{news.what, news.reference, news.reason, {}});
  for (const auto* part : {&news.payment, &news.order, &news.hold_ref, &news.show})
    if (!part->empty())
      text += " | " + *part;
  if (news.amount)
    text += " | " + std::to_string(news.amount->amount_minor) + " " + news.amount->currency;
  return text;
}

/// The headers are in a map that outlives the webhook.
template <class Map>
payments::webhook webhook_of(const Map& headers, std::string_view body, time_ms now) {
  return {.header =
              [&headers](std::string_view name) {
                const auto found = headers.find(std::string{name});
                return found == headers.end() ? std::string_view{}
                                              : std::string_view{found->second};
              },
          .body = body,
          .now = now};
}

} // namespace usher::test

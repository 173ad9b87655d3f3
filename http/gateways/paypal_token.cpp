#include "http/gateways/paypal_token.hpp"

#include "http/crypto/base64.hpp"
#include "http/gateways/exact_json.hpp"
#include "http/gateways/requests.hpp"

#include <algorithm>
#include <charconv>

namespace usher::gateways {

namespace {

/// A token is not used to its very end, because a request takes time.
constexpr std::chrono::seconds margin{60};
constexpr std::int64_t lifetime_max_s = 24 * 3600;

std::int64_t seconds_of(std::string_view digits) {
  std::int64_t seconds = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  return std::clamp<std::int64_t>(seconds, 0, lifetime_max_s);
}

} // namespace

std::optional<std::string> paypal_token::at(clock::time_point now) const {
  const std::lock_guard lock{mutex_};
  return now < until_ ? std::optional{token_} : std::nullopt;
}

std::string paypal_token::last() const {
  const std::lock_guard lock{mutex_};
  return token_;
}

client::request paypal_token::fetch_request() const {
  return with(post_form("/v1/oauth2/token", "grant_type=client_credentials"), "Authorization",
              "Basic " + http::encode_base64(client_id_ + ":" + secret_));
}

std::optional<result> paypal_token::take(const client::outcome& got, clock::time_point now) {
  if (const auto* why = std::get_if<client::failure>(&got)) {
    // Whatever became of this request: it asks for no money.
    if (why->kind == client::fault::not_sent)
      return not_reached(*why, false);
    return failed({}, "token: " + why->why);
  }
  const auto& answer = std::get<client::answer>(got);
  const auto body = read_object(answer.body);
  auto token = body ? text_at(*body, "/access_token") : std::string{};
  if (!is_success(answer.status) || token.empty())
    return failed({}, "token: " + status_reason(answer, body ? text_at(*body, "/error") : ""));
  const std::lock_guard lock{mutex_};
  token_ = std::move(token);
  // One that is said to live shorter than the margin is good for the request at hand.
  until_ = now + std::max<clock::duration>(
                     std::chrono::seconds{seconds_of(text_at(*body, "/expires_in"))} - margin,
                     std::chrono::seconds{1});
  return std::nullopt;
}

void paypal_token::forget(const std::string& token) {
  const std::lock_guard lock{mutex_};
  if (token_ == token)
    until_ = {};
}

} // namespace usher::gateways

#include "http/api/customer_token.hpp"

#include "actors/basics/bug.hpp"
#include "http/crypto/base64.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace usher::http {

namespace {

using nlohmann::json;

constexpr int json_depth_max = 16;

struct token_parts {
  std::string_view header;
  std::string_view payload;
  std::string_view signature;
  std::string_view signed_text; ///< header and payload as they were sent, with their dot
};

std::optional<token_parts> split(std::string_view token) {
  const auto first = token.find('.');
  const auto last = token.rfind('.');
  if (first == std::string_view::npos || first == last ||
      token.find('.', first + 1) != last) // four parts or more: encrypted, or nonsense
    return std::nullopt;
  return token_parts{token.substr(0, first), token.substr(first + 1, last - first - 1),
                     token.substr(last + 1), token.substr(0, last)};
}

/// One base64url part as a JSON object.
std::optional<json> read_object(std::string_view part) {
  const auto text = decode_base64url(part);
  if (!text)
    return std::nullopt;
  bool too_deep = false;
  const auto watch = [&too_deep](int depth, json::parse_event_t, const json&) {
    too_deep = too_deep || depth > json_depth_max;
    return !too_deep;
  };
  auto object = json::parse(*text, watch, false);
  if (too_deep || !object.is_object())
    return std::nullopt;
  return object;
}

const json* find(const json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

bool is_text(const json* value, std::string_view expected) {
  return value != nullptr && value->is_string() && value->get_ref<const std::string&>() == expected;
}

/// A NumericDate: seconds, maybe with a fraction. A double holds every time that is near exactly.
double ms_of(const json& seconds) {
  return seconds.get<double>() * 1000;
}

std::optional<token_fault> check_times(const json& claims, time_ms now) {
  const auto* expires = find(claims, "exp");
  if (expires == nullptr)
    return token_fault::no_expiry;
  const json* const starts[] = {find(claims, "nbf"), find(claims, "iat")};
  if (!expires->is_number())
    return token_fault::malformed;
  if (static_cast<double>(now - customer_token_verifier::leeway_ms) >= ms_of(*expires))
    return token_fault::expired;
  for (const auto* start : starts) {
    if (start == nullptr)
      continue;
    if (!start->is_number())
      return token_fault::malformed;
    if (static_cast<double>(now + customer_token_verifier::leeway_ms) < ms_of(*start))
      return token_fault::not_yet_valid;
  }
  return std::nullopt;
}

/// `aud` is one text or a list of them.
bool is_for(const json& claims, std::string_view audience) {
  const auto* given = find(claims, "aud");
  if (given == nullptr || !given->is_array())
    return is_text(given, audience);
  return std::any_of(given->begin(), given->end(),
                     [&](const json& each) { return is_text(&each, audience); });
}

/// The header's part: which key, and does the token say the same algorithm?
std::variant<const token_key*, token_fault> key_for(const json& header,
                                                    const std::vector<named_token_key>& keys) {
  if (header.contains("crit"))
    return token_fault::unsupported;
  const auto* kid = find(header, "kid");
  const auto* algorithm = find(header, "alg");
  if ((kid != nullptr && !kid->is_string()) || algorithm == nullptr || !algorithm->is_string())
    return token_fault::malformed;
  if (kid == nullptr && keys.size() != 1)
    return token_fault::unknown_key;
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const named_token_key& each) {
    return kid == nullptr || is_text(kid, each.kid);
  });
  if (found == keys.end())
    return token_fault::unknown_key;
  if (!is_text(algorithm, to_string(found->key.algorithm())))
    return token_fault::wrong_algorithm;
  return &found->key;
}

/// What a payload with a good signature says.
std::variant<std::string, token_fault> subject_of(const json& claims,
                                                  const customer_token_options& options,
                                                  std::string_view show, time_ms now) {
  if (const auto fault = check_times(claims, now))
    return *fault;
  if (!options.issuer.empty() && !is_text(find(claims, "iss"), options.issuer))
    return token_fault::wrong_issuer;
  if (!is_for(claims, options.audience))
    return token_fault::wrong_audience;
  const auto* only_show = find(claims, "show");
  if (only_show != nullptr && !is_text(only_show, show))
    return token_fault::another_show;
  const auto* subject = find(claims, "sub");
  if (subject == nullptr || !subject->is_string())
    return token_fault::no_subject;
  const auto& customer = subject->get_ref<const std::string&>();
  if (customer.empty() || customer.size() > customer_token_verifier::subject_bytes_max)
    return token_fault::no_subject;
  return customer;
}

} // namespace

std::string_view to_string(token_fault fault) {
  switch (fault) {
  case token_fault::malformed:
    return "The token is not a JWT of at most 4096 bytes: three parts of base64url, a header and a "
           "payload that are JSON objects, and a signature.";
  case token_fault::unsupported:
    return "The token's header asks for extensions (crit); none are supported.";
  case token_fault::unknown_key:
    return "The token's kid is not among the configured keys.";
  case token_fault::wrong_algorithm:
    return "The token's alg is not the one of its key.";
  case token_fault::bad_signature:
    return "The token's signature is not good.";
  case token_fault::no_expiry:
    return "The token has no expiry (exp).";
  case token_fault::expired:
    return "The token has expired (exp).";
  case token_fault::not_yet_valid:
    return "The token is not valid yet (nbf, iat).";
  case token_fault::wrong_issuer:
    return "The token is not from the configured issuer (iss).";
  case token_fault::wrong_audience:
    return "The token is not meant for this server (aud).";
  case token_fault::no_subject:
    return "The token names no customer: sub has to be a text of 1 to 256 bytes.";
  case token_fault::another_show:
    return "The token is for another show.";
  }
  return "";
}

customer_token_verifier::customer_token_verifier(customer_token_options options)
    : options_{std::move(options)} {
  bug_unless(!options_.keys.empty(), "a verifier of customer tokens without keys");
}

std::variant<std::string, token_fault>
customer_token_verifier::verify(std::string_view token, std::string_view show, time_ms now) const {
  if (token.size() > token_bytes_max)
    return token_fault::malformed;
  const auto parts = split(token);
  const auto header = parts ? read_object(parts->header) : std::nullopt;
  const auto signature = parts ? decode_base64url(parts->signature) : std::nullopt;
  if (!header || !signature)
    return token_fault::malformed;
  const auto found = key_for(*header, options_.keys);
  if (const auto* fault = std::get_if<token_fault>(&found))
    return *fault;
  if (!std::get<const token_key*>(found)->verifies(parts->signed_text, *signature))
    return token_fault::bad_signature;
  const auto claims = read_object(parts->payload);
  if (!claims)
    return token_fault::malformed;
  return subject_of(*claims, options_, show, now);
}

} // namespace usher::http

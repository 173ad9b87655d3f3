#include "http/api/negotiation.hpp"

#include "http/server/ascii.hpp"

#include <algorithm>
#include <optional>

namespace usher::http {

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view blanks_and_commas = " \t,";

std::string_view without_leading(std::string_view text, std::string_view those) {
  return text.substr(std::min(text.find_first_not_of(those), text.size()));
}

std::string_view trimmed(std::string_view text) {
  const auto rest = without_leading(text, blanks);
  return rest.substr(0, rest.find_last_not_of(blanks) + 1);
}

/// Cuts off what stands before the first `end`; all of it if there is none.
std::string_view take_until(std::string_view& text, char end) {
  const auto at = text.find(end);
  const auto taken = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return taken;
}

/// A weight in thousandths: "0.5", "1.000". What is none weighs nothing.
int weight_of(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1') ||
      (text.size() > 1 && text[1] != '.'))
    return 0;
  int weight = text[0] == '1' ? 1000 : 0;
  int worth = 100;
  for (const char c : text.substr(text.size() > 1 ? 2 : 1)) {
    if (c < '0' || c > '9')
      return 0;
    weight += (c - '0') * worth;
    worth /= 10;
  }
  return weight <= 1000 ? weight : 0;
}

/// The weight among the parameters of a coding; 1 if there is none.
int weight_among(std::string_view parameters) {
  while (!parameters.empty()) {
    const auto each = trimmed(take_until(parameters, ';'));
    if (each.starts_with("q=") || each.starts_with("Q="))
      return weight_of(trimmed(each.substr(2)));
  }
  return 1000;
}

} // namespace

bool takes_gzip(std::string_view accept_encoding) {
  std::optional<int> gzip;
  std::optional<int> identity;
  std::optional<int> others;
  while (!accept_encoding.empty()) {
    auto each = take_until(accept_encoding, ',');
    const auto coding = trimmed(take_until(each, ';'));
    const auto weight = weight_among(each);
    if (iequals(coding, "gzip") || iequals(coding, "x-gzip"))
      gzip = weight;
    else if (iequals(coding, "identity"))
      identity = weight;
    else if (coding == "*")
      others = weight;
  }
  const int its = gzip ? *gzip : others.value_or(0);
  return its > 0 && its >= identity.value_or(0);
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
  if (trimmed(if_none_match) == "*")
    return true;
  auto rest = without_leading(if_none_match, blanks_and_commas);
  while (!rest.empty()) {
    if (rest.starts_with("W/"))
      rest.remove_prefix(2);
    if (!rest.starts_with('"'))
      return false;
    const auto end = rest.find('"', 1);
    if (end == std::string_view::npos)
      return false;
    if (rest.substr(0, end + 1) == etag)
      return true;
    rest = without_leading(rest.substr(end + 1), blanks);
    if (!rest.empty() && rest.front() != ',')
      return false;
    rest = without_leading(rest, blanks_and_commas);
  }
  return false;
}

} // namespace usher::http

#include "config/gateway_settings.hpp"

#include "actors/basics/duration.hpp"
#include "actors/basics/money.hpp"
#include "config/settings.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <functional>
#include <utility>

namespace usher::config {

namespace {

struct provider_names {
  std::string_view camel; ///< before a key's name in the file
  std::string_view upper; ///< likewise in the environment
  std::string_view spoken;
};

constexpr std::array<provider_names, provider_kinds> names{{
    {"sandbox", "SANDBOX", "the sandbox gateway"},
    {"stripe", "STRIPE", "Stripe"},
    {"mercadoPago", "MERCADO_PAGO", "Mercado Pago"},
    {"paypal", "PAYPAL", "PayPal"},
}};

/// Texts of keys that are put together here; they live as long as the program.
std::string_view keep(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (from < text.size()) {
    const auto comma = std::min(text.find(',', from), text.size());
    auto part = text.substr(from, comma - from);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty())
      parts.push_back(std::move(part));
    from = comma + 1;
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& each : parts)
    text += (text.empty() ? "" : ",") + each;
  return text;
}

std::optional<std::int64_t> read_whole(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && value >= 0;
  return whole ? std::optional{value} : std::nullopt;
}

bool is_url(const std::string& text) {
  return text.starts_with("https://") || text.starts_with("http://");
}

using set_one = std::function<std::string(gateway_settings&, const std::string&)>;
using show_one = std::function<std::string(const gateway_settings&)>;

/// What a kind of key is called and does, for any provider.
struct row {
  std::string_view camel;
  std::string_view upper;
  std::string_view unit;
  std::string_view what; ///< `%` stands for the provider
  set_one set;
  show_one show;
};

set_one set_text(std::string gateway_settings::*field) {
  return [field](gateway_settings& into, const std::string& text) -> std::string {
    into.*field = text;
    return {};
  };
}

set_one set_url(std::string gateway_settings::*field) {
  return [field](gateway_settings& into, const std::string& text) -> std::string {
    if (!text.empty() && !is_url(text))
      return "expected an address that begins with https:// (or http:// for tests)";
    into.*field = text;
    return {};
  };
}

set_one set_list(std::vector<std::string> gateway_settings::*field,
                 bool (*fits)(const std::string&), std::string expected) {
  return [=](gateway_settings& into, const std::string& text) -> std::string {
    auto parts = split(text);
    if (!std::ranges::all_of(parts, fits))
      return expected;
    into.*field = std::move(parts);
    return {};
  };
}

set_one set_count(std::uint32_t gateway_settings::*field, std::int64_t most) {
  return [=](gateway_settings& into, const std::string& text) -> std::string {
    const auto value = read_whole(text);
    if (!value || *value > most)
      return "expected a whole number from 0 to " + std::to_string(most);
    into.*field = static_cast<std::uint32_t>(*value);
    return {};
  };
}

std::string set_amount_min(gateway_settings& into, const std::string& text) {
  const auto value = read_whole(text);
  if (!value)
    return "expected an amount in minor units";
  into.amount_min_minor = *value;
  return {};
}

std::string set_amount_max(gateway_settings& into, const std::string& text) {
  const auto value = read_whole(text);
  if (!text.empty() && !value)
    return "expected an amount in minor units, or nothing for no limit";
  into.amount_max_minor = value;
  return {};
}

std::string set_breaker_open(gateway_settings& into, const std::string& text) {
  const auto length = read_duration(text);
  if (!length || *length < 1'000 || *length > 3'600'000)
    return "expected a duration from 1s to 1h, e.g. 20s";
  into.breaker_open_ms = *length;
  return {};
}

show_one show_text(std::string gateway_settings::*field) {
  return [field](const gateway_settings& from) { return from.*field; };
}
show_one show_list(std::vector<std::string> gateway_settings::*field) {
  return [field](const gateway_settings& from) { return join(from.*field); };
}
show_one show_count(std::uint32_t gateway_settings::*field) {
  return [field](const gateway_settings& from) { return std::to_string(from.*field); };
}

/// Secrets are set and never shown.
std::string shown_secret(bool is_set) {
  return is_set ? "(set)" : "";
}

bool any(const std::string&) {
  return true;
}
bool is_currency(const std::string& text) {
  return minor_digits(text).has_value();
}
bool is_country(const std::string& text) {
  return text.size() == 2 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

const std::vector<row>& rows() {
  using s = gateway_settings;
  static const std::vector<row> all{
      {"BaseUrl", "BASE_URL", "address",
       "Where % is reached. Empty: its own address, see "
       "docs/gateways.md.",
       set_url(&s::base_url), show_text(&s::base_url)},
      {"SecretKey", "SECRET_KEY", "secret",
       "The key for %: secret key, access token or secret, as docs/gateways.md says. Better given "
       "by the environment than in a file.",
       set_text(&s::secret_key),
       [](const s& from) { return shown_secret(!from.secret_key.empty()); }},
      {"WebhookSecrets", "WEBHOOK_SECRETS", "secrets, by commas",
       "What webhooks of % are signed with (of PayPal: the ids of the webhooks). Any may match, so "
       "that one can follow another.",
       set_list(&s::webhook_secrets, any, {}),
       [](const s& from) { return shown_secret(!from.webhook_secrets.empty()); }},
      {"ReturnUrl", "RETURN_URL", "address",
       "Where a fan comes back to from a page of %. Empty: not told.", set_url(&s::return_url),
       show_text(&s::return_url)},
      {"Currencies", "CURRENCIES", "ISO 4217 codes, by commas",
       "Currencies that % takes. Empty: all.",
       set_list(&s::currencies, is_currency, "expected ISO 4217 codes, e.g. EUR,USD"),
       show_list(&s::currencies)},
      {"Methods", "METHODS", "names, by commas", "Ways to pay that % takes. Empty: all.",
       set_list(&s::methods, any, {}), show_list(&s::methods)},
      {"Countries", "COUNTRIES", "ISO 3166-1 codes, by commas",
       "Countries of fans whose payments % takes. Empty: all; a payment that names none fits "
       "always.",
       set_list(&s::countries, is_country, "expected two capital letters each, e.g. BR,AR"),
       show_list(&s::countries)},
      {"AmountMin", "AMOUNT_MIN", "minor units", "Smallest amount that % takes.", set_amount_min,
       [](const s& from) { return std::to_string(from.amount_min_minor); }},
      {"AmountMax", "AMOUNT_MAX", "minor units", "Largest amount that % takes. Empty: any.",
       set_amount_max,
       [](const s& from) {
         return from.amount_max_minor ? std::to_string(*from.amount_max_minor) : std::string{};
       }},
      {"Priority", "PRIORITY", "count",
       "Of the gateways that take a payment, the smallest priority is asked first; the next where "
       "that one could not charge.",
       set_count(&s::priority, 1'000'000), show_count(&s::priority)},
      {"Weight", "WEIGHT", "count",
       "Share of % among those of one priority. 0: only where no other is left.",
       set_count(&s::weight, 1'000'000), show_count(&s::weight)},
      {"BreakerOpen", "BREAKER_OPEN", "duration",
       "How long no call is made to % once half of the last ten failed.", set_breaker_open,
       [](const s& from) { return to_text(from.breaker_open_ms); }},
  };
  return all;
}

key key_of(std::size_t which, const row& from) {
  std::string what{from.what};
  if (const auto at = what.find('%'); at != std::string::npos)
    what.replace(at, 1, names[which].spoken);
  return {keep(std::string{names[which].camel}.append(from.camel)),
          keep("USHER_" + std::string{names[which].upper} + "_" + std::string{from.upper}),
          from.unit,
          keep(std::move(what)),
          [which, set = from.set](settings& into, const std::string& text) {
            return set(into.gateways[which], text);
          },
          [which, show = from.show](const settings& of) { return show(of.gateways[which]); }};
}

} // namespace

gateway_table default_gateways() {
  gateway_table all;
  all[static_cast<std::size_t>(provider_kind::mercado_pago)].breaker_open_ms = 15'000;
  return all;
}

std::vector<key> gateway_keys() {
  std::vector<key> all;
  for (std::size_t which = 0; which < provider_kinds; ++which)
    for (const auto& each : rows())
      all.push_back(key_of(which, each));
  const row client_id{"ClientId",
                      "CLIENT_ID",
                      "text",
                      "The client id that goes with %'s secret.",
                      set_text(&gateway_settings::client_id),
                      show_text(&gateway_settings::client_id)};
  all.push_back(key_of(static_cast<std::size_t>(provider_kind::paypal), client_id));
  return all;
}

} // namespace usher::config

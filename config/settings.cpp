#include "config/settings.hpp"

#include "actors/basics/duration.hpp"
#include "actors/basics/money.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace usher::config {

namespace {

std::optional<std::uint64_t> read_count(const std::string& text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional{count} : std::nullopt;
}

template <class Number>
key count_key(std::string_view name, std::string_view environment, std::string_view what,
              Number settings::*field, std::uint64_t least, std::uint64_t most) {
  return {name,
          environment,
          "count",
          what,
          [=](settings& into, const std::string& text) -> std::string {
            const auto count = read_count(text);
            if (!count || *count < least || *count > most)
              return "expected a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most);
            into.*field = static_cast<Number>(*count);
            return {};
          },
          [=](const settings& from) { return std::to_string(from.*field); }};
}

key duration_key(std::string_view name, std::string_view environment, std::string_view what,
                 duration_ms settings::*field, duration_ms least, duration_ms most) {
  return {name,
          environment,
          "duration",
          what,
          [=](settings& into, const std::string& text) -> std::string {
            const auto length = read_duration(text);
            if (!length || *length < least || *length > most)
              return "expected a duration from " + to_text(least) + " to " + to_text(most) +
                     ", e.g. 250ms, 5s, 2m";
            into.*field = *length;
            return {};
          },
          [=](const settings& from) { return to_text(from.*field); }};
}

key flag_key(std::string_view name, std::string_view environment, std::string_view what,
             bool settings::*field) {
  return {name,
          environment,
          "true or false",
          what,
          [=](settings& into, const std::string& text) -> std::string {
            if (text != "true" && text != "false")
              return "expected true or false";
            into.*field = text == "true";
            return {};
          },
          [=](const settings& from) { return from.*field ? "true" : "false"; }};
}

std::string set_listen(settings& into, const std::string& text) {
  const auto read = read_endpoint(text);
  if (const auto* why = std::get_if<std::string>(&read))
    return *why;
  into.listen = text;
  return {};
}

std::string set_data(settings& into, const std::string& text) {
  if (text.empty())
    return "expected a directory";
  into.data = text;
  return {};
}

std::string set_customer_token_keys(settings& into, const std::string& text) {
  into.customer_token_keys = text;
  return {};
}

std::string set_currency(settings& into, const std::string& text) {
  if (!minor_digits(text))
    return "expected an ISO 4217 code, e.g. EUR";
  into.default_currency = text;
  return {};
}

/// The text form of a JSON value, as a key's `set` takes it.
std::optional<std::string> text_of(const nlohmann::json& value) {
  if (value.is_string())
    return value.get<std::string>();
  if (value.is_boolean())
    return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer())
    return value.dump();
  return std::nullopt;
}

const key* find_key(std::string_view name) {
  const auto& all = keys();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const key& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

} // namespace

const std::vector<key>& keys() {
  static const std::vector<key> all{
      {"listen", "USHER_LISTEN", "address:port",
       "Where the server listens. A numeric address; `0.0.0.0:8084` for all interfaces.",
       set_listen, [](const settings& from) { return from.listen; }},
      {"data", "USHER_DATA", "directory",
       "Where everything durable is kept: log, secrets. One server at a time.", set_data,
       [](const settings& from) { return from.data; }},
      {"defaultCurrency", "USHER_DEFAULT_CURRENCY", "ISO 4217 code",
       "Currency of shows that the drop-in paths make by opening a room.", set_currency,
       [](const settings& from) { return from.default_currency; }},
      flag_key("trustUserIds", "USHER_TRUST_USER_IDS",
               "Offers `/api/v1/queue…`, which believe the `userId` that a caller names. Only for "
               "callers that are your own servers.",
               &settings::trust_user_ids),
      count_key("ioThreads", "USHER_IO_THREADS", "Threads that serve HTTP; 0 is one per core.",
                &settings::io_threads, 0, 256),
      count_key("actorThreads", "USHER_ACTOR_THREADS",
                "Threads that run the actors; 0 is one per core, at least four.",
                &settings::actor_threads, 0, 256),
      count_key("connectionsMax", "USHER_CONNECTIONS_MAX",
                "Most connections at once; beyond, new ones get 503.", &settings::connections_max,
                1, 1'000'000),
      count_key("inFlightMax", "USHER_IN_FLIGHT_MAX",
                "Most requests that wait for an answer of the actors; beyond, 503. Polls do not "
                "count.",
                &settings::in_flight_max, 1, 1'000'000),
      count_key(
          "streamsMax", "USHER_STREAMS_MAX",
          "Most streams of events at once; beyond, new ones get 503. Each one is a connection "
          "too.",
          &settings::streams_max, 0, 1'000'000),
      duration_key("answerDeadline", "USHER_ANSWER_DEADLINE",
                   "How long a request may wait for the actors before it is told that its outcome "
                   "is not known.",
                   &settings::answer_deadline_ms, 100, 600'000),
      duration_key("drainDeadline", "USHER_DRAIN_DEADLINE",
                   "How long a stopping server waits for requests under way.",
                   &settings::drain_deadline_ms, 0, 600'000),
      flag_key("logSync", "USHER_LOG_SYNC",
               "False makes answers not durable: a crash may lose what was acknowledged. For "
               "measurements only.",
               &settings::log_sync),
      {"customerTokenKeys", "USHER_CUSTOMER_TOKEN_KEYS", "file",
       "The keys that tokens which say who the customer is may be signed with, see below. Empty: "
       "no "
       "such tokens are accepted.",
       set_customer_token_keys, [](const settings& from) { return from.customer_token_keys; }},
      count_key("proofOfWorkBits", "USHER_PROOF_OF_WORK_BITS",
                "How hard the work is that a show may ask for before a join: about 2 to the power "
                "of this many hashes. 17 is about a second of a browser.",
                &settings::proof_of_work_bits, 8, 26),
      duration_key("proofOfWorkLifetime", "USHER_PROOF_OF_WORK_LIFETIME",
                   "How long a challenge may be solved and used.",
                   &settings::proof_of_work_lifetime_ms, 10'000, 3'600'000),
  };
  return all;
}

std::variant<settings, faults> read_file(const std::string& path, settings base) {
  std::error_code trouble;
  std::ifstream file{path};
  if (!file || !std::filesystem::is_regular_file(path, trouble))
    return faults{"cannot read '" + path + "'"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const auto body = nlohmann::json::parse(text, nullptr, false);
  if (body.is_discarded() || !body.is_object())
    return faults{"'" + path + "' is not a JSON object"};
  faults found;
  for (const auto& [name, value] : body.items()) {
    const auto* known = find_key(name);
    if (known == nullptr) {
      found.push_back("'" + name + "' is not a known key; see docs/configuration.md");
      continue;
    }
    const auto given = text_of(value);
    const auto fault = given ? known->set(base, *given)
                             : "expected " + std::string{known->unit} + ", not " + value.dump();
    if (!fault.empty())
      found.push_back(name + ": " + fault);
  }
  if (!found.empty())
    return found;
  return base;
}

std::variant<settings, faults>
read_environment(settings base, const std::function<const char*(const char*)>& get) {
  faults found;
  for (const auto& each : keys()) {
    const auto* text = get(std::string{each.environment}.c_str());
    if (text == nullptr)
      continue;
    if (const auto fault = each.set(base, text); !fault.empty())
      found.push_back(std::string{each.environment} + ": " + fault);
  }
  if (!found.empty())
    return found;
  return base;
}

std::variant<endpoint, std::string> read_endpoint(const std::string& text) {
  const std::string expected = "expected ADDRESS:PORT, e.g. 127.0.0.1:8084";
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return expected;
  const auto port = read_count(text.substr(colon + 1));
  if (!port || *port > 65'535)
    return expected;
  auto host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  if (host == "localhost")
    host = "127.0.0.1";
  return endpoint{host, static_cast<std::uint16_t>(*port)};
}

std::string documentation() {
  std::string text =
      "| key | environment | unit | default | what it does |\n|---|---|---|---|---|\n";
  const settings defaults;
  for (const auto& each : keys()) {
    const auto cell = [&](std::string_view value) { text.append(" ").append(value).append(" |"); };
    text.append("|");
    cell("`" + std::string{each.name} + "`");
    cell("`" + std::string{each.environment} + "`");
    cell(each.unit);
    const auto value = each.show(defaults);
    cell(value.empty() ? "none" : "`" + value + "`");
    cell(each.what);
    text.append("\n");
  }
  return text;
}

} // namespace usher::config

#include "config/settings.hpp"

#include "actors/basics/duration.hpp"
#include "actors/basics/money.hpp"
#include "storage/secrets.hpp"

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

/// Takes any text.
key text_key(std::string_view name, std::string_view environment, std::string_view unit,
             std::string_view what, std::string settings::*field) {
  return {name,
          environment,
          unit,
          what,
          [=](settings& into, const std::string& text) -> std::string {
            into.*field = text;
            return {};
          },
          [=](const settings& from) { return from.*field; }};
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

constexpr std::string_view automatic = "auto";

std::string set_disk_floor(settings& into, const std::string& text) {
  const auto count = read_count(text);
  if (!count && text != automatic)
    return "expected a number of bytes, or auto";
  into.disk_floor_bytes = count;
  return {};
}

std::string set_master_key(settings& into, const std::string& text) {
  if (!text.empty() && !storage::secret_key_of(text))
    return "expected 64 hex digits in lower case";
  into.master_key = text;
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

/// All but those of the gateways.
std::vector<key> own_keys() {
  return {
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
      count_key("snapshotEveryEvents", "USHER_SNAPSHOT_EVERY_EVENTS",
                "After so many events a snapshot is made, so that the next start replays only what "
                "came later. 0: none is made.",
                &settings::snapshot_every_events, 0, 1'000'000'000),
      duration_key("snapshotEvery", "USHER_SNAPSHOT_EVERY",
                   "A snapshot is also made after this time, if there were 1,000 events.",
                   &settings::snapshot_every_ms, 1'000, 86'400'000),
      {"diskFloorBytes", "USHER_DISK_FLOOR_BYTES", "bytes",
       "Below so much free space where the data is, writes get 503 (`disk-full`) and polls go on. "
       "`auto`: a twentieth of the file system, at least 64 MiB and at most 1 GiB. 0: never.",
       set_disk_floor,
       [](const settings& from) {
         return from.disk_floor_bytes ? std::to_string(*from.disk_floor_bytes)
                                      : std::string{automatic};
       }},
      text_key("masterKeyFile", "USHER_MASTER_KEY_FILE", "file",
               "The key that wraps the keys of personal data: 64 hex digits and a newline, for its "
               "owner alone (docs/personal-data.md). Empty: `secrets/master`, made on first use.",
               &settings::master_key_file),
      {"masterKey", "USHER_MASTER_KEY", "secret, 64 hex digits",
       "The same key itself, 64 hex digits, instead of a file. By the environment, not in a file.",
       set_master_key, [](const settings& from) { return from.master_key.empty() ? "" : "(set)"; }},
      text_key("customerTokenKeys", "USHER_CUSTOMER_TOKEN_KEYS", "file",
               "The keys that tokens which say who the customer is may be signed with, see below. "
               "Empty: "
               "no "
               "such tokens are accepted.",
               &settings::customer_token_keys),
      count_key("proofOfWorkBits", "USHER_PROOF_OF_WORK_BITS",
                "How hard the work is that a show may ask for before a join: about 2 to the power "
                "of this many hashes. 17 is about a second of a browser.",
                &settings::proof_of_work_bits, 8, 26),
      duration_key("proofOfWorkLifetime", "USHER_PROOF_OF_WORK_LIFETIME",
                   "How long a challenge may be solved and used.",
                   &settings::proof_of_work_lifetime_ms, 10'000, 3'600'000),
      duration_key("paymentLimit", "USHER_PAYMENT_LIMIT",
                   "How long seats are kept for a payment whose outcome is unknown; then it is "
                   "voided at the gateway and the seats are given up.",
                   &settings::payment_limit_ms, 10'000, 86'400'000),
      duration_key("gatewayDeadline", "USHER_GATEWAY_DEADLINE",
                   "How long a payment gateway may take to answer; then the outcome is unknown and "
                   "is asked for. Shorter than `answerDeadline`.",
                   &settings::gateway_deadline_ms, 100, 120'000),
      duration_key("gatewaySlow", "USHER_GATEWAY_SLOW",
                   "A call that takes longer counts as a failure of its gateway, whatever it "
                   "answers.",
                   &settings::gateway_slow_ms, 100, 120'000),
      text_key("gatewayCaFile", "USHER_GATEWAY_CA_FILE", "file",
               "Certificates (PEM) that gateways are believed by. Empty: the system's.",
               &settings::gateway_ca_file),
  };
}

} // namespace

const std::vector<key>& keys() {
  static const auto all = [] {
    auto made = own_keys();
    for (auto& each : gateway_keys())
      made.push_back(std::move(each));
    return made;
  }();
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
    if (name == "sinks") { // the one key that is no single value
      base.sinks = read_sinks(value, found);
      continue;
    }
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

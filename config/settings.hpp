#pragma once

#include "actors/basics/time.hpp"
#include "config/gateway_settings.hpp"
#include "config/sink_settings.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Everything that is chosen at start: one JSON file, each key also as USHER_… in the environment,
// the command line on top.
namespace usher::config {

struct settings {
  std::string listen = "127.0.0.1:8084";
  std::string data = "./usher-data";
  unsigned io_threads = 0;
  unsigned actor_threads = 0;
  std::string default_currency = "BRL";
  bool trust_user_ids = false;
  std::uint32_t connections_max = 20'000;
  std::uint32_t in_flight_max = 20'000;
  std::uint32_t streams_max = 10'000;
  duration_ms answer_deadline_ms = 10'000;
  duration_ms drain_deadline_ms = 10'000;
  bool log_sync = true;
  std::uint64_t snapshot_every_events = 500'000; ///< 0: none are made
  duration_ms snapshot_every_ms = 600'000;
  std::optional<std::uint64_t> disk_floor_bytes; ///< none: chosen by the size of the file system
  std::string master_key_file;     ///< empty: `secrets/master`, unless the next is given
  std::string master_key;          ///< hex
  std::string customer_token_keys; ///< a file; empty: no customer tokens are accepted
  unsigned proof_of_work_bits = 17;
  duration_ms proof_of_work_lifetime_ms = 120'000;
  duration_ms payment_limit_ms = 600'000;
  duration_ms gateway_deadline_ms = 8'000;
  duration_ms gateway_slow_ms = 5'000;
  std::string gateway_ca_file; ///< empty: the system's certificates
  gateway_table gateways = default_gateways();
  std::vector<sink_settings> sinks; ///< where the events of the log go out to
};

/// One key: its documentation and how it is read. `docs/configuration.md` is made from these.
struct key {
  std::string_view name;        ///< in the file, camelCase
  std::string_view environment; ///< USHER_…
  std::string_view unit;        ///< "duration", "count", "text", "true or false", …
  std::string_view what;        ///< one sentence
  /// Takes the text form; gives what was expected instead if it does not fit.
  std::function<std::string(settings&, const std::string&)> set;
  std::function<std::string(const settings&)> show;
};

[[nodiscard]] const std::vector<key>& keys();

/// Each fault is a sentence with the key it is about.
using faults = std::vector<std::string>;

/// Reads a file over `base`: unknown keys and values that do not fit are faults, all of them
/// listed.
[[nodiscard]] std::variant<settings, faults> read_file(const std::string& path, settings base);

/// Reads USHER_… over `base`. `get` is std::getenv, or a test's.
[[nodiscard]] std::variant<settings, faults>
read_environment(settings base, const std::function<const char*(const char*)>& get);

/// "HOST:PORT" with a numeric address; `[::1]:8084` for IPv6.
struct endpoint {
  std::string host;
  std::uint16_t port = 0;
};
[[nodiscard]] std::variant<endpoint, std::string> read_endpoint(const std::string& text);

/// The table of docs/configuration.md.
[[nodiscard]] std::string documentation();

} // namespace usher::config

#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace usher::config {

enum class sink_kind : std::uint8_t { file, webhook };

/// Where events go out to, see docs/outbox.md.
struct sink_settings {
  std::string name;
  sink_kind kind = sink_kind::file;
  std::vector<std::string> types; ///< of events, without `usher.`; empty: all
  bool personal_data = false;     ///< e-mail addresses go out too
  bool from_now = false;          ///< a new sink begins at the end of the log

  // A file
  std::string path;
  std::uint64_t rotate_bytes = std::uint64_t{256} * 1024 * 1024; ///< 0: never
  std::uint32_t keep = 0; ///< rotated files that are kept; 0: all

  // A webhook
  std::string url;
  std::vector<std::string> secrets; ///< `whsec_…`, one or two
  bool allow_private = false;       ///< may be at an address that is not public
  std::uint32_t batch_max = 100;    ///< events in one request; 1: single events
  std::string ca_file;              ///< PEM; empty: the system's certificates
};

inline constexpr std::size_t sinks_max = 32;

/// The list under the key `sinks` of the settings. Every fault is noted, a sentence with its place.
[[nodiscard]] std::vector<sink_settings> read_sinks(const nlohmann::json& list,
                                                    std::vector<std::string>& faults);

/// On one line, without secrets.
[[nodiscard]] std::string describe(const sink_settings& what);

} // namespace usher::config

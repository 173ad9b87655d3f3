#pragma once

#include "actors/basics/time.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

// GET /metrics: what the boards and the server say of themselves, in Prometheus' text format.
namespace usher::http {

struct app;

/// What the server counts and the handlers do not know.
struct server_counts {
  std::size_t connections = 0;
  std::size_t in_flight = 0; ///< deferred answers not yet given
  std::size_t streams = 0;
};

/// Most shows with series of their own: those whose room is on before the others, newer before
/// older. A gauge says how many are left out.
inline constexpr std::size_t shows_exported_max = 1000;

/// The table of docs/metrics.md.
[[nodiscard]] std::string metrics_documentation();

/// The page as it is sent. Anybody may ask, so it is made at most once every `kept_ms`, however
/// many do. Thread-safe.
class metrics_page {
public:
  static constexpr duration_ms kept_ms = 1000;

  [[nodiscard]] std::shared_ptr<const std::string> of(const app& with);

private:
  std::mutex mutex_;
  std::shared_ptr<const std::string> made_;
  time_ms made_at_ = 0;
};

} // namespace usher::http

#pragma once

#include "actors/shows/registry.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace usher::http {

/// A seat map as it is sent.
struct seat_map {
  std::string body;
  std::string etag; ///< changes with every change of a seat
  std::uint64_t version = 0;
  std::shared_ptr<const shows::published> of;
  time_ms made_at = 0;
};

/// Builds a show's map when it has changed, and shares it between all who ask. Built at most every
/// `rebuild_interval_ms` for a show, unless its plan changed. Thread-safe.
class seat_maps {
public:
  static constexpr duration_ms rebuild_interval_ms = 250;
  /// Below this a map is rebuilt at every change: it costs less than anybody would notice.
  static constexpr std::size_t small_plan_seats = 1000;

  [[nodiscard]] std::shared_ptr<const seat_map> of(const shows::show_entry& show, time_ms now);

private:
  std::mutex mutex_;
  std::unordered_map<show_number, std::shared_ptr<const seat_map>> maps_;
};

} // namespace usher::http

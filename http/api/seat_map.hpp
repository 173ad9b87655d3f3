#pragma once

#include "http/api/once_each.hpp"
#include "http/api/representation.hpp"
#include "http/api/seat_map_history.hpp"
#include "http/api/seat_map_json.hpp"
#include "http/api/seat_map_snapshot.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace usher::http {

/// All seats of a show as they were at one moment, in every form that somebody may ask for: each is
/// made once and shared. Says the same for ever. Thread-safe.
class seat_map {
public:
  /// Answers to different `since` that are kept, those since the newest maps.
  static constexpr std::size_t changes_kept_max = 32;
  /// Blocks' events, whole ones and changes, that are kept.
  static constexpr std::size_t events_kept_max = 256;

  seat_map(seat_snapshot seats, seat_history history, seat_map_stamp stamp);

  [[nodiscard]] seat_map_version version() const { return stamp_.version; }
  [[nodiscard]] const seat_snapshot& seats() const { return seats_; }
  [[nodiscard]] const seat_history& history() const { return history_; }

  [[nodiscard]] std::shared_ptr<const representation> whole() const { return whole_; }

  /// Only what differs from the map of that version; the whole one if it is not known.
  [[nodiscard]] std::shared_ptr<const representation> since(seat_map_version version) const;

  /// The index of a block; nothing if the plan has none of this id.
  [[nodiscard]] std::optional<std::uint32_t> find_block(std::string_view id) const;

  /// Events of one block for its streams: what differs from the map of version `since`, or all if
  /// that is not known or not given. No event: nothing differs.
  [[nodiscard]] std::shared_ptr<const seat_events>
  events_of(std::uint32_t block, std::optional<seat_map_version> since) const;

private:
  [[nodiscard]] bool knows(seat_map_version version) const {
    return version == stamp_.version || history_.knows(version);
  }
  /// Seats that differ from that map, which is known.
  [[nodiscard]] std::vector<seat_change> changes_since(seat_map_version version) const;

  seat_snapshot seats_;
  seat_history history_;
  seat_map_stamp stamp_;
  std::shared_ptr<const representation> whole_;
  mutable once_each<seat_map_version, representation> changes_{changes_kept_max};
  mutable once_each<std::pair<seat_map_version, std::uint32_t>, seat_events> events_{
      events_kept_max};
};

/// The maps of one show, one after the other. Thread-safe.
class show_seat_maps {
public:
  /// The newest map; see seat_maps::of. `what` has a plan.
  [[nodiscard]] std::shared_ptr<const seat_map>
  of(const std::shared_ptr<const shows::published>& what, time_ms now, duration_ms interval_ms);

  /// How often the boards were walked.
  [[nodiscard]] std::uint64_t builds() const { return builds_; }

private:
  /// A walk over the boards and what came of it. Immutable.
  struct look {
    std::shared_ptr<const seat_map> map; ///< that of the walk before, if no seat differed
    std::shared_ptr<const shows::published> of;
    std::uint64_t boards_version = 0;
    time_ms at = 0;
    time_ms of_since = 0; ///< of the first walk for this plan
  };

  [[nodiscard]] static bool is_good(const look& last,
                                    const std::shared_ptr<const shows::published>& what,
                                    time_ms now, duration_ms interval_ms);
  [[nodiscard]] look walk(const look* before, std::shared_ptr<const shows::published> what,
                          time_ms now);

  std::mutex building_;              ///< held by the one who walks
  std::shared_ptr<const look> last_; ///< by std::atomic_load and std::atomic_store only
  std::atomic<std::uint64_t> builds_{0};
};

/// Gives all who ask the same map of a show and builds a new one when its seats have changed: at
/// most every `rebuild_interval_ms` for a show, or as soon as its plan is another. Shows do not
/// wait for each other. Thread-safe.
class seat_maps {
public:
  static constexpr duration_ms rebuild_interval_ms = 1000;

  seat_maps() : seat_maps{rebuild_interval_ms} {}
  /// 0: every map is as new as the request, for which requests wait for each other.
  explicit seat_maps(duration_ms interval_ms) : interval_ms_{interval_ms} {}

  /// Null if the show has no plan. While one thread builds the others get the map before, except
  /// the first of a show or of a plan, which is waited for.
  [[nodiscard]] std::shared_ptr<const seat_map> of(const shows::show_entry& show, time_ms now);

  /// How many maps of this show were built so far, also such as said nothing new.
  [[nodiscard]] std::uint64_t builds(const shows::show_entry& show);

private:
  show_seat_maps& maps_of(show_number show);

  duration_ms interval_ms_;
  std::shared_mutex mutex_; ///< for finding a show's, never while building
  std::unordered_map<show_number, std::unique_ptr<show_seat_maps>> shows_;
};

} // namespace usher::http

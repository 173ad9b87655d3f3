#pragma once

#include "storage/audit/simulation.hpp"
#include "storage/event_log.hpp"

#include <functional>
#include <iosfwd>
#include <optional>
#include <variant>
#include <vector>

// How an opening went, and how it would have gone.
namespace usher::storage::audit {

/// Waits count from the join, or from the opening for who was in before it.
struct figures {
  std::uint64_t fans = 0;
  std::vector<duration_ms> waits;            ///< of those who were admitted, sorted
  std::optional<duration_ms> last_admission; ///< after the opening
  by_minute admitted_by_minute;
  by_minute sold_by_minute;
  std::uint64_t sold = 0; ///< seats; orders, if the show has no plan
  std::uint64_t active_most = 0;
  std::optional<duration_ms> sold_out_after;

  /// The smallest wait that so many hundredths had at most; none if nobody was admitted.
  [[nodiscard]] std::optional<duration_ms> wait_at(unsigned hundredths) const;
};

[[nodiscard]] figures figures_of(const crowd& of);
[[nodiscard]] figures figures_of(const crowd& of, const simulated& what);

/// How far the simulation under the settings of the log is from what happened.
struct distance {
  std::uint64_t fans = 0; ///< admitted in both
  duration_ms median = 0;
  duration_ms most = 0;
};

struct what_if_report {
  show_id show;
  time_ms opened_at = 0;
  bool has_seats = false;
  changes asked;
  waiting_room::settings logged; ///< as the opening began
  figures as_it_was;
  figures as_logged; ///< simulated under the settings of the log
  figures other;     ///< simulated under those that were asked for
  distance off;
  bool went_on = false;            ///< the simulation was ended before all was over
  std::uint64_t holds_refused = 0; ///< under those that were asked for
};

[[nodiscard]] what_if_report compare(const crowd& of, const show_id& show, const changes& asked);

/// Reads the log once. A failure if it cannot be read, there is no such show, or nobody ever came
/// to an opening of it. Without a show: the only one that has an opening. `reached` hears of each
/// position.
[[nodiscard]] std::variant<what_if_report, failure>
what_if(const event_log& log, const std::optional<show_id>& show, const changes& asked,
        const std::function<void(position_t)>& reached = {});

void write_what_if(std::ostream& out, const what_if_report& what, bool as_json);

} // namespace usher::storage::audit

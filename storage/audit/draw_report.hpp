#pragma once

#include "storage/audit/world.hpp"
#include "storage/event_log.hpp"

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// The draws of one show, each computed again from the log.
namespace usher::storage::audit {

enum class draw_state : std::uint8_t { ahead, called_off, drawn };

/// A place that is not as it should be, from 1; none: nobody stands there.
struct wrong_place {
  std::size_t place = 0;
  std::optional<slot_t> stands;
  std::optional<slot_t> belongs;
};

struct tier_count {
  std::string name; ///< empty: the general one
  std::size_t tickets = 0;
};

/// One draw from the moment it was committed to.
struct draw_record {
  position_t scheduled_position = 0;
  time_ms scheduled_at = 0;
  waiting_room::bytes32 commitment{};
  std::optional<waiting_room::beacon_source> source;
  std::string beacon; ///< the value that was given, or empty
  draw_state is = draw_state::ahead;

  // Once drawn:
  position_t position = 0;
  time_ms at = 0;
  waiting_room::bytes32 seed{};
  std::string beacon_used;
  std::vector<tier_count> tiers;
  bool seed_agrees = false;
  bool beacon_agrees = false;
  std::optional<wrong_place> wrong; ///< the first
  std::size_t tickets = 0;
  std::optional<std::size_t> place; ///< of the ticket that was asked for, from 1

  [[nodiscard]] bool agrees() const { return seed_agrees && beacon_agrees && !wrong; }
};

struct draw_report {
  show_id show;
  show_number number = 0;
  std::optional<slot_t> ticket; ///< asked for
  std::vector<draw_record> draws;

  /// 0: whatever was drawn agrees; 1: something does not.
  [[nodiscard]] int exit_code() const;
};

/// Reads the log once. A failure if it cannot be read, or if there is no such show, or none of its
/// draws was ever committed to. `reached` hears of each position.
[[nodiscard]] std::variant<draw_report, failure>
report_draws(const event_log& log, const show_id& which, std::optional<slot_t> ticket,
             const std::function<void(position_t)>& reached = {});

void write_draws(std::ostream& out, const draw_report& what, bool as_json);

} // namespace usher::storage::audit

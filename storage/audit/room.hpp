#pragma once

#include "actors/waiting_room/event.hpp"
#include "storage/audit/findings.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

// A waiting room as the audit sees it. Sixteen bytes a fan of the opening that is under way, and
// small tables of those who are admitted, passed over, or came back; closing the room forgets all.
namespace usher::storage::audit {

enum class room_mode : std::uint8_t { off, scheduled, prequeue, open, standby };
enum class ticket_state : std::uint8_t { waiting, absent, admitted, ended };

/// Where somebody stands in the order of a room. Earlier is better.
struct line_place {
  std::size_t tier = 0;
  slot_t index = 0; ///< in that tier's line
  auto operator<=>(const line_place&) const = default;
};

struct fan {
  std::uint32_t who = 0; ///< of the identity, for comparing; 0: nobody known
  slot_t index = 0;      ///< where the fan stands or stood in the line of the tier
  std::uint8_t tier = 0;
  ticket_state is = ticket_state::waiting;
  bool was_admitted : 1 = false;
  bool came_back : 1 = false; ///< re-entered once
  bool wishes : 1 = false;    ///< a wish that is not answered yet
};
static_assert(sizeof(fan) == 12, "there may be millions");

/// Four bytes of an identity: enough to notice another one.
[[nodiscard]] std::uint32_t mark_of(const identity& who);

/// Those of one tier, in their order.
struct line {
  std::vector<slot_t> order;
  slot_t head = 0;        ///< index: nobody before it waits, but for these:
  std::set<slot_t> early; ///< indexes before `head` where somebody waits who came back
};

struct admission {
  time_ms since = 0;
  time_ms until = 0;
  time_ms busy_until = 0;
  bool spent = false;

  [[nodiscard]] time_ms over_at() const { return until > busy_until ? until : busy_until; }
};

/// Somebody who was passed over.
struct claim {
  time_ms since = 0;
  time_ms until = 0;
};

/// An admission that expired or went idle and may come back.
struct second_chance {
  time_ms since = 0;
  time_ms until = 0;
};

/// Fans admitted of late, as water in a bucket that leaks at the set rate. More than rate × tick +
/// 1 in it means: some window of w seconds saw more than rate × (w + tick) + 1. In fans × 10⁻⁹,
/// which makes a rate of millionths a second and a time of milliseconds exact.
struct rate_bucket {
  std::uint64_t level_nano = 0;
  time_ms at = 0;
};

/// On standby fans are admitted between two ticks, too: how many in this tick of the clock.
struct ramp {
  std::int64_t tick = 0;
  std::uint64_t used = 0;
};

struct code_batch {
  std::string tier;
  bool single_use = true;
  std::optional<time_ms> valid_from;
  std::optional<time_ms> valid_until;
};

struct access_code {
  std::uint32_t batch = 0;
  std::optional<slot_t> used_by = {}; ///< single-use codes only
};

/// The draw that is ahead, or the last one.
struct draw_ahead {
  waiting_room::bytes32 commitment{};
  std::optional<waiting_room::beacon_source> source; ///< as it was committed
  std::string beacon;                                ///< the value, or empty
  bool drawn = false;
};

// What the events that come directly after have to explain, if they are of the same batch.

/// Somebody may have been passed over only if everybody before was passed over or is admitted now.
struct passing {
  spot here;
  line_place last;
};

/// Those of this join who did not get into the queue, because they were admitted at once or because
/// another place went for theirs, are known only after it.
struct arriving {
  spot here;
  std::uint64_t too_many = 0;
};

/// On standby: who of these came while nobody waited is admitted at once.
struct at_once {
  slot_t next = 0;
  bool nobody_waited = false;
};

struct room {
  room_mode mode = room_mode::off;
  bool paused = false; ///< by an operator
  waiting_room::stock left = waiting_room::stock::on_sale;
  waiting_room::settings set;
  bool configured = false;
  time_ms opened_at = 0; ///< when OPEN or STANDBY began
  draw_ahead draw;

  slot_t base = 0;       ///< every ticket before this one ended when the room closed
  std::vector<fan> fans; ///< by slot - base
  std::array<line, waiting_room::tiers_max + 1> lines; ///< the general one: [set.tiers.size()]
  std::uint64_t waiting = 0;
  std::unordered_map<slot_t, claim> claims;
  std::unordered_map<slot_t, admission> active;
  std::unordered_map<slot_t, second_chance> chances;
  std::deque<std::pair<time_ms, slot_t>> chances_over; ///< when each is over
  rate_bucket rate;
  audit::ramp ramp;
  std::unordered_map<identity, access_code, id_hash> codes;
  std::vector<code_batch> code_batches;

  position_t batch = 0; ///< of the last event
  std::optional<passing> passed;
  std::optional<arriving> arrived;
  std::optional<at_once> fresh;
  bool drawn_just_now = false; ///< the last event was the draw

  [[nodiscard]] bool is_on() const { return mode != room_mode::off; }
  [[nodiscard]] slot_t joined() const { return base + static_cast<slot_t>(fans.size()); }
  /// Of those without a code.
  [[nodiscard]] std::size_t general_tier() const {
    return std::min(set.tiers.size(), waiting_room::tiers_max);
  }
  [[nodiscard]] ticket_state state_of(slot_t slot) const {
    return slot < base ? ticket_state::ended : fans[slot - base].is;
  }
  /// Of this opening.
  [[nodiscard]] fan& at(slot_t slot) { return fans[slot - base]; }
  [[nodiscard]] const fan& at(slot_t slot) const { return fans[slot - base]; }
  [[nodiscard]] line_place place_of(slot_t slot) const { return {at(slot).tier, at(slot).index}; }

  /// Whose turn it is: nobody who waits stands before them. Moves the heads of the lines.
  [[nodiscard]] std::optional<slot_t> first();

  void stand_at_end(slot_t slot, std::size_t tier); ///< new, or gone from where they stood
  void stand_again(slot_t slot);                    ///< waits where they stood
  void leave_line(slot_t slot);                     ///< of one who waits; the state is the caller's

  /// Everybody who waits, by tier and slot.
  [[nodiscard]] std::vector<std::vector<slot_t>> waiting_by_tier() const;
};

/// `OFF`, `PREQUEUE`, `PAUSED`, …: what everybody sees.
[[nodiscard]] std::string_view status_of(const room& which);

} // namespace usher::storage::audit

#pragma once

#include "actors/basics/chunked_vector.hpp"
#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "actors/waiting_room/event.hpp"
#include "actors/waiting_room/identity_index.hpp"
#include "actors/waiting_room/status.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace usher::waiting_room {

/// Where somebody stands in the order of a room. Earlier is better.
struct place_in_line {
  std::uint8_t tier = 0; ///< number of the lane
  slot_t index = 0;      ///< in its lane; grows for ever, also over openings
  auto operator<=>(const place_in_line&) const = default;
};

/// Those of one tier, in their order.
struct line {
  slot_t base = 0;              ///< index of order[0]
  slot_t head = 0;              ///< index: nobody at or behind it was passed over or admitted
  chunked_vector<slot_t> order; ///< of this opening; `nobody` where somebody moved to another tier
  /// Who waits before `head`: came back after being passed over, or re-entered. By index.
  std::map<slot_t, slot_t> early;

  static constexpr slot_t nobody = 0xffffffff;
  [[nodiscard]] slot_t end() const { return base + static_cast<slot_t>(order.size()); }
  bool operator==(const line&) const = default;
};

/// The right to choose and buy. It is over at now >= deadline(), and ends with one event.
struct admission {
  time_ms since = 0;      ///< when it began
  time_ms until = 0;      ///< its own deadline, from being admitted
  time_ms busy_until = 0; ///< what keeps it longer (a hold, an unpaid order); 0: nothing
  bool spent = false;     ///< an order is paid
  place_in_line from;     ///< where the fan stood

  [[nodiscard]] time_ms deadline() const { return std::max(until, busy_until); }
  bool operator==(const admission&) const = default;
};

/// Passed over; comes back to the same place until the deadline.
struct claim {
  time_ms until = 0;
  place_in_line from;
  bool operator==(const claim&) const = default;
};

/// An ended admission that may come back to its place until the deadline.
struct second_chance {
  time_ms until = 0;
  place_in_line from;
  bool operator==(const second_chance&) const = default;
};

/// A batch of access codes.
struct code_batch {
  std::string name;
  std::string tier;
  bool single_use = true;
  std::optional<time_ms> valid_from;
  std::optional<time_ms> valid_until;
  bool operator==(const code_batch&) const = default;
};

struct access_code {
  std::uint32_t batch = 0;            ///< index into code_batches
  std::optional<slot_t> used_by = {}; ///< single-use codes only
  bool operator==(const access_code&) const = default;
};

/// Deadlines with whom they are about, earliest first.
using deadline_set = std::set<std::pair<time_ms, slot_t>>;

/// The whole state of one waiting room: the fold of its events. Only `apply` changes it.
struct state {
  state(); ///< OFF, default settings, nobody

  room_mode mode = room_mode::off;
  bool paused = false; ///< by an operator
  stock left = stock::on_sale;
  settings set;

  std::uint32_t draws_scheduled = 0; ///< how many room_scheduled there were: names the seed
  bytes32 commitment{};              ///< of the draw ahead, or the last one
  std::string beacon;                ///< given for the draw ahead, or empty

  slot_t lane_start = 0;     ///< first slot of this opening; live tickets before it are closed
  slot_t drawn_below = 0;    ///< slots of this opening before this one were drawn
  std::uint32_t waiting = 0; ///< present ones
  time_ms opened_at = 0;     ///< when OPEN or STANDBY began
  std::array<line, tiers_max + 1> lines; ///< by tier; the general one is lines[set.tiers.size()]

  chunked_vector<ticket_status> tickets; ///< by slot, as of the ticket's own last event
  chunked_vector<identity> identities;   ///< by slot: the customer, else the key, else none
  chunked_vector<std::uint8_t> tiers;    ///< by slot: number of the line it stands or stood in

  identity_index index;                                  ///< identities of this opening
  std::unordered_map<identity, slot_t, id_hash> seconds; ///< further identities of a slot
  std::unordered_map<slot_t, std::uint8_t> seconds_of;   ///< how many keys a slot has among them
  std::unordered_map<slot_t, identity> customers;        ///< of who signed in after joining

  std::unordered_map<slot_t, admission> admissions;
  deadline_set deadlines; ///< of all admissions

  std::unordered_map<slot_t, claim> claims;
  deadline_set claim_deadlines;
  std::unordered_map<slot_t, place_in_line> early_places; ///< of those in a line's `early`

  std::unordered_map<slot_t, second_chance> chances;
  deadline_set chance_deadlines;                           ///< pruned as events come
  std::unordered_map<identity, slot_t, id_hash> chance_of; ///< by the slot's first identity
  std::set<slot_t> reentered;                              ///< of this opening: had theirs

  std::unordered_map<identity, access_code, id_hash> codes;
  std::vector<code_batch> code_batches;
  std::unordered_map<slot_t, wish> wishes; ///< not answered yet; of waiting and admitted fans

  std::uint64_t credit_micro = 0; ///< the token bucket, in millionths of a fan,
  time_ms credit_at = 0;          ///< as it stood at this time
  std::int64_t ramp_tick = 0;     ///< on standby: which tick of the clock, and how many it admitted
  std::uint32_t ramp_used = 0;

  [[nodiscard]] room_status status() const { return waiting_room::status_of(mode, paused, left); }
  /// Whether it admits anybody now, but for rate and room.
  [[nodiscard]] bool admits() const;
  /// The lane of those without a code.
  [[nodiscard]] std::uint8_t general_tier() const {
    return static_cast<std::uint8_t>(set.tiers.size());
  }

  /// The next slot to be given; also how many were ever given.
  [[nodiscard]] slot_t joined() const { return static_cast<slot_t>(tickets.size()); }
  [[nodiscard]] std::uint32_t active() const {
    return static_cast<std::uint32_t>(admissions.size());
  }
  /// Who stands in the queue, passed over or not: what max_queue bounds.
  [[nodiscard]] std::uint32_t queued() const {
    return waiting + static_cast<std::uint32_t>(claims.size());
  }

  /// `unknown` for a slot that was never given.
  [[nodiscard]] ticket_status status_of(slot_t slot) const;

  /// The live place of an identity. At most one place is live per identity; "none" has no place.
  [[nodiscard]] std::optional<slot_t> place_of(const identity& who) const;
  /// Whatever has it as its first name and as a further one, live or not.
  [[nodiscard]] std::array<std::optional<slot_t>, 2> places_named(const identity& who) const;

  /// Where a waiting or passed-over fan stands. Looks through the drawn part of a line, so it is
  /// slow in a large draw; nothing that happens often asks.
  [[nodiscard]] std::optional<place_in_line> stands(slot_t slot) const;

  /// What the bucket holds at `now`: at most one tick's worth and a fraction of a fan, so that in
  /// any window of w seconds at most rate * (w + one tick) + 1 fans are admitted.
  [[nodiscard]] std::uint64_t credit_micro_at(time_ms now) const;

  /// How many more may be admitted by max_active and max_per_tick, if `ended` admissions are over.
  [[nodiscard]] std::uint64_t room_left(time_ms now, std::size_t ended) const;

  /// Bytes on the heap (estimated for the node-based tables).
  [[nodiscard]] std::size_t bytes_used() const;

  /// The same room: every later decision would be the same. Slow; for tests.
  bool operator==(const state& other) const;
};

/// Most the bucket may hold under these settings. For rates up to 10^12 micro (a million a second)
/// and ticks up to an hour, which the HTTP API enforces.
[[nodiscard]] std::uint64_t credit_cap_micro(const settings& set);

/// Most keys that one place can have beside its first name. Customers are not counted: a signed
/// token or a service vouches for each.
inline constexpr std::uint8_t seconds_max = 200;

/// Who these are, for limits per customer: the customer if one is known, else the key. A column;
/// empty if nobody is known.
[[nodiscard]] std::vector<identity> known(const state& room, const std::vector<slot_t>& slots);

/// What the clock brings to a room, and when.
struct step_due {
  enum class kind : std::uint8_t { prequeue, open };
  kind what = kind::open;
  time_ms at = 0;
};

/// The next one, due or not; none unless SCHEDULED or PREQUEUE.
[[nodiscard]] std::optional<step_due> next_step(const state& room);

/// Everybody who takes part in a draw now: the waiting ones of each tier, by slot.
[[nodiscard]] std::vector<std::vector<slot_t>> draw_participants(const state& room);

} // namespace usher::waiting_room

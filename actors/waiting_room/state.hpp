#pragma once

#include "actors/basics/chunked_vector.hpp"
#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "actors/waiting_room/event.hpp"
#include "actors/waiting_room/identity_index.hpp"
#include "actors/waiting_room/status.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace usher::waiting_room {

/// The right to choose and buy. It is over at now >= deadline(), and ends with one event.
struct admission {
  time_ms until = 0;      ///< its own deadline, from being admitted
  time_ms busy_until = 0; ///< what keeps it longer (a hold, an unpaid order); 0: nothing
  bool spent = false;     ///< an order is paid

  [[nodiscard]] time_ms deadline() const { return std::max(until, busy_until); }
  bool operator==(const admission&) const = default;
};

/// The whole state of one waiting room: the fold of its events. Only `apply` changes it.
struct state {
  state(); ///< OFF, default settings, nobody

  room_status status = room_status::off;
  settings set;

  slot_t lane_start = 0; ///< first slot of this opening; live tickets before it are closed
  slot_t head = 0;       ///< nobody before it waits
  std::uint32_t waiting = 0;

  chunked_vector<ticket_status> tickets; ///< by slot, as of the ticket's own last event
  chunked_vector<identity> identities;   ///< by slot: the customer, else the key, else none

  identity_index index;                                  ///< identities of this opening
  std::unordered_map<identity, slot_t, id_hash> seconds; ///< further identities of a slot

  std::unordered_map<slot_t, admission> admissions;
  std::set<std::pair<time_ms, slot_t>> deadlines; ///< of all admissions, earliest first

  std::uint64_t credit_micro = 0; ///< the token bucket, in millionths of a fan,
  time_ms credit_at = 0;          ///< as it stood at this time

  /// The next slot to be given; also how many were ever given.
  [[nodiscard]] slot_t joined() const { return static_cast<slot_t>(tickets.size()); }
  [[nodiscard]] std::uint32_t active() const {
    return static_cast<std::uint32_t>(admissions.size());
  }

  /// `unknown` for a slot that was never given.
  [[nodiscard]] ticket_status status_of(slot_t slot) const;

  /// The live place of an identity. At most one place is live per identity; "none" has no place.
  [[nodiscard]] std::optional<slot_t> place_of(const identity& who) const;

  /// What the bucket holds at `now`: at most one tick's worth and a fraction of a fan, so that in
  /// any window of w seconds at most rate * (w + one tick) + 1 fans are admitted.
  [[nodiscard]] std::uint64_t credit_micro_at(time_ms now) const;

  /// Bytes on the heap (estimated for the node-based tables).
  [[nodiscard]] std::size_t bytes_used() const;

  /// The same room: every later decision would be the same. Slow; for tests.
  bool operator==(const state& other) const;
};

/// Most the bucket may hold under these settings. For rates up to 10^12 micro (a million a second)
/// and ticks up to an hour, which the HTTP API enforces.
[[nodiscard]] std::uint64_t credit_cap_micro(const settings& set);

} // namespace usher::waiting_room

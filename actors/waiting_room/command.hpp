#pragma once

#include "actors/waiting_room/event.hpp"

#include <optional>
#include <variant>
#include <vector>

// What may be asked of a waiting room, what it answers, and how it says no.
namespace usher::waiting_room {

/// The rules say no. Part of the reply; nothing is recorded.
enum class rejection : std::uint8_t {
  room_off,       ///< join: the room is OFF
  room_full,      ///< join: max_queue are waiting
  not_admitted,   ///< the gate: no ticket, or a ticket that does not admit now
  unknown_ticket, ///< a slot that was never given
  already_ended,  ///< leave: the ticket has ended already
};

[[nodiscard]] std::string_view to_string(rejection reason);

namespace command {

struct configure {
  settings to;
};

struct open {};

struct close {};

/// One fan who wants a place. "None" identities: an anonymous join, always a new place.
struct joiner {
  std::uint64_t nonce = 0; ///< random, made at the edge; goes into the ticket
  identity customer;
  identity key;
};

/// Many joins decided at once, in this order.
struct join {
  std::vector<joiner> fans;
  time_ms now = 0;
};

/// Admits who is next and ends admissions whose deadline has come.
struct tick {
  time_ms now = 0;
};

/// The gate, and with it: something (hold, order) will keep the admission until `busy_until`.
/// Without a slot it passes only while the room is OFF.
struct enter {
  std::optional<slot_t> slot;
  time_ms busy_until = 0; ///< 0: only ask
  time_ms now = 0;
};

/// What keeps the admission changed (a hold released or expired, an order over); `paid`: an order
/// was paid. Never refused: an admission that has ended already stays as it is.
struct settle {
  slot_t slot = 0;
  time_ms busy_until = 0; ///< latest deadline of what is left; 0: nothing is left
  bool paid = false;
  time_ms now = 0;
};

/// The fan gives the place or the admission back.
struct leave {
  slot_t slot = 0;
};

} // namespace command

/// What became of one joiner.
struct joined {
  slot_t slot = 0;
  bool existed = false; ///< the same customer or key: the place was there already
};
using join_outcome = std::variant<joined, rejection>;

/// Accepted: these events, in this order (none: nothing changes, which is a success too).
using decision = std::variant<std::vector<any_event>, rejection>;

struct join_decision {
  /// Ends of admissions that are over and stood in the way, at most one fans_joined, then
  /// identifications and merges.
  std::vector<any_event> events;
  std::vector<join_outcome> outcomes; ///< one per joiner, in order
};

} // namespace usher::waiting_room

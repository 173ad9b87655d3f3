#pragma once

#include "actors/waiting_room/event.hpp"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// What may be asked of a waiting room, what it answers, and how it says no.
namespace usher::waiting_room {

/// The rules say no. Part of the reply; nothing is recorded.
enum class rejection : std::uint8_t {
  room_off,       ///< join: the room is OFF
  not_yet,        ///< join: the room is SCHEDULED
  sold_out,       ///< join: the room has ENDED
  room_full,      ///< join: max_queue are waiting
  code_unknown,   ///< join: no such access code
  code_used,      ///< join: a single-use code that somebody else used
  code_not_yet,   ///< join: the code's time has not come
  code_expired,   ///< join: the code's time is over
  not_admitted,   ///< the gate: no ticket, or a ticket that does not admit now
  unknown_ticket, ///< a slot that was never given
  already_ended,  ///< leave, revoke, wish: the ticket has ended already
  not_waiting,    ///< wish: the ticket is admitted already
  opens_at_past,  ///< configure: a new opens_at has to lie ahead
  room_running,   ///< configure: opens_at, tiers and beacon are fixed once fans may be in
  tier_in_use,    ///< configure: access codes name a tier that would vanish
  tier_unknown,   ///< add_codes: settings.tiers has no such tier
  too_many_codes, ///< add_codes: codes_max
  code_exists,    ///< add_codes: one is known already, with another tier, use or time
  not_open,       ///< pause, resume: the room is not open; standby: nor is it off
  no_draw,        ///< beacon: no draw is ahead, or its settings name no beacon
  beacon_fixed,   ///< beacon: another value was given already
};

[[nodiscard]] std::string_view to_string(rejection reason);

/// Most access codes of one show.
inline constexpr std::size_t codes_max = 1'000'000;

namespace command {

struct configure {
  settings to;
  bytes32 commitment{}; ///< SHA-256 of the seed, should this schedule a draw
  time_ms now = 0;
};

/// From SCHEDULED and PREQUEUE it takes the draw: `seed`, and `order` as the seed gives it.
struct open {
  bytes32 seed{};
  std::vector<slot_t> order;
};
struct close {};
struct pause {};
struct resume {};
struct standby {};

/// What the clock brings: PREQUEUE begins (`due` says when).
struct begin_prequeue {};

struct give_beacon {
  std::string value;
};

struct set_message {
  std::vector<std::pair<std::string, std::string>> texts;
};

/// Codes that are known already, of the same tier, use and time, are skipped: the call may be a
/// repetition.
struct add_codes {
  std::string batch;
  std::string tier;
  bool single_use = true;
  std::optional<time_ms> valid_from;
  std::optional<time_ms> valid_until;
  std::vector<identity> codes;
};

/// One fan who wants a place. "None" identities: an anonymous join, always a new place.
struct joiner {
  std::uint64_t nonce = 0; ///< random, made at the edge; goes into the ticket
  identity customer;
  identity key;
  identity code;                  ///< access code
  std::optional<slot_t> before{}; ///< the ticket carried along: its place, if it may come back
};

/// Many joins decided at once, in this order.
struct join {
  std::vector<joiner> fans;
  time_ms now = 0;
};

/// Somebody who had been passed over was heard of.
struct heard_of {
  slot_t slot = 0;
  time_ms at = 0;
};

/// Admits who is next and ends what is over.
struct tick {
  time_ms now = 0;
  stock left = stock::on_sale;     ///< as counted just now
  std::vector<heard_of> back = {}; ///< passed over, and heard of since
  /// When a slot was last heard of; none: everybody is present.
  std::function<time_ms(slot_t)> last_seen = {};
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

/// Several at once, each of another slot.
struct settle_all {
  std::vector<settle> each;
};

/// The fan gives the place or the admission back.
struct leave {
  slot_t slot = 0;
  std::optional<std::string> revoked{}; ///< set: an operator takes it away, for this reason
};

struct set_wish {
  slot_t slot = 0;
  std::optional<wish> wanted;
};

/// What became of an admitted fan's wish. Ignored unless one is open.
struct answer_wish {
  slot_t slot = 0;
  hold_id hold;
  std::string reason;
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
  /// promotions, re-entries, identifications, merges and (on standby) an admission.
  std::vector<any_event> events;
  std::vector<join_outcome> outcomes; ///< one per joiner, in order
};

} // namespace usher::waiting_room

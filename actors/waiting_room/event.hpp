#pragma once

#include "actors/basics/ids.hpp"
#include "actors/basics/time.hpp"
#include "actors/waiting_room/settings.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// What can have happened in a waiting room. Subject in the log: `queue/<show>`.
namespace usher::waiting_room {

/// Why a ticket ended. The names are stored: append, never rename.
enum class end_reason : std::uint8_t {
  left,
  expired, ///< the admission's deadline
  used,
  closed,
  merged,
  absent,  ///< passed over, and did not come back within claim_ttl_ms
  idle,    ///< admitted, and not heard of for idle_timeout_ms
  revoked, ///< by an operator
};

[[nodiscard]] std::string_view to_string(end_reason reason);
[[nodiscard]] std::optional<end_reason> end_reason_of(std::string_view name);

/// What is left of the show's seats, as far as admitting goes. The names are stored.
enum class stock : std::uint8_t {
  on_sale,   ///< something is AVAILABLE, or the show's seats are kept elsewhere
  all_taken, ///< nothing is AVAILABLE, something is held or unpaid
  sold_out,  ///< nothing is AVAILABLE, held or unpaid
};

[[nodiscard]] std::string_view to_string(stock left);
[[nodiscard]] std::optional<stock> stock_of(std::string_view name);

/// A SHA-256, or a seed of as many bytes.
using bytes32 = std::array<std::uint8_t, 32>;

/// What a fan wants, prepared while waiting. On admission the best matching seats are held.
struct wish {
  std::string category;                        ///< a category's id, or empty: any
  std::string block;                           ///< a block's id, or empty: any
  std::uint32_t quantity = 1;                  ///< 1 to holds.maxSeats
  std::uint32_t accessible = 0;                ///< how many of them have to be accessible
  std::optional<std::int64_t> price_max_minor; ///< for one seat
  bool operator==(const wish&) const = default;
};

namespace event {

/// The settings as they are from now on (all of them, not a difference), and as they were.
struct room_configured {
  settings to;
  std::optional<settings> was{}; ///< none in logs of the first schema
  bool operator==(const room_configured&) const = default;
};

/// OFF or SCHEDULED -> SCHEDULED: opens by itself at settings.opens_at. Commits to the draw: its
/// seed is secret until places_drawn.
struct room_scheduled {
  bytes32 commitment{}; ///< SHA-256 of the seed
  bool operator==(const room_scheduled&) const = default;
};

/// SCHEDULED -> OFF: opens_at was taken back.
struct room_unscheduled {
  bool operator==(const room_unscheduled&) const = default;
};

/// SCHEDULED -> PREQUEUE: fans may come in.
struct prequeue_opened {
  bool operator==(const prequeue_opened&) const = default;
};

/// The public value of settings.beacon, before the draw; at most once for each room_scheduled.
struct beacon_given {
  std::string value;
  bool operator==(const beacon_given&) const = default;
};

/// The draw. Stands directly before the room_opened that ends SCHEDULED or PREQUEUE. Afterwards
/// everybody who waited stands in this order, tier by tier: sorted by
/// HMAC-SHA256(seed ‖ beacon, slot as 4 bytes, big-endian), as docs/draw.md says.
struct places_drawn {
  bytes32 seed{};
  std::string beacon; ///< of beacon_given, or empty
  std::vector<slot_t> order;
  bool operator==(const places_drawn&) const = default;
};

/// OFF, SCHEDULED, PREQUEUE or STANDBY -> OPEN.
struct room_opened {
  bool operator==(const room_opened&) const = default;
};

/// OFF or OPEN -> STANDBY.
struct room_put_on_standby {
  bool operator==(const room_put_on_standby&) const = default;
};

/// By an operator: nobody is admitted until room_resumed. Places stay.
struct room_paused {
  bool operator==(const room_paused&) const = default;
};

struct room_resumed {
  bool operator==(const room_resumed&) const = default;
};

/// What is left of the show's seats changed: an open room pauses by itself, ends or goes on.
struct stock_changed {
  stock left = stock::on_sale;
  bool operator==(const stock_changed&) const = default;
};

/// Any -> OFF. Ends every waiting or admitted ticket with the reason `closed`; the gate is off from
/// here on, opens_at is forgotten, and single-use codes whose fans still wait and were never
/// admitted can be used again.
struct room_closed {
  bool operator==(const room_closed&) const = default;
};

/// Fans took the slots [first, first + nonces.size()), each at the end of its tier. Columns of
/// equal length, one entry a fan. All but `nonces` may be empty as a whole (nobody had one), and an
/// entry may be "none".
struct fans_joined {
  slot_t first = 0;
  std::vector<std::uint64_t> nonces;
  std::vector<identity> customers;   ///< keyed hash of the customer id
  std::vector<identity> keys;        ///< keyed hash of an idempotency key
  std::vector<identity> codes{};     ///< keyed hash of the access code
  std::vector<std::uint8_t> tiers{}; ///< index into settings.tiers; its size: no tier (general)
  bool operator==(const fans_joined&) const = default;
};

/// A second identity of a fan who already has a place (signed in midway, or a retry with a key).
struct fan_identified {
  slot_t slot = 0;
  identity who;
  bool customer = false; ///< a customer of the seller's, not just a key
  bool operator==(const fan_identified&) const = default;
};

/// A waiting fan came with a code of a better tier, and stands at its end now.
struct fan_promoted {
  slot_t slot = 0;
  std::uint8_t tier = 0;
  identity code;
  bool operator==(const fan_promoted&) const = default;
};

/// It was their turn and they had not been heard of for absent_after_ms. They keep the claim.
struct fans_passed_over {
  std::vector<slot_t> slots;
  std::vector<time_ms> seen; ///< the evidence: when each was last heard of
  bool operator==(const fans_passed_over&) const = default;
};

/// They were passed over, and came back: they stand where they stood.
struct fans_returned {
  std::vector<slot_t> slots;
  std::vector<time_ms> seen; ///< the evidence: when each was heard of again
  bool operator==(const fans_returned&) const = default;
};

/// An admission that had expired or gone idle waits again where it stood, once.
struct fan_reentered {
  slot_t slot = 0;
  bool operator==(const fan_reentered&) const = default;
};

/// Left the queue and were admitted, in one step, in this order.
struct fans_admitted {
  std::vector<slot_t> slots;
  time_ms until = 0;                   ///< deadline of these admissions
  std::uint64_t credit_left_micro = 0; ///< what the token bucket holds after this
  /// Column: who each is, for limits per customer; empty as a whole if nobody is known.
  std::vector<identity> who{};
  bool operator==(const fans_admitted&) const = default;
};

/// The admission lives until the later of its own deadline and `busy_until` (a live hold, an unpaid
/// order). `spent`: an order is paid, so that it ends as `used` when nothing keeps it any more.
struct admission_kept {
  slot_t slot = 0;
  time_ms busy_until = 0; ///< 0: nothing keeps it
  bool spent = false;
  bool operator==(const admission_kept&) const = default;
};

/// The one event that ends these tickets, except for room_closed and ticket_revoked.
struct tickets_ended {
  end_reason reason = end_reason::left;
  std::vector<slot_t> slots;
  bool operator==(const tickets_ended&) const = default;
};

/// An operator ended this ticket.
struct ticket_revoked {
  slot_t slot = 0;
  std::string note; ///< the operator's reason; the fan reads it
  bool operator==(const ticket_revoked&) const = default;
};

/// An operator uploaded access codes.
struct codes_added {
  std::string batch;
  std::string tier; ///< one of settings.tiers
  bool single_use = true;
  std::optional<time_ms> valid_from;
  std::optional<time_ms> valid_until; ///< over at now >= valid_until
  std::vector<identity> codes;        ///< keyed hashes
  bool operator==(const codes_added&) const = default;
};

/// An operator tells all who wait: one text a language (BCP 47 tag); none: nothing any more.
struct message_set {
  std::vector<std::pair<std::string, std::string>> texts;
  bool operator==(const message_set&) const = default;
};

/// A waiting fan prepared the purchase; none: took it back.
struct wish_set {
  slot_t slot = 0;
  std::optional<wish> wanted;
  bool operator==(const wish_set&) const = default;
};

/// What became of an admitted fan's wish.
struct wish_answered {
  slot_t slot = 0;
  hold_id hold;       ///< none: nothing could be held
  std::string reason; ///< kebab-case, if nothing could be held
  bool operator==(const wish_answered&) const = default;
};

} // namespace event

using any_event =
    std::variant<event::room_configured, event::room_scheduled, event::room_unscheduled,
                 event::prequeue_opened, event::beacon_given, event::places_drawn,
                 event::room_opened, event::room_put_on_standby, event::room_paused,
                 event::room_resumed, event::stock_changed, event::room_closed, event::fans_joined,
                 event::fan_identified, event::fan_promoted, event::fans_passed_over,
                 event::fans_returned, event::fan_reentered, event::fans_admitted,
                 event::admission_kept, event::tickets_ended, event::ticket_revoked,
                 event::codes_added, event::message_set, event::wish_set, event::wish_answered>;

} // namespace usher::waiting_room

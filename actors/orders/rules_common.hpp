#pragma once

#include "actors/orders/rules.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

// What several of the desk's rules share. Of no use outside this folder.
namespace usher::orders::common {

/// Has an earlier call with this key decided the matter? Nothing: the key is new, or forgotten.
/// `Id` is the kind of thing that the call makes, `began_payment` whether it starts a payment;
/// anything else under the key is key_reused.
template <class Id>
std::optional<decision> seen_before(const state& desk, const std::optional<idempotency>& asked,
                                    time_ms now, bool began_payment = false) {
  if (!asked || asked->key.is_none())
    return std::nullopt;
  const auto found = desk.keys.find(asked->key);
  if (found == desk.keys.end() || now - found->second.at >= key_life_ms)
    return std::nullopt;
  const auto& known = found->second;
  if (known.fingerprint != asked->fingerprint || !std::holds_alternative<Id>(known.what) ||
      known.payment.is_none() == began_payment)
    return rejection::key_reused;
  if (!began_payment)
    return repeated{known.what, std::nullopt, std::nullopt};
  return repeated{known.what, known.payment, std::nullopt};
}

/// May whoever has this admission (or none), or the box office, dispose of the hold? One that was
/// made without an admission, while the room was OFF, belongs to whoever has its id.
[[nodiscard]] bool may_use(const hold& it, const std::optional<slot_t>& who, bool box_office);

/// Why the hold cannot be changed or ordered at `now`; nothing if it is live.
[[nodiscard]] std::optional<rejection> not_changeable(const hold& it, time_ms now);

/// Waiting for money, or for its outcome, at `now`.
[[nodiscard]] bool is_open(const order& it, time_ms now);

/// Open, or money came: nothing else may be ordered in its place.
[[nodiscard]] bool stands(const order& it, time_ms now);

/// Until when an open order keeps what it keeps.
[[nodiscard]] time_ms deadline(const order& it);

/// Does the hold have its seats at `now`: in time (even if its order is over and not swept yet), or
/// with an open order, or sold?
[[nodiscard]] bool has_seats(const state& desk, const hold& it, time_ms now);

/// Seats that the hold has and that were not returned to sale.
[[nodiscard]] std::size_t seats_left(const hold& it);

/// Would so many more seats be too many for this admission (none: for this hold alone) or for its
/// customer?
struct seat_limits {
  std::optional<slot_t> owner;
  identity customer;
  std::uint32_t max_seats = 0;
  std::optional<std::uint32_t> max_seats_per_customer;
};
[[nodiscard]] std::optional<rejection> too_many(const state& desk, const seat_limits& who,
                                                const hold* of, std::size_t more, time_ms now);

/// What does not keep an admission any more.
struct without {
  std::vector<hold_id> holds;
  std::vector<order_id> orders;
};

/// Latest deadline of what keeps this admission at `now`: live holds, pending orders, and payments
/// whose outcome is unknown, even if their time has come. 0: nothing.
[[nodiscard]] time_ms kept_until(const state& desk, slot_t owner, time_ms now,
                                 const without& but = {});

/// Tells the room of the owner what is left; nothing to tell without an owner.
[[nodiscard]] room_work settle(const std::optional<slot_t>& owner, time_ms busy_until, bool paid,
                               time_ms now);

/// The room has to let the owner in and keep the admission.
[[nodiscard]] room_work enter(const state& desk, const std::optional<slot_t>& owner, time_ms until,
                              time_ms now, const without& but = {});

/// Seats by block, sorted by block id. `Seat` has an id and a block.
template <class Seat>
[[nodiscard]] std::map<block_id, std::vector<seat_id>> by_block(const std::vector<Seat>& seats) {
  std::map<block_id, std::vector<seat_id>> grouped;
  for (const auto& seat : seats)
    grouped[seat.block].push_back(seat.id);
  return grouped;
}

/// One hold command for each block.
[[nodiscard]] std::vector<block_work> hold_work(const hold_id& id, std::uint32_t generation,
                                                const std::vector<offered_seat>& seats,
                                                time_ms until, time_ms now);

/// One sale for each block.
[[nodiscard]] std::vector<block_work> sell_work(const hold_id& id, const hold& it,
                                                const order_id& order, time_ms now);

/// One release for each block in which one of these holds has seats, sorted.
[[nodiscard]] std::vector<block_work>
release_work(const std::vector<std::pair<hold_id, const hold*>>& holds);

/// The order is over without money: its hold ends and its seats are given back. `wanted` has its
/// other events.
void give_up(proposal& wanted, const state& desk, const order_id& id, const order& it,
             hold_end reason, time_ms now);

/// Why a live hold that is given up now has ended: its time may have come unnoticed.
[[nodiscard]] hold_end end_of(const hold& it, hold_end wanted, time_ms now);

} // namespace usher::orders::common

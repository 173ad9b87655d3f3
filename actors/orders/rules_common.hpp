#pragma once

#include "actors/orders/rules.hpp"

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
    return repeated{known.what, std::nullopt};
  return repeated{known.what, known.payment};
}

/// May whoever has this admission (or none) dispose of the hold? A hold made without an admission
/// belongs to whoever has its id.
[[nodiscard]] bool may_use(const hold& it, const std::optional<slot_t>& who);

/// Waiting for money, or for its outcome, at `now`.
[[nodiscard]] bool is_open(const order& it, time_ms now);

/// Open, or money came: nothing else may be ordered in its place.
[[nodiscard]] bool stands(const order& it, time_ms now);

/// Does the hold have its seats at `now`: in time (even if its order is over and not swept yet), or
/// with an open order, or sold?
[[nodiscard]] bool has_seats(const state& desk, const hold& it, time_ms now);

/// Latest deadline of what keeps this admission at `now`, apart from one hold and one order: live
/// holds, pending orders, and payments whose outcome is unknown, even if their time has come.
/// 0: nothing.
[[nodiscard]] time_ms kept_until(const state& desk, slot_t owner, time_ms now,
                                 const hold_id& but_hold = {}, const order_id& but_order = {});

/// Tells the room of the owner what is left; nothing to tell without an owner.
[[nodiscard]] room_work settle(const std::optional<slot_t>& owner, time_ms busy_until, bool paid,
                               time_ms now);

/// The room has to let the owner in and keep the admission.
[[nodiscard]] room_work enter(const state& desk, const std::optional<slot_t>& owner, time_ms until,
                              time_ms now, const hold_id& but_hold = {});

/// Seats by block, sorted by block id.
[[nodiscard]] std::vector<std::pair<block_id, std::vector<seat_id>>>
by_block(const std::vector<offered_seat>& seats);

/// One release for each block in which one of these holds has seats, sorted.
[[nodiscard]] std::vector<block_work>
release_work(const std::vector<std::pair<hold_id, const hold*>>& holds);

/// Why a live hold that is given up now has ended: its time may have come unnoticed.
[[nodiscard]] hold_end end_of(const hold& it, hold_end wanted, time_ms now);

} // namespace usher::orders::common

#pragma once

#include "actors/waiting_room/event.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

// The draw of a prequeue: what is secret, what is published, and the order that follows from it.
// docs/draw.md says how anybody checks it.
namespace usher::runtime {

using waiting_room::bytes32;

/// The seed of the n-th draw (from 1) that a room schedules. `key` is secret for ever, the seed
/// until the draw; nothing has to be stored for a draw, so no crash can lose its seed.
[[nodiscard]] bytes32 draw_seed(const bytes32& key, std::string_view subject, std::uint32_t number);

/// SHA-256 of the seed: published when the room is scheduled.
[[nodiscard]] bytes32 commitment_of(const bytes32& seed);

/// Each tier's tickets, sorted by HMAC-SHA256(seed ‖ beacon, slot as 4 bytes, big-endian), one tier
/// after the other. A million take about half a second.
[[nodiscard]] std::vector<slot_t> draw_order(const bytes32& seed, std::string_view beacon,
                                             const std::vector<std::vector<slot_t>>& tiers);

/// The same order, worked out a little at a time while the fans are still coming, so that at the
/// opening nobody waits for a million hashes. About ten bytes a ticket. Not thread-safe.
class draw_ahead {
public:
  draw_ahead();
  ~draw_ahead();
  draw_ahead(draw_ahead&&) noexcept;
  draw_ahead& operator=(draw_ahead&&) noexcept;

  /// The draw that is ahead, and the first ticket that may take part. Starts anew if it is another
  /// one than before: a beacon changes every hash.
  void aim(const bytes32& seed, std::string_view beacon, slot_t first);
  /// Forgets everything.
  void rest();

  /// Tickets below this one are ready.
  [[nodiscard]] slot_t ready_below() const;
  /// Works out those below `end`, at most so many.
  void go_on(slot_t end, std::size_t most);

  /// As draw_order. All of these tickets have to be ready.
  [[nodiscard]] std::vector<slot_t> order(const std::vector<std::vector<slot_t>>& tiers) const;

private:
  struct lots;
  std::unique_ptr<lots> lots_;
};

} // namespace usher::runtime

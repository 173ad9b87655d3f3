#pragma once

#include "actors/basics/ids.hpp"
#include "actors/waiting_room/status.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace usher::waiting_room {

/// Who is still there, in order, and how many come before a place. A bitmap of the departed with
/// two levels of counters: departures before a block inside its superblock, and before a
/// superblock; so a rank is two counters and at most eight popcounts. Places only ever grow at the
/// end: a draw gives everybody a new place behind the old ones.
///
/// One writer; readers on any thread, without locks. One value alone is always whole, but several
/// fit together only inside a sequence lock. Stores release and loads acquire, which is what
/// sequence_lock asks for.
class lane {
public:
  static constexpr slot_t block_slots = 512; ///< 8 words: one cache line
  static constexpr slot_t superblock_slots = 65'536;

  lane() = default;
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;
  ~lane();

  // Writer only.
  void append(slot_t count); ///< places [size(), size() + count) are taken; at most places_max
  void depart(slot_t place); ///< place < size(), still there
  void arrive(slot_t place); ///< place < size(), departed: is there again

  [[nodiscard]] slot_t size() const { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] slot_t present() const {
    return size() - departed_.load(std::memory_order_acquire);
  }
  [[nodiscard]] bool is_present(slot_t place) const;       ///< place < size()
  [[nodiscard]] slot_t present_before(slot_t place) const; ///< place < size()

  /// Bytes on the heap. Writer only.
  [[nodiscard]] std::size_t bytes_used() const;

private:
  /// What a snapshot keeps of it: actors/runtime/snapshot/.
  template <class Io>
  friend void snapshot_fields(Io& io, lane& those);

  static constexpr slot_t word_slots = 64;
  static constexpr slot_t superblocks_max = places_max / superblock_slots;

  struct superblock {
    std::array<std::atomic<std::uint64_t>, superblock_slots / word_slots> departed;
    std::array<std::atomic<std::uint16_t>, superblock_slots / block_slots> departed_before;
  };

  [[nodiscard]] slot_t superblocks() const;

  /// Flips the departed bit and adds `change` (1, or -1 in unsigned) to what counts it.
  void count(slot_t place, slot_t change);

  // Allocated with the first slot of each; never moved or freed before the lane is.
  std::array<std::atomic<superblock*>, superblocks_max> superblocks_{};
  std::array<std::atomic<slot_t>, superblocks_max> departed_before_{};
  std::atomic<slot_t> size_{0};
  std::atomic<slot_t> departed_{0};
};

} // namespace usher::waiting_room

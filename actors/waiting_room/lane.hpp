#pragma once

#include "actors/basics/ids.hpp"
#include "actors/waiting_room/status.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace usher::waiting_room {

/// Who is still there, in order of arrival, and how many come before a slot. A bitmap of the
/// departed with two levels of counters: departures before a block inside its superblock, and
/// before a superblock; so a rank is two counters and at most eight popcounts.
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
  void append(slot_t count); ///< slots [size(), size() + count) are there; at most slots_max in all
  void depart(slot_t slot);  ///< slot < size(), still there

  [[nodiscard]] slot_t size() const { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] slot_t present() const {
    return size() - departed_.load(std::memory_order_acquire);
  }
  [[nodiscard]] bool is_present(slot_t slot) const;       ///< slot < size()
  [[nodiscard]] slot_t present_before(slot_t slot) const; ///< slot < size()

  /// Bytes on the heap. Writer only.
  [[nodiscard]] std::size_t bytes_used() const;

private:
  static constexpr slot_t word_slots = 64;
  static constexpr slot_t superblocks_max = slots_max / superblock_slots;

  struct superblock {
    std::array<std::atomic<std::uint64_t>, superblock_slots / word_slots> departed;
    std::array<std::atomic<std::uint16_t>, superblock_slots / block_slots> departed_before;
  };

  [[nodiscard]] slot_t superblocks() const;

  // Allocated with the first slot of each; never moved or freed before the lane is.
  std::array<std::atomic<superblock*>, superblocks_max> superblocks_{};
  std::array<std::atomic<slot_t>, superblocks_max> departed_before_{};
  std::atomic<slot_t> size_{0};
  std::atomic<slot_t> departed_{0};
};

} // namespace usher::waiting_room

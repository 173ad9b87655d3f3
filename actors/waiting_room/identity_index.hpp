#pragma once

#include "actors/basics/chunked_vector.hpp"
#include "actors/basics/ids.hpp"
#include "actors/waiting_room/status.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace usher::waiting_room {

/// From an identity to the newest slot that has it. Stores slot numbers only (4 bytes an entry) and
/// compares with the identities that the room keeps per slot anyway. Open addressing; 256 tables by
/// hash bits, each of which grows alone, so that no join ever waits for a rehash of everything.
class identity_index {
public:
  using identities = chunked_vector<identity>;
  using statuses = chunked_vector<ticket_status>;

  /// The slot last put for `who`, live or not.
  [[nodiscard]] std::optional<slot_t> find(const identity& who, const identities& known) const;

  /// Binds known[slot] to `slot`; an older slot of the same identity is forgotten. A table that has
  /// to grow drops the entries whose tickets have ended.
  void put(slot_t slot, const identities& known, const statuses& tickets);

  void clear();

  /// Bytes on the heap.
  [[nodiscard]] std::size_t bytes_used() const;

private:
  /// What a snapshot keeps of it: actors/runtime/snapshot/.
  template <class Io>
  friend void snapshot_fields(Io& io, identity_index& index);

  struct table {
    std::vector<slot_t> entries; ///< a power of two, or empty
    std::uint32_t used = 0;
  };

  static void grow(table& full, const identities& known, const statuses& tickets);

  std::array<table, 256> tables_;
};

} // namespace usher::waiting_room

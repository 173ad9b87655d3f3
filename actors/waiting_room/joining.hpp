#pragma once

#include "actors/waiting_room/command.hpp"
#include "actors/waiting_room/state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace usher::waiting_room {

/// One batch of joins while it is being decided: the room as it would be after the fans so far.
/// Who joins again keeps the place; who turns out to have two keeps the better one. The room must
/// outlive this and not change. An admission whose deadline has come counts as ended, and is.
class joining {
public:
  joining(const state& room, std::size_t fans, time_ms now);

  void add(const command::joiner& fan);
  [[nodiscard]] join_decision decided() &&;

private:
  using place = std::optional<slot_t>;

  [[nodiscard]] join_outcome outcome_of(const command::joiner& fan);
  [[nodiscard]] join_outcome new_place(const command::joiner& fan);
  [[nodiscard]] place place_of(const identity& who);
  [[nodiscard]] bool is_busy(slot_t slot) const;
  void end_if_over(slot_t slot);
  [[nodiscard]] ticket_status status_of(slot_t slot) const;
  [[nodiscard]] bool is_better(slot_t one, slot_t other) const;
  [[nodiscard]] slot_t next_slot() const;
  [[nodiscard]] bool is_superseded(const any_event& happened) const;
  void merge_away(slot_t slot);
  void identify(slot_t slot, const identity& who, place before);

  const state& room_;
  time_ms now_;
  std::unordered_map<slot_t, end_reason> over_; ///< ended by their deadline, in this batch
  event::fans_joined fresh_;
  std::vector<any_event> afterwards_; ///< identifications and merges
  std::vector<join_outcome> outcomes_;
  std::unordered_map<identity, slot_t, id_hash> bound_; ///< in this batch
  std::unordered_set<slot_t> merged_;                   ///< in this batch
  std::uint32_t waiting_;
};

} // namespace usher::waiting_room

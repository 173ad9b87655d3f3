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
/// Who joins again keeps the place; who turns out to have two keeps the better one. A code that
/// does not fit refuses the join, whoever comes with it. The room must outlive this and not change.
/// An admission whose deadline has come counts as ended, and is.
class joining {
public:
  joining(const state& room, std::size_t fans, time_ms now);

  void add(const command::joiner& fan);
  [[nodiscard]] join_decision decided() &&;

private:
  using place = std::optional<slot_t>;
  /// The live places that a joiner turns out to have.
  struct places {
    place by_customer;
    place by_key;
    place by_ticket;
  };

  [[nodiscard]] join_outcome outcome_of(const command::joiner& fan);
  [[nodiscard]] join_outcome old_place(const command::joiner& fan, const places& found);
  [[nodiscard]] join_outcome new_place(const command::joiner& fan);
  [[nodiscard]] std::optional<rejection> refusal_of_room() const;

  // Codes
  [[nodiscard]] std::optional<rejection> refusal_of_code(const identity& code,
                                                         const std::vector<slot_t>& own) const;
  [[nodiscard]] place user_of(const identity& code) const;
  [[nodiscard]] std::uint8_t tier_at(slot_t slot) const;
  [[nodiscard]] std::uint8_t tier_of(const identity& code) const;
  void use_code(const identity& code, slot_t slot);
  void promote(slot_t slot, const identity& code);

  // Coming back
  [[nodiscard]] place chance_of(const command::joiner& fan) const;
  [[nodiscard]] bool has_chance(slot_t slot) const;

  // Who is who
  [[nodiscard]] place place_of(const identity& who);
  void bind_again(slot_t slot);
  [[nodiscard]] place by_ticket(place before);
  [[nodiscard]] place live(place slot);
  [[nodiscard]] bool is_busy(slot_t slot) const;
  void end_if_over(slot_t slot);
  [[nodiscard]] ticket_status status_of(slot_t slot) const;
  [[nodiscard]] place_in_line stands(slot_t slot) const;
  [[nodiscard]] bool is_better(slot_t one, slot_t other) const;
  [[nodiscard]] slot_t next_slot() const;
  [[nodiscard]] bool is_superseded(const any_event& happened) const;
  void merge_away(slot_t slot);
  void identify(slot_t slot, const identity& who, bool customer, place before);
  [[nodiscard]] bool has_room_for_identity(slot_t slot) const;
  [[nodiscard]] bool stands_before(slot_t one, slot_t other) const;

  // Standby
  [[nodiscard]] bool may_enter_at_once() const;
  void admit_at_once(slot_t slot);

  const state& room_;
  time_ms now_;
  std::unordered_map<slot_t, end_reason> over_; ///< ended by their deadline, in this batch
  event::fans_joined fresh_;
  event::fans_admitted admitted_;
  std::uint64_t credit_micro_;
  std::vector<any_event> afterwards_; ///< promotions, re-entries, identifications and merges
  std::vector<join_outcome> outcomes_;
  std::unordered_map<identity, slot_t, id_hash> bound_;      ///< in this batch
  std::unordered_map<identity, slot_t, id_hash> codes_used_; ///< in this batch
  std::unordered_map<slot_t, std::uint8_t> promoted_;        ///< in this batch, to this tier
  std::unordered_map<slot_t, std::uint32_t> identified_;     ///< in this batch, how often
  std::unordered_set<slot_t> merged_;                        ///< in this batch
  std::unordered_set<slot_t> reentered_;                     ///< in this batch
  std::unordered_set<slot_t> let_in_;                        ///< admitted in this batch
  std::uint32_t waiting_;                                    ///< present ones
  std::uint32_t queued_;
};

} // namespace usher::waiting_room

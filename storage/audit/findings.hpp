#pragma once

#include "storage/record.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// What the audit can find wrong. docs/audit.md says what each name means.
namespace usher::storage::audit {

enum class fault : std::uint8_t {
  // the record itself
  event_unreadable,
  event_misplaced,
  show_unknown,
  show_created_wrongly,
  time_ran_backwards,
  // the waiting room
  room_state_wrong,
  join_while_off,
  slots_out_of_order,
  ticket_unknown,
  ticket_ended_twice,
  admitted_while_off,
  admitted_twice,
  admitted_out_of_turn,
  over_capacity,
  over_rate,
  over_max_per_tick,
  deadline_wrong,
  expired_early,
  admission_not_live,
  // seats
  seat_not_in_plan,
  seat_held_twice,
  seat_sold_twice,
  sold_while_held,
  seat_released_by_other,
  plan_drops_seat,
  // several subjects in one batch
  hold_seats_differ,
  held_without_hold,
  paid_seats_differ,
  sold_without_paid,
  released_without_end,
  money_without_outcome,
  // the desk
  hold_placed_twice,
  hold_without_admission,
  over_max_seats,
  hold_unknown,
  hold_ended_wrongly,
  hold_expired_early,
  order_placed_twice,
  order_without_admission,
  order_without_hold,
  order_total_wrong,
  order_unknown,
  order_ended_wrongly,
  order_expired_early,
  payment_not_allowed,
  payment_unknown,
  payment_settled_twice,
  order_paid_twice,
  refund_not_due,
};

inline constexpr std::size_t fault_count = static_cast<std::size_t>(fault::refund_not_due) + 1;

/// The permanent name: `seat-sold-twice`.
[[nodiscard]] std::string_view to_string(fault what);

struct violation {
  position_t position = 0;
  time_ms at = 0;
  std::string subject;
  fault what = fault::event_unreadable;
  std::string sentence;
};

/// Counts every violation and keeps the first ones.
class findings {
public:
  explicit findings(std::size_t list_max) : list_max_{list_max} {}

  void add(violation found);

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] const std::map<fault, std::uint64_t>& by_fault() const { return by_fault_; }
  /// In order of position.
  [[nodiscard]] std::vector<violation> listed() const;

private:
  std::size_t list_max_;
  std::uint64_t total_ = 0;
  std::map<fault, std::uint64_t> by_fault_;
  std::vector<violation> listed_;
};

/// The record that is being looked at, and where to say what is wrong with it.
class spot {
public:
  spot(const record& which, position_t position, findings& into)
      : at_{which.at}, position_{position}, subject_{which.subject}, into_{&into} {}

  void report(fault what, std::string sentence) const {
    into_->add({position_, at_, subject_, what, std::move(sentence)});
  }
  [[nodiscard]] time_ms at() const { return at_; }

private:
  time_ms at_;
  position_t position_;
  std::string subject_;
  findings* into_;
};

} // namespace usher::storage::audit

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
  // the waiting room: its states and settings
  room_state_wrong,
  settings_fixed,
  settings_differ,
  opened_early,
  // the draw
  opened_without_draw,
  draw_without_opening,
  drawn_twice,
  beacon_wrong,
  draw_seed_wrong,
  draw_beacon_wrong,
  draw_members_wrong,
  draw_order_wrong,
  // who waits
  join_while_off,
  join_while_scheduled,
  join_while_ended,
  over_max_queue,
  slots_out_of_order,
  ticket_unknown,
  codes_added_wrongly,
  code_unknown,
  code_not_valid,
  code_used_twice,
  tier_wrong,
  promoted_wrongly,
  passed_over_wrongly,
  passed_over_early,
  passed_over_out_of_turn,
  returned_wrongly,
  returned_late,
  reentered_wrongly,
  reentered_twice,
  reentered_late,
  wish_set_wrongly,
  wish_answered_wrongly,
  // who is admitted
  admitted_while_off,
  admitted_before_opening,
  admitted_while_paused,
  admitted_while_none_left,
  admitted_twice,
  admitted_out_of_turn,
  admitted_as_another,
  over_capacity,
  over_rate,
  over_max_per_tick,
  deadline_wrong,
  admission_not_live,
  // how tickets end
  ticket_ended_twice,
  expired_early,
  used_early,
  idle_early,
  absent_early,
  // seats
  seat_not_in_plan,
  seat_held_twice,
  seat_sold_twice,
  sold_while_held,
  seat_released_by_other,
  generation_too_old,
  seat_not_on_sale,
  blocked_wrongly,
  unblocked_wrongly,
  seat_returned_wrongly,
  plan_drops_seat,
  seats_not_conserved,
  // several subjects in one batch
  hold_seats_differ,
  held_until_differs,
  held_without_hold,
  generation_wrong,
  paid_seats_differ,
  sold_without_paid,
  released_without_end,
  released_seats_differ,
  withdrawn_without_block,
  returned_seats_differ,
  money_without_outcome,
  money_does_not_add_up,
  surplus_not_refunded,
  refund_not_started,
  tickets_missing,
  payment_without_seats,
  seats_kept_too_long,
  // the desk
  hold_placed_twice,
  hold_without_admission,
  box_office_by_other,
  over_max_seats,
  hold_unknown,
  hold_changed_wrongly,
  over_max_life,
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
  payment_followed_wrongly,
  payment_known_wrongly,
  payment_reported_wrongly,
  money_reported_twice,
  report_kept_wrongly,
  order_paid_twice,
  paid_wrong_amount,
  sold_though_cancelled,
  refund_not_due,
  // what goes back, and tickets
  refund_started_wrongly,
  refund_too_large,
  refund_seats_wrong,
  refund_unknown,
  refund_settled_twice,
  refund_refused_wrongly,
  return_not_allowed,
  tickets_wrong,
  ticket_used_wrongly,
  // gateways
  breaker_changed_wrongly,
  breaker_opened_wrongly,
  breaker_tried_early,
};

inline constexpr std::size_t fault_count = static_cast<std::size_t>(fault::breaker_tried_early) + 1;

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
  spot(const stored_record& which, findings& into)
      : at_{which.at},
        position_{which.position},
        batch_{which.batch_first},
        schema_{which.schema},
        by_clock_{which.cause.who == "usher"},
        by_operator_{which.cause.who.starts_with("operator:")},
        subject_{which.subject},
        into_{&into} {}

  void report(fault what, std::string sentence) const {
    into_->add({position_, at_, subject_, what, std::move(sentence)});
  }
  [[nodiscard]] time_ms at() const { return at_; }
  [[nodiscard]] position_t batch() const { return batch_; } ///< where it begins
  [[nodiscard]] std::uint32_t schema() const { return schema_; }
  /// Nobody asked for it: time brought it.
  [[nodiscard]] bool by_clock() const { return by_clock_; }
  [[nodiscard]] bool by_operator() const { return by_operator_; }

private:
  time_ms at_;
  position_t position_;
  position_t batch_;
  std::uint32_t schema_;
  bool by_clock_;
  bool by_operator_;
  std::string subject_;
  findings* into_;
};

} // namespace usher::storage::audit

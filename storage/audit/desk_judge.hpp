#pragma once

#include "storage/audit/batch_audit.hpp"
#include "storage/audit/world.hpp"

#include <string>
#include <vector>

namespace usher::storage::audit {

/// One event of a desk: judged against the show as it was, then taken into it as it stands. Two
/// files share the work; each says which part is its.
class desk_judge {
public:
  desk_judge(show& where, const show_id& id, batch_audit& together, const spot& here)
      : show_{where}, id_{id}, together_{together}, here_{here} {}

  // desk_holds.cpp
  void take(const orders::event::hold_placed& e);
  void take(const orders::event::hold_changed& e);
  void take(const orders::event::hold_ended& e);

  // desk_orders.cpp: orders, their payments, and what comes back of them
  void take(const orders::event::order_placed& e);
  void take(const orders::event::payment_started& e);
  void take(const orders::event::payment_settled& e);
  void take(const orders::event::order_paid& e);
  void take(const orders::event::order_refund_due& e);
  void take(const orders::event::order_expired& e);
  void take(const orders::event::order_cancelled& e);
  void take(const orders::event::order_seats_returned& e);

private:
  using hold_entry = std::unordered_map<hold_id, hold, id_hash>::iterator;

  [[nodiscard]] time_ms at() const { return here_.at(); }
  void report(fault what, std::string sentence) const { here_.report(what, std::move(sentence)); }

  // desk_audit.cpp
  [[nodiscard]] std::string named(const hold_id& hold) const;
  [[nodiscard]] std::string named(const order_id& order) const;
  /// The hold's order; null without one.
  [[nodiscard]] const order* order_of(const hold& it) const;
  /// Places, orders and changes need an admission, or an operator at the box office.
  void judge_who(const std::string& what, bool box_office, std::optional<slot_t> owner,
                 fault without_admission) const;

  // desk_holds.cpp
  [[nodiscard]] hold_limits limits() const;
  [[nodiscard]] bool has_seats(const hold& it) const;
  void judge_max_seats(const hold_id& id, const hold& it) const;
  void judge_changeable(const orders::event::hold_changed& e, const hold& it) const;
  void extend(const orders::event::hold_changed& e, hold& it);
  void add_seats(const orders::event::hold_changed& e, hold& it);
  void take_seats(const orders::event::hold_changed& e, hold& it);
  void wrong_change(const hold_id& id, const std::string& why) const;
  void judge_end(const orders::event::hold_ended& e, const hold& it) const;
  void forget(hold_entry which);

  // desk_orders.cpp
  order* find(const order_id& which);
  void judge_hold_of(const orders::event::order_placed& e);
  void judge_first_money(const order_id& which, const order& it) const;
  void judge_pending(const order_id& which, const order& it, const std::string& what) const;
  [[nodiscard]] bool is_lost(const order_id& which, const order& it) const;
  [[nodiscard]] const hold* hold_of(const order& it) const;

  show& show_;
  const show_id& id_;
  batch_audit& together_;
  const spot& here_;
};

} // namespace usher::storage::audit

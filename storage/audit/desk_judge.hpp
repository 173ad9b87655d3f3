#pragma once

#include "storage/audit/batch_audit.hpp"
#include "storage/audit/world.hpp"

#include <string>
#include <vector>

namespace usher::storage::audit {

/// One event of a desk: judged against the show as it was, then taken into it as it stands. Several
/// files share the work; each says which part is its. The cashier is a desk without a show's id.
class desk_judge {
public:
  desk_judge(show& where, const show_id& id, batch_audit& together, const spot& here)
      : show_{where}, id_{id}, together_{together}, here_{here} {}

  // desk_holds.cpp
  void take(const orders::event::hold_placed& e);
  void take(const orders::event::hold_changed& e);
  void take(const orders::event::hold_ended& e);

  // desk_orders.cpp
  void take(const orders::event::order_placed& e);
  void take(const orders::event::order_expired& e);
  void take(const orders::event::order_cancelled& e);

  // desk_payments.cpp: money that comes
  void take(const orders::event::payment_started& e);
  void take(const orders::event::payment_settled& e);
  void take(const orders::event::payment_reported& e);
  void take(const orders::event::report_kept& e);
  void take(const orders::event::order_paid& e);
  void take(const orders::event::order_refund_due& e);

  // desk_refunds.cpp: money that goes back, seats that come back, tickets
  void take(const orders::event::refund_started& e);
  void take(const orders::event::refund_tried& e);
  void take(const orders::event::refund_settled& e);
  void take(const orders::event::order_seats_returned& e);
  void take(const orders::event::tickets_issued& e);
  void take(const orders::event::ticket_used& e);

private:
  using hold_entry = std::unordered_map<hold_id, hold, id_hash>::iterator;

  [[nodiscard]] time_ms at() const { return here_.at(); }
  void report(fault what, std::string sentence) const { here_.report(what, std::move(sentence)); }

  // desk_audit.cpp
  [[nodiscard]] std::string named(const hold_id& hold) const;
  [[nodiscard]] std::string named(const order_id& order) const;
  [[nodiscard]] std::string named(const payment_id& payment) const;
  [[nodiscard]] std::string named(const refund_id& refund) const;
  [[nodiscard]] bool is_cashier() const { return id_.empty(); }
  void expect(duty what, const order_id& which, fault broken, std::string sentence);
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
  void judge_generation(const orders::event::hold_changed& e, const hold& it) const;
  void judge_kept(const orders::event::hold_changed& e, const hold& it);
  void judge_payment_over(const orders::event::hold_changed& e, const hold& it);
  void judge_end(const orders::event::hold_ended& e, const hold& it) const;
  void forget(hold_entry which);

  // desk_orders.cpp
  order* find(const order_id& which);
  void judge_hold_of(const orders::event::order_placed& e);
  [[nodiscard]] const hold* hold_of(const order& it) const;

  // desk_payments.cpp
  void judge_start(const orders::event::payment_started& e, const order& it);
  void judge_follow(const orders::event::payment_started& e, order& it);
  void settle_without_money(const order_id& which, order& it);
  void settle_with_money(const orders::event::payment_settled& e, order& it, const attempt& which);
  void judge_report(const orders::event::payment_reported& e, order& it);
  void note_money(const std::string& gateway, const std::string& reference);
  void money_came(const order_id& which, order& it, money_in what, bool goes_back_by_itself);
  void judge_first_money(const order_id& which, const order& it) const;
  /// The money that an order_paid or order_refund_due names; of older logs it may be new.
  money_in& keep(order& it, const std::string& gateway, const std::string& reference);
  void judge_due(const orders::event::order_refund_due& e, const order& it,
                 const money_in& money) const;
  [[nodiscard]] bool is_lost(const order_id& which, const order& it) const;

  // desk_refunds.cpp
  refund* find(order& it, const order_id& which, const refund_id& id);
  /// Why it may not start; empty if it may.
  [[nodiscard]] std::string not_startable(const orders::event::refund_started& e, const order& it,
                                          const money_in* money) const;
  void judge_seats(const orders::event::refund_started& e, const order& it) const;

  show& show_;
  const show_id& id_;
  batch_audit& together_;
  const spot& here_;
};

} // namespace usher::storage::audit

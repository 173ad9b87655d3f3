#pragma once

#include "storage/audit/reader.hpp"

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace usher::storage::audit {

/// Whose story is told: a thing of a show, or all that somebody has in it, who is known to its
/// events by this.
using protagonist = std::variant<seat_id, slot_t, hold_id, order_id, identity>;

/// What belongs together in one show, and whether an event is about any of it. It grows as tickets,
/// holds and orders come by, so it has to see all events in order, and twice: the hold of an order
/// is placed before it is known to belong, and so is one that gets the seat later.
class circle {
public:
  explicit circle(const protagonist& about);

  /// Nothing if the event is not about it; else what there is to say about it in particular, or an
  /// empty text if the event's own description will do. `show`: its number.
  [[nodiscard]] std::optional<std::string> concerns(const any_fact& what, show_number show);

  /// Before the events come a second time: what belongs together stays known.
  void begin_again() { in_.clear(); }

  /// The places in the queue that belong to it.
  [[nodiscard]] const std::set<slot_t>& tickets() const { return slots_; }

private:
  using answer = std::optional<std::string>;

  void add(const seat_id& id) { seat_ = id; }
  void add(slot_t slot) { slots_.insert(slot); }
  void add(const hold_id& id) { holds_.insert(id); }
  void add(const order_id& id) { orders_.insert(id); }
  void add(const identity& who) { who_ = who; }

  [[nodiscard]] bool has(const std::vector<seat_id>& seats) const;
  [[nodiscard]] bool has(const std::vector<orders::offered_seat>& seats) const;
  [[nodiscard]] bool owns(const std::optional<slot_t>& owner) const {
    return owner && slots_.contains(*owner);
  }

  void note_identity(const waiting_room::any_event& any);
  /// Which of its tickets an event names.
  [[nodiscard]] std::optional<slot_t> named_in(const waiting_room::any_event& any) const;
  [[nodiscard]] std::optional<slot_t> one_of(const std::vector<slot_t>& slots) const;
  answer visit(const waiting_room::any_event& any, show_number show);

  bool about(const seating::event::block_planned& e);
  bool about(const seating::event::seats_held& e);
  bool about(const seating::event::seats_released& e);
  bool about(const seating::event::seats_sold& e);
  bool about(const seating::event::seats_blocked& e);
  bool about(const seating::event::seats_unblocked& e);
  bool about(const seating::event::seats_returned& e);
  bool about(const orders::event::hold_placed& e);
  bool about(const orders::event::hold_changed& e);
  bool about(const orders::event::hold_ended& e);
  bool about(const orders::event::order_placed& e);
  bool about(const orders::event::report_kept& e);
  template <class EventOfAnOrder>
  bool about(const EventOfAnOrder& e) {
    return orders_.contains(e.order);
  }

  std::optional<seat_id> seat_;
  std::optional<identity> who_;
  std::set<slot_t> slots_;
  std::set<hold_id> holds_;
  std::set<order_id> orders_;
  std::set<std::string> seller_refs_; ///< of orders that have one
  std::set<slot_t> in_;               ///< tickets that are live
};

} // namespace usher::storage::audit

#include "tests/actors/log_check.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/codec.hpp"

#include <map>
#include <optional>
#include <set>
#include <variant>

namespace usher::testing {

namespace {

using storage::stored_record;

struct seat_story {
  std::optional<hold_id> held_by;
  time_ms until = 0;
  std::uint32_t generation = 0;
  std::optional<order_id> sold_to;
  bool blocked = false;
};

struct hold_story {
  std::optional<slot_t> owner;
  bool box_office = false;
  std::set<seat_id> seats;  ///< as it is now
  std::set<seat_id> wanted; ///< all it ever asked for
  std::set<seat_id> got;    ///< all it ever got
  std::size_t returned = 0; ///< sold ones that are back on sale
  time_ms placed_at = 0;
  time_ms until = 0;
  time_ms until_unpaid = 0; ///< while a payment is being checked: the time it had before
  std::uint32_t generation = 1;
  bool placed = false;
  bool ended = false;
  bool sold = false;
  std::optional<order_id> order;
};

struct order_story {
  hold_id hold;
  bool paid = false;
  std::set<seat_id> sold;
  std::set<seat_id> returned;            ///< as the blocks say
  std::set<seat_id> said_to_be_returned; ///< as the desk says
};

struct room_story {
  bool open = false;
  bool by_arrival = true; ///< neither a draw nor tiers
  std::set<slot_t> waiting;
  std::set<slot_t> away; ///< passed over
  std::set<slot_t> active;
  slot_t joined = 0;
  std::optional<std::uint32_t> max_active = 5000;
};

template <class Event>
concept waiting_room_event = std::is_constructible_v<waiting_room::any_event, Event>;

class checker {
public:
  explicit checker(const seat_limits& limits) : limits_{limits} {}

  void take(const stored_record& r) {
    at_ = &r;
    const auto subject = r.subject.substr(0, r.subject.find('/'));
    if (subject == "queue")
      all_of(storage::decode_waiting_room(r.type, r.schema, r.data));
    else if (subject == "block")
      all_of(storage::decode_seating(r.type, r.schema, r.data));
    else if (subject == "desk")
      all_of(storage::decode_orders(r.type, r.schema, r.data));
  }

  std::vector<std::string> finish() {
    at_ = nullptr;
    for (const auto& [id, hold] : holds_) {
      if (!hold.placed)
        say("seats are held for a hold that was never placed");
      if (!hold.sold && hold.got != hold.wanted) // a late sale may have taken seats without a hold
        say("a hold has some of its seats and not all");
    }
    for (const auto& [id, order] : orders_) {
      if (!order.paid && !order.sold.empty())
        say("seats are sold to an order that is not PAID");
      if (order.paid && !order.hold.is_none() && order.sold != holds_[order.hold].seats)
        say("a PAID order does not have exactly its seats");
      if (order.returned != order.said_to_be_returned)
        say("the desk and the blocks do not agree on the seats that an order gave back");
    }
    return std::move(faults_);
  }

private:
  void say(const std::string& what) {
    faults_.push_back(at_ == nullptr ? what
                                     : "record " + std::to_string(at_->position) + ": " + what);
  }

  template <class Decoded>
  void all_of(Decoded decoded) {
    if (const auto* failed = std::get_if<storage::failure>(&decoded))
      say(failed->what);
    else
      std::visit([this](const auto& event) { on(event); }, std::get<0>(decoded));
  }

  // The waiting room.
  void on(const waiting_room::event::room_configured& e) { room_.max_active = e.to.max_active; }
  void on(const waiting_room::event::room_opened&) { room_.open = true; }
  void on(const waiting_room::event::room_closed&) {
    room_.open = false;
    room_.by_arrival = true;
    room_.waiting.clear();
    room_.away.clear();
    room_.active.clear();
  }
  void on(const waiting_room::event::fans_joined& e) {
    for (std::size_t i = 0; i < e.nonces.size(); ++i)
      room_.waiting.insert(room_.joined++);
  }
  void on(const waiting_room::event::fans_passed_over& e) {
    for (const auto slot : e.slots)
      room_.away.insert(room_.waiting.extract(slot));
  }
  void on(const waiting_room::event::fans_returned& e) {
    for (const auto slot : e.slots)
      room_.waiting.insert(room_.away.extract(slot));
  }
  void on(const waiting_room::event::fan_reentered& e) { room_.waiting.insert(e.slot); }
  void on(const waiting_room::event::ticket_revoked& e) { end(e.slot); }
  void on(const waiting_room::event::places_drawn&) { room_.by_arrival = false; }
  void on(const waiting_room::event::fan_promoted&) { room_.by_arrival = false; }
  void on(const waiting_room::event::codes_added&) { room_.by_arrival = false; }
  // What else happens to a room changes nobody's place; the audit looks at it.
  template <class Event>
  requires waiting_room_event<Event>
  void on(const Event&) {}
  void on(const waiting_room::event::fans_admitted& e) {
    for (const auto slot : e.slots) {
      if (!room_.waiting.contains(slot) || (room_.by_arrival && *room_.waiting.begin() != slot))
        say("somebody is admitted who is not the next");
      room_.waiting.erase(slot);
      room_.active.insert(slot);
    }
    if (room_.max_active && room_.active.size() > *room_.max_active)
      say("more are admitted than maxActive");
  }
  void on(const waiting_room::event::admission_kept& e) {
    if (!room_.active.contains(e.slot))
      say("an admission is kept that has ended");
  }
  void on(const waiting_room::event::tickets_ended& e) {
    for (const auto slot : e.slots)
      end(slot);
  }
  void end(slot_t slot) {
    if (room_.waiting.erase(slot) + room_.away.erase(slot) + room_.active.erase(slot) != 1)
      say("a ticket ends that is not live");
  }

  // The blocks.
  void on(const seating::event::block_planned& e) {
    std::set<seat_id> stays{e.seats.begin(), e.seats.end()};
    for (const auto& id : std::exchange(planned_[at_->subject], stays)) {
      if (stays.contains(id))
        continue;
      const auto& seat = seats_[id];
      if (seat.sold_to || (seat.held_by && at_->at < seat.until))
        say("seat " + id + " goes from the plan while somebody has it");
      seats_.erase(id);
    }
  }

  /// Nobody but this hold may have the seat, and then only from an earlier generation.
  void check_free(const seat_id& id, const char* what, const hold_id& but_for = {}) {
    const auto& seat = seats_[id];
    if (seat.sold_to)
      say("seat " + id + " is " + what + " and was sold");
    if (seat.blocked)
      say("seat " + id + " is " + what + " and was off sale");
    if (seat.held_by && *seat.held_by != but_for && at_->at < seat.until)
      say("seat " + id + " is " + what + " under another's hold");
  }
  void on(const seating::event::seats_held& e) {
    for (const auto& id : e.seats) {
      check_free(id, "held", e.hold);
      auto& seat = seats_[id];
      if (seat.held_by == e.hold && e.generation <= seat.generation)
        say("seat " + id + " is held again by the same generation");
      seat.held_by = e.hold;
      seat.until = e.until;
      seat.generation = e.generation;
      holds_[e.hold].got.insert(id);
    }
  }
  void on(const seating::event::seats_released& e) {
    for (const auto& id : e.seats) {
      auto& seat = seats_[id];
      if (seat.held_by != e.hold || seat.generation > e.generation)
        say("seat " + id + " is released by another hold, or an older generation");
      seat.held_by.reset();
    }
  }
  void on(const seating::event::seats_sold& e) {
    for (const auto& id : e.seats) {
      check_free(id, "sold", e.hold);
      auto& seat = seats_[id];
      seat.sold_to = e.order;
      seat.held_by.reset();
      orders_[e.order].sold.insert(id);
    }
  }
  void on(const seating::event::seats_blocked& e) {
    for (const auto& id : e.seats) {
      check_free(id, "taken off sale");
      seats_[id].held_by.reset();
      seats_[id].blocked = true;
    }
  }
  void on(const seating::event::seats_unblocked& e) {
    for (const auto& id : e.seats)
      if (!std::exchange(seats_[id].blocked, false))
        say("seat " + id + " is put on sale and was on it");
  }
  void on(const seating::event::seats_returned& e) {
    for (const auto& id : e.seats) {
      if (std::exchange(seats_[id].sold_to, std::nullopt) != e.order)
        say("seat " + id + " is returned by an order that does not have it");
      orders_[e.order].returned.insert(id);
    }
  }

  // The desk.
  void on(const orders::event::hold_placed& e) {
    auto& hold = holds_[e.hold];
    hold.placed = true;
    hold.owner = e.owner;
    hold.box_office = e.box_office;
    hold.placed_at = at_->at;
    hold.until = e.until;
    add_to(hold, e.seats);
    once(e.asked);
    if (room_.open && !e.box_office && !e.owner)
      say("somebody holds seats who is not admitted");
    check_owner(hold);
  }
  void on(const orders::event::hold_changed& e) {
    auto& hold = holds_[e.hold];
    once(e.asked);
    const bool for_payment = e.what == orders::hold_change::kept_for_payment ||
                             e.what == orders::hold_change::payment_over;
    if (!hold.placed || hold.ended || hold.sold || hold.order.has_value() != for_payment)
      say("a hold changes that is not live");
    if (e.generation != ++hold.generation)
      say("a hold changes and its generation is not the next");
    if (for_payment)
      return wait_for_payment(hold, e);
    if (e.what == orders::hold_change::extended ? e.until <= hold.until : e.until != hold.until)
      say("a hold changes and its time is not what it should be");
    hold.until = e.until;
    if (hold.until > hold.placed_at + limits_.max_life_ms)
      say("a hold lives longer than it may");
    add_to(hold, e.added);
    for (const auto& id : e.removed)
      if (hold.seats.erase(id) != 1)
        say("a hold loses seat " + id + ", which it does not have");
    if (hold.seats.empty())
      say("a hold loses all its seats and goes on");
    if (e.what == orders::hold_change::extended || e.what == orders::hold_change::added)
      check_owner(hold);
  }
  /// Longer while a payment is being checked, then as long as before.
  void wait_for_payment(hold_story& hold, const orders::event::hold_changed& e) {
    const bool begins = e.what == orders::hold_change::kept_for_payment;
    if (begins ? e.until < hold.until : e.until != hold.until_unpaid)
      say("a hold waits for a payment and its time is not what it should be");
    hold.until_unpaid = begins ? hold.until : 0;
    hold.until = e.until;
  }
  static void add_to(hold_story& hold, const std::vector<orders::offered_seat>& seats) {
    for (const auto& seat : seats) {
      hold.seats.insert(seat.id);
      hold.wanted.insert(seat.id);
    }
  }
  /// Is whoever has the hold admitted, and does it not have too many seats?
  void check_owner(const hold_story& its) {
    if (its.box_office || !its.owner)
      return;
    if (room_.open && !room_.active.contains(*its.owner))
      say("somebody holds seats who is not admitted");
    std::size_t has = 0;
    for (const auto& [id, other] : holds_)
      if (other.owner == its.owner && (other.sold || (!other.ended && at_->at < other.until)))
        has += other.seats.size() - other.returned;
    if (has > limits_.max_seats)
      say("an admission has more seats than it may");
  }
  void on(const orders::event::hold_ended& e) {
    if (holds_[e.hold].sold || std::exchange(holds_[e.hold].ended, true))
      say("a hold ends that has ended, or is sold");
  }
  void on(const orders::event::order_placed& e) {
    once(e.asked);
    orders_[e.order].hold = e.hold;
    if (!e.hold.is_none() && std::exchange(holds_[e.hold].order, e.order))
      say("a hold has two orders");
  }
  void on(const orders::event::payment_started& e) { once(e.asked); }
  void on(const orders::event::payment_settled&) {}
  void on(const orders::event::payment_reported& e) { once(e.asked); }
  void on(const orders::event::report_kept&) {}
  void on(const orders::event::refund_started& e) {
    once(e.asked);
    if (!refunds_.emplace(e.refund, false).second)
      say("a refund starts twice");
  }
  void on(const orders::event::refund_tried&) {}
  void on(const orders::event::refund_settled& e) {
    const auto found = refunds_.find(e.refund);
    if (found == refunds_.end() || std::exchange(found->second, true))
      say("a refund is settled that is not under way");
  }
  void on(const orders::event::tickets_issued& e) {
    const auto& order = orders_[e.order];
    if (!order.paid ||
        std::set<seat_id>{e.seats.begin(), e.seats.end()} != holds_[order.hold].seats)
      say("tickets are issued for other seats than were sold");
  }
  void on(const orders::event::ticket_used&) {}
  void on(const orders::event::order_paid& e) {
    if (std::exchange(orders_[e.order].paid, true))
      say("an order is PAID twice");
    holds_[orders_[e.order].hold].sold = true;
    holds_[orders_[e.order].hold].placed |= orders_[e.order].hold.is_none();
  }
  void on(const orders::event::order_refund_due& e) {
    if (orders_[e.order].paid)
      say("an order is PAID and due for refund");
  }
  void on(const orders::event::order_expired&) {}
  void on(const orders::event::order_cancelled&) {}
  void on(const orders::event::order_seats_returned& e) {
    auto& order = orders_[e.order];
    if (!order.paid)
      say("seats of an order are returned that is not PAID");
    for (const auto& id : e.seats)
      if (!order.said_to_be_returned.insert(id).second)
        say("seat " + id + " is returned twice by one order");
    holds_[order.hold].returned += e.seats.size();
  }

  void once(const std::optional<orders::idempotency>& asked) {
    if (asked && !keys_.insert(asked->key).second)
      say("one key made two things");
  }

  std::map<refund_id, bool> refunds_; ///< settled?
  seat_limits limits_;
  const stored_record* at_ = nullptr;
  std::vector<std::string> faults_;
  room_story room_;
  std::map<std::string, std::set<seat_id>> planned_; ///< by the block's subject
  std::map<seat_id, seat_story> seats_;
  std::map<hold_id, hold_story> holds_;
  std::map<order_id, order_story> orders_;
  std::set<request_key> keys_;
};

} // namespace

std::vector<std::string> faults_in(const storage::event_log& log, const seat_limits& limits) {
  checker all{limits};
  if (const auto failed = log.replay(1, [&](const stored_record& r) { return all.take(r), true; }))
    return {failed->what};
  return all.finish();
}

} // namespace usher::testing

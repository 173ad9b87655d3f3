#include "tests/simulation/desk_model.hpp"

#include "tests/simulation/violation.hpp"

#include <algorithm>

namespace usher::simulation {

namespace event = orders::event;
using orders::hold_change;
using orders::payment_outcome;
using orders::refund_cause;

namespace {

constexpr auto money = "money-adds-up";
constexpr auto too_late = "nothing-after-its-deadline";
constexpr auto over = "ended-stays-ended";

} // namespace

void desk_model::take(const orders::any_event& happened, time_ms at, const queue_model* room) {
  at_ = at;
  room_ = room;
  std::visit([&](const auto& one) { on(one); }, happened);
}

desk_model::hold& desk_model::known(const hold_id& id) {
  const auto found = holds_.find(id);
  demand(found != holds_.end(), over, "The log speaks of a hold that nobody placed.");
  return found->second;
}

desk_model::order& desk_model::known(const order_id& id) {
  const auto found = orders_.find(id);
  demand(found != orders_.end(), over, "The log speaks of an order that nobody placed.");
  touched_.insert(id);
  return found->second;
}

void desk_model::end_of_batch() {
  for (const auto& id : touched_) {
    const auto& it = orders_.at(id);
    std::int64_t owed = 0;
    std::int64_t asked_back = 0;
    for (const auto& [which, one] : it.refunds) {
      if (one.cause != refund_cause::asked)
        owed += one.amount_minor;
      else if (one.outcome != orders::refund_outcome::refused)
        asked_back += one.amount_minor;
    }
    const auto sold = it.paid ? it.total_minor : 0;
    demand(it.came_minor == sold + owed, money, [&] {
      return "Of an order came " + std::to_string(it.came_minor) + ", it sold for " +
             std::to_string(sold) + ", and " + std::to_string(owed) + " is due to go back.";
    });
    demand(asked_back <= sold, money, [&] {
      return "An order sold for " + std::to_string(sold) + " gives back " +
             std::to_string(asked_back) + ".";
    });
  }
  touched_.clear();
}

void desk_model::once(const std::optional<orders::idempotency>& asked, const id128& made) {
  if (!asked || asked->key.is_none())
    return;
  const bool fresh = keys_.emplace(static_cast<const id128&>(asked->key), made).second;
  demand(fresh, "one-effect-per-key", "One idempotency key has had its effect twice.");
}

void desk_model::check_admitted(const std::optional<slot_t>& owner, bool box_office) {
  if (box_office || room_ == nullptr)
    return;
  const bool off = room_->mode() == waiting_room::room_mode::off;
  demand(off || (owner && room_->admits(*owner, at_)), "no-hold-without-admission", [&] {
    return owner ? "Ticket " + std::to_string(*owner) + " gets something and is not admitted."
                 : std::string{"Somebody without a ticket gets something, and the room is on."};
  });
}

void desk_model::check_number_of_seats(const hold& its) {
  if (!its.owner || its.box_office || seats_max == 0)
    return;
  std::size_t has = 0;
  for (const auto& [id, other] : holds_)
    if (other.owner == its.owner &&
        (other.is == state::sold || (other.is == state::open && at_ < other.until)))
      has += other.seats.size() - other.returned.size();
  demand(has <= seats_max, "max-seats", [&] {
    return "Ticket " + std::to_string(*its.owner) + " has " + std::to_string(has) +
           " seats, and may have " + std::to_string(seats_max) + ".";
  });
}

// ---- holds

void desk_model::on(const event::hold_placed& e) {
  hold fresh;
  fresh.owner = e.owner;
  fresh.box_office = e.box_office;
  fresh.until = e.until;
  for (const auto& seat : e.seats)
    fresh.seats.insert(seat.id);
  once(e.asked, e.hold);
  check_admitted(e.owner, e.box_office);
  const auto [placed, first] = holds_.emplace(e.hold, std::move(fresh));
  demand(first, over, "A hold is placed twice.");
  check_number_of_seats(placed->second);
}

void desk_model::on(const event::hold_changed& e) {
  auto& it = known(e.hold);
  once(e.asked, e.hold);
  demand(it.is == state::open, over, "A hold changes that is over.");
  demand(e.generation == it.generation + 1, "versions-grow", [&] {
    return "A hold of generation " + std::to_string(it.generation) + " becomes one of " +
           std::to_string(e.generation) + ".";
  });
  const bool by_its_owner = e.what == hold_change::extended || e.what == hold_change::added;
  demand(!by_its_owner || at_ < it.until, too_late, "A hold is changed whose time was over.");
  if (by_its_owner)
    check_admitted(it.owner, it.box_office);
  it.generation = e.generation;
  it.until = e.until;
  for (const auto& seat : e.added)
    it.seats.insert(seat.id);
  for (const auto& seat : e.removed)
    it.seats.erase(seat);
  if (e.what == hold_change::added)
    check_number_of_seats(it);
}

void desk_model::on(const event::hold_ended& e) {
  auto& it = known(e.hold);
  demand(it.is == state::open, over, "A hold ends that is over.");
  demand(e.reason != orders::hold_end::expired || at_ >= it.until || !it.order.is_none(),
         "nothing-before-its-deadline", [&] {
           return "A hold expired at " + std::to_string(at_) + ", and lasts until " +
                  std::to_string(it.until) + ".";
         });
  it.is = state::ended;
}

// ---- orders

void desk_model::on(const event::order_placed& e) {
  order fresh;
  fresh.hold = e.hold;
  fresh.total_minor = e.total.amount_minor;
  fresh.until = e.until;
  once(e.asked, e.order);
  demand(orders_.emplace(e.order, std::move(fresh)).second, over, "An order is placed twice.");
  touched_.insert(e.order);
  if (e.hold.is_none())
    return;
  auto& its = known(e.hold);
  demand(its.is == state::open && its.order.is_none(), over,
         "An order is placed on a hold that is over, or has one.");
  demand(at_ < its.until, too_late, "An order is placed on a hold whose time was over.");
  check_admitted(e.owner, e.box_office);
  its.order = e.order;
}

void desk_model::on(const event::payment_started& e) {
  auto& it = known(e.order);
  once(e.asked, e.payment);
  demand(!it.paid && !it.due && !it.over && it.open.empty(), money,
         "A payment starts on an order that has one, or wants none.");
  demand(!e.follows.is_none() || at_ < it.until, too_late,
         "A payment starts on an order whose time was over.");
  it.attempts.emplace(e.payment, e.gateway);
  it.open.insert(e.payment);
}

void desk_model::money_came(order& to, const std::string& gateway, const std::string& reference,
                            std::int64_t amount_minor) {
  to.came_minor += amount_minor;
  demand(!has_taken || has_taken(gateway, reference, amount_minor), money, [&] {
    return "The log has money of " + gateway + ", '" + reference + "', that it never took.";
  });
}

void desk_model::on(const event::payment_settled& e) {
  auto& it = known(e.order);
  demand(it.open.erase(e.payment) == 1, money, "A payment is settled that is not open.");
  if (e.outcome == payment_outcome::approved && !e.known)
    money_came(it, it.attempts.at(e.payment), e.reference, e.amount_minor.value_or(it.total_minor));
}

void desk_model::on(const event::payment_reported& e) {
  auto& it = known(e.order);
  once(e.asked, e.order);
  money_came(it, e.gateway, e.reference, e.amount_minor);
}

void desk_model::on(const event::order_paid& e) {
  auto& it = known(e.order);
  demand(!it.paid && !it.due, money, "An order is paid twice.");
  it.paid = true;
  if (e.gateway == "BOX_OFFICE") { // the money is in the till
    it.counter = true;
    it.came_minor += it.total_minor;
  }
  if (it.hold.is_none())
    return;
  auto& its = known(it.hold);
  demand(its.is != state::sold, "one-owner-per-seat", "A hold is sold twice.");
  its.is = state::sold;
}

void desk_model::on(const event::order_refund_due& e) {
  auto& it = known(e.order);
  demand(!it.paid && !it.due, money, "An order with money is due for refund.");
  it.due = true;
}

void desk_model::on(const event::order_expired& e) {
  auto& it = known(e.order);
  demand(!it.paid && !it.due && !it.over, over, "An order expires that is over.");
  demand(at_ >= it.until, "nothing-before-its-deadline", "An order expires before its time.");
  it.over = true;
}

void desk_model::on(const event::order_cancelled& e) {
  auto& it = known(e.order);
  once(e.asked, e.order);
  demand(!it.paid && !it.due && !it.over, over, "An order is cancelled that is over.");
  it.over = true;
}

void desk_model::on(const event::order_seats_returned& e) {
  auto& its = known(known(e.order).hold);
  for (const auto& seat : e.seats)
    demand(its.seats.contains(seat) && its.returned.insert(seat).second, "one-owner-per-seat",
           [&] { return "An order gives back seat " + seat + ", which it has not (any more)."; });
}

// ---- refunds

void desk_model::on(const event::refund_started& e) {
  auto& it = known(e.order);
  once(e.asked, e.refund);
  refund fresh{e.gateway, e.reference, e.amount_minor, e.cause, std::nullopt};
  demand(it.refunds.emplace(e.refund, std::move(fresh)).second, money, "A refund starts twice.");
}

void desk_model::on(const event::refund_settled& e) {
  const auto found = known(e.order).refunds.find(e.refund);
  demand(found != known(e.order).refunds.end() && !found->second.outcome, money,
         "A refund is settled that is not under way.");
  found->second.outcome = e.outcome;
}

} // namespace usher::simulation

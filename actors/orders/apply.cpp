#include "actors/basics/bug.hpp"
#include "actors/orders/rules.hpp"

#include <algorithm>

// The only code that changes a desk. What contradicts the state is a bug or a damaged log.
namespace usher::orders {

namespace {

hold& must_have(state& desk, const hold_id& id) {
  const auto found = desk.holds.find(id);
  bug_unless(found != desk.holds.end(), "an event names an unknown hold");
  return found->second;
}

order& must_have(state& desk, const order_id& id) {
  const auto found = desk.orders.find(id);
  bug_unless(found != desk.orders.end(), "an event names an unknown order");
  return found->second;
}

template <class Id>
void remember(state& desk, const std::optional<idempotency>& asked, const Id& what,
              const payment_id& payment, time_ms at) {
  if (!asked || asked->key.is_none())
    return;
  desk.keys.insert_or_assign(asked->key, remembered{asked->fingerprint, what, payment, at});
  desk.key_ages.emplace_back(at, asked->key);
  // Old keys go as new ones come: by the time of events, so that a replay forgets the same.
  while (desk.key_ages.front().first + key_life_ms <= at) {
    const auto old = desk.keys.find(desk.key_ages.front().second);
    if (old != desk.keys.end() && old->second.at == desk.key_ages.front().first)
      desk.keys.erase(old);
    desk.key_ages.pop_front();
  }
}

/// Money came, now or by a settled attempt: the order is over as `status`, its payment on record.
order& take_money(state& desk, const order_id& id, const std::string& gateway,
                  const std::string& reference, order_status status, time_ms at) {
  auto& it = must_have(desk, id);
  bug_unless(it.status != order_status::paid && it.status != order_status::refund_due,
             "an order is paid twice");
  desk.order_deadlines.erase({it.until, id});
  it.status = status;
  const bool recorded = std::ranges::any_of(it.payments, [&](const payment& one) {
    return one.outcome == payment_outcome::approved && one.gateway == gateway &&
           one.reference == reference;
  });
  if (!recorded) // reported from outside
    it.payments.push_back({{}, gateway, {}, reference, payment_outcome::approved, at});
  return it;
}

void apply_one(state& desk, const event::hold_placed& e, time_ms at) {
  hold fresh;
  fresh.owner = e.owner;
  fresh.seats = e.seats;
  fresh.currency = e.currency;
  fresh.until = e.until;
  fresh.customer = e.customer;
  fresh.box_office = e.box_office;
  fresh.placed_at = at;
  bug_unless(desk.holds.emplace(e.hold, std::move(fresh)).second, "a hold is placed twice");
  desk.hold_deadlines.emplace(e.until, e.hold);
  if (e.owner)
    desk.holds_of[*e.owner].push_back(e.hold);
  if (!e.customer.is_none())
    desk.holds_of_customer[e.customer].push_back(e.hold);
  remember(desk, e.asked, e.hold, {}, at);
}

void apply_one(state& desk, const event::hold_changed& e, time_ms at) {
  auto& it = must_have(desk, e.hold);
  bug_unless(it.status == hold_status::live, "a hold changes that is not live");
  bug_unless(e.generation == it.generation + 1, "a hold changes out of turn");
  it.generation = e.generation;
  desk.hold_deadlines.erase({it.until, e.hold});
  it.until = e.until;
  desk.hold_deadlines.emplace(it.until, e.hold);
  it.seats.insert(it.seats.end(), e.added.begin(), e.added.end());
  for (const auto& seat : e.removed)
    bug_unless(std::erase_if(it.seats, [&](const offered_seat& one) { return one.id == seat; }) ==
                   1,
               "a hold loses a seat that it does not have");
  if (e.what == hold_change::withdrawn)
    it.withdrawn.insert(it.withdrawn.end(), e.removed.begin(), e.removed.end());
  remember(desk, e.asked, e.hold, {}, at);
}

void apply_one(state& desk, const event::hold_ended& e, time_ms) {
  auto& it = must_have(desk, e.hold);
  const bool order_is_over = it.status == hold_status::ordered &&
                             must_have(desk, it.order).status != order_status::pending &&
                             must_have(desk, it.order).status != order_status::paying;
  bug_unless(it.status == hold_status::live || order_is_over,
             "a hold ends that has ended, is sold, or has an order");
  it.status = hold_status::ended;
  it.end = e.reason;
  if (e.reason == hold_end::withdrawn)
    for (const auto& seat : it.seats)
      it.withdrawn.push_back(seat.id);
  desk.hold_deadlines.erase({it.until, e.hold});
  if (it.owner && it.order.is_none()) // it counts for nothing any more
    std::erase(desk.holds_of[*it.owner], e.hold);
  if (!it.customer.is_none() && it.order.is_none())
    std::erase(desk.holds_of_customer[it.customer], e.hold);
}

void apply_one(state& desk, const event::order_placed& e, time_ms at) {
  order fresh;
  fresh.owner = e.owner;
  fresh.hold = e.hold;
  fresh.hold_ref = e.hold_ref;
  fresh.total = e.total;
  fresh.customer = e.customer;
  if (e.asked)
    fresh.fingerprint = e.asked->fingerprint;
  fresh.placed_at = at;
  fresh.until = e.until;
  bug_unless(desk.orders.emplace(e.order, std::move(fresh)).second, "an order is placed twice");
  if (e.hold.is_none()) {
    desk.by_hold_ref[e.hold_ref] = e.order;
  } else {
    auto& it = must_have(desk, e.hold);
    bug_unless(it.status == hold_status::live, "an order is placed on a hold that is not live");
    it.status = hold_status::ordered;
    it.order = e.order;
  }
  desk.order_deadlines.emplace(e.until, e.order);
  if (e.owner)
    desk.orders_of[*e.owner].push_back(e.order);
  remember(desk, e.asked, e.order, {}, at);
}

void apply_one(state& desk, const event::payment_started& e, time_ms at) {
  auto& it = must_have(desk, e.order);
  bug_unless(it.status == order_status::pending,
             "a payment starts on an order that is not PENDING");
  bug_unless(std::ranges::find(it.payments, e.payment, &payment::id) == it.payments.end(),
             "a payment starts twice");
  it.status = order_status::paying;
  it.payments.push_back({e.payment, e.gateway, e.method, {}, std::nullopt, at});
  desk.order_deadlines.erase({it.until, e.order});
  remember(desk, e.asked, e.order, e.payment, at);
}

void apply_one(state& desk, const event::payment_settled& e, time_ms) {
  auto& it = must_have(desk, e.order);
  const auto attempt = std::ranges::find(it.payments, e.payment, &payment::id);
  bug_unless(!e.payment.is_none() && attempt != it.payments.end(), "an unknown payment is settled");
  bug_unless(!attempt->outcome, "a payment is settled twice");
  attempt->outcome = e.outcome;
  attempt->reference = e.reference;
  // Approved: the order's own event follows in the same batch.
  if (it.status == order_status::paying && e.outcome != payment_outcome::approved) {
    it.status = order_status::pending;
    desk.order_deadlines.emplace(it.until, e.order);
  }
}

void apply_one(state& desk, const event::order_paid& e, time_ms at) {
  const auto& it = take_money(desk, e.order, e.gateway, e.reference, order_status::paid, at);
  if (it.hold.is_none()) {
    desk.by_hold_ref[it.hold_ref] = e.order;
    return;
  }
  auto& its = must_have(desk, it.hold);
  bug_unless(its.order == e.order && its.status != hold_status::sold, "a hold is sold twice");
  its.status = hold_status::sold;
  its.end.reset();
  desk.hold_deadlines.erase({its.until, it.hold});
}

void apply_one(state& desk, const event::order_refund_due& e, time_ms at) {
  take_money(desk, e.order, e.gateway, e.reference, order_status::refund_due, at);
}

void apply_one(state& desk, const event::order_expired& e, time_ms) {
  auto& it = must_have(desk, e.order);
  bug_unless(it.status == order_status::pending, "an order expires that is not PENDING");
  it.status = order_status::expired;
  desk.order_deadlines.erase({it.until, e.order});
}

void apply_one(state& desk, const event::order_seats_returned& e, time_ms) {
  const auto& it = must_have(desk, e.order);
  auto& its = must_have(desk, it.hold);
  bug_unless(it.status == order_status::paid && its.order == e.order,
             "seats are returned that were not sold");
  its.returned.insert(its.returned.end(), e.seats.begin(), e.seats.end());
  bug_unless(its.returned.size() <= its.seats.size(), "seats are returned twice");
}

void apply_one(state& desk, const event::order_cancelled& e, time_ms) {
  auto& it = must_have(desk, e.order);
  bug_unless(it.status == order_status::pending, "an order is cancelled that is not PENDING");
  it.status = order_status::cancelled;
  desk.order_deadlines.erase({it.until, e.order});
}

} // namespace

void apply(state& desk, const any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { apply_one(desk, one, at); }, happened);
}

} // namespace usher::orders

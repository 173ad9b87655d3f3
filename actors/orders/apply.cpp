#include "actors/basics/bug.hpp"
#include "actors/orders/apply_parts.hpp"
#include "actors/orders/rules.hpp"

#include <algorithm>

// The only code that changes a desk, with apply_payments.cpp and apply_refunds.cpp.
namespace usher::orders {

namespace applying {

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

void remember(state& desk, const std::optional<idempotency>& asked,
              const std::variant<hold_id, order_id>& what, const began& with, time_ms at) {
  if (!asked || asked->key.is_none())
    return;
  desk.keys.insert_or_assign(asked->key,
                             remembered{asked->fingerprint, what, with.payment, with.refund, at});
  desk.key_ages.emplace_back(at, asked->key);
  // Old keys go as new ones come: by the time of events, so that a replay forgets the same.
  while (desk.key_ages.front().first + key_life_ms <= at) {
    const auto old = desk.keys.find(desk.key_ages.front().second);
    if (old != desk.keys.end() && old->second.at == desk.key_ages.front().first)
      desk.keys.erase(old);
    desk.key_ages.pop_front();
  }
}

void note(order& it, step_kind what, std::size_t index, time_ms at, std::string why) {
  it.history.push_back({at, what, static_cast<std::uint32_t>(index), std::move(why)});
}

void look_for_unsettled(state& desk, const order_id& id, const order& it) {
  const bool open = std::ranges::any_of(it.payments, [](const payment& p) { return !p.outcome; }) ||
                    std::ranges::any_of(it.refunds, [](const refund& r) { return !r.outcome; });
  if (open)
    desk.unsettled.insert(id);
  else
    desk.unsettled.erase(id);
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
  const bool for_payment =
      e.what == hold_change::kept_for_payment || e.what == hold_change::payment_over;
  bug_unless(it.status == (for_payment ? hold_status::ordered : hold_status::live),
             "a hold changes that may not");
  bug_unless(e.generation == it.generation + 1, "a hold changes out of turn");
  it.generation = e.generation;
  if (e.what == hold_change::kept_for_payment)
    it.until_unpaid = it.until;
  else if (e.what == hold_change::payment_over)
    it.until_unpaid = 0;
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
  note(fresh, step_kind::placed, 0, at);
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

namespace {

/// An attempt that is open goes on without it.
void end(state& desk, const order_id& id, order& it, order_status status) {
  bug_unless(it.status == order_status::pending || it.status == order_status::paying,
             "an order ends that is neither PENDING nor PAYING");
  desk.order_deadlines.erase({it.status == order_status::paying ? it.paying_until : it.until, id});
  it.status = status;
}

} // namespace

void apply_one(state& desk, const event::order_expired& e, time_ms at) {
  auto& it = must_have(desk, e.order);
  end(desk, e.order, it, order_status::expired);
  note(it, step_kind::expired, 0, at);
}

void apply_one(state& desk, const event::order_cancelled& e, time_ms at) {
  auto& it = must_have(desk, e.order);
  end(desk, e.order, it, order_status::cancelled);
  note(it, step_kind::cancelled, 0, at);
  remember(desk, e.asked, e.order, {}, at);
}

} // namespace applying

void apply(state& desk, const any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { applying::apply_one(desk, one, at); }, happened);
}

} // namespace usher::orders

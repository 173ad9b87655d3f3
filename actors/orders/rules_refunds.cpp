#include "actors/orders/rules_common.hpp"

#include <algorithm>

// Money that goes back, and the tickets that it makes void.
namespace usher::orders {

namespace {

/// What a refund gives back, or why it cannot.
struct plan {
  std::int64_t amount_minor = 0;
  std::vector<seat_id> seats;
};

std::vector<seat_id> seats_of(const state& desk, const order& it) {
  std::vector<seat_id> left;
  if (it.hold.is_none())
    return left;
  const auto& held = desk.holds.at(it.hold);
  for (const auto& seat : held.seats)
    if (!it.gives_back(seat.id))
      left.push_back(seat.id);
  return left;
}

std::variant<plan, rejection> plan_of(const state& desk, const order& it,
                                      const command::refund& asked) {
  const auto left = it.refundable_minor(*it.kept());
  const auto seats = seats_of(desk, it);
  if (asked.seats.empty()) {
    const bool all = !asked.amount_minor || *asked.amount_minor == left;
    return plan{asked.amount_minor.value_or(left), all ? seats : std::vector<seat_id>{}};
  }
  plan wanted{0, asked.seats};
  for (const auto& id : asked.seats) {
    if (std::ranges::find(seats, id) == seats.end() || std::ranges::count(asked.seats, id) > 1)
      return rejection::seat_not_sold;
    const auto& all = desk.holds.at(it.hold).seats;
    wanted.amount_minor += std::ranges::find(all, id, &offered_seat::id)->price_minor;
  }
  // Less than the seats cost: a fee is kept. Never more; and no more than is left, if some has
  // gone back without seats.
  if (asked.amount_minor.value_or(0) > wanted.amount_minor)
    return rejection::refund_too_large;
  wanted.amount_minor = asked.amount_minor.value_or(std::min(wanted.amount_minor, left));
  return wanted;
}

/// The seats that a refund which is done puts back on sale.
std::vector<offered_seat> to_resell(const state& desk, const order& it, const refund& what) {
  std::vector<offered_seat> going;
  if (!what.resell || it.hold.is_none())
    return going;
  const auto& held = desk.holds.at(it.hold);
  for (const auto& seat : held.seats)
    if (std::ranges::find(what.seats, seat.id) != what.seats.end() &&
        std::ranges::find(held.returned, seat.id) == held.returned.end())
      going.push_back(seat);
  return going;
}

/// How a refund ended well.
struct ending {
  std::string reference;
  std::optional<idempotency> asked{};
  bool seats_lost = false;
};

void finish(proposal& wanted, const state& desk, const order_id& id, const refund& what,
            const ending& how) {
  wanted.events.emplace_back(
      event::refund_settled{id, what.id, refund_outcome::done, how.reference, {}, how.asked});
  const auto going = to_resell(desk, desk.orders.at(id), what);
  if (going.empty() || how.seats_lost)
    return;
  event::order_seats_returned returned{id, {}, how.reference};
  for (const auto& seat : going)
    returned.seats.push_back(seat.id);
  wanted.events.emplace_back(std::move(returned));
  for (auto& [block, seats] : common::by_block(going))
    wanted.blocks.push_back({block, seating::command::return_sold{id, std::move(seats)}});
}

/// The refund under way that a report of money given back outside is about; null: none.
const refund* settled_by(const order& it, const command::refund& asked) {
  const auto found = std::ranges::find_if(it.refunds, [&](const refund& r) {
    if (r.outcome)
      return false;
    return asked.settles.is_none()
               ? it.status == order_status::refund_due && r.cause == refund_cause::refund_due
               : r.id == asked.settles;
  });
  return found == it.refunds.end() ? nullptr : &*found;
}

/// A call with the key was there before.
std::optional<decision> refunded_before(const state& desk, const command::refund& asked) {
  auto known = common::seen_before<order_id>(desk, asked.asked, asked.now);
  if (!known || std::holds_alternative<rejection>(*known))
    return known;
  return repeated{asked.order, std::nullopt, desk.keys.at(asked.asked->key).refund};
}

} // namespace

decision decide(const state& desk, const command::refund& asked) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  if (auto known = refunded_before(desk, asked))
    return *known;
  const auto& it = found->second;
  proposal wanted;
  if (asked.done_outside) {
    if (const auto* open = settled_by(it, asked)) {
      finish(wanted, desk, asked.order, *open, {*asked.done_outside, asked.asked});
      return wanted;
    }
  }
  if (!asked.settles.is_none())
    return rejection::unknown_refund;
  if (it.status == order_status::refunded)
    return rejection::already_refunded;
  if (it.status == order_status::refund_due)
    return rejection::refund_running;
  if (!it.is_sold())
    return rejection::order_not_paid;
  if (it.refunds.size() >= refunds_max)
    return rejection::too_many_refunds;
  const auto& money = *it.kept();
  const auto left = it.refundable_minor(money);
  if (left <= 0 && seats_of(desk, it).empty())
    return rejection::refund_running;

  auto planned = plan_of(desk, it, asked);
  if (const auto* no = std::get_if<rejection>(&planned))
    return *no;
  auto& what = std::get<plan>(planned);
  if (what.amount_minor > left || what.amount_minor < 0 ||
      (what.amount_minor == 0 && what.seats.empty()))
    return rejection::refund_too_large;

  event::refund_started started{.order = asked.order,
                                .refund = asked.refund,
                                .payment = money.id,
                                .gateway = money.gateway,
                                .reference = money.reference,
                                .amount_minor = what.amount_minor,
                                .seats = what.seats,
                                .resell = asked.resell && !what.seats.empty(),
                                .cause = refund_cause::asked,
                                .note = asked.note,
                                .asked = asked.asked};
  wanted.events.emplace_back(started);
  if (asked.done_outside || what.amount_minor == 0) {
    refund made;
    made.id = asked.refund;
    made.seats = std::move(what.seats);
    made.resell = started.resell;
    finish(wanted, desk, asked.order, made,
           {asked.done_outside.value_or(std::string{free_reference})});
  }
  return wanted;
}

decision decide(const state& desk, const command::settle_refund& asked, bool seats_lost) {
  const auto found = desk.orders.find(asked.order);
  const auto* what = found == desk.orders.end() ? nullptr : found->second.find(asked.refund);
  if (what == nullptr)
    return rejection::unknown_order;
  if (what->outcome)
    return repeated{asked.order, std::nullopt, asked.refund};

  proposal wanted;
  using payments::outcome;
  if (asked.outcome == outcome::approved)
    finish(wanted, desk, asked.order, *what, {asked.reference, std::nullopt, seats_lost});
  else if (asked.outcome == outcome::declined && what->cause == refund_cause::asked)
    wanted.events.emplace_back(event::refund_settled{
        asked.order, asked.refund, refund_outcome::refused, asked.reference, asked.reason, {}});
  else // owed money is tried until it is done
    wanted.events.emplace_back(event::refund_tried{asked.order, asked.refund, asked.outcome,
                                                   asked.reference, asked.reason});
  return wanted;
}

decision decide(const state& desk, const command::begin_due_refund& asked) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  const auto& it = found->second;
  if (it.status != order_status::refund_due || !it.refunds.empty())
    return repeated{asked.order, std::nullopt};
  const auto& money = *it.kept();
  proposal wanted;
  wanted.events.emplace_back(event::refund_started{.order = asked.order,
                                                   .refund = asked.refund,
                                                   .payment = money.id,
                                                   .gateway = money.gateway,
                                                   .reference = money.reference,
                                                   .amount_minor = money.amount_minor,
                                                   .cause = refund_cause::refund_due});
  return wanted;
}

decision decide(const state& desk, const command::use_ticket& asked) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  const auto& it = found->second;
  if (!it.is_sold() || it.hold.is_none() || it.gives_back(asked.seat))
    return rejection::ticket_void;
  const auto& held = desk.holds.at(it.hold);
  if (!held.has(asked.seat) || std::ranges::find(held.returned, asked.seat) != held.returned.end())
    return rejection::ticket_void;
  if (std::ranges::find(it.used, asked.seat, &used_ticket::seat) != it.used.end())
    return rejection::ticket_was_used;
  proposal wanted;
  if (asked.mark)
    wanted.events.emplace_back(event::ticket_used{asked.order, asked.seat, asked.gate});
  return wanted;
}

} // namespace usher::orders

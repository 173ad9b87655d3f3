#include "actors/basics/overloaded.hpp"
#include "storage/audit/crowd.hpp"

#include <algorithm>

// Seats, holds and orders: what the fans did once they were in, and what others did with the seats.
namespace usher::storage::audit {

namespace event = orders::event;

void crowd_reader::move_seats(std::int64_t more, bool by_a_fan) {
  free_ += more;
  if (!by_a_fan)
    now_.outside.emplace_back(at_, more);
}

crowd_reader::tracked crowd_reader::track(std::optional<slot_t> owner, std::int64_t seats,
                                          time_ms until) {
  tracked fresh{.placed_at = at_, .until = until, .seats = seats};
  auto* its = owner ? open_visit(*owner) : nullptr;
  if (its == nullptr)
    return fresh;
  fresh.fan = *owner - base_;
  fresh.visit = now_.visits[*fresh.fan].size() - 1;
  fresh.want = its->wants.size();
  its->wants.push_back({.after = at_ - its->since,
                        .lasts = until - at_,
                        .seats = static_cast<std::uint32_t>(seats)});
  return fresh;
}

want* crowd_reader::want_of(const tracked& which) {
  if (!which.fan)
    return nullptr;
  const auto found = now_.visits.find(*which.fan);
  return found == now_.visits.end() ? nullptr : &found->second[which.visit].wants[which.want];
}

void crowd_reader::placed(const event::hold_placed& e) {
  const auto fresh = track(e.owner, std::ssize(e.seats), e.until);
  move_seats(-fresh.seats, fresh.fan.has_value());
  holds_.insert_or_assign(e.hold, fresh);
}

void crowd_reader::changed(const event::hold_changed& e) {
  const auto found = holds_.find(e.hold);
  if (found == holds_.end())
    return;
  auto& it = found->second;
  const auto more = std::ssize(e.added) - std::ssize(e.removed);
  it.seats += more;
  it.until = e.until;
  if (auto* its = want_of(it))
    its->seats = static_cast<std::uint32_t>(std::max<std::int64_t>(it.seats, 0));
  move_seats(-more, it.fan.has_value());
}

void crowd_reader::hold_over(const hold_id& id) {
  const auto found = holds_.find(id);
  if (found == holds_.end() || !found->second.takes)
    return;
  auto& it = found->second;
  it.takes = false;
  if (auto* its = want_of(it))
    its->lasts = at_ - it.placed_at;
  move_seats(it.seats, it.fan.has_value());
}

void crowd_reader::ordered(const event::order_placed& e) {
  if (e.hold.is_none())
    plain_orders_.insert_or_assign(e.order, track(e.owner, 1, e.until));
  else
    hold_of_.insert_or_assign(e.order, e.hold);
}

void crowd_reader::order_over(const order_id& id) {
  const auto found = plain_orders_.find(id);
  if (found == plain_orders_.end())
    return;
  if (auto* its = want_of(found->second))
    its->lasts = at_ - found->second.placed_at;
}

/// Late money finds an order whose hold was over: it has its seats again.
void crowd_reader::paid(const order_id& id) {
  const auto of = hold_of_.find(id);
  const auto plain = plain_orders_.find(id);
  const auto held = of == hold_of_.end() ? holds_.end() : holds_.find(of->second);
  auto* const it = held != holds_.end()           ? &held->second
                   : plain != plain_orders_.end() ? &plain->second
                                                  : nullptr;
  if (it == nullptr)
    return;
  if (held != holds_.end() && !std::exchange(it->takes, true))
    move_seats(-it->seats, it->fan.has_value());
  if (auto* its = want_of(*it)) {
    its->sold = true;
    its->lasts = at_ - it->placed_at;
  }
  const auto seats = static_cast<std::uint64_t>(std::max<std::int64_t>(it->seats, 0));
  if (it->fan) {
    now_.sold += seats;
    count_in(now_.sold_by_minute, now_.minute_of(at_), seats);
  }
  if (held != holds_.end())
    holds_.erase(held);
  if (of != hold_of_.end())
    hold_of_.erase(of);
  if (plain != plain_orders_.end())
    plain_orders_.erase(plain);
}

void crowd_reader::take(const orders::any_event& happened) {
  std::visit(overloaded{
                 [&](const event::hold_placed& e) { placed(e); },
                 [&](const event::hold_changed& e) { changed(e); },
                 [&](const event::hold_ended& e) { hold_over(e.hold); },
                 [&](const event::order_placed& e) { ordered(e); },
                 [&](const event::order_expired& e) { order_over(e.order); },
                 [&](const event::order_cancelled& e) { order_over(e.order); },
                 [&](const event::order_paid& e) { paid(e.order); },
                 [](const auto&) {},
             },
             happened);
}

void crowd_reader::take(const seating::any_event& happened, const block_id& where) {
  const auto count = [](const auto& e) { return std::ssize(e.seats); };
  std::visit(overloaded{
                 [&](const seating::event::block_planned& e) {
                   auto& known = planned_[where];
                   now_.has_seats = true;
                   move_seats(count(e) - known, false);
                   known = count(e);
                 },
                 [&](const seating::event::seats_blocked& e) { move_seats(-count(e), false); },
                 [&](const seating::event::seats_unblocked& e) { move_seats(count(e), false); },
                 [&](const seating::event::seats_returned& e) { move_seats(count(e), false); },
                 [](const auto&) {},
             },
             happened);
}

} // namespace usher::storage::audit

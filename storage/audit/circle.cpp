#include "storage/audit/circle.hpp"

#include "actors/basics/overloaded.hpp"
#include "storage/audit/describe_room.hpp"

#include <algorithm>

namespace usher::storage::audit {

circle::circle(const protagonist& about) {
  std::visit([this](const auto& id) { add(id); }, about);
}

std::optional<std::string> circle::concerns(const any_fact& what, show_number show) {
  const auto asked = [this](const auto& any) {
    const bool concerned = std::visit([this](const auto& e) { return about(e); }, any);
    return concerned ? answer{""} : std::nullopt;
  };
  return std::visit(overloaded{
                        [&](const waiting_room::any_event& any) { return visit(any, show); },
                        [&](const seating::any_event& any) { return asked(any); },
                        [&](const orders::any_event& any) { return asked(any); },
                        [](const auto&) { return answer{}; },
                    },
                    what);
}

bool circle::has(const std::vector<seat_id>& seats) const {
  return seat_ && std::ranges::find(seats, *seat_) != seats.end();
}

bool circle::has(const std::vector<orders::offered_seat>& seats) const {
  return seat_ && std::ranges::find(seats, *seat_, &orders::offered_seat::id) != seats.end();
}

// ---- the queue

std::optional<slot_t> circle::one_of(const std::vector<slot_t>& slots) const {
  if (slots_.empty())
    return std::nullopt;
  const auto found =
      std::ranges::find_if(slots, [&](slot_t slot) { return slots_.contains(slot); });
  return found == slots.end() ? std::nullopt : std::optional{*found};
}

void circle::note_identity(const waiting_room::any_event& any) {
  if (!who_)
    return;
  if (const auto* e = std::get_if<waiting_room::event::fans_joined>(&any))
    for (std::size_t i = 0; i < e->customers.size(); ++i)
      if (e->customers[i] == *who_)
        slots_.insert(e->first + static_cast<slot_t>(i));
  if (const auto* e = std::get_if<waiting_room::event::fan_identified>(&any))
    if (e->who == *who_)
      slots_.insert(e->slot);
}

std::optional<slot_t> circle::named_in(const waiting_room::any_event& any) const {
  using namespace waiting_room::event;
  const auto joined = [&](const fans_joined& e) -> std::optional<slot_t> {
    const auto found = slots_.lower_bound(e.first);
    if (found == slots_.end() || *found - e.first >= e.nonces.size())
      return std::nullopt;
    return *found;
  };
  return std::visit(overloaded{
                        joined,
                        [&](const places_drawn& e) { return one_of(e.order); },
                        [&](const room_closed&) {
                          return in_.empty() ? std::nullopt : std::optional{*in_.begin()};
                        },
                        [&](const auto& e) -> std::optional<slot_t> {
                          if constexpr (requires { e.slots; })
                            return one_of(e.slots);
                          else if constexpr (requires { e.slot; })
                            return slots_.contains(e.slot) ? std::optional{e.slot} : std::nullopt;
                          else
                            return std::nullopt; // the room's own affair
                        },
                    },
                    any);
}

circle::answer circle::visit(const waiting_room::any_event& any, show_number show) {
  using namespace waiting_room::event;
  note_identity(any);
  const auto which = named_in(any);
  if (!which)
    return std::nullopt;
  if (std::holds_alternative<fans_joined>(any) || std::holds_alternative<fan_reentered>(any))
    in_.insert(*which);
  if (std::holds_alternative<tickets_ended>(any) || std::holds_alternative<ticket_revoked>(any))
    in_.erase(*which);
  if (std::holds_alternative<room_closed>(any))
    in_.clear();
  return describe_room(any, show, which);
}

// ---- seats

bool circle::about(const seating::event::block_planned& e) {
  return has(e.seats);
}
bool circle::about(const seating::event::seats_held& e) {
  return has(e.seats) || holds_.contains(e.hold);
}
bool circle::about(const seating::event::seats_released& e) {
  return has(e.seats) || holds_.contains(e.hold);
}
bool circle::about(const seating::event::seats_sold& e) {
  return has(e.seats) || holds_.contains(e.hold) || orders_.contains(e.order);
}
bool circle::about(const seating::event::seats_blocked& e) {
  return has(e.seats);
}
bool circle::about(const seating::event::seats_unblocked& e) {
  return has(e.seats);
}
bool circle::about(const seating::event::seats_returned& e) {
  return has(e.seats) || orders_.contains(e.order);
}

// ---- holds and orders

bool circle::about(const orders::event::hold_placed& e) {
  if (has(e.seats) || owns(e.owner) || (who_ && e.customer == *who_))
    holds_.insert(e.hold);
  return holds_.contains(e.hold);
}
bool circle::about(const orders::event::hold_changed& e) {
  if (has(e.added))
    holds_.insert(e.hold);
  return holds_.contains(e.hold);
}
bool circle::about(const orders::event::hold_ended& e) {
  return holds_.contains(e.hold);
}
bool circle::about(const orders::event::order_placed& e) {
  if (owns(e.owner) || holds_.contains(e.hold))
    orders_.insert(e.order);
  if (!orders_.contains(e.order))
    return false;
  if (!e.hold.is_none())
    holds_.insert(e.hold);
  else if (!e.hold_ref.empty())
    seller_refs_.insert(e.hold_ref);
  return true;
}
bool circle::about(const orders::event::report_kept& e) {
  return orders_.contains(e.order) || seller_refs_.contains(e.hold_ref);
}

} // namespace usher::storage::audit

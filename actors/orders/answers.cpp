#include "actors/orders/answers.hpp"

#include "actors/basics/overloaded.hpp"

namespace usher::orders {

namespace {

std::vector<seat_id> ids_of(const std::vector<seat_in_block>& seats) {
  std::vector<seat_id> ids;
  for (const auto& seat : seats)
    ids.push_back(seat.id);
  return ids;
}

/// The holds that lose seats to an operator by these events.
std::vector<hold_id> losers_of(const std::vector<any_event>& events) {
  std::vector<hold_id> holds;
  for (const auto& happened : events)
    std::visit(overloaded{
                   [&](const event::hold_changed& e) { holds.push_back(e.hold); },
                   [&](const event::hold_ended& e) { holds.push_back(e.hold); },
                   [](const auto&) {},
               },
               happened);
  return holds;
}

/// The refund that these events begin or settle.
std::optional<refund_id> refund_in(const std::vector<any_event>& events) {
  std::optional<refund_id> found;
  for (const auto& happened : events)
    std::visit(overloaded{
                   [&](const event::refund_started& e) { found = e.refund; },
                   [&](const event::refund_settled& e) { found = e.refund; },
                   [](const auto&) {},
               },
               happened);
  return found;
}

} // namespace

answer view_of(const state& desk, const std::variant<hold_id, order_id>& what, bool repeated) {
  return std::visit(overloaded{
                        [&](const hold_id& id) -> answer {
                          const auto found = desk.holds.find(id);
                          if (found == desk.holds.end())
                            return {rejection::unknown_hold, repeated};
                          return {hold_view{id, found->second}, repeated};
                        },
                        [&](const order_id& id) -> answer {
                          const auto found = desk.orders.find(id);
                          if (found == desk.orders.end())
                            return {rejection::unknown_order, repeated};
                          order_view view{id, found->second, {}};
                          if (const auto hold = desk.holds.find(found->second.hold);
                              hold != desk.holds.end()) {
                            view.seats = hold->second.seats;
                            view.returned = hold->second.returned;
                            view.withdrawn = hold->second.end == hold_end::withdrawn;
                          }
                          return {std::move(view), repeated};
                        },
                    },
                    what);
}

answer view_after(const state& desk, const any_command& what,
                  const std::vector<any_event>& events) {
  using thing = std::variant<hold_id, order_id>;
  return std::visit(
      overloaded{
          [&](const command::place_hold& c) { return view_of(desk, thing{c.hold}, false); },
          [&](const command::extend_hold& c) { return view_of(desk, thing{c.hold}, false); },
          [&](const command::add_seats& c) { return view_of(desk, thing{c.hold}, false); },
          [&](const command::release_seat& c) { return view_of(desk, thing{c.hold}, false); },
          [&](const command::release_hold& c) { return view_of(desk, thing{c.hold}, false); },
          [&](const command::leave&) {
            return answer{nothing{}, false};
          },
          [&](const command::block_seats& c) {
            return answer{seats_view{ids_of(c.seats), losers_of(events)}, false};
          },
          [&](const command::unblock_seats& c) {
            return answer{seats_view{ids_of(c.seats), {}}, false};
          },
          [](const command::keep_report&) {
            return answer{nothing{}, false};
          },
          [&](const command::refund& c) {
            auto seen = view_of(desk, thing{c.order}, false);
            seen.refund = refund_in(events);
            return seen;
          },
          [&](const auto& c) { return view_of(desk, thing{c.order}, false); },
      },
      what);
}

} // namespace usher::orders

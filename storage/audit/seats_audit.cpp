#include "storage/audit/seats_audit.hpp"

#include "storage/audit/names.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace {

namespace event = seating::event;

constexpr duration_ms lately_ms = 60'000;

bool is_held_by_another(const seat& one, const hold_id& hold, time_ms at) {
  return one.is == seat_state::held && one.hold != hold && at < one.until;
}

/// Calls `judge` for each seat of the list that the plan has; reports the others.
template <class Judge>
void for_each(block& seats, const std::vector<seat_id>& ids, const spot& here, Judge judge) {
  for (const auto& id : ids) {
    const auto found = seats.find(id);
    if (found == seats.end())
      here.report(fault::seat_not_in_plan, "Seat " + id + " is not in the plan of the block.");
    else
      judge(id, found->second);
  }
}

void take_one(block& seats, const block_place&, const event::block_planned& e, batch_audit&,
              const spot& here) {
  block planned;
  for (const auto& id : e.seats)
    if (const auto old = seats.find(id); old != seats.end())
      planned.emplace(id, old->second);
    else
      planned.emplace(id, seat{});
  for (const auto& [id, one] : seats)
    if (!planned.contains(id) &&
        (one.is == seat_state::sold || is_held_by_another(one, hold_id{}, here.at())))
      here.report(fault::plan_drops_seat,
                  "Seat " + id + " is sold or held and not in the new plan.");
  seats = std::move(planned);
}

void take_one(block& seats, const block_place& where, const event::seats_held& e,
              batch_audit& together, const spot& here) {
  for_each(seats, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is == seat_state::sold) {
      here.report(fault::seat_sold_twice, "Seat " + id + " is held for " + hex(e.hold) +
                                              " and was sold to order " + hex(one.order) + ".");
      return;
    }
    if (is_held_by_another(one, e.hold, here.at()))
      here.report(fault::seat_held_twice, "Seat " + id + " is held for " + hex(e.hold) +
                                              ", but hold " + hex(one.hold) + " has it until " +
                                              time_text(one.until) + ".");
    one.is = seat_state::held;
    one.hold = e.hold;
    one.until = e.until;
  });
  together.seats_held(where.show, where.id, e, here);
}

void take_one(block& seats, const block_place& where, const event::seats_released& e,
              batch_audit& together, const spot& here) {
  for_each(seats, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is != seat_state::held || one.hold != e.hold) {
      here.report(fault::seat_released_by_other,
                  "Hold " + hex(e.hold) + " gave back seat " + id + " and did not have it.");
      return;
    }
    one = {};
    one.given_back_by = e.hold;
    one.given_back_at = here.at();
  });
  together.seats_released(where.show, e.hold, here);
}

void take_one(block& seats, const block_place& where, const event::seats_sold& e,
              batch_audit& together, const spot& here) {
  for_each(seats, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is == seat_state::sold)
      here.report(fault::seat_sold_twice, "Seat " + id + " is sold to order " + hex(e.order) +
                                              " and was sold to " + hex(one.order) + ".");
    else if (is_held_by_another(one, e.hold, here.at()))
      here.report(fault::sold_while_held, "Seat " + id + " is sold to order " + hex(e.order) +
                                              " while hold " + hex(one.hold) + " has it until " +
                                              time_text(one.until) + ".");
    one = {};
    one.is = seat_state::sold;
    one.order = e.order;
  });
  together.seats_sold(where.show, where.id, e, here);
}

} // namespace

void take(block& seats, const block_place& where, const seating::any_event& happened,
          batch_audit& together, const spot& here) {
  std::visit([&](const auto& e) { take_one(seats, where, e, together, here); }, happened);
}

bool is_in_the_way(const block& seats, const seat_id& id, const hold_id& its_hold, time_ms at) {
  const auto found = seats.find(id);
  if (found == seats.end())
    return true;
  const auto& one = found->second;
  if (one.is == seat_state::sold || is_held_by_another(one, its_hold, at))
    return true;
  const bool was_another = !one.given_back_by.is_none() && one.given_back_by != its_hold;
  return was_another && one.given_back_at >= at - lately_ms;
}

} // namespace usher::storage::audit

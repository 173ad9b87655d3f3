#include "storage/audit/seats_audit.hpp"

#include "storage/audit/names.hpp"

#include <numeric>
#include <utility>

namespace usher::storage::audit {

namespace {

namespace event = seating::event;

constexpr duration_ms lately_ms = 60'000;

std::size_t& count_of(block& where, seat_state state) {
  return where.counts[static_cast<std::size_t>(state)];
}

void become(block& where, seat& one, seat next) {
  --count_of(where, one.is);
  one = std::move(next);
  ++count_of(where, one.is);
}

/// `had_by`: the hold that had it; none if it was BLOCKED or sold.
seat free_again(const hold_id& had_by, time_ms at) {
  seat next;
  next.free_since = at;
  next.had_by = had_by;
  return next;
}

bool is_held_by(const seat& one, const hold_id& hold) {
  return one.is == seat_state::held && one.hold == hold;
}

bool is_held_by_another(const seat& one, const hold_id& hold, time_ms at) {
  return one.is == seat_state::held && one.hold != hold && at < one.until;
}

bool is_held_in_time(const seat& one, time_ms at) {
  return one.is == seat_state::held && at < one.until;
}

/// Calls `judge` for each seat of the list that the plan has; reports the others.
template <class Judge>
void for_each(block& where, const std::vector<seat_id>& ids, const spot& here, Judge judge) {
  for (const auto& id : ids) {
    const auto found = where.seats.find(id);
    if (found == where.seats.end())
      here.report(fault::seat_not_in_plan, "Seat " + id + " is not in the plan of the block.");
    else
      judge(id, found->second);
  }
}

/// A hold that gives back or sells a seat knows of all it did with it before.
void judge_generation(const seat_id& id, const seat& one, const hold_id& hold,
                      std::uint32_t generation, const spot& here) {
  if (is_held_by(one, hold) && generation < one.generation)
    here.report(fault::generation_too_old,
                "Generation " + std::to_string(generation) + " of hold " + hex(hold) +
                    " gives back or sells seat " + id + ", which generation " +
                    std::to_string(one.generation) + " has.");
}

void take_one(block& where, const block_place&, const event::block_planned& e, batch_audit&,
              const spot& here) {
  block planned;
  planned.planned = e.seats.size();
  for (const auto& id : e.seats) {
    const auto old = where.seats.find(id);
    const auto [one, is_new] =
        planned.seats.emplace(id, old == where.seats.end() ? seat{} : old->second);
    if (is_new)
      ++count_of(planned, one->second.is);
  }
  for (const auto& [id, one] : where.seats)
    if (!planned.seats.contains(id) &&
        (one.is == seat_state::sold || is_held_in_time(one, here.at())))
      here.report(fault::plan_drops_seat,
                  "Seat " + id + " is sold or held and not in the new plan.");
  where = std::move(planned);
}

void take_one(block& where, const block_place& place, const event::seats_held& e,
              batch_audit& together, const spot& here) {
  for_each(where, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is == seat_state::sold) {
      here.report(fault::seat_sold_twice, "Seat " + id + " is held for " + hex(e.hold) +
                                              " and was sold to order " + hex(one.order) + ".");
      return;
    }
    if (one.is == seat_state::blocked)
      here.report(fault::seat_not_on_sale,
                  "Seat " + id + " is held for " + hex(e.hold) + " while it is BLOCKED.");
    if (is_held_by_another(one, e.hold, here.at()))
      here.report(fault::seat_held_twice, "Seat " + id + " is held for " + hex(e.hold) +
                                              ", but hold " + hex(one.hold) + " has it until " +
                                              time_text(one.until) + ".");
    seat next;
    next.is = seat_state::held;
    next.hold = e.hold;
    next.until = e.until;
    next.generation = e.generation;
    become(where, one, next);
  });
  together.seats_held(place.show, place.id, e, here);
}

void take_one(block& where, const block_place& place, const event::seats_released& e,
              batch_audit& together, const spot& here) {
  for_each(where, e.seats, here, [&](const seat_id& id, seat& one) {
    if (!is_held_by(one, e.hold)) {
      here.report(fault::seat_released_by_other,
                  "Hold " + hex(e.hold) + " gave back seat " + id + " and did not have it.");
      return;
    }
    judge_generation(id, one, e.hold, e.generation, here);
    become(where, one, free_again(e.hold, here.at()));
  });
  together.seats_released(place.show, place.id, e, here);
}

void take_one(block& where, const block_place& place, const event::seats_sold& e,
              batch_audit& together, const spot& here) {
  for_each(where, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is == seat_state::sold)
      here.report(fault::seat_sold_twice, "Seat " + id + " is sold to order " + hex(e.order) +
                                              " and was sold to " + hex(one.order) + ".");
    else if (one.is == seat_state::blocked)
      here.report(fault::seat_not_on_sale,
                  "Seat " + id + " is sold to order " + hex(e.order) + " while it is BLOCKED.");
    else if (is_held_by_another(one, e.hold, here.at()))
      here.report(fault::sold_while_held, "Seat " + id + " is sold to order " + hex(e.order) +
                                              " while hold " + hex(one.hold) + " has it until " +
                                              time_text(one.until) + ".");
    judge_generation(id, one, e.hold, e.generation, here);
    seat next;
    next.is = seat_state::sold;
    next.order = e.order;
    become(where, one, next);
  });
  together.seats_sold(place.show, place.id, e, here);
}

void take_one(block& where, const block_place& place, const event::seats_blocked& e,
              batch_audit& together, const spot& here) {
  for_each(where, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is == seat_state::sold || one.is == seat_state::blocked ||
        is_held_in_time(one, here.at()))
      here.report(fault::blocked_wrongly,
                  "Seat " + id + " is BLOCKED, and was sold, held or BLOCKED.");
    seat next;
    next.is = seat_state::blocked;
    become(where, one, next);
  });
  together.seats_blocked(place.show, place.id, e);
}

void take_one(block& where, const block_place&, const event::seats_unblocked& e, batch_audit&,
              const spot& here) {
  for_each(where, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is != seat_state::blocked) {
      here.report(fault::unblocked_wrongly, "Seat " + id + " is unblocked and was not BLOCKED.");
      return;
    }
    become(where, one, free_again({}, here.at()));
  });
}

void take_one(block& where, const block_place& place, const event::seats_returned& e,
              batch_audit& together, const spot& here) {
  std::vector<seat_id> returned;
  for_each(where, e.seats, here, [&](const seat_id& id, seat& one) {
    if (one.is != seat_state::sold || one.order != e.order) {
      here.report(fault::seat_returned_wrongly,
                  "Order " + hex(e.order) + " returns seat " + id + " and does not have it.");
      return;
    }
    become(where, one, free_again({}, here.at()));
    returned.push_back(id);
  });
  together.seats_returned(place.show, place.id, e.order, returned, here);
}

/// No seat is lost and none comes from nowhere.
void judge_conservation(block& where, const spot& here) {
  const auto all = std::accumulate(where.counts.begin(), where.counts.end(), std::size_t{0});
  if (all == where.planned)
    return;
  here.report(fault::seats_not_conserved, std::to_string(all) +
                                              " seats are available, held, sold or BLOCKED, and " +
                                              std::to_string(where.planned) + " are in the plan.");
  where.planned = all; // what follows is judged by itself
}

} // namespace

void take(block& where, const block_place& place, const seating::any_event& happened,
          batch_audit& together, const spot& here) {
  std::visit([&](const auto& e) { take_one(where, place, e, together, here); }, happened);
  judge_conservation(where, here);
}

bool has_now(const block& where, const seat_id& id, const hold_id& hold) {
  const auto found = where.seats.find(id);
  return found != where.seats.end() && is_held_by(found->second, hold);
}

bool is_in_the_way(const block& where, const seat_id& id, const hold_id& its_hold, time_ms at) {
  const auto found = where.seats.find(id);
  if (found == where.seats.end())
    return true;
  const auto& one = found->second;
  if (one.is == seat_state::sold || one.is == seat_state::blocked ||
      is_held_by_another(one, its_hold, at))
    return true;
  return one.free_since && one.had_by != its_hold && *one.free_since >= at - lately_ms;
}

} // namespace usher::storage::audit

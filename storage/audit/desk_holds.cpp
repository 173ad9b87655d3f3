// Holds: placing, changing, ending.

#include "storage/audit/desk_judge.hpp"
#include "storage/audit/names.hpp"
#include "storage/audit/seats_audit.hpp"

#include <algorithm>

namespace usher::storage::audit {

namespace event = orders::event;
using orders::hold_change;
using orders::hold_end;

namespace {

/// How old a description may be that a command on its way was checked against.
constexpr duration_ms on_the_way_ms = 60'000;

auto seat_of(hold& it, const seat_id& id) {
  return std::ranges::find(it.seats, id, [](const promised_seat& one) { return one.where.second; });
}

std::vector<seat_place> places_of(const hold& it) {
  std::vector<seat_place> all;
  for (const auto& seat : it.seats)
    all.push_back(seat.where);
  return all;
}

promised_seat promised(const orders::offered_seat& seat) {
  return {{seat.block, seat.id}, seat.price_minor};
}

/// Does the event name the seats that a change of its kind is about, and no others?
bool is_well_formed(const event::hold_changed& e) {
  const bool adds = e.what == hold_change::added;
  const bool takes = e.what == hold_change::released || e.what == hold_change::withdrawn;
  return adds != e.added.empty() && takes != e.removed.empty();
}

} // namespace

hold_limits desk_judge::limits() const {
  auto most = show_.limits;
  for (const auto& earlier : show_.earlier)
    if (at() < earlier.changed_at + on_the_way_ms) {
      most.max_seats = std::max(most.max_seats, earlier.were.max_seats);
      most.max_life_ms = std::max(most.max_life_ms, earlier.were.max_life_ms);
    }
  return most;
}

/// The hold has seats: sold, or in time, or with an order that may be paid.
bool desk_judge::has_seats(const hold& it) const {
  if (it.sold)
    return true;
  const auto* its_order = order_of(it);
  return !it.ended && (at() < it.until || (its_order != nullptr && its_order->is_open(at())));
}

/// `it`: as it is with the new seats, and known to the show.
void desk_judge::judge_max_seats(const hold_id& id, const hold& it) const {
  if (it.box_office)
    return;
  std::size_t seats = it.owner ? 0 : it.seats.size();
  if (it.owner)
    for (const auto& one : show_.holds_of.at(*it.owner))
      if (const auto found = show_.holds.find(one);
          found != show_.holds.end() && (one == id || has_seats(found->second)))
        seats += found->second.seats_left();
  const auto most = limits().max_seats;
  if (seats > most)
    report(fault::over_max_seats, named(id) + " makes " + std::to_string(seats) +
                                      " seats of one admission, " + std::to_string(most) +
                                      " are allowed.");
}

// ---- placing

void desk_judge::take(const event::hold_placed& e) {
  if (show_.holds.contains(e.hold))
    report(fault::hold_placed_twice, named(e.hold) + " was placed before.");
  judge_who(named(e.hold) + " was placed", e.box_office, e.owner, fault::hold_without_admission);
  hold fresh;
  fresh.owner = e.owner;
  fresh.box_office = e.box_office;
  fresh.currency = e.currency;
  fresh.placed_at = at();
  fresh.until = e.until;
  std::ranges::transform(e.seats, std::back_inserter(fresh.seats), promised);
  together_.hold_placed(id_, e.hold, fresh, here_);
  if (e.owner)
    show_.holds_of[*e.owner].insert(e.hold);
  auto& it = show_.holds[e.hold] = std::move(fresh);
  judge_max_seats(e.hold, it);
}

// ---- changing

void desk_judge::wrong_change(const hold_id& id, const std::string& why) const {
  report(fault::hold_changed_wrongly, named(id) + " changed, " + why + ".");
}

void desk_judge::judge_changeable(const event::hold_changed& e, const hold& it) const {
  if (it.ended || it.sold)
    wrong_change(e.hold, "and it had ended or is sold");
  else if (!it.order.is_none())
    wrong_change(e.hold, "and it has an order");
  else if (at() >= it.until)
    wrong_change(e.hold, "and was over at " + time_text(it.until));
  else if (!is_well_formed(e))
    wrong_change(e.hold, "and the seats it names are not those of its being " +
                             std::string{to_string(e.what)});
  else if (e.what == hold_change::extended ? e.until <= it.until : e.until != it.until)
    wrong_change(e.hold, "which lasted until " + time_text(it.until) + ", to last until " +
                             time_text(e.until));
}

void desk_judge::judge_generation(const event::hold_changed& e, const hold& it) const {
  if (e.generation != it.generation + 1)
    report(fault::generation_wrong, named(e.hold) + " is generation " +
                                        std::to_string(e.generation) + " and was generation " +
                                        std::to_string(it.generation) + ".");
}

void desk_judge::take(const event::hold_changed& e) {
  const auto found = show_.holds.find(e.hold);
  if (found == show_.holds.end()) {
    report(fault::hold_unknown, named(e.hold) + " changed and is not there, or had ended before.");
    return;
  }
  auto& it = found->second;
  if (e.what == hold_change::kept_for_payment)
    judge_kept(e, it);
  else if (e.what == hold_change::payment_over)
    judge_payment_over(e, it);
  else
    judge_changeable(e, it);
  judge_generation(e, it);
  const auto was_until = it.until;
  it.generation = e.generation;
  it.until = e.until;
  switch (e.what) {
  case hold_change::extended:
    return extend(e, it);
  case hold_change::added:
    return add_seats(e, it);
  case hold_change::released:
  case hold_change::withdrawn:
    return take_seats(e, it);
  case hold_change::kept_for_payment:
    it.until_unpaid = was_until;
    return together_.hold_changed(id_, e.hold, it, places_of(it), {}, here_);
  case hold_change::payment_over:
    it.until_unpaid = 0;
    return together_.hold_changed(id_, e.hold, it, places_of(it), {}, here_);
  }
}

// ---- while a payment's outcome is not known

void desk_judge::judge_kept(const event::hold_changed& e, const hold& it) {
  const auto* its_order = order_of(it);
  const bool begins = its_order != nullptr && its_order->is == order_state::paying &&
                      together_.fulfil(duty::seats_kept, id_, it.order);
  if (it.ended || it.sold || !begins)
    return wrong_change(e.hold, "to be kept for a payment, and none of its order started with it");
  const auto until = std::max(it.until, its_order->paying_until);
  if (it.until_unpaid != 0 || !is_well_formed(e) || e.until != until)
    wrong_change(e.hold, "to be kept for a payment until " + time_text(e.until) +
                             ", and should be kept until " + time_text(until) +
                             ", once, with the seats it has");
}

void desk_judge::judge_payment_over(const event::hold_changed& e, const hold& it) {
  const auto* its_order = order_of(it);
  const bool is_over = its_order != nullptr && its_order->is == order_state::pending &&
                       together_.fulfil(duty::seats_back, id_, it.order);
  if (it.ended || it.sold || !is_over)
    return wrong_change(e.hold, "because a payment is over, and none of its order ended with it");
  if (!is_well_formed(e) || e.until != it.until_unpaid)
    wrong_change(e.hold, "to last until " + time_text(e.until) +
                             " after a payment, and lasted "
                             "until " +
                             time_text(it.until_unpaid) + " before it");
}

/// Who changes a hold that was placed without an admission, while the room was off, is not in the
/// log.
void desk_judge::extend(const event::hold_changed& e, hold& it) {
  if (it.owner || it.box_office)
    judge_who(named(e.hold) + " was extended", it.box_office, it.owner,
              fault::hold_without_admission);
  if (const auto latest = it.placed_at + limits().max_life_ms; e.until > latest)
    report(fault::over_max_life, named(e.hold) + " was extended until " + time_text(e.until) +
                                     " and may last until " + time_text(latest) + ".");
  together_.hold_changed(id_, e.hold, it, places_of(it), {}, here_);
}

void desk_judge::add_seats(const event::hold_changed& e, hold& it) {
  if (it.owner || it.box_office)
    judge_who(named(e.hold) + " got seats", it.box_office, it.owner, fault::hold_without_admission);
  std::vector<seat_place> gets;
  for (const auto& seat : e.added) {
    if (seat_of(it, seat.id) != it.seats.end())
      wrong_change(e.hold, "to have seat " + seat.id + ", which it had");
    it.seats.push_back(promised(seat));
    gets.emplace_back(seat.block, seat.id);
  }
  judge_max_seats(e.hold, it);
  together_.hold_changed(id_, e.hold, it, gets, {}, here_);
}

void desk_judge::take_seats(const event::hold_changed& e, hold& it) {
  std::vector<seat_place> lost;
  for (const auto& id : e.removed) {
    const auto seat = seat_of(it, id);
    if (seat == it.seats.end()) {
      wrong_change(e.hold, "to lose seat " + id + ", which it did not have");
      continue;
    }
    lost.push_back(seat->where);
    it.seats.erase(seat);
  }
  if (it.seats.empty())
    wrong_change(e.hold, "to have no seats");
  // A block may have given a seat to another hold whose time was later: that is not released.
  auto still_had = lost;
  std::erase_if(still_had, [&](const seat_place& seat) {
    const auto found = show_.blocks.find(seat.first);
    return found == show_.blocks.end() || !has_now(found->second, seat.second, e.hold);
  });
  together_.hold_changed(id_, e.hold, it, {}, still_had, here_);
  if (e.what == hold_change::withdrawn)
    together_.hold_withdrawn(id_, e.hold, std::move(lost), batch_audit::how_many::all);
}

// ---- ending

void desk_judge::judge_end(const event::hold_ended& e, const hold& it) const {
  const auto* its_order = order_of(it);
  const auto wrong = [&](const std::string& why) {
    report(fault::hold_ended_wrongly, named(e.hold) + " ended" + why + ".");
  };
  const auto its_order_is = [&] { return std::string{to_string(its_order->is)}; };
  if (it.ended || it.sold)
    wrong(", but it had ended or is sold");
  else if (its_order != nullptr &&
           (its_order->is == order_state::pending || its_order->is == order_state::paying))
    wrong(" while its order is " + its_order_is());
  else if (its_order != nullptr && e.reason == hold_end::withdrawn &&
           its_order->is != order_state::cancelled)
    wrong(" because its seats were withdrawn, and its order is " + its_order_is());
  // Lost seats end a hold, too, whatever its time.
  const bool lost = its_order != nullptr && its_order->is == order_state::refund_due;
  if (e.reason == hold_end::expired && at() < it.until && !lost)
    report(fault::hold_expired_early,
           named(e.hold) + " expired and lasts until " + time_text(it.until) + ".");
}

void desk_judge::take(const event::hold_ended& e) {
  const auto found = show_.holds.find(e.hold);
  const bool is_known = found != show_.holds.end();
  together_.hold_ended(id_, e.hold, is_known ? &found->second : nullptr, here_);
  if (!is_known) {
    report(fault::hold_unknown, named(e.hold) + " ended and is not there, or had ended before.");
    return;
  }
  auto& it = found->second;
  judge_end(e, it);
  if (e.reason == hold_end::withdrawn)
    together_.hold_withdrawn(id_, e.hold, places_of(it), batch_audit::how_many::one);
  if (order_of(it) != nullptr)
    it.ended = true; // late money may still sell its seats
  else
    forget(found);
}

void desk_judge::forget(hold_entry which) {
  if (const auto owner = which->second.owner) {
    const auto its = show_.holds_of.find(*owner);
    its->second.erase(which->first);
    if (its->second.empty())
      show_.holds_of.erase(its);
  }
  show_.holds.erase(which);
}

} // namespace usher::storage::audit

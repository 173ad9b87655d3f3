#include "tests/simulation/seat_model.hpp"

#include "tests/simulation/violation.hpp"

#include <algorithm>
#include <limits>

namespace usher::simulation {

using seating::shown;
namespace event = seating::event;

namespace {

constexpr auto one_owner = "one-owner-per-seat";

/// Does somebody else than this hold have the seat at `at`?
bool is_anothers(const seat_model::seat& it, const hold_id& hold, time_ms at) {
  return it.is == shown::sold || (it.is == shown::held && it.hold != hold && at < it.until);
}

time_ms last_moment(const seat_model::seat& it) {
  return it.is == shown::held ? it.until - 1 : std::numeric_limits<time_ms>::max();
}

} // namespace

void seat_model::take(const seating::any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { on(one, at); }, happened);
}

seating::tally seat_model::count() const {
  seating::tally all;
  for (const auto& [id, it] : seats_) {
    all.available += it.is == shown::available ? 1 : 0;
    all.held += it.is == shown::held ? 1 : 0;
    all.sold += it.is == shown::sold ? 1 : 0;
    all.blocked += it.is == shown::blocked ? 1 : 0;
  }
  return all;
}

bool seat_model::was(const seat_id& id, shown what, time_ms from, time_ms to) const {
  const auto in_the_past = [&](const std::vector<stretch>& past) {
    return std::ranges::any_of(past, [&](const stretch& one) {
      return one.what == what && one.from <= to && from <= one.to;
    });
  };
  const auto found = seats_.find(id);
  if (found == seats_.end()) {
    const auto gone = vanished_.find(id);
    return gone != vanished_.end() && in_the_past(gone->second);
  }
  const auto& it = found->second;
  return (it.is == what && it.since <= to && from <= last_moment(it)) || in_the_past(it.past);
}

seat_model::seat& seat_model::known(const seat_id& id) {
  const auto found = seats_.find(id);
  demand(found != seats_.end(), "seats-conserved",
         [&] { return "The log speaks of seat " + id + ", which the plan does not have."; });
  return found->second;
}

void seat_model::become(seat& it, shown what, time_ms at) {
  if (it.is != shown::available)
    it.past.push_back({it.is, it.since, std::min(at, last_moment(it))});
  it.is = what;
  it.since = at;
}

void seat_model::on(const event::block_planned& e, time_ms at) {
  std::map<seat_id, seat> next;
  for (const auto& id : e.seats) {
    const auto old = seats_.find(id);
    const bool fresh = next.emplace(id, old == seats_.end() ? seat{} : old->second).second;
    if (old == seats_.end())
      next[id].past = vanished_[id];
    demand(fresh, "seats-conserved", [&] { return "The plan has seat " + id + " twice."; });
  }
  for (auto& [id, it] : seats_) {
    if (next.contains(id))
      continue;
    demand(!is_anothers(it, {}, at), "seats-conserved",
           [&] { return "A plan takes away seat " + id + ", which somebody has."; });
    become(it, shown::available, at);
    vanished_[id] = it.past;
  }
  seats_ = std::move(next);
}

void seat_model::on(const event::seats_held& e, time_ms at) {
  for (const auto& id : e.seats) {
    auto& it = known(id);
    demand(!is_anothers(it, e.hold, at), one_owner, [&] {
      return "Seat " + id + " is held by one, and another has it " +
             (it.is == shown::sold ? "bought." : "held.");
    });
    demand(it.is != shown::blocked, "blocked-is-not-for-sale",
           [&] { return "Seat " + id + " is off sale, and is held."; });
    demand(it.is != shown::held || it.hold != e.hold || e.generation >= it.generation,
           "versions-grow", [&] { return "The hold of seat " + id + " goes back a generation."; });
    become(it, shown::held, at);
    it.hold = e.hold;
    it.until = e.until;
    it.generation = e.generation;
  }
}

void seat_model::on(const event::seats_released& e, time_ms at) {
  for (const auto& id : e.seats) {
    auto& it = known(id);
    demand(it.is == shown::held && it.hold == e.hold && it.generation <= e.generation, one_owner,
           [&] { return "A hold gives back seat " + id + ", which it has not (any more)."; });
    become(it, shown::available, at);
  }
}

void seat_model::on(const event::seats_sold& e, time_ms at) {
  for (const auto& id : e.seats) {
    auto& it = known(id);
    demand(!is_anothers(it, e.hold, at), one_owner,
           [&] { return "Seat " + id + " is sold to one, and another has it."; });
    demand(it.is != shown::blocked, "blocked-is-not-for-sale",
           [&] { return "Seat " + id + " is off sale, and is sold."; });
    become(it, shown::sold, at);
    it.order = e.order;
  }
}

void seat_model::on(const event::seats_blocked& e, time_ms at) {
  for (const auto& id : e.seats) {
    auto& it = known(id);
    demand(!is_anothers(it, {}, at), one_owner,
           [&] { return "Seat " + id + " goes off sale, and somebody has it."; });
    become(it, shown::blocked, at);
  }
}

void seat_model::on(const event::seats_unblocked& e, time_ms at) {
  for (const auto& id : e.seats)
    become(known(id), shown::available, at);
}

void seat_model::on(const event::seats_returned& e, time_ms at) {
  for (const auto& id : e.seats) {
    auto& it = known(id);
    demand(it.is == shown::sold && it.order == e.order, one_owner,
           [&] { return "An order gives back seat " + id + ", which it has not."; });
    become(it, shown::available, at);
  }
}

} // namespace usher::simulation

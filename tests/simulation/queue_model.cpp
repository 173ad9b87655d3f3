#include "tests/simulation/queue_model.hpp"

#include "tests/simulation/violation.hpp"

#include <algorithm>

namespace usher::simulation {

using waiting_room::room_mode;
using waiting_room::ticket_status;
namespace event = waiting_room::event;

namespace {

std::string name(slot_t slot) {
  return "ticket " + std::to_string(slot);
}

} // namespace

void queue_model::take(const waiting_room::any_event& happened, time_ms at) {
  std::visit([&](const auto& one) { on(one, at); }, happened);
}

void queue_model::heard(slot_t slot, time_ms at) {
  if (slot < tickets_.size())
    tickets_[slot].heard_at = std::max(tickets_[slot].heard_at, at);
}

void queue_model::restart(time_ms now) {
  excused_until_ = now;
  for (auto& each : tickets_) // its clock may have been ahead
    each.heard_at = std::min(each.heard_at, now);
}

std::size_t queue_model::active() const {
  return static_cast<std::size_t>(
      std::ranges::count(tickets_, ticket_status::admitted, &ticket::status));
}

std::size_t queue_model::waiting() const {
  return static_cast<std::size_t>(
      std::ranges::count(tickets_, ticket_status::waiting, &ticket::status));
}

std::vector<slot_t> queue_model::line() const {
  std::vector<slot_t> all;
  for (const auto& [tier, lane] : lanes_)
    for (const auto slot : lane)
      if (tickets_[slot].status == ticket_status::waiting)
        all.push_back(slot);
  return all;
}

std::size_t queue_model::position(slot_t wanted) const {
  std::size_t ahead = 0;
  for (const auto& [tier, lane] : lanes_)
    for (const auto slot : lane) {
      if (slot == wanted)
        return ahead + 1;
      ahead += tickets_[slot].status == ticket_status::waiting ? 1 : 0;
    }
  return 0;
}

bool queue_model::admits(slot_t slot, time_ms at) const {
  return slot < tickets_.size() && tickets_[slot].status == ticket_status::admitted &&
         at < tickets_[slot].deadline();
}

bool queue_model::is_live(slot_t slot) const {
  return slot < tickets_.size() && waiting_room::is_live(tickets_[slot].status);
}

queue_model::ticket& queue_model::known(slot_t slot) {
  demand(slot < tickets_.size(), "versions-grow",
         [&] { return "The log speaks of " + name(slot) + ", which nobody was given."; });
  return tickets_[slot];
}

void queue_model::stand_at_end(slot_t slot, std::uint8_t tier) {
  for (auto& [its, lane] : lanes_)
    std::erase(lane, slot);
  lanes_[tier].push_back(slot);
  tickets_[slot].tier = tier;
  tickets_[slot].status = ticket_status::waiting;
}

// ---- the room

void queue_model::on(const event::room_configured& e, time_ms) {
  set_ = e.to;
}
void queue_model::on(const event::room_scheduled&, time_ms) {
  mode_ = room_mode::scheduled;
}
void queue_model::on(const event::room_unscheduled&, time_ms) {
  mode_ = room_mode::off;
}
void queue_model::on(const event::prequeue_opened&, time_ms) {
  mode_ = room_mode::prequeue;
}
void queue_model::on(const event::room_opened&, time_ms at) {
  mode_ = room_mode::open;
  opened_at_ = at;
}
void queue_model::on(const event::room_put_on_standby&, time_ms at) {
  mode_ = room_mode::standby;
  opened_at_ = at;
}

void queue_model::on(const event::places_drawn& e, time_ms) {
  auto all = line();
  auto drawn = e.order;
  std::ranges::sort(all);
  std::ranges::sort(drawn);
  demand(all == drawn, "first-come-first-served",
         "The draw is not of those who were waiting when it was made.");
  lanes_.clear();
  for (const auto slot : e.order)
    lanes_[tickets_[slot].tier].push_back(slot);
}

void queue_model::on(const event::room_closed&, time_ms) {
  mode_ = room_mode::off;
  for (auto& each : tickets_)
    if (waiting_room::is_live(each.status))
      each.status = ticket_status::closed;
  lanes_.clear();
}

// ---- fans

void queue_model::on(const event::fans_joined& e, time_ms at) {
  demand(e.first == tickets_.size(), "versions-grow", [&] {
    return "The next ticket is " + std::to_string(tickets_.size()) + ", and " +
           std::to_string(e.first) + " was given.";
  });
  const auto entry = [](const auto& column, std::size_t fan) {
    return column.empty() ? identity{} : column[fan];
  };
  for (std::size_t fan = 0; fan < e.nonces.size(); ++fan) {
    ticket fresh;
    fresh.nonce = e.nonces[fan];
    fresh.customer = entry(e.customers, fan);
    fresh.key = entry(e.keys, fan);
    fresh.heard_at = at;
    for (slot_t slot = 0; slot < tickets_.size(); ++slot)
      for (const auto& who : {fresh.customer, fresh.key})
        demand(who.is_none() || !is_live(slot) ||
                   (tickets_[slot].customer != who && tickets_[slot].key != who),
               "one-place-per-fan", [&] {
                 return "A fan has " + name(slot) + " and is given " +
                        name(static_cast<slot_t>(tickets_.size())) + " as well.";
               });
    tickets_.push_back(fresh);
    const auto slot = static_cast<slot_t>(tickets_.size() - 1);
    stand_at_end(slot,
                 e.tiers.empty() ? static_cast<std::uint8_t>(set_.tiers.size()) : e.tiers[fan]);
  }
}

void queue_model::on(const event::fan_promoted& e, time_ms) {
  known(e.slot);
  stand_at_end(e.slot, e.tier);
}

void queue_model::on(const event::fans_passed_over& e, time_ms at) {
  for (const auto slot : e.slots) {
    auto& it = known(slot);
    // What the fan did in this very millisecond may have come after the decision.
    const auto there = std::max({it.heard_at < at ? it.heard_at : 0, opened_at_, excused_until_});
    demand(at - there >= set_.absent_after_ms, "nobody-present-is-passed-over", [&] {
      return name(slot) + " was passed over at " + std::to_string(at) + ", and was there at " +
             std::to_string(there) + ".";
    });
    it.status = ticket_status::absent;
  }
}

void queue_model::on(const event::fans_returned& e, time_ms) {
  for (const auto slot : e.slots)
    known(slot).status = ticket_status::waiting;
}

void queue_model::on(const event::fan_reentered& e, time_ms at) {
  auto& it = known(e.slot);
  it.status = ticket_status::waiting;
  it.heard_at = std::max(it.heard_at, at);
}

void queue_model::on(const event::fans_admitted& e, time_ms) {
  const auto present = line();
  for (std::size_t i = 0; i < e.slots.size(); ++i) {
    const auto slot = e.slots[i];
    auto& it = known(slot);
    demand(it.status == ticket_status::waiting, "first-come-first-served",
           [&] { return name(slot) + " is admitted, and does not wait."; });
    demand(i < present.size() && present[i] == slot, "first-come-first-served", [&] {
      return name(slot) + " is admitted before " + name(present[std::min(i, present.size() - 1)]) +
             ", which is present and stands before it.";
    });
  }
  for (const auto slot : e.slots) {
    auto& it = tickets_[slot];
    it.status = ticket_status::admitted;
    it.until = e.until;
    it.busy_until = 0;
  }
  demand(!set_.max_active || active() <= *set_.max_active, "max-active", [&] {
    return std::to_string(active()) + " are admitted, and at most " +
           std::to_string(*set_.max_active) + " may be.";
  });
}

void queue_model::on(const event::admission_kept& e, time_ms) {
  auto& it = known(e.slot);
  demand(it.status == ticket_status::admitted, "no-hold-without-admission",
         [&] { return "Something keeps " + name(e.slot) + ", which is not admitted."; });
  it.busy_until = e.busy_until;
}

void queue_model::on(const event::tickets_ended& e, time_ms) {
  for (const auto slot : e.slots) {
    auto& it = known(slot);
    demand(waiting_room::is_live(it.status), "ended-stays-ended",
           [&] { return name(slot) + " ends, and had ended."; });
    it.status = waiting_room::status_after(e.reason);
  }
}

void queue_model::on(const event::ticket_revoked& e, time_ms) {
  auto& it = known(e.slot);
  demand(waiting_room::is_live(it.status), "ended-stays-ended",
         [&] { return name(e.slot) + " is revoked, and had ended."; });
  it.status = ticket_status::revoked;
}

} // namespace usher::simulation

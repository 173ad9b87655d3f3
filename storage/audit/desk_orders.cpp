// Orders: placing, and their ends without a sale.

#include "storage/audit/desk_judge.hpp"
#include "storage/audit/names.hpp"

#include <utility>

namespace usher::storage::audit {

namespace event = orders::event;
order* desk_judge::find(const order_id& which) {
  const auto found = show_.orders.find(which);
  if (found != show_.orders.end())
    return &found->second;
  report(fault::order_unknown, named(which) + " was never placed.");
  return nullptr;
}

const hold* desk_judge::hold_of(const order& it) const {
  const auto its = show_.holds.find(it.hold);
  return its == show_.holds.end() ? nullptr : &its->second;
}

// ---- placing

void desk_judge::take(const event::order_placed& e) {
  if (show_.orders.contains(e.order))
    report(fault::order_placed_twice, named(e.order) + " was placed before.");
  judge_who(named(e.order) + " was placed", e.box_office, e.owner, fault::order_without_admission);
  if (!e.hold.is_none())
    judge_hold_of(e);
  order fresh;
  fresh.owner = e.owner;
  fresh.hold = e.hold;
  fresh.hold_ref = e.hold_ref;
  fresh.total = e.total;
  fresh.until = e.until;
  if (e.hold.is_none())
    show_.orders_of_ref[e.hold_ref].push_back(e.order);
  show_.orders[e.order] = std::move(fresh);
}

void desk_judge::judge_hold_of(const event::order_placed& e) {
  const auto found = show_.holds.find(e.hold);
  const auto wrong = [&](const std::string& why) {
    report(fault::order_without_hold, named(e.order) + " is for " + named(e.hold) + ", " + why);
  };
  if (found == show_.holds.end()) {
    wrong("which is not there or has ended.");
    return;
  }
  auto& it = found->second;
  if (!it.order.is_none())
    wrong("which has an order already.");
  else if (at() >= it.until)
    wrong("which was over at " + time_text(it.until) + ".");
  else if (it.owner && it.owner != e.owner)
    wrong("which is another admission's.");
  else if (it.box_office && !e.box_office)
    wrong("which is the box office's.");
  if (const auto total = it.total(); total != e.total)
    report(fault::order_total_wrong,
           named(e.order) + " costs " + std::to_string(e.total.amount_minor) + " " +
               e.total.currency + ", its seats " + std::to_string(total.amount_minor) + " " +
               total.currency + " (minor units).");
  it.order = e.order;
}

// ---- ends

void desk_judge::take(const event::order_expired& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  const bool paying = it->is == order_state::paying;
  const auto until = paying ? it->paying_until : it->until;
  if ((!paying && it->is != order_state::pending) || until == 0)
    report(fault::order_ended_wrongly,
           named(e.order) + " expired while " + std::string{to_string(it->is)} + ".");
  else if (at() < until)
    report(fault::order_expired_early,
           named(e.order) + " expired and lasts until " + time_text(until) + ".");
  it->is = order_state::expired;
  together_.fulfil(duty::seats_back, id_, e.order); // its hold ends
}

void desk_judge::take(const event::order_cancelled& e) {
  auto* it = find(e.order);
  if (it == nullptr)
    return;
  if (it->is != order_state::pending && it->is != order_state::paying)
    report(fault::order_ended_wrongly,
           named(e.order) + " was cancelled while " + std::string{to_string(it->is)} + ".");
  it->is = order_state::cancelled;
}

} // namespace usher::storage::audit

#include "storage/audit/batch_audit.hpp"

#include "storage/audit/names.hpp"

#include <algorithm>
#include <iterator>

namespace usher::storage::audit {

namespace {

using seats = std::multiset<seat_place>;

seats of_block(const block_id& its, const std::vector<seat_id>& ids) {
  seats all;
  for (const auto& id : ids)
    all.emplace(its, id);
  return all;
}

std::string first_difference(const seats& one, const seats& other) {
  std::vector<seat_place> differ;
  std::set_symmetric_difference(one.begin(), one.end(), other.begin(), other.end(),
                                std::back_inserter(differ));
  return differ.front().first + "/" + differ.front().second;
}

} // namespace

void batch_audit::hold_placed(const show_id& where, const hold_id& id, const hold& what,
                              const spot& here) {
  placed_.emplace(key<hold_id>{where, id}, note{here, {what.seats.begin(), what.seats.end()}});
}

void batch_audit::hold_ended(const show_id& where, const hold_id& id) {
  ended_.emplace(where, id);
}

void batch_audit::seats_held(const show_id& where, const block_id& its,
                             const seating::event::seats_held& e, const spot& here) {
  const auto found = held_.try_emplace({where, e.hold}, note{here, {}}).first;
  found->second.which.merge(of_block(its, e.seats));
}

void batch_audit::seats_released(const show_id& where, const hold_id& id, const spot& here) {
  released_.try_emplace({where, id}, here);
}

void batch_audit::seats_sold(const show_id& where, const block_id& its,
                             const seating::event::seats_sold& e, const spot& here) {
  const auto found = sold_.try_emplace({where, e.order}, note{here, {}}).first;
  found->second.which.merge(of_block(its, e.seats));
}

void batch_audit::order_paid(const show_id& where, const order_id& id,
                             const std::vector<seat_place>& all, const spot& here) {
  paid_.emplace(key<order_id>{where, id}, note{here, {all.begin(), all.end()}});
}

void batch_audit::refund_due(const show_id& where, const order_id& id) {
  refund_due_.emplace(where, id);
}

void batch_audit::money_came(const show_id& where, const order_id& id, const spot& here) {
  money_came_.try_emplace({where, id}, here);
}

void batch_audit::finish() {
  for (const auto& [id, promised] : placed_) {
    const auto found = held_.find(id);
    const auto& got = found == held_.end() ? seats{} : found->second.which;
    if (got != promised.which)
      promised.here.report(fault::hold_seats_differ,
                           "The blocks did not hold exactly the seats of hold " + hex(id.second) +
                               " with it, as " + first_difference(got, promised.which) + " shows.");
  }
  for (const auto& [id, got] : held_)
    if (!placed_.contains(id))
      got.here.report(fault::held_without_hold,
                      "Seats are held for " + hex(id.second) + ", which nobody placed with it.");
  for (const auto& [id, here] : released_)
    if (!ended_.contains(id))
      here.report(fault::released_without_end,
                  "Seats of hold " + hex(id.second) + " are free, but it did not end with that.");
  for (const auto& [id, promised] : paid_) {
    const auto found = sold_.find(id);
    const auto& got = found == sold_.end() ? seats{} : found->second.which;
    if (got != promised.which)
      promised.here.report(fault::paid_seats_differ,
                           "The blocks did not sell exactly the seats of order " + hex(id.second) +
                               " with its payment, as " + first_difference(got, promised.which) +
                               " shows.");
  }
  for (const auto& [id, got] : sold_)
    if (!paid_.contains(id))
      got.here.report(fault::sold_without_paid, "Seats are sold to order " + hex(id.second) +
                                                    ", which was not paid with it.");
  for (const auto& [id, here] : money_came_)
    if (!paid_.contains(id) && !refund_due_.contains(id))
      here.report(fault::money_without_outcome,
                  "Order " + hex(id.second) + " got money and is neither PAID nor REFUND_DUE.");
  for (const auto& [show, here] : drawn_)
    here.report(fault::draw_without_opening,
                "Places were drawn, and the room was not opened directly after.");
  *this = {};
}

} // namespace usher::storage::audit

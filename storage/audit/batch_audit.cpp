#include "storage/audit/batch_audit.hpp"

#include "storage/audit/names.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace usher::storage::audit {

namespace {

using seats = std::multiset<seat_place>;

void add(seats& to, const block_id& its, const std::vector<seat_id>& ids) {
  for (const auto& id : ids)
    to.emplace(its, id);
}

seats of(const std::vector<seat_place>& places) {
  return {places.begin(), places.end()};
}

seats of(const hold& it) {
  seats all;
  for (const auto& seat : it.seats)
    all.insert(seat.where);
  return all;
}

std::string text(const seat_place& one) {
  return one.first + "/" + one.second;
}

std::string first_difference(const seats& one, const seats& other) {
  std::vector<seat_place> differ;
  std::set_symmetric_difference(one.begin(), one.end(), other.begin(), other.end(),
                                std::back_inserter(differ));
  return text(differ.front());
}

} // namespace

// ---- what the desk decides

batch_audit::hold_note& batch_audit::note(const show_id& where, const hold_id& id, hold_note what) {
  return holds_[{where, id}].emplace_back(std::move(what));
}

batch_audit::hold_note* batch_audit::latest(const show_id& where, const hold_id& id) {
  const auto found = holds_.find({where, id});
  return found == holds_.end() ? nullptr : &found->second.back();
}

void batch_audit::hold_placed(const show_id& where, const hold_id& id, const hold& what,
                              const spot& here) {
  note(where, id,
       {.here = here,
        .generation = what.generation,
        .until = what.until,
        .box_office = what.box_office,
        .gets = of(what)});
}

void batch_audit::hold_changed(const show_id& where, const hold_id& id, const hold& it,
                               const std::vector<seat_place>& gets,
                               const std::vector<seat_place>& loses, const spot& here) {
  note(where, id,
       {.here = here,
        .generation = it.generation,
        .until = it.until,
        .gets = of(gets),
        .loses = of(loses)});
}

void batch_audit::hold_ended(const show_id& where, const hold_id& id, const hold* it,
                             const spot& here) {
  constexpr auto any = std::numeric_limits<std::uint32_t>::max();
  note(where, id, {.here = here, .generation = it == nullptr ? any : it->generation, .ends = true});
}

void batch_audit::hold_withdrawn(const show_id& where, const hold_id& id,
                                 std::vector<seat_place> which, how_many many) {
  auto* const its = latest(where, id);
  its->to_block = std::move(which);
  its->blocked_at_least = many;
}

void batch_audit::order_paid(const show_id& where, const order_id& id, const order& it,
                             const hold* its_hold, const spot& here) {
  sale_note sale{.here = here, .its_hold = it.hold};
  if (its_hold != nullptr) {
    sale.generation = its_hold->generation;
    sale.which = of(*its_hold);
    sold_.emplace(where, it.hold);
  }
  paid_.emplace(key<order_id>{where, id}, std::move(sale));
}

void batch_audit::order_seats_returned(const show_id& where, const order_id& id,
                                       const std::vector<seat_place>& which, const spot& here) {
  returned_.try_emplace({where, id}, return_note{here}).first->second.by_desk.merge(of(which));
}

void batch_audit::expect(duty what, const show_id& where, const order_id& id, const spot& here,
                         fault broken, std::string sentence) {
  expected_.insert_or_assign({{where, id}, what}, promise{here, broken, std::move(sentence)});
}

bool batch_audit::fulfil(duty what, const show_id& where, const order_id& id) {
  return expected_.erase({{where, id}, what}) > 0;
}

void batch_audit::money_moved(const show_id& where, const order_id& id, const order& it,
                              const spot& here) {
  money_.insert_or_assign({where, id}, money_note{here, &it});
}

// ---- what the blocks do

void batch_audit::seats_held(const show_id& where, const block_id& its,
                             const seating::event::seats_held& e, const spot& here) {
  auto* const decided = latest(where, e.hold);
  if (decided == nullptr || decided->gets.empty()) {
    here.report(fault::held_without_hold,
                "Seats are held for " + hex(e.hold) + ", which did not ask for them with it.");
    return;
  }
  add(decided->held, its, e.seats);
  if (e.generation != decided->generation)
    here.report(fault::generation_wrong,
                "Seats are held for generation " + std::to_string(e.generation) + " of hold " +
                    hex(e.hold) + ", which is " + std::to_string(decided->generation) + ".");
  if (e.until != decided->until)
    here.report(fault::held_until_differs, "Seats are held for " + hex(e.hold) + " until " +
                                               time_text(e.until) + ", and the hold lasts until " +
                                               time_text(decided->until) + ".");
}

void batch_audit::seats_released(const show_id& where, const block_id& its,
                                 const seating::event::seats_released& e, const spot& here) {
  auto* const decided = latest(where, e.hold);
  if (decided == nullptr || (!decided->ends && decided->loses.empty())) {
    here.report(fault::released_without_end, "Seats of hold " + hex(e.hold) +
                                                 " are free, but it neither ended nor lost seats "
                                                 "with that.");
    return;
  }
  add(decided->released, its, e.seats);
  if (e.generation > decided->generation)
    here.report(fault::generation_wrong, "Generation " + std::to_string(e.generation) +
                                             " of hold " + hex(e.hold) + " gave seats back, and " +
                                             std::to_string(decided->generation) +
                                             " is the latest.");
}

void batch_audit::seats_sold(const show_id& where, const block_id& its,
                             const seating::event::seats_sold& e, const spot& here) {
  const auto found = paid_.find({where, e.order});
  if (found == paid_.end()) {
    here.report(fault::sold_without_paid,
                "Seats are sold to order " + hex(e.order) + ", which was not paid with it.");
    return;
  }
  auto& sale = found->second;
  add(sale.sold, its, e.seats);
  if (!sale.which.empty() && e.generation > sale.generation)
    here.report(fault::generation_wrong, "Generation " + std::to_string(e.generation) +
                                             " of hold " + hex(e.hold) + " is sold, and " +
                                             std::to_string(sale.generation) + " is the latest.");
}

void batch_audit::seats_blocked(const show_id& where, const block_id& its,
                                const seating::event::seats_blocked& e) {
  for (const auto& id : e.seats)
    blocked_.emplace(where, seat_place{its, id});
}

void batch_audit::seats_returned(const show_id& where, const block_id& its, const order_id& id,
                                 const std::vector<seat_id>& which, const spot& here) {
  add(returned_.try_emplace({where, id}, return_note{here}).first->second.by_blocks, its, which);
}

// ---- the end of the batch

void batch_audit::judge(const key<hold_id>& id, const hold_note& what) const {
  // Over the counter seats are sold without having been held.
  const bool at_once = what.box_office && what.held.empty() && sold_.contains(id);
  if (!at_once && what.held != what.gets)
    what.here.report(fault::hold_seats_differ,
                     "The blocks did not hold exactly the seats of hold " + hex(id.second) +
                         " with it, as " + first_difference(what.held, what.gets) + " shows.");
  if (!what.ends && what.released != what.loses)
    what.here.report(fault::released_seats_differ,
                     "The blocks did not take back exactly the seats that hold " + hex(id.second) +
                         " lost, as " + first_difference(what.released, what.loses) + " shows.");
  judge_withdrawal(id, what);
}

void batch_audit::judge_withdrawal(const key<hold_id>& id, const hold_note& what) const {
  const auto is_on_sale = [&](const seat_place& seat) {
    return !blocked_.contains({id.first, seat});
  };
  const auto on_sale = std::ranges::count_if(what.to_block, is_on_sale);
  const auto all = std::ssize(what.to_block);
  const auto most = what.blocked_at_least == how_many::all ? 0 : all - 1;
  if (all > 0 && on_sale > most)
    what.here.report(fault::withdrawn_without_block,
                     "Hold " + hex(id.second) + " lost seats to an operator, and " +
                         text(*std::ranges::find_if(what.to_block, is_on_sale)) +
                         " was not taken off sale with that.");
}

void batch_audit::judge(const key<order_id>& id, const sale_note& what) const {
  if (what.sold != what.which)
    what.here.report(fault::paid_seats_differ,
                     "The blocks did not sell exactly the seats of order " + hex(id.second) +
                         " with its payment, as " + first_difference(what.sold, what.which) +
                         " shows.");
}

/// What came and did not sell anything is all on its way back, or back.
void batch_audit::judge(const key<order_id>& id, const money_note& what) const {
  const auto& it = *what.its_order;
  for (const auto& money : it.came) {
    const bool is_owed = !money.is_kept || !(it.is_sold() || it.is == order_state::refunded);
    const bool none_begun = money.may_stay && money.going_back_minor == 0;
    if (is_owed && !none_begun && money.going_back_minor != money.amount_minor)
      what.here.report(fault::money_does_not_add_up,
                       "Order " + hex(id.second) + " got " + std::to_string(money.amount_minor) +
                           " (minor units) that sold nothing, and " +
                           std::to_string(money.going_back_minor) + " of it goes back.");
  }
}

void batch_audit::finish() {
  for (const auto& [id, decisions] : holds_)
    for (const auto& one : decisions)
      judge(id, one);
  for (const auto& [id, sale] : paid_)
    judge(id, sale);
  for (const auto& [id, what] : returned_)
    if (what.by_desk != what.by_blocks)
      what.here.report(fault::returned_seats_differ,
                       "Desk and blocks do not agree on the seats that order " + hex(id.second) +
                           " returns, as " + first_difference(what.by_desk, what.by_blocks) +
                           " shows.");
  std::set<key<order_id>> told; // of whose money something is known to be missing
  for (const auto& [which, broken] : expected_) {
    broken.here.report(broken.broken, broken.sentence);
    told.insert(which.first);
  }
  for (const auto& [id, moved] : money_)
    if (!told.contains(id))
      judge(id, moved);
  for (const auto& [show, here] : drawn_)
    here.report(fault::draw_without_opening,
                "Places were drawn, and the room was not opened directly after.");
  *this = {};
}

} // namespace usher::storage::audit

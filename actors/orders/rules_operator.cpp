#include "actors/orders/rules_common.hpp"

#include <algorithm>
#include <set>

// What the seller's staff may do: sell over the counter, take seats off sale and put them back.
namespace usher::orders {

namespace {

/// A sale over the counter is held, ordered and paid in one step: this says only that none of it
/// was late.
constexpr duration_ms counter_sale_ms = 60'000;

hold as_held(const command::sell_seats& asked) {
  hold made;
  made.seats = asked.seats;
  made.currency = asked.currency;
  return made;
}

/// Live holds lose the seats that go off sale.
class withdrawal {
public:
  withdrawal(const state& desk, const command::block_seats& asked) : desk_{desk}, asked_{asked} {
    for (const auto& seat : asked.seats)
      seats_.insert(seat.id);
  }

  void take_from(const hold_id& id, const hold& it) {
    const auto loses = [&](const offered_seat& seat) { return seats_.contains(seat.id); };
    if (asked_.now >= it.until || std::ranges::none_of(it.seats, loses))
      return;
    if (it.status == hold_status::ordered) {
      if (desk_.orders.at(it.order).status != order_status::pending)
        return; // being paid: the block will refuse
      wanted_.events.emplace_back(event::order_cancelled{it.order});
      gone_.orders.push_back(it.order);
      end(id, it);
    } else if (std::ranges::all_of(it.seats, loses)) {
      end(id, it);
    } else {
      event::hold_changed change{id,       it.generation + 1, hold_change::withdrawn, {}, {},
                                 it.until, std::nullopt};
      std::vector<offered_seat> lost;
      std::ranges::copy_if(it.seats, std::back_inserter(lost), loses);
      for (const auto& seat : lost)
        change.removed.push_back(seat.id);
      wanted_.events.emplace_back(std::move(change));
      give_back(id, it.generation, lost);
    }
  }

  proposal proposed() {
    for (auto& [block, seats] : common::by_block(asked_.seats))
      wanted_.blocks.push_back(
          {block, seating::command::block{std::move(seats), std::move(parts_[block]), asked_.note,
                                          asked_.now}});
    for (auto& [block, parts] : parts_)
      if (!parts.empty())
        wanted_.blocks.push_back({block, seating::command::release{std::move(parts)}});
    std::ranges::sort(wanted_.blocks, {}, &block_work::block);
    waiting_room::command::settle_all told;
    for (const auto owner : owners_)
      told.each.push_back(
          {owner, common::kept_until(desk_, owner, asked_.now, gone_), false, asked_.now});
    if (!told.each.empty())
      wanted_.room = std::move(told);
    return std::move(wanted_);
  }

private:
  void end(const hold_id& id, const hold& it) {
    wanted_.events.emplace_back(event::hold_ended{id, hold_end::withdrawn});
    gone_.holds.push_back(id);
    if (it.owner)
      owners_.insert(*it.owner);
    give_back(id, it.generation, it.seats);
  }

  void give_back(const hold_id& id, std::uint32_t generation,
                 const std::vector<offered_seat>& seats) {
    for (auto& [block, its] : common::by_block(seats))
      parts_[block].push_back({id, generation, std::move(its)});
  }

  const state& desk_;
  const command::block_seats& asked_;
  std::set<seat_id> seats_;
  proposal wanted_;
  common::without gone_;
  std::set<slot_t> owners_; ///< of holds that ended
  std::map<block_id, std::vector<seating::command::part>> parts_;
};

} // namespace

decision decide(const state& desk, const command::sell_seats& asked) {
  if (auto known = common::seen_before<order_id>(desk, asked.asked, asked.now))
    return *known;
  if (asked.only_repeat)
    return rejection::not_admitted;
  const auto held = as_held(asked);
  const money total{held.total_minor(), asked.currency};
  if (asked.amount_minor && *asked.amount_minor != total.amount_minor)
    return rejection::amount_differs;

  const auto until = asked.now + counter_sale_ms;
  proposal wanted;
  wanted.events.emplace_back(event::hold_placed{
      asked.hold, std::nullopt, asked.seats, asked.currency, until, std::nullopt, {}, true});
  wanted.events.emplace_back(event::order_placed{
      asked.order, std::nullopt, asked.hold, {}, total, until, asked.customer, asked.asked, true});
  wanted.events.emplace_back(event::order_paid{asked.order, asked.gateway, asked.reference});
  event::tickets_issued tickets{asked.order, {}};
  for (const auto& seat : asked.seats)
    tickets.seats.push_back(seat.id);
  wanted.events.emplace_back(std::move(tickets));
  wanted.blocks = common::sell_work(asked.hold, held, asked.order, asked.now);
  return wanted;
}

decision decide(const state& desk, const command::block_seats& asked) {
  withdrawal taking{desk, asked};
  if (asked.force)
    for (const auto& [until, id] : desk.hold_deadlines)
      taking.take_from(id, desk.holds.at(id));
  return taking.proposed();
}

decision decide(const state&, const command::unblock_seats& asked) {
  proposal wanted;
  for (auto& [block, seats] : common::by_block(asked.seats))
    wanted.blocks.push_back({block, seating::command::unblock{std::move(seats), asked.now}});
  return wanted;
}

decision decide(const state& desk, const command::return_seats& asked) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  if (!found->second.is_sold() && found->second.status != order_status::refunded)
    return rejection::order_not_paid;
  if (found->second.hold.is_none())
    return rejection::seat_not_sold;
  const auto& it = desk.holds.at(found->second.hold);

  std::vector<offered_seat> going;
  for (const auto& seat : it.seats)
    if (std::ranges::find(it.returned, seat.id) == it.returned.end() &&
        (asked.seats.empty() || std::ranges::find(asked.seats, seat.id) != asked.seats.end()))
      going.push_back(seat);
  if (going.empty() || (!asked.seats.empty() && going.size() != asked.seats.size()))
    return rejection::seat_not_sold;

  proposal wanted;
  event::order_seats_returned returned{asked.order, {}, asked.reference};
  for (const auto& seat : going)
    returned.seats.push_back(seat.id);
  wanted.events.emplace_back(std::move(returned));
  for (auto& [block, seats] : common::by_block(going))
    wanted.blocks.push_back({block, seating::command::return_sold{asked.order, std::move(seats)}});
  return wanted;
}

} // namespace usher::orders

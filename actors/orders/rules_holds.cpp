#include "actors/orders/rules_common.hpp"

// Placing and giving back holds.
namespace usher::orders {

namespace {

/// Seats that somebody (an admission, a customer) has at `now`, in holds, orders and sales.
template <class Table, class Somebody>
std::size_t seats_of(const state& desk, const Table& holds_of, const Somebody& who, time_ms now) {
  std::size_t total = 0;
  if (const auto its = holds_of.find(who); its != holds_of.end())
    for (const auto& id : its->second)
      if (const auto& it = desk.holds.at(id); common::has_seats(desk, it, now))
        total += it.seats.size();
  return total;
}

} // namespace

decision decide(const state& desk, const command::place_hold& asked) {
  if (auto known = common::seen_before<hold_id>(desk, asked.asked, asked.now))
    return *known;
  if (asked.only_repeat)
    return rejection::not_admitted;
  const auto has = asked.owner ? seats_of(desk, desk.holds_of, *asked.owner, asked.now) : 0;
  if (has + asked.seats.size() > asked.max_seats)
    return rejection::too_many_seats;
  if (asked.max_seats_per_customer && !asked.customer.is_none() &&
      seats_of(desk, desk.holds_of_customer, asked.customer, asked.now) + asked.seats.size() >
          *asked.max_seats_per_customer)
    return rejection::too_many_for_customer;

  const auto until = asked.now + asked.ttl_ms;
  proposal wanted;
  wanted.events.emplace_back(event::hold_placed{
      asked.hold, asked.owner, asked.seats, asked.currency, until, asked.asked, asked.customer});
  for (auto& [block, seats] : common::by_block(asked.seats))
    wanted.blocks.push_back(
        {block, seating::command::hold{asked.hold, std::move(seats), until, asked.now}});
  wanted.room = common::enter(desk, asked.owner, until, asked.now);
  return wanted;
}

decision decide(const state& desk, const command::release_hold& asked) {
  const auto found = desk.holds.find(asked.hold);
  if (found == desk.holds.end())
    return rejection::unknown_hold;
  const auto& it = found->second;
  if (!common::may_use(it, asked.owner))
    return rejection::not_the_owner;
  switch (it.status) {
  case hold_status::ended:
    return repeated{asked.hold, std::nullopt};
  case hold_status::ordered:
    return rejection::hold_has_order;
  case hold_status::sold:
    return rejection::hold_ended;
  case hold_status::live:
    break;
  }

  proposal wanted;
  wanted.events.emplace_back(
      event::hold_ended{asked.hold, common::end_of(it, hold_end::released, asked.now)});
  wanted.blocks = common::release_work({{asked.hold, &it}});
  const auto left = it.owner ? common::kept_until(desk, *it.owner, asked.now, asked.hold) : 0;
  wanted.room = common::settle(it.owner, left, false, asked.now);
  return wanted;
}

decision decide(const state& desk, const command::leave& asked) {
  proposal wanted;
  std::vector<std::pair<hold_id, const hold*>> ended;
  if (const auto its = desk.holds_of.find(asked.owner); its != desk.holds_of.end())
    for (const auto& id : its->second)
      if (const auto& it = desk.holds.at(id); it.status == hold_status::live) {
        ended.emplace_back(id, &it);
        wanted.events.emplace_back(
            event::hold_ended{id, common::end_of(it, hold_end::admission_ended, asked.now)});
      }
  wanted.blocks = common::release_work(ended);
  wanted.room = waiting_room::command::leave{asked.owner, asked.revoked};
  return wanted;
}

} // namespace usher::orders

#include "actors/orders/rules_common.hpp"

// Placing and giving back holds.
namespace usher::orders {

decision decide(const state& desk, const command::place_hold& asked) {
  if (auto known = common::seen_before<hold_id>(desk, asked.asked, asked.now))
    return *known;
  if (asked.only_repeat)
    return rejection::not_admitted;
  if (!asked.box_office)
    if (const auto no = common::too_many(
            desk, {asked.owner, asked.customer, asked.max_seats, asked.max_seats_per_customer},
            nullptr, asked.seats.size(), asked.now))
      return *no;

  const auto until = asked.now + asked.ttl_ms;
  proposal wanted;
  wanted.events.emplace_back(event::hold_placed{asked.hold, asked.owner, asked.seats,
                                                asked.currency, until, asked.asked, asked.customer,
                                                asked.box_office});
  wanted.blocks = common::hold_work(asked.hold, 1, asked.seats, until, asked.now);
  if (!asked.box_office)
    wanted.room = common::enter(desk, asked.owner, until, asked.now);
  return wanted;
}

decision decide(const state& desk, const command::release_hold& asked) {
  const auto found = desk.holds.find(asked.hold);
  if (found == desk.holds.end())
    return rejection::unknown_hold;
  const auto& it = found->second;
  if (!common::may_use(it, asked.owner, asked.box_office))
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
  const auto left =
      it.owner ? common::kept_until(desk, *it.owner, asked.now, {{asked.hold}, {}}) : 0;
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

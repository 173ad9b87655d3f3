#include "actors/orders/rules_common.hpp"

// What ends by itself when its time has come.
namespace usher::orders {

namespace common {

void give_up(proposal& wanted, const state& desk, const order_id& id, const order& it,
             hold_end reason, time_ms now) {
  if (!it.hold.is_none()) {
    wanted.events.emplace_back(event::hold_ended{it.hold, reason});
    wanted.blocks = release_work({{it.hold, &desk.holds.at(it.hold)}});
  }
  const auto left = it.owner ? kept_until(desk, *it.owner, now, {{it.hold}, {id}}) : 0;
  wanted.room = settle(it.owner, left, false, now);
}

} // namespace common

namespace {

proposal expire_hold(const state& desk, const hold_id& id, time_ms now) {
  const auto& it = desk.holds.at(id);
  proposal wanted;
  wanted.events.emplace_back(event::hold_ended{id, hold_end::expired});
  wanted.blocks = common::release_work({{id, &it}});
  const auto left = it.owner ? common::kept_until(desk, *it.owner, now, {{id}, {}}) : 0;
  wanted.room = common::settle(it.owner, left, false, now);
  return wanted;
}

proposal expire_order(const state& desk, const order_id& id, time_ms now) {
  proposal wanted;
  wanted.events.emplace_back(event::order_expired{id});
  common::give_up(wanted, desk, id, desk.orders.at(id), hold_end::order_expired, now);
  return wanted;
}

} // namespace

std::vector<proposal> expire(const state& desk, time_ms now, std::size_t limit) {
  std::vector<proposal> over;
  auto next_hold = desk.hold_deadlines.begin();
  auto next_order = desk.order_deadlines.begin();
  const auto is_over = [now](const auto& next, const auto& all) {
    return next != all.end() && now >= next->first;
  };
  while (over.size() < limit) {
    const bool hold_over = is_over(next_hold, desk.hold_deadlines);
    const bool order_over = is_over(next_order, desk.order_deadlines);
    if (hold_over && (!order_over || next_hold->first <= next_order->first)) {
      // An ordered hold ends with its order.
      if (desk.holds.at(next_hold->second).status == hold_status::live)
        over.push_back(expire_hold(desk, next_hold->second, now));
      ++next_hold;
    } else if (order_over) {
      over.push_back(expire_order(desk, next_order->second, now));
      ++next_order;
    } else {
      break;
    }
  }
  return over;
}

} // namespace usher::orders

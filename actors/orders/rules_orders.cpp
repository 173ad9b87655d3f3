#include "actors/orders/rules_common.hpp"

#include <algorithm>

// Placing and cancelling orders.
namespace usher::orders {

namespace {

event::order_placed placed(const command::place_order& asked, money total, time_ms until) {
  return {asked.order, asked.owner,    asked.hold,  asked.hold_ref,  std::move(total),
          until,       asked.customer, asked.asked, asked.box_office};
}

/// A drop-in call has no key of its own: show and hold take its place.
bool hold_is_key(const command::place_order& asked) {
  return !asked.asked || asked.asked->key.is_none();
}

/// The same order again, if it is asked for with the same body.
decision again(const order_id& id, const order& existing, const command::place_order& asked) {
  if (hold_is_key(asked) && asked.asked && existing.fingerprint != asked.asked->fingerprint)
    return rejection::key_reused;
  return repeated{id, std::nullopt};
}

/// For an order on a hold that has one already: the answer, if that one still counts.
std::optional<decision> ordered_already(const state& desk, const hold& it,
                                        const command::place_order& asked) {
  if (it.order.is_none())
    return std::nullopt;
  const auto& existing = desk.orders.at(it.order);
  if (!common::stands(existing, asked.now))
    return std::nullopt;
  if (hold_is_key(asked) && existing.owner == asked.owner)
    return again(it.order, existing, asked);
  if (it.status == hold_status::ordered)
    return rejection::hold_has_order;
  return std::nullopt;
}

decision order_hold(const state& desk, const command::place_order& asked) {
  const auto found = desk.holds.find(asked.hold);
  if (found == desk.holds.end())
    return rejection::unknown_hold;
  const auto& it = found->second;
  if (!common::may_use(it, asked.owner, asked.box_office))
    return rejection::not_the_owner;
  if (auto answer = ordered_already(desk, it, asked))
    return *answer;
  if (it.status == hold_status::ordered) // its order is over, and the sweeper has not come yet
    return rejection::hold_expired;
  if (const auto no = common::not_changeable(it, asked.now))
    return *no;
  const auto total = it.total_minor();
  if (asked.amount_minor && *asked.amount_minor != total)
    return rejection::amount_differs;

  const auto until = std::min(asked.now + asked.payment_window_ms, it.until);
  proposal wanted;
  wanted.events.emplace_back(placed(asked, {total, it.currency}, until));
  if (!asked.box_office)
    wanted.room = common::enter(desk, asked.owner, until, asked.now, {{asked.hold}, {}});
  return wanted;
}

decision order_reference(const state& desk, const command::place_order& asked) {
  if (const auto found = desk.by_hold_ref.find(asked.hold_ref); found != desk.by_hold_ref.end()) {
    const auto& existing = desk.orders.at(found->second);
    if (common::stands(existing, asked.now)) {
      if (existing.owner == asked.owner)
        return again(found->second, existing, asked);
      return rejection::hold_has_order;
    }
  }
  if (!asked.amount_minor)
    return rejection::amount_missing;

  const auto until = asked.now + asked.payment_window_ms;
  proposal wanted;
  wanted.events.emplace_back(placed(asked, {*asked.amount_minor, asked.currency}, until));
  if (!asked.box_office)
    wanted.room = common::enter(desk, asked.owner, until, asked.now);
  return wanted;
}

} // namespace

decision decide(const state& desk, const command::place_order& asked) {
  if (asked.hold.is_none() && asked.hold_ref.empty())
    return rejection::unknown_hold;
  if (auto known = common::seen_before<order_id>(desk, asked.asked, asked.now))
    return *known;
  return asked.hold.is_none() ? order_reference(desk, asked) : order_hold(desk, asked);
}

decision decide(const state& desk, const command::cancel& asked) {
  const auto found = desk.orders.find(asked.order);
  if (found == desk.orders.end())
    return rejection::unknown_order;
  if (auto known = common::seen_before<order_id>(desk, asked.asked, asked.now))
    return *known;
  const auto& it = found->second;
  switch (it.status) {
  case order_status::paid:
  case order_status::refund_due:
  case order_status::partly_refunded:
  case order_status::refunded:
    return rejection::order_paid;
  case order_status::expired:
    return rejection::order_over;
  case order_status::cancelled:
    return repeated{asked.order, std::nullopt};
  case order_status::paying: // whatever its attempt takes after this is given back
  case order_status::pending:
    break;
  }

  proposal wanted;
  wanted.events.emplace_back(event::order_cancelled{asked.order, asked.asked});
  common::give_up(wanted, desk, asked.order, it, hold_end::cancelled, asked.now);
  return wanted;
}

} // namespace usher::orders

#include "actors/orders/locks.hpp"

#include "actors/basics/overloaded.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>
#include <optional>

namespace usher::orders {

namespace {

id128 name_of(slot_t owner) {
  id128 name;
  std::memcpy(name.bytes.data(), &owner, sizeof owner);
  name.bytes[15] = 1; // not a random id: those have no run of zero bytes before the last one
  return name;
}

/// A collision would only make two decisions wait for each other.
id128 name_of(const std::string& hold_ref) {
  id128 name;
  const auto hash = std::hash<std::string>{}(hold_ref);
  std::memcpy(name.bytes.data(), &hash, sizeof hash);
  name.bytes[15] = 2;
  return name;
}

/// Collects names; each only once.
class names_builder {
public:
  explicit names_builder(const state& desk) : desk_{&desk} {}

  void add(const id128& name) {
    if (!name.is_none() && std::find(names_.begin(), names_.end(), name) == names_.end())
      names_.push_back(name);
  }
  void add(const std::optional<slot_t>& owner) {
    if (owner)
      add(name_of(*owner));
  }
  void add(const std::optional<idempotency>& asked) {
    if (asked)
      add(static_cast<const id128&>(asked->key));
  }
  void add_hold(const hold_id& id) {
    add(static_cast<const id128&>(id));
    if (const auto found = desk_->holds.find(id); found != desk_->holds.end())
      add(found->second.owner);
  }
  /// With whoever has a limit of seats over it.
  void add_hold_and_customer(const hold_id& id) {
    add_hold(id);
    if (const auto found = desk_->holds.find(id); found != desk_->holds.end())
      add(static_cast<const id128&>(found->second.customer));
  }
  void add_order(const order_id& id) {
    add(static_cast<const id128&>(id));
    const auto found = desk_->orders.find(id);
    if (found == desk_->orders.end())
      return;
    add(found->second.owner);
    add_hold(found->second.hold);
    if (!found->second.hold_ref.empty())
      add(name_of(found->second.hold_ref));
  }
  /// The order, or the reference and whichever order has it.
  void add_reported(const command::keep_report& c) {
    add_order(c.order);
    if (c.hold_ref.empty())
      return;
    add(name_of(c.hold_ref));
    if (const auto found = desk_->by_hold_ref.find(c.hold_ref); found != desk_->by_hold_ref.end())
      add_order(found->second);
  }
  lock_names take() { return std::move(names_); }

private:
  const state* desk_;
  lock_names names_;
};

/// Whoever may lose seats that go off sale.
void add_withdrawn(names_builder& names, const state& desk, const command::block_seats& asked) {
  if (!asked.force)
    return;
  for (const auto& [until, id] : desk.hold_deadlines) {
    const auto& it = desk.holds.at(id);
    const bool loses = std::any_of(asked.seats.begin(), asked.seats.end(),
                                   [&](const seat_in_block& seat) { return it.has(seat.id); });
    if (!loses)
      continue;
    names.add_hold(id);
    names.add_order(it.order);
  }
}

} // namespace

lock_names locks_of(const state& desk, const any_command& asked) {
  names_builder names{desk};
  std::visit(overloaded{
                 [&](const command::place_hold& c) {
                   names.add(c.owner);
                   names.add(c.asked);
                   names.add(static_cast<const id128&>(c.customer));
                 },
                 [&](const command::extend_hold& c) {
                   names.add(c.owner);
                   names.add(c.asked);
                   names.add_hold(c.hold);
                 },
                 [&](const command::add_seats& c) {
                   names.add(c.owner);
                   names.add(c.asked);
                   names.add_hold_and_customer(c.hold);
                 },
                 [&](const command::release_seat& c) { names.add_hold(c.hold); },
                 [&](const command::release_hold& c) { names.add_hold(c.hold); },
                 [&](const command::leave& c) { names.add(std::optional{c.owner}); },
                 [&](const command::place_order& c) {
                   names.add(c.owner);
                   names.add(c.asked);
                   names.add_hold(c.hold);
                   if (!c.hold_ref.empty())
                     names.add(name_of(c.hold_ref));
                 },
                 [&](const command::sell_seats& c) { names.add(c.asked); },
                 [&](const command::block_seats& c) { add_withdrawn(names, desk, c); },
                 [&](const command::unblock_seats&) {},
                 [&](const command::return_seats& c) { names.add_order(c.order); },
                 [&](const command::start_payment& c) {
                   names.add_order(c.order);
                   names.add(c.asked);
                 },
                 [&](const command::take_payment& c) { names.add(c.asked); },
                 [&](const command::settle_payment& c) { names.add_order(c.order); },
                 [&](const command::confirm& c) {
                   names.add_order(c.order);
                   names.add(c.asked);
                 },
                 [&](const command::keep_report& c) { names.add_reported(c); },
                 [&](const command::cancel& c) {
                   names.add_order(c.order);
                   names.add(c.asked);
                 },
                 [&](const command::refund& c) {
                   names.add_order(c.order);
                   names.add(c.asked);
                 },
                 [&](const command::settle_refund& c) { names.add_order(c.order); },
                 [&](const command::begin_due_refund& c) { names.add_order(c.order); },
                 [&](const command::use_ticket& c) { names.add_order(c.order); },
             },
             asked);
  return names.take();
}

lock_names locks_of(const state& desk, const proposal& what) {
  names_builder names{desk};
  for (const auto& happened : what.events)
    std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.hold; })
            names.add_hold(e.hold);
          if constexpr (requires { e.order; })
            names.add_order(e.order);
        },
        happened);
  return names.take();
}

std::optional<id128> key_of(const any_command& asked) {
  return std::visit(
      [](const auto& c) -> std::optional<id128> {
        if constexpr (requires { c.asked; })
          if (c.asked && !c.asked->key.is_none())
            return static_cast<const id128&>(c.asked->key);
        return std::nullopt;
      },
      asked);
}

bool lock_table::free(const lock_names& names) const {
  return std::none_of(names.begin(), names.end(),
                      [this](const id128& name) { return taken_.contains(name); });
}

void lock_table::take(const lock_names& names) {
  assert(free(names));
  taken_.insert(names.begin(), names.end());
}

void lock_table::give_back(const lock_names& names) {
  for (const auto& name : names)
    taken_.erase(name);
}

} // namespace usher::orders

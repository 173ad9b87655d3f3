#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>
#include <caf/send.hpp>

#include <algorithm>

// What fans and staff ask of the desk and of the concierge, and what an answer says.
namespace usher::testing {

namespace {

/// Of a seat that the plan does not have (yet, or any more).
block_id block_by_name(const seat_id& seat) {
  return seat.substr(0, seat.find_first_of("-:"));
}

} // namespace

std::vector<orders::offered_seat> world::offer(const std::vector<seat_id>& seats) const {
  const auto now = show().now();
  std::vector<orders::offered_seat> offered;
  for (const auto& id : seats) {
    const auto found = now->seats.find(id);
    if (found == now->seats.end()) {
      offered.push_back({id, block_by_name(id), "stalls", 1000});
      continue;
    }
    const auto& category = now->what.plan->categories[found->second.category];
    offered.push_back(
        {id, now->what.plan->blocks[found->second.block].id, category.id, category.price_minor});
  }
  return offered;
}

std::vector<orders::seat_in_block> world::find(const std::vector<seat_id>& seats) const {
  std::vector<orders::seat_in_block> found;
  for (const auto& seat : offer(seats))
    found.push_back({seat.id, seat.block});
  return found;
}

reply<orders::answer> world::call(orders::any_command what) {
  reply<orders::answer> answer;
  auto asked = std::make_shared<orders::call>();
  asked->what = std::move(what);
  asked->cause = {"", "fan"};
  asked->done = answer.taker();
  caf::anon_send(show().desk, std::move(asked));
  return answer;
}

reply<orders::answer> world::ask_concierge(const unnamed& seats, concierge::purpose wanted) {
  reply<orders::answer> answer;
  auto asked = std::make_shared<concierge::request>();
  asked->ask = seats;
  asked->wanted = std::move(wanted);
  asked->cause = {"", "fan"};
  asked->done = answer.taker();
  caf::anon_send(show().concierge, std::move(asked));
  return answer;
}

namespace {

orders::command::place_hold hold_of(const hold_id& id, std::optional<slot_t> owner,
                                    const world::wish& how) {
  orders::command::place_hold what;
  what.hold = id;
  what.owner = owner;
  what.currency = "BRL";
  what.ttl_ms = how.ttl_ms;
  what.max_seats = how.max_seats;
  what.asked = how.key;
  what.box_office = how.box_office;
  return what;
}

orders::command::add_seats addition_of(const hold_id& id, std::optional<slot_t> owner,
                                       const world::wish& how) {
  orders::command::add_seats what;
  what.hold = id;
  what.owner = owner;
  what.max_seats = how.max_seats;
  what.asked = how.key;
  what.box_office = how.box_office;
  return what;
}

orders::command::sell_seats sale_of(const hold_id& hold, const order_id& order,
                                    std::optional<orders::idempotency> key) {
  orders::command::sell_seats what;
  what.hold = hold;
  what.order = order;
  what.currency = "BRL";
  what.gateway = "BOX_OFFICE";
  what.reference = "till-1";
  what.asked = key;
  return what;
}

} // namespace

asked<hold_id> world::hold(std::optional<slot_t> owner, const std::vector<seat_id>& seats,
                           const wish& how) {
  auto what = hold_of(random().id<hold_id>(), owner, how);
  what.seats = offer(seats);
  const auto id = what.hold;
  return {id, call(std::move(what))};
}

asked<hold_id> world::hold(std::optional<slot_t> owner, const unnamed& seats, const wish& how) {
  const auto id = random().id<hold_id>();
  return {id, ask_concierge(seats, hold_of(id, owner, how))};
}

reply<orders::answer> world::extend(std::optional<slot_t> owner, const hold_id& hold,
                                    const wish& how) {
  orders::command::extend_hold what;
  what.hold = hold;
  what.owner = owner;
  what.ttl_ms = how.ttl_ms;
  what.max_life_ms = 2 * how.ttl_ms;
  what.asked = how.key;
  what.box_office = how.box_office;
  return call(std::move(what));
}

reply<orders::answer> world::add(std::optional<slot_t> owner, const hold_id& hold,
                                 const std::vector<seat_id>& seats, const wish& how) {
  auto what = addition_of(hold, owner, how);
  what.seats = offer(seats);
  return call(std::move(what));
}

reply<orders::answer> world::add(std::optional<slot_t> owner, const hold_id& hold,
                                 const unnamed& seats, const wish& how) {
  return ask_concierge(seats, addition_of(hold, owner, how));
}

reply<orders::answer> world::release(std::optional<slot_t> owner, const hold_id& hold,
                                     bool box_office) {
  return call(orders::command::release_hold{hold, owner, 0, box_office});
}

reply<orders::answer> world::release_seat(std::optional<slot_t> owner, const hold_id& hold,
                                          const seat_id& seat, bool box_office) {
  return call(orders::command::release_seat{hold, owner, seat, 0, box_office});
}

asked<order_id> world::order(std::optional<slot_t> owner, const hold_id& hold,
                             std::optional<orders::idempotency> key, bool box_office) {
  orders::command::place_order what;
  what.order = random().id<order_id>();
  what.owner = owner;
  what.hold = hold;
  what.currency = "BRL";
  what.asked = key;
  what.box_office = box_office;
  const auto id = what.order;
  return {id, call(std::move(what))};
}

asked<payment_id> world::pay(const order_id& order, std::optional<orders::idempotency> key) {
  orders::command::start_payment what;
  what.order = order;
  what.payment = random().id<payment_id>();
  what.gateway = "SANDBOX";
  what.method = "card";
  what.asked = key;
  const auto id = what.payment;
  return {id, call(std::move(what))};
}

reply<orders::answer> world::confirm(const order_id& order, const std::string& reference) {
  return call(orders::command::confirm{order, "OUTSIDE", reference, 0});
}

reply<orders::answer> world::cancel(const order_id& order) {
  return call(orders::command::cancel{order, 0});
}

reply<orders::answer> world::leave(slot_t owner) {
  return call(orders::command::leave{owner, 0});
}

reply<orders::answer> world::lookup(std::variant<hold_id, order_id> what) {
  reply<orders::answer> answer;
  auto asked = std::make_shared<orders::lookup>();
  asked->what = what;
  asked->done = answer.taker();
  caf::anon_send(show().desk, std::move(asked));
  return answer;
}

orders::idempotency world::fresh_key() {
  return {random().id<request_key>(), random().id<id128>()};
}

asked<order_id> world::sell(const std::vector<seat_id>& seats,
                            std::optional<orders::idempotency> key) {
  auto what = sale_of(random().id<hold_id>(), random().id<order_id>(), key);
  what.seats = offer(seats);
  const auto id = what.order;
  return {id, call(std::move(what))};
}

asked<order_id> world::sell(const unnamed& seats, std::optional<orders::idempotency> key) {
  auto what = sale_of(random().id<hold_id>(), random().id<order_id>(), key);
  const auto id = what.order;
  return {id, ask_concierge(seats, std::move(what))};
}

reply<orders::answer> world::block(const std::vector<seat_id>& seats, bool force) {
  return call(orders::command::block_seats{find(seats), force, "camera", 0});
}

reply<orders::answer> world::unblock(const std::vector<seat_id>& seats) {
  return call(orders::command::unblock_seats{find(seats), 0});
}

reply<orders::answer> world::give_back(const order_id& order, const std::vector<seat_id>& seats) {
  return call(orders::command::return_seats{order, seats, "refund-1", 0});
}

const orders::hold_view* as_hold(const orders::answer& what) {
  return std::get_if<orders::hold_view>(&what.result);
}

const orders::order_view* as_order(const orders::answer& what) {
  return std::get_if<orders::order_view>(&what.result);
}

bool same_seats(const seating::refusal& one, const seating::refusal& other) {
  return std::ranges::equal(one, other, [](const auto& a, const auto& b) {
    return a.seat == b.seat && a.reason == b.reason;
  });
}

bool is_refused_with(const orders::answer& what, const seating::refusal& seats) {
  const auto* said = std::get_if<seating::refusal>(&what.result);
  return said != nullptr && same_seats(*said, seats);
}

bool is_rejected_with(const orders::answer& what, orders::rejection why) {
  const auto* said = std::get_if<orders::rejection>(&what.result);
  return said != nullptr && *said == why;
}

bool is_denied_with(const orders::answer& what, waiting_room::rejection why) {
  const auto* said = std::get_if<waiting_room::rejection>(&what.result);
  return said != nullptr && *said == why;
}

bool found_no_seats(const orders::answer& what) {
  const auto* said = std::get_if<seating::refusal>(&what.result);
  return said != nullptr && said->empty();
}

bool has_status(const orders::answer& what, orders::order_status status) {
  const auto* said = as_order(what);
  return said != nullptr && said->order.status == status;
}

} // namespace usher::testing

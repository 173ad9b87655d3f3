#include "tests/rules/orders_world.hpp"

#include "actors/basics/overloaded.hpp"

#include <algorithm>

namespace usher::test {

namespace {

namespace event = orders::event;

seating::any_command on_its_clock(seating::any_command what, time_ms shift) {
  std::visit(
      [shift](auto& one) {
        if constexpr (requires { one.now; })
          one.now += shift;
      },
      what);
  return what;
}

/// The seats of the order that cannot be had any more: what alone makes REFUND_DUE right.
bool some_seat_is_lost(const world& before, const orders::order& it) {
  const auto& hold = before.desk.holds.at(it.hold);
  return std::ranges::any_of(hold.seats, [&](const auto& seat) {
    const auto& is = before.state_of(seat.id);
    const auto* by = std::get_if<seating::held>(&is);
    const bool held_by_another = by != nullptr && by->hold != it.hold && before.now < by->until;
    return held_by_another || std::holds_alternative<seating::sold>(is) ||
           std::holds_alternative<seating::blocked>(is);
  });
}

bool admitted(const world& here, const std::optional<slot_t>& slot) {
  const auto found = here.room->admissions.find(slot.value());
  return found != here.room->admissions.end() && here.now < found->second.deadline();
}

void note(world& here, bool wrong, const char* what) {
  if (wrong && here.fault.empty())
    here.fault = what;
}

/// Seats that the fan has in the blocks, in time or sold.
std::size_t seats_in_blocks(const world& here, slot_t fan) {
  std::size_t count = 0;
  for (const auto& id : all_seats)
    count += std::visit(overloaded{
                            [](const seating::available&) { return 0U; },
                            [&](const seating::held& by) {
                              return here.now < by.until && here.desk.holds.at(by.hold).owner == fan
                                         ? 1U
                                         : 0U;
                            },
                            [&](const seating::sold& to) {
                              return here.desk.orders.at(to.order).owner == fan ? 1U : 0U;
                            },
                            [](const seating::blocked&) { return 0U; },
                        },
                        here.state_of(id));
  return count;
}

void judge_one(world& here, const world& before, const event::hold_placed& placed) {
  here.own_until[placed.hold] = placed.until;
  if (placed.box_office)
    return;
  note(here, !admitted(before, placed.owner), "a hold without an admission");
  note(here, seats_in_blocks(here, *placed.owner) > max_seats, "more seats than max_seats");
}

void judge_one(world& here, const world& before, const event::hold_changed& change) {
  using orders::hold_change;
  const auto& was = before.desk.holds.at(change.hold);
  note(here, before.now >= was.until, "a hold changed after its time");
  if (change.what != hold_change::kept_for_payment && change.what != hold_change::payment_over)
    here.own_until[change.hold] = change.until;
  const bool grows =
      change.what == orders::hold_change::extended || change.what == orders::hold_change::added;
  if (was.box_office || !grows)
    return;
  note(here, !admitted(before, was.owner), "a hold grew without an admission");
  note(here, seats_in_blocks(here, *was.owner) > max_seats, "more seats than max_seats");
}

void judge_one(world& here, const world& before, const event::order_placed& ordered) {
  if (!ordered.box_office)
    note(here, !admitted(before, ordered.owner), "an order without an admission");
}

void judge_one(world& here, const world& before, const event::order_refund_due& due) {
  const auto& was = before.desk.orders.at(due.order);
  const auto* money = here.desk.orders.at(due.order).kept();
  const bool wrong = money->amount_minor != was.total.amount_minor;
  const bool unwanted = was.status == orders::order_status::cancelled && !money->id.is_none();
  note(here, !wrong && !unwanted && !some_seat_is_lost(before, was),
       "REFUND_DUE though the seats can be had");
}

void judge_one(world& here, const world& before, const event::order_paid& paid) {
  const auto& was = before.desk.orders;
  const auto* money = here.desk.orders.at(paid.order).kept();
  note(here, money->amount_minor != here.desk.orders.at(paid.order).total.amount_minor,
       "a wrong amount sells");
  note(here,
       was.contains(paid.order) && !money->id.is_none() &&
           was.at(paid.order).status == orders::order_status::cancelled,
       "the own money of a cancelled order sells");
}

void judge_one(world& here, const world& before, const event::ticket_used& used) {
  const auto& it = before.desk.orders.at(used.order);
  const auto& hold = before.desk.holds.at(it.hold);
  bool going = std::ranges::find(hold.returned, used.seat) != hold.returned.end();
  for (const auto& one : it.refunds)
    going = going || (one.outcome != orders::refund_outcome::refused &&
                      std::ranges::find(one.seats, used.seat) != one.seats.end());
  note(here, before.state_of(used.seat) != seating::seat_state{seating::sold{used.order}},
       "a ticket lets somebody in to a seat that is not theirs");
  note(here, going, "a ticket of a seat that is given back lets somebody in");
  for (const auto& one : it.used)
    note(here, one.seat == used.seat, "a ticket lets somebody in twice");
}

/// May an order's state change so, in one batch?
bool is_edge(orders::order_status from, orders::order_status to) {
  using enum orders::order_status;
  switch (from) {
  case pending:
    return to == paying || to == paid || to == expired || to == cancelled || to == refund_due;
  case paying:
    return to == pending || to == paid || to == expired || to == cancelled || to == refund_due;
  case expired:
  case cancelled:
    return to == paid || to == refund_due;
  case refund_due:
    return to == refunded;
  case paid:
    return to == partly_refunded || to == refunded;
  case partly_refunded:
    return to == refunded;
  case refunded:
    break;
  }
  return false;
}

void judge_changes(world& here, const world& before) {
  for (const auto& [id, was] : before.desk.orders) {
    const auto is = here.desk.orders.at(id).status;
    note(here, is != was.status && !is_edge(was.status, is), "an order changes as none may");
  }
}

template <class Other>
void judge_one(world&, const world&, const Other&) {}

/// The room's answer to its part of the proposal; nothing if it refuses.
std::optional<std::vector<waiting_room::any_event>> ask_room(const world& here,
                                                             const orders::room_work& work) {
  using events = std::vector<waiting_room::any_event>;
  return std::visit(overloaded{
                        [](std::monostate) { return std::optional{events{}}; },
                        [&](const auto& asked) -> std::optional<events> {
                          auto answer = waiting_room::decide(*here.room, asked);
                          if (auto* happened = std::get_if<events>(&answer))
                            return std::move(*happened);
                          return std::nullopt;
                        },
                    },
                    work);
}

void change_room(world& here, const std::vector<waiting_room::any_event>& happened) {
  if (happened.empty())
    return;
  auto changed = std::make_shared<waiting_room::state>(*here.room);
  for (const auto& one : happened)
    waiting_room::apply(*changed, one, here.now);
  here.room = std::move(changed);
}

enum class outcome : std::uint8_t { done, refused, denied };

/// All of it, or nothing.
outcome run(world& here, orders::proposal wanted, const sabotage& how) {
  how.spoil(wanted);
  std::vector<std::pair<block_id, std::vector<seating::any_event>>> seats;
  for (const auto& work : wanted.blocks) {
    auto answer = seating::decide(here.blocks.at(work.block),
                                  on_its_clock(work.command, how.block_clock_shift));
    if (auto* happened = std::get_if<std::vector<seating::any_event>>(&answer))
      seats.emplace_back(work.block, std::move(*happened));
    else if (how.refusals_count)
      return outcome::refused;
  }
  const auto room = ask_room(here, wanted.room);
  if (!room && how.the_room_is_asked)
    return outcome::denied;

  const auto before = here;
  for (const auto& [name, happened] : seats)
    for (const auto& one : happened)
      seating::apply(here.blocks.at(name), one, here.now);
  if (room)
    change_room(here, *room);
  for (const auto& one : wanted.events) {
    here.desk_log.emplace_back(here.now, one);
    orders::apply(here.desk, one, here.now);
  }
  for (const auto& one : wanted.events)
    std::visit([&](const auto& happened) { judge_one(here, before, happened); }, one);
  judge_changes(here, before);
  return outcome::done;
}

/// These know what to do when the seats are gone.
template <class Command>
constexpr bool bears_lost_seats = requires(const orders::state& desk, const Command& c) {
  orders::decide(desk, c, true);
};

orders::decision decide(const world& here, const orders::any_command& what, bool seats_lost) {
  return std::visit(
      [&](const auto& c) {
        if constexpr (bears_lost_seats<std::decay_t<decltype(c)>>)
          return orders::decide(here.desk, c, seats_lost);
        else
          return orders::decide(here.desk, c);
      },
      what);
}

bool is_money(const orders::any_command& what) {
  return std::visit([](const auto& c) { return bears_lost_seats<std::decay_t<decltype(c)>>; },
                    what);
}

/// What an operator was told is off sale.
void keep_account(world& here, const orders::any_command& done) {
  if (const auto* block = std::get_if<orders::command::block_seats>(&done))
    for (const auto& seat : block->seats)
      here.off_sale.insert(seat.id);
  if (const auto* unblock = std::get_if<orders::command::unblock_seats>(&done))
    for (const auto& seat : unblock->seats)
      here.off_sale.erase(seat.id);
}

} // namespace

const seating::seat_state& world::state_of(const seat_id& id) const {
  const auto& block = blocks.at(block_of(id));
  return block.seats[*block.find(id)].is;
}

void ask(world& here, const orders::any_command& what, const sabotage& how) {
  const bool seats_lost = is_money(what) && !how.lost_seats_are_believed;
  auto answer = decide(here, what, seats_lost);
  auto* wanted = std::get_if<orders::proposal>(&answer);
  if (wanted == nullptr)
    return;
  const auto end = run(here, std::move(*wanted), how);
  if (end == outcome::done)
    keep_account(here, what);
  if (end != outcome::refused || !is_money(what))
    return;
  answer = decide(here, what, true);
  note(here, run(here, std::get<orders::proposal>(std::move(answer)), how) != outcome::done,
       "money is refused");
}

void sweep(world& here, std::size_t limit, const sabotage& how) {
  if (!how.time_sweeps)
    return;
  for (auto& wanted : orders::expire(here.desk, here.now, limit))
    note(here, run(here, std::move(wanted), how) != outcome::done,
         "a block refused what time has ended");
}

void tick(world& here) {
  const auto answer = waiting_room::decide(*here.room, waiting_room::command::tick{here.now});
  change_room(here, std::get<std::vector<waiting_room::any_event>>(answer));
}

world world::start(duration_ms admission_life, bool fixed_length) {
  world here;
  here.now = 1000;
  seating::apply(here.blocks["a"], seating::event::block_planned{{"a1", "a2"}}, here.now);
  seating::apply(here.blocks["b"], seating::event::block_planned{{"b1"}}, here.now);
  auto room = std::make_shared<waiting_room::state>();
  waiting_room::event::room_configured configured;
  configured.to.admission_ttl_ms = admission_life;
  configured.to.fixed_length = fixed_length;
  waiting_room::apply(*room, configured, here.now);
  waiting_room::apply(*room, waiting_room::event::room_opened{}, here.now);
  waiting_room::apply(*room, waiting_room::event::fans_joined{0, {1, 2}, {}, {}}, here.now);
  waiting_room::apply(
      *room, waiting_room::event::fans_admitted{{0, 1}, here.now + admission_life, 0}, here.now);
  here.room = std::move(room);
  return here;
}

} // namespace usher::test

#include "tests/rules/orders_world.hpp"

#include "actors/basics/overloaded.hpp"

#include <algorithm>
#include <set>

namespace usher::test {

namespace {

namespace command = orders::command;

constexpr duration_ms hold_life = 2;
constexpr duration_ms payment_window = 1;
constexpr duration_ms admission_life = 4;

template <class Id>
Id id_of(std::uint8_t n) {
  Id id;
  id.bytes[0] = n;
  return id;
}

block_id block_of(const seat_id& id) {
  return id.substr(0, 1);
}

const seating::seat_state& state_of(const world& here, const seat_id& id) {
  const auto& block = here.blocks.at(block_of(id));
  return block.seats[*block.find(id)].is;
}

// --- the coordinator -------------------------------------------------------------------------

seating::any_command on_its_clock(seating::any_command what, time_ms shift) {
  std::visit(
      [shift](auto& one) {
        if constexpr (requires { one.now; })
          one.now += shift;
      },
      what);
  return what;
}

/// The seats of the order that somebody else has: what alone makes REFUND_DUE right.
bool some_seat_is_lost(const world& before, const orders::order& it) {
  const auto& hold = before.desk.holds.at(it.hold);
  return std::ranges::any_of(hold.seats, [&](const auto& seat) {
    const auto& is = state_of(before, seat.id);
    const auto* by = std::get_if<seating::held>(&is);
    const bool held_by_another = by != nullptr && by->hold != it.hold && before.now < by->until;
    return held_by_another || std::holds_alternative<seating::sold>(is);
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
  for (const auto& [name, block] : here.blocks)
    for (const auto& seat : block.seats)
      count += std::visit(
          overloaded{
              [](const seating::available&) { return 0U; },
              [&](const seating::held& by) {
                return here.now < by.until && here.desk.holds.at(by.hold).owner == fan ? 1U : 0U;
              },
              [&](const seating::sold& to) {
                return here.desk.orders.at(to.order).owner == fan ? 1U : 0U;
              },
          },
          seat.is);
  return count;
}

/// What is wrong with these events, seen from the world in which they were decided.
void judge(world& here, const world& before, const std::vector<orders::any_event>& happened) {
  for (const auto& one : happened) {
    if (const auto* placed = std::get_if<orders::event::hold_placed>(&one)) {
      note(here, !admitted(before, placed->owner), "a hold without an admission");
      note(here, seats_in_blocks(here, *placed->owner) > max_seats, "more seats than max_seats");
    } else if (const auto* ordered = std::get_if<orders::event::order_placed>(&one)) {
      note(here, !admitted(before, ordered->owner), "an order without an admission");
    } else if (const auto* due = std::get_if<orders::event::order_refund_due>(&one)) {
      note(here, !some_seat_is_lost(before, before.desk.orders.at(due->order)),
           "REFUND_DUE though the seats can be had");
    }
  }
}

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

/// All of it, or nothing. False: a block refused.
bool run(world& here, orders::proposal wanted, const sabotage& how) {
  how.spoil(wanted);
  std::vector<std::pair<block_id, std::vector<seating::any_event>>> seats;
  for (const auto& work : wanted.blocks) {
    auto answer = seating::decide(here.blocks.at(work.block),
                                  on_its_clock(work.command, how.block_clock_shift));
    if (auto* happened = std::get_if<std::vector<seating::any_event>>(&answer))
      seats.emplace_back(work.block, std::move(*happened));
    else if (how.refusals_count)
      return false;
  }
  const auto room = ask_room(here, wanted.room);
  if (!room && how.the_room_is_asked)
    return true;

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
  judge(here, before, wanted.events);
  return true;
}

template <class Command>
void ask(world& here, const Command& what, const sabotage& how) {
  auto answer = orders::decide(here.desk, what);
  if (auto* wanted = std::get_if<orders::proposal>(&answer))
    run(here, std::move(*wanted), how);
}

/// For the two commands that know what to do when the seats are gone.
template <class Command>
void ask_with_money(world& here, const Command& what, const sabotage& how) {
  for (const bool seats_lost : {!how.lost_seats_are_believed, true}) {
    auto answer = orders::decide(here.desk, what, seats_lost);
    auto* wanted = std::get_if<orders::proposal>(&answer);
    if (wanted == nullptr || run(here, std::move(*wanted), how))
      return;
  }
}

void sweep(world& here, std::size_t limit, const sabotage& how) {
  if (!how.time_sweeps)
    return;
  for (auto& wanted : orders::expire(here.desk, here.now, limit))
    if (!run(here, std::move(wanted), how))
      note(here, true, "a block refused what time has ended");
}

// --- what may happen -------------------------------------------------------------------------

void add_holds(std::vector<action>& all) {
  static const std::vector<std::vector<seat_id>> choices{{"a1", "b1"}, {"a2", "b1"}, {"a1"}};
  for (const auto fan : fans)
    for (const auto& seats : choices)
      all.push_back({"hold", [fan, seats](world& w, const sabotage& how) {
                       command::place_hold what;
                       what.hold = id_of<hold_id>(++w.holds);
                       what.owner = fan;
                       for (const auto& id : seats)
                         what.seats.push_back({id, block_of(id), "", 10});
                       what.currency = "EUR";
                       what.ttl_ms = hold_life;
                       what.max_seats = how.max_seats;
                       what.now = w.now;
                       ask(w, what, how);
                     }});
}

void add_for_hold(std::vector<action>& all, const hold_id& id, slot_t fan) {
  all.push_back({"release", [id, fan](world& w, const sabotage& how) {
                   ask(w, command::release_hold{id, fan, w.now}, how);
                 }});
  all.push_back({"order", [id, fan](world& w, const sabotage& how) {
                   command::place_order what;
                   what.order = id_of<order_id>(++w.orders);
                   what.owner = fan;
                   what.hold = id;
                   what.payment_window_ms = payment_window;
                   what.now = w.now;
                   ask(w, what, how);
                 }});
}

void add_for_order(std::vector<action>& all, const order_id& id, const orders::order& it) {
  all.push_back({"pay", [id](world& w, const sabotage& how) {
                   ask(w,
                       command::start_payment{id, id_of<payment_id>(++w.payments), "G", "card",
                                              std::nullopt, w.now},
                       how);
                 }});
  all.push_back({"confirm", [id](world& w, const sabotage& how) {
                   ask_with_money(w, command::confirm{id, "OUTSIDE", "ref", w.now}, how);
                 }});
  all.push_back({"cancel", [id](world& w, const sabotage& how) {
                   ask(w, command::cancel{id, w.now}, how);
                 }});
  for (const auto& attempt : it.payments)
    if (!attempt.outcome)
      for (const auto outcome :
           {orders::payment_outcome::approved, orders::payment_outcome::declined})
        all.push_back(
            {"settle", [id, outcome, payment = attempt.id](world& w, const sabotage& how) {
               ask_with_money(w, command::settle_payment{id, payment, outcome, "mine", w.now}, how);
             }});
}

} // namespace

world world::start() {
  world here;
  here.now = 1000;
  seating::apply(here.blocks["a"], seating::event::block_planned{{"a1", "a2"}}, here.now);
  seating::apply(here.blocks["b"], seating::event::block_planned{{"b1"}}, here.now);
  auto room = std::make_shared<waiting_room::state>();
  waiting_room::event::room_configured configured;
  configured.to.admission_ttl_ms = admission_life;
  waiting_room::apply(*room, configured, here.now);
  waiting_room::apply(*room, waiting_room::event::room_opened{}, here.now);
  waiting_room::apply(*room, waiting_room::event::fans_joined{0, {1, 2}, {}, {}}, here.now);
  waiting_room::apply(
      *room, waiting_room::event::fans_admitted{{0, 1}, here.now + admission_life, 0}, here.now);
  here.room = std::move(room);
  return here;
}

std::vector<action> actions_in(const world& here) {
  std::vector<action> all;
  all.push_back({"time", [](world& w, const sabotage&) { ++w.now; }});
  all.push_back({"sweep", [](world& w, const sabotage& how) { sweep(w, 1, how); }});
  all.push_back({"tick", [](world& w, const sabotage&) {
                   const auto answer =
                       waiting_room::decide(*w.room, waiting_room::command::tick{w.now});
                   change_room(w, std::get<std::vector<waiting_room::any_event>>(answer));
                 }});
  for (const auto fan : fans)
    all.push_back({"leave", [fan](world& w, const sabotage& how) {
                     ask(w, command::leave{fan, w.now}, how);
                   }});
  add_holds(all);
  for (const auto& [id, it] : here.desk.holds)
    add_for_hold(all, id, *it.owner);
  for (const auto& [id, it] : here.desk.orders)
    add_for_order(all, id, it);
  return all;
}

// --- what must hold --------------------------------------------------------------------------

namespace {

bool is_open(const orders::order& it) {
  return it.status == orders::order_status::pending || it.status == orders::order_status::paying;
}

std::string fault_of_orders(const world& here) {
  for (const auto& [id, it] : here.desk.orders) {
    const auto& hold = here.desk.holds.at(it.hold);
    const bool paid = it.status == orders::order_status::paid;
    if (paid != (hold.status == orders::hold_status::sold))
      return "a hold is sold without a PAID order, or not sold with one";
    for (const auto& seat : hold.seats)
      if (paid != (state_of(here, seat.id) == seating::seat_state{seating::sold{id}}))
        return paid ? "PAID without its seats" : "a seat is SOLD to an order that is not PAID";
    const auto money = std::ranges::count_if(it.payments, [](const auto& one) {
      return one.outcome == orders::payment_outcome::approved;
    });
    if ((money > 0) != (paid || it.status == orders::order_status::refund_due))
      return "money without a sale or a refund, or the other way round";
  }
  for (const auto& [name, block] : here.blocks)
    for (const auto& seat : block.seats)
      if (const auto* to = std::get_if<seating::sold>(&seat.is);
          to != nullptr && !here.desk.orders.contains(to->order))
        return "a seat is SOLD to nobody";
  return "";
}

std::string fault_of_holds(const world& here) {
  for (const auto& [id, it] : here.desk.holds) {
    const bool keeps =
        it.status == orders::hold_status::live || it.status == orders::hold_status::ordered;
    for (const auto& seat : it.seats) {
      const auto& is = state_of(here, seat.id);
      const auto* by = std::get_if<seating::held>(&is);
      const bool its = by != nullptr && by->hold == id;
      if (keeps && here.now < it.until && !(its && by->until == it.until))
        return "a hold in time does not have its seats";
      if (!keeps && its)
        return "a seat is held by a hold that has ended";
    }
  }
  return "";
}

std::string fault_of_indexes(const world& here) {
  std::set<std::pair<time_ms, hold_id>> holds;
  std::set<std::pair<time_ms, order_id>> orders_;
  for (const auto& [id, it] : here.desk.holds)
    if (it.status == orders::hold_status::live || it.status == orders::hold_status::ordered)
      holds.emplace(it.until, id);
  for (const auto& [id, it] : here.desk.orders)
    if (it.status == orders::order_status::pending)
      orders_.emplace(it.until, id);
  if (holds != here.desk.hold_deadlines || orders_ != here.desk.order_deadlines)
    return "the deadlines are not exact";
  orders::state folded;
  for (const auto& [at, happened] : here.desk_log)
    orders::apply(folded, happened, at);
  return folded == here.desk ? "" : "the fold of the events is another desk";
}

/// What keeps an admission has to be known to the room.
std::string fault_of_admissions(const world& here) {
  for (const auto& [slot, admission] : here.room->admissions) {
    time_ms latest = 0;
    for (const auto& [id, it] : here.desk.holds)
      if (it.owner == slot && it.status == orders::hold_status::live)
        latest = std::max(latest, it.until);
    for (const auto& [id, it] : here.desk.orders)
      if (it.owner == slot && is_open(it))
        latest = std::max(latest, it.until);
    if (here.now < latest && admission.deadline() < latest)
      return "an admission ends before what keeps it";
  }
  return "";
}

} // namespace

std::string fault_in(const world& here) {
  if (!here.fault.empty())
    return here.fault;
  for (const auto check : {fault_of_orders, fault_of_holds, fault_of_indexes, fault_of_admissions})
    if (auto fault = check(here); !fault.empty())
      return fault;
  return "";
}

std::string fault_after_healing(world here, const sabotage& how) {
  here.now += 1000;
  sweep(here, 1000, how);
  if (auto fault = fault_in(here); !fault.empty())
    return fault;
  for (const auto& [id, it] : here.desk.orders)
    if (it.status == orders::order_status::pending)
      return "an order stays open for ever";
  for (const auto& [name, block] : here.blocks)
    for (const auto& seat : block.seats)
      if (const auto* by = std::get_if<seating::held>(&seat.is)) {
        const auto& hold = here.desk.holds.at(by->hold);
        const bool money_unknown =
            hold.status == orders::hold_status::ordered &&
            here.desk.orders.at(hold.order).status == orders::order_status::paying;
        if (!money_unknown)
          return "a seat stays held for ever";
      }
  return "";
}

std::string key_of(const world& here) {
  std::string key;
  const auto add = [&key](auto number) { key += std::to_string(number) + ','; };
  const auto left = [&](time_ms until) { add(std::max<time_ms>(until - here.now, 0)); };
  for (std::uint8_t n = 1; n <= here.holds; ++n)
    if (const auto found = here.desk.holds.find(id_of<hold_id>(n));
        found != here.desk.holds.end()) {
      const auto& it = found->second;
      add(n), add(*it.owner), add(int(it.status)), left(it.until), add(it.order.bytes[0]);
      add(it.seats.size()), key += it.seats[0].id;
      add(it.end ? int(*it.end) : -1);
    }
  for (std::uint8_t n = 1; n <= here.orders; ++n)
    if (const auto found = here.desk.orders.find(id_of<order_id>(n));
        found != here.desk.orders.end()) {
      add(n), add(int(found->second.status)), left(found->second.until);
      for (const auto& one : found->second.payments)
        add(one.id.bytes[0]), add(one.outcome ? int(*one.outcome) : -1);
    }
  for (const auto& [name, block] : here.blocks)
    for (const auto& seat : block.seats)
      std::visit(overloaded{
                     [&](const seating::available&) { key += '-'; },
                     [&](const seating::held& by) { add(by.hold.bytes[0]), left(by.until); },
                     [&](const seating::sold& to) { key += 's', add(to.order.bytes[0]); },
                 },
                 seat.is);
  for (const auto fan : fans) {
    const auto found = here.room->admissions.find(fan);
    key += '|';
    if (found != here.room->admissions.end())
      left(found->second.until), left(found->second.busy_until), add(int(found->second.spent));
  }
  return key;
}

} // namespace usher::test

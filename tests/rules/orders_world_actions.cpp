#include "tests/rules/orders_world.hpp"

namespace usher::test {

namespace {

namespace command = orders::command;
using choices = std::vector<std::vector<seat_id>>;

constexpr duration_ms payment_window = 1;
constexpr duration_ms give_up = 3; ///< of an attempt: longer than a hold lasts

std::vector<orders::offered_seat> offered(const std::vector<seat_id>& ids) {
  std::vector<orders::offered_seat> seats;
  for (const auto& id : ids)
    seats.push_back({id, block_of(id), "", 10});
  return seats;
}

std::vector<orders::seat_in_block> in_blocks(const std::vector<seat_id>& ids) {
  std::vector<orders::seat_in_block> seats;
  for (const auto& id : ids)
    seats.push_back({id, block_of(id)});
  return seats;
}

command::place_hold hold_of(world& w, const std::vector<seat_id>& ids, const sabotage& how) {
  command::place_hold what;
  what.hold = numbered<hold_id>(++w.holds);
  what.seats = offered(ids);
  what.currency = "EUR";
  what.ttl_ms = hold_life;
  what.max_seats = how.max_seats;
  what.now = w.now;
  return what;
}

void add_holds(std::vector<action>& all) {
  static const choices some{{"a1", "b1"}, {"a2", "b1"}, {"a1"}};
  for (const auto fan : fans)
    for (const auto& seats : some)
      all.push_back({"hold", [fan, seats](world& w, const sabotage& how) {
                       auto what = hold_of(w, seats, how);
                       what.owner = fan;
                       ask(w, what, how);
                     }});
}

void add_for_hold(std::vector<action>& all, const hold_id& id, const orders::hold& it) {
  const auto owner = it.owner;
  const auto box_office = it.box_office;
  all.push_back({"release", [=](world& w, const sabotage& how) {
                   ask(w, command::release_hold{id, owner, w.now, box_office}, how);
                 }});
  all.push_back({"order", [=](world& w, const sabotage& how) {
                   command::place_order what;
                   what.order = numbered<order_id>(++w.orders);
                   what.owner = owner;
                   what.hold = id;
                   what.payment_window_ms = payment_window;
                   what.now = w.now;
                   what.box_office = box_office;
                   ask(w, what, how);
                 }});
}

/// What changes a hold.
void add_changes(std::vector<action>& all, const hold_id& id, const orders::hold& it) {
  const auto owner = it.owner;
  const auto box_office = it.box_office;
  all.push_back({"extend", [=](world& w, const sabotage& how) {
                   ask(w,
                       command::extend_hold{id, owner, hold_life, how.max_life, std::nullopt, w.now,
                                            box_office},
                       how);
                 }});
  for (const auto& more : choices{{"a2"}, {"a1", "b1"}})
    all.push_back({"add", [=](world& w, const sabotage& how) {
                     command::add_seats what;
                     what.hold = id;
                     what.owner = owner;
                     what.seats = offered(more);
                     what.max_seats = how.max_seats;
                     what.now = w.now;
                     what.box_office = box_office;
                     ask(w, what, how);
                   }});
  for (const auto& seat : {it.seats.front().id, it.seats.back().id})
    all.push_back({"give back", [=](world& w, const sabotage& how) {
                     ask(w, command::release_seat{id, owner, seat, w.now, box_office}, how);
                   }});
}

void add_for_order(std::vector<action>& all, const order_id& id, const orders::order& it) {
  all.push_back({"pay", [id](world& w, const sabotage& how) {
                   command::start_payment what;
                   what.order = id;
                   what.payment = numbered<payment_id>(++w.payments);
                   what.gateway = "G";
                   what.now = w.now;
                   what.give_up_ms = give_up;
                   ask(w, what, how);
                 }});
  all.push_back({"confirm", [id](world& w, const sabotage& how) {
                   command::confirm what{id, "OUTSIDE", "ref", w.now};
                   what.refund = numbered<refund_id>(++w.refunds);
                   ask(w, what, how);
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
               command::settle_payment what{id, payment, outcome, "mine", w.now};
               what.reference += std::to_string(payment.bytes[0]);
               what.refund = numbered<refund_id>(++w.refunds);
               ask(w, what, how);
             }});
}

/// Paid seats go back on sale: all of them, or the first.
void add_returns(std::vector<action>& all, const world& here, const order_id& id) {
  const auto first = here.desk.holds.at(here.desk.orders.at(id).hold).seats.front().id;
  for (const auto& seats : choices{{}, {first}})
    all.push_back({"return", [id, seats](world& w, const sabotage& how) {
                     ask(w, command::return_seats{id, seats, "refund", w.now}, how);
                   }});
}

void add_staff(std::vector<action>& all) {
  for (const auto& seats : choices{{"a1"}, {"a1", "b1"}})
    all.push_back({"withdraw", [seats](world& w, const sabotage& how) {
                     ask(w, command::block_seats{in_blocks(seats), true, "", w.now}, how);
                   }});
  all.push_back({"block", [](world& w, const sabotage& how) {
                   ask(w, command::block_seats{in_blocks({"b1"}), false, "", w.now}, how);
                 }});
  for (const auto& seats : choices{{"a1"}, {"b1"}})
    all.push_back({"unblock", [seats](world& w, const sabotage& how) {
                     ask(w, command::unblock_seats{in_blocks(seats), w.now}, how);
                   }});
  all.push_back({"sell", [](world& w, const sabotage& how) {
                   command::sell_seats what;
                   what.hold = numbered<hold_id>(++w.holds);
                   what.order = numbered<order_id>(++w.orders);
                   what.seats = offered({"a1", "b1"});
                   what.currency = "EUR";
                   what.gateway = "TILL";
                   what.now = w.now;
                   ask(w, what, how);
                 }});
  all.push_back({"keep", [](world& w, const sabotage& how) { // a box-office hold, over any limit
                   auto what = hold_of(w, {"a1", "a2", "b1"}, how);
                   what.box_office = true;
                   ask(w, what, how);
                 }});
}

} // namespace

std::vector<action> actions_in(const world& here, cast who) {
  std::vector<action> all;
  all.push_back({"time", [](world& w, const sabotage&) { ++w.now; }});
  all.push_back({"sweep", [](world& w, const sabotage& how) { sweep(w, 1, how); }});
  all.push_back({"tick", [](world& w, const sabotage&) { tick(w); }});
  for (const auto fan : fans)
    all.push_back({"leave", [fan](world& w, const sabotage& how) {
                     ask(w, command::leave{fan, w.now}, how);
                   }});
  const bool everybody = who == cast::everybody || who == cast::all;
  const bool money = who == cast::cashiers || who == cast::all;
  add_holds(all);
  for (std::uint8_t n = 1; n <= here.holds; ++n)
    if (const auto found = here.desk.holds.find(numbered<hold_id>(n));
        found != here.desk.holds.end()) {
      add_for_hold(all, found->first, found->second);
      if (everybody)
        add_changes(all, found->first, found->second);
    }
  for (std::uint8_t n = 1; n <= here.orders; ++n)
    if (const auto found = here.desk.orders.find(numbered<order_id>(n));
        found != here.desk.orders.end()) {
      add_for_order(all, found->first, found->second);
      if (everybody)
        add_returns(all, here, found->first);
      if (money)
        add_money(all, found->first, found->second);
    }
  if (everybody)
    add_staff(all);
  if (money)
    add_early_money(all);
  return all;
}

} // namespace usher::test

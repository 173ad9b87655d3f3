#include "tests/simulation/crowd.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

// What the seller's staff, operators and services do.
namespace usher::simulation {

namespace {

const storage::cause by_operator{"", "operator:test"};

} // namespace

/// Money that came elsewhere, now and then not the right amount.
void crowd::confirm() {
  const auto* it = any_order();
  if (it == nullptr || it->show.empty())
    return;
  const auto reference = "outside-" + std::to_string(++references_);
  const auto amount = it->total_minor - (random_.one_in(4) ? 100 : 0);
  outside_[reference] = {it->id, amount};
  perhaps_twice([&, at = it->show, id = it->id] { ask_confirm(at, id, reference, amount); });
}

/// Whoever took the money says so until somebody listens.
void crowd::ask_confirm(const show_id& at, const order_id& order, const std::string& reference,
                        std::int64_t amount_minor) {
  const auto again = [this, at, order, reference, amount_minor] {
    ask_confirm(at, order, reference, amount_minor);
  };
  call made;
  made.what = "confirm " + reference;
  made.deliver = [this, at, order, reference, amount_minor](const desk_done& done) {
    auto asked = std::make_shared<orders::call>();
    asked->what = orders::command::confirm{
        order, "OUTSIDE", reference, 0, money{amount_minor, "BRL"}, std::nullopt, {}};
    asked->cause = {"", "service:test"};
    asked->done = done;
    caf::anon_send(show(at)->desk, std::move(asked));
  };
  made.then = [this, at](const orders::answer& got) { learn_order(at, got); };
  made.again = again;
  made.insists = true;
  ask(std::move(made));
}

void crowd::sell() {
  const auto& at = shows_[random_.below(shows_.size())];
  const auto key = perhaps_key();
  std::optional<unnamed> choice;
  if (random_.one_in(2))
    choice = some_choice(at);
  const auto seats = choice ? std::vector<orders::offered_seat>{} : some_seats(at, 2);
  if (!choice && seats.empty())
    return;
  perhaps_twice([&] { ask_sale(at, seats, choice, key); });
}

void crowd::ask_sale(const show_id& at, std::vector<orders::offered_seat> seats,
                     std::optional<unnamed> choice, const keyed& key) {
  const auto make = [this, seats, key] {
    orders::command::sell_seats what;
    what.hold = random_.id<hold_id>();
    what.order = random_.id<order_id>();
    what.seats = seats;
    what.currency = "BRL";
    what.gateway = "BOX_OFFICE";
    what.reference = "till-" + std::to_string(random_.bits());
    what.asked = key;
    return what;
  };
  std::function<void()> again;
  if (key)
    again = [this, at, seats, choice, key] { ask_sale(at, seats, choice, key); };
  const auto then = [this, at](const orders::answer& got) { learn_order(at, got); };
  if (choice)
    send_to_concierge(at, "sale (chosen)", key, *choice, make, then, again);
  else
    send(at, "sale", key, make, then, again);
}

void crowd::give_back() {
  const auto* it = any_order();
  if (it == nullptr)
    return;
  std::vector<seat_id> seats;
  if (random_.one_in(2) && !it->seats.empty())
    seats.push_back(it->seats[random_.below(it->seats.size())].id);
  const auto key = fresh_key();
  const bool resell = !random_.one_in(3);
  perhaps_twice([&, order = *it] { ask_refund(order, seats, resell, key); });
}

void crowd::ask_refund(const known_order& of, std::vector<seat_id> seats, bool resell,
                       const keyed& key) {
  const auto make = [this, of, seats, resell, key] {
    orders::command::refund what;
    what.order = of.id;
    what.refund = random_.id<refund_id>();
    what.seats = seats;
    what.resell = resell;
    what.asked = key;
    return what;
  };
  send(
      of.show, "refund", key, make,
      [this, at = of.show](const orders::answer& got) { learn_order(at, got); },
      [this, of, seats, resell, key] { ask_refund(of, seats, resell, key); });
}

void crowd::block_or_unblock() {
  const auto& at = shows_[random_.below(shows_.size())];
  const auto seats = places_of(some_seats(at, 2));
  if (seats.empty())
    return;
  if (random_.one_in(2))
    send(at, "unblock", std::nullopt,
         [seats] {
           return orders::command::unblock_seats{seats, 0};
         },
         {}, {});
  else
    send(at, "block", std::nullopt,
         [seats, force = random_.one_in(2)] {
           return orders::command::block_seats{seats, force, "camera", 0};
         },
         {}, {});
}

void crowd::operate() {
  const auto& at = shows_[random_.below(shows_.size())];
  auto asked = std::make_shared<waiting_room::operate>();
  std::string what = "open";
  switch (random_.below(9)) {
  case 0:
    what = "close";
    asked->what = waiting_room::command::close{};
    break;
  case 1:
    what = "pause";
    asked->what = waiting_room::command::pause{};
    break;
  case 2:
  case 3:
    what = "resume";
    asked->what = waiting_room::command::resume{};
    break;
  case 4:
    what = "standby";
    asked->what = waiting_room::command::standby{};
    break;
  default:
    asked->what = waiting_room::command::open{};
  }
  asked->cause = by_operator;
  asked->done = later<std::optional<waiting_room::rejection>>(what + " " + at, {}, {});
  wire_.send(what + " " + at, 0, [this, at, asked] { caf::anon_send(show(at)->room, asked); });
}

/// Other prices, or a seat more or less in the area.
void crowd::change_show() {
  const auto& at = shows_[random_.below(shows_.size())];
  auto asked = std::make_shared<shows::put_call>();
  asked->what.id = at;
  if (random_.one_in(2)) {
    asked->what.prices = {{"stalls", 500 + static_cast<std::int64_t>(random_.below(10)) * 100}};
  } else {
    asked->what.plan = show(at)->now()->what.plan;
    auto& blocks = asked->what.plan->blocks;
    auto& last = blocks[random_.below(blocks.size())];
    if (last.capacity > 0)
      last.capacity = static_cast<std::uint32_t>(1 + random_.below(5));
    else if (auto& seats = last.rows.front().seats; seats.size() > 1)
      seats.pop_back();
    else
      seats.push_back({last.id + "-" + std::to_string(2 + random_.below(3)), std::nullopt, false});
  }
  asked->cause = by_operator;
  asked->done = later<shows::put_answer>("another plan or price of " + at, {}, {});
  wire_.send("another plan or price of " + at, 0,
             [this, asked] { caf::anon_send(node_->directory(), asked); });
}

void crowd::admit_at_the_door() {
  const auto* it = any_order();
  if (it == nullptr || it->seats.empty())
    return;
  send(it->show, "ticket at the door", std::nullopt,
       [id = it->id, seat = it->seats[random_.below(it->seats.size())].id] {
         return orders::command::use_ticket{id, seat, "north", true, 0};
       },
       {}, {});
}

void crowd::revoke() {
  const auto& one = any_fan();
  const auto slot = slot_of(one);
  if (!slot)
    return;
  send(one.show, "revoke", std::nullopt,
       [slot] {
         return orders::command::leave{*slot, 0, "a robot"};
       },
       {}, {});
}

void crowd::pay_without_show() {
  const auto key = fresh_key();
  const auto reference = "invoice-" + std::to_string(++references_);
  perhaps_twice([&] { ask_cashier(key, reference); });
}

void crowd::ask_cashier(const keyed& key, const std::string& reference) {
  send(
      {}, "payment without a show", key,
      [this, key, reference] {
        orders::command::take_payment what;
        what.order = random_.id<order_id>();
        what.payment = random_.id<payment_id>();
        what.amount = {1'500, "BRL"};
        what.reference = reference;
        what.method = "card";
        what.asked = key;
        return what;
      },
      [this](const orders::answer& got) { learn_order({}, got); },
      [this, key, reference] { ask_cashier(key, reference); });
}

} // namespace usher::simulation

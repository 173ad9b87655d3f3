#include "tests/simulation/crowd.hpp"
#include "tests/simulation/violation.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

// What fans do.
namespace usher::simulation {

using waiting_room::ticket_status;

// ---- the queue

void crowd::join() {
  const auto who = random_.below(fans_.size());
  perhaps_twice([this, who] { ask_join(who); });
}

void crowd::ask_join(std::size_t who) {
  const auto& one = fans_[who];
  waiting_room::command::joiner wanted;
  wanted.nonce = random_.bits();
  wanted.customer = one.customer;
  if (one.customer.is_none() || random_.one_in(2))
    wanted.key = one.key;
  if (random_.one_in(2))
    wanted.code = one.code;
  if (random_.one_in(3))
    wanted.before = slot_of(one);
  wire_.send("join of fan " + std::to_string(who), 0, [this, who, wanted, at = one.show] {
    const auto sent_at = now();
    auto asked = std::make_shared<waiting_room::join_batch>();
    asked->fans = {wanted};
    asked->cause = {"", "fan"};
    const auto in_the_log = [this, at](const std::vector<waiting_room::join_answer>& got) {
      const auto* place = std::get_if<waiting_room::place>(&got.front());
      const auto& tickets = model_.shows().at(at).room.tickets();
      demand(place == nullptr ||
                 (place->slot < tickets.size() && tickets[place->slot].nonce == place->nonce),
             "acknowledged-is-in-the-log", "A place is acknowledged that is not in the log.");
    };
    asked->done = later<std::vector<waiting_room::join_answer>>(
        "join of fan " + std::to_string(who), in_the_log,
        [this, who, at, sent_at](const std::vector<waiting_room::join_answer>& got) {
          if (const auto* place = std::get_if<waiting_room::place>(&got.front())) {
            model_.shows().at(at).room.heard(place->slot, sent_at);
            if (!draw(drawn_.reply_lost))
              fans_[who].ticket = *place;
          }
        });
    caf::anon_send(show(at)->room, std::move(asked));
  });
}

/// A poll: no message, only the board, which says what the log says.
void crowd::look() {
  auto& one = any_fan();
  const auto* entry = show(one.show);
  if (!one.ticket)
    return;
  const auto slot = one.ticket->slot;
  const auto seen = entry->board->look(slot, one.ticket->nonce);
  const auto& room = model_.shows().at(one.show).room;
  demand(seen.status == room.tickets().at(slot).status, "boards-show-the-log",
         [&] { return "A poll of ticket " + std::to_string(slot) + " tells another status."; });
  if (seen.status == ticket_status::waiting || seen.status == ticket_status::absent)
    demand(seen.position == room.position(slot), "position-is-rank", [&] {
      return "Ticket " + std::to_string(slot) + " is told position " +
             std::to_string(seen.position) + " and stands at " +
             std::to_string(room.position(slot)) + ".";
    });
  if (!waiting_room::is_live(seen.status)) {
    if (random_.one_in(3))
      one.ticket.reset();
    return;
  }
  entry->board->heard_of(slot, now());
  model_.shows().at(one.show).room.heard(slot, now());
}

void crowd::leave() {
  const auto& one = any_fan();
  const auto slot = slot_of(one);
  if (!slot)
    return;
  send(
      one.show, "leave of ticket " + std::to_string(*slot), std::nullopt,
      [slot] {
        return orders::command::leave{*slot, 0, std::nullopt};
      },
      [this, at = one.show, slot](const orders::answer& got) {
        const bool gone = std::holds_alternative<orders::nothing>(got.result);
        demand(!gone || !model_.shows().at(at).room.is_live(*slot) ||
                   drawn_.reentry_grace_ms.has_value(),
               "acknowledged-is-in-the-log", "A ticket was given back, and lives by the log.");
      },
      {});
}

void crowd::wish() {
  const auto& one = any_fan();
  const auto slot = slot_of(one);
  if (!slot)
    return;
  waiting_room::command::set_wish wanted;
  wanted.slot = *slot;
  if (!random_.one_in(4))
    wanted.wanted.emplace().quantity = static_cast<std::uint32_t>(1 + random_.below(2));
  auto asked = std::make_shared<waiting_room::operate>();
  asked->what = wanted;
  asked->cause = {"", "fan"};
  asked->done = later<std::optional<waiting_room::rejection>>("wish", {}, {});
  caf::anon_send(show(one.show)->room, std::move(asked));
}

// ---- holds

void crowd::hold_named() {
  const auto& one = a_buyer();
  const bool box_office = random_.one_in(12);
  const auto owner = box_office ? std::nullopt : slot_of(one);
  const auto seats = some_seats(one.show, std::min<std::size_t>(drawn_.seats_max, 3));
  if (seats.empty())
    return;
  const auto key = perhaps_key();
  perhaps_twice([&] { ask_hold(one.show, owner, box_office, seats, std::nullopt, key); });
}

void crowd::hold_unnamed() {
  const auto& one = a_buyer();
  const auto choice = some_choice(one.show);
  const auto key = perhaps_key();
  perhaps_twice([&] { ask_hold(one.show, slot_of(one), false, {}, choice, key); });
}

void crowd::ask_hold(const show_id& at, std::optional<slot_t> owner, bool box_office,
                     std::vector<orders::offered_seat> seats, std::optional<unnamed> choice,
                     const keyed& key) {
  const auto make = [this, owner, box_office, seats, key] {
    orders::command::place_hold what;
    what.hold = random_.id<hold_id>();
    what.owner = owner;
    what.seats = seats;
    what.currency = "BRL";
    what.ttl_ms = drawn_.hold_ttl_ms;
    what.max_seats = drawn_.seats_max;
    what.asked = key;
    what.box_office = box_office;
    return what;
  };
  std::function<void()> again;
  if (key)
    again = [this, at, owner, box_office, seats, choice, key] {
      ask_hold(at, owner, box_office, seats, choice, key);
    };
  const auto then = [this, at](const orders::answer& got) { learn_hold(at, got); };
  std::string what = "hold of ticket " + (owner ? std::to_string(*owner) : "none");
  for (const auto& seat : seats)
    what += " " + seat.id;
  if (choice)
    send_to_concierge(at, what + " (chosen)", key, *choice, make, then, again);
  else
    send(at, what, key, make, then, again);
}

void crowd::extend() {
  const auto* it = any_hold();
  if (it == nullptr)
    return;
  const auto key = perhaps_key();
  perhaps_twice([&, held = *it] { ask_extension(held, key); });
}

void crowd::ask_extension(const known_hold& of, const keyed& key) {
  const auto make = [this, of, key] {
    orders::command::extend_hold what;
    what.hold = of.id;
    what.owner = of.owner;
    what.ttl_ms = drawn_.hold_ttl_ms;
    what.max_life_ms = drawn_.hold_life_ms;
    what.asked = key;
    what.box_office = of.box_office;
    return what;
  };
  std::function<void()> again;
  if (key)
    again = [this, of, key] { ask_extension(of, key); };
  send(
      of.show, "extension", key, make,
      [this, at = of.show](const orders::answer& got) { learn_hold(at, got); }, again);
}

void crowd::add() {
  const auto* it = any_hold();
  if (it == nullptr)
    return;
  const auto seats = some_seats(it->show, 2);
  const auto key = perhaps_key();
  perhaps_twice([&, held = *it] { ask_addition(held, seats, key); });
}

void crowd::ask_addition(const known_hold& to, std::vector<orders::offered_seat> seats,
                         const keyed& key) {
  const auto make = [this, to, seats, key] {
    orders::command::add_seats what;
    what.hold = to.id;
    what.owner = to.owner;
    what.seats = seats;
    what.max_seats = drawn_.seats_max;
    what.asked = key;
    what.box_office = to.box_office;
    return what;
  };
  std::function<void()> again;
  if (key)
    again = [this, to, seats, key] { ask_addition(to, seats, key); };
  send(
      to.show, "more seats", key, make,
      [this, at = to.show](const orders::answer& got) { learn_hold(at, got); }, again);
}

void crowd::release() {
  const auto* it = any_hold();
  if (it == nullptr)
    return;
  send(
      it->show, "release", std::nullopt,
      [held = *it] {
        return orders::command::release_hold{held.id, held.owner, 0, held.box_office};
      },
      [this, at = it->show](const orders::answer& got) { learn_hold(at, got); }, {});
}

void crowd::release_seat() {
  const auto* it = any_hold();
  if (it == nullptr || it->seats.empty())
    return;
  const auto seat = it->seats[random_.below(it->seats.size())].id;
  send(
      it->show, "release of seat " + seat, std::nullopt,
      [held = *it, seat] {
        return orders::command::release_seat{held.id, held.owner, seat, 0, held.box_office};
      },
      [this, at = it->show](const orders::answer& got) { learn_hold(at, got); }, {});
}

// ---- orders

void crowd::place_order() {
  const auto* it = any_hold();
  if (it == nullptr)
    return;
  const auto key = perhaps_key();
  perhaps_twice([&, held = *it] { ask_order(held, key); });
}

void crowd::ask_order(const known_hold& of, const keyed& key) {
  const auto make = [this, of, key] {
    orders::command::place_order what;
    what.order = random_.id<order_id>();
    what.owner = of.owner;
    what.hold = of.id;
    what.currency = "BRL";
    what.payment_window_ms = drawn_.payment_window_ms;
    what.asked = key;
    what.box_office = of.box_office;
    return what;
  };
  std::function<void()> again;
  if (key)
    again = [this, of, key] { ask_order(of, key); };
  send(
      of.show, "order", key, make,
      [this, at = of.show](const orders::answer& got) { learn_order(at, got); }, again);
}

void crowd::pay() {
  const auto* it = any_order();
  if (it == nullptr)
    return;
  const auto chosen = random_.one_in(4) ? (random_.one_in(2) ? "ALPHA" : "BETA") : "";
  const auto key = perhaps_key();
  perhaps_twice([&, order = *it] { ask_payment(order, key, chosen); });
}

void crowd::ask_payment(const known_order& of, const keyed& key, const std::string& chosen) {
  const auto make = [this, of, key, chosen] {
    orders::command::start_payment what;
    what.order = of.id;
    what.payment = random_.id<payment_id>();
    what.gateway = chosen;
    what.chosen = !chosen.empty();
    what.method = "card";
    what.asked = key;
    return what;
  };
  std::function<void()> again;
  if (key)
    again = [this, of, key, chosen] { ask_payment(of, key, chosen); };
  send(
      of.show, "payment", key, make,
      [this, at = of.show](const orders::answer& got) { learn_order(at, got); }, again);
}

void crowd::cancel() {
  const auto* it = any_order();
  if (it == nullptr)
    return;
  send(
      it->show, "cancel", std::nullopt,
      [id = it->id] {
        return orders::command::cancel{id, 0, std::nullopt};
      },
      [this, at = it->show](const orders::answer& got) { learn_order(at, got); }, {});
}

} // namespace usher::simulation

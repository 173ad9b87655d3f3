#include "tests/snapshots/history.hpp"

#include "actors/access/event.hpp"
#include "actors/payments/state.hpp"
#include "actors/seating/rules.hpp"
#include "actors/shows/event.hpp"
#include "storage/codec.hpp"
#include "tests/rules/orders_world.hpp"
#include "tests/snapshots/room_walk.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace usher::test {

namespace {

using records = std::vector<storage::record>;
constexpr time_ms begin = 1'800'000'000'000;

template <class Event>
storage::record record_of(const std::string& subject, time_ms at, const Event& happened) {
  auto encoded = storage::encode(happened);
  return {
      at, subject, std::string{encoded.type}, encoded.schema, {"r", "t"}, std::move(encoded.data)};
}

records of_room(const std::string& subject, std::uint64_t seed, int steps) {
  room_walk walk{seed};
  walk.go(steps);
  records all;
  for (const auto& [at, happened] : walk.happened())
    all.push_back(record_of(subject, at, happened));
  return all;
}

/// Fans, staff, gateways and the door at one desk.
records of_desk(const std::string& subject, std::uint64_t seed, int steps) {
  std::mt19937_64 dice{seed};
  auto here = world::start(1'000, true);
  for (int step = 0; step < steps; ++step) {
    const auto all = actions_in(here, cast::all);
    std::vector<std::string> names; // first which kind, so that none is crowded out
    for (const auto& one : all)
      if (std::find(names.begin(), names.end(), one.name) == names.end())
        names.push_back(one.name);
    const auto& name = names[dice() % names.size()];
    std::vector<const action*> its;
    for (const auto& one : all)
      if (one.name == name)
        its.push_back(&one);
    // Mostly one of the newest: what is over for long answers the same for ever.
    const auto among = dice() % 4 == 0 ? its.size() : std::min<std::size_t>(its.size(), 6);
    if (name != "leave" || dice() % 8 == 0)
      its[its.size() - 1 - dice() % among]->happen(here, {});
  }
  records made;
  for (const auto& [at, happened] : here.desk_log)
    made.push_back(record_of(subject, begin + at, happened));
  return made;
}

/// Payments without a show: orders by the seller's own reference, money that came before them.
records of_cashier(int orders) {
  records made;
  const auto add = [&](const orders::any_event& happened) {
    made.push_back(record_of("cashier", begin + static_cast<time_ms>(made.size()), happened));
  };
  for (std::uint8_t number = 1; number < 6; ++number) { // whose customers are known
    orders::event::hold_placed held;
    held.hold = numbered<hold_id>(number);
    held.seats = {{"a1", "a", "c", 100}};
    held.currency = "EUR";
    held.until = begin + 60'000;
    held.customer = numbered<identity>(static_cast<std::uint8_t>(1 + number % 2));
    add(held);
  }
  for (int number = 0; number < orders; ++number) {
    const auto order = numbered<order_id>(static_cast<std::uint8_t>(number + 1));
    const auto reference = "basket-" + std::to_string(number % 7);
    orders::event::order_placed placed;
    placed.order = order;
    placed.hold_ref = reference;
    placed.total = {100, "EUR"};
    placed.until = begin + 60'000;
    placed.customer = "sealed";
    placed.asked = orders::idempotency{numbered<request_key>(static_cast<std::uint8_t>(number + 1)),
                                       numbered<order_id>(9)};
    if (number % 3 == 0)
      add(orders::event::report_kept{"OTHER",
                                     "m-" + std::to_string(number),
                                     {},
                                     "basket-" + std::to_string(number + 20),
                                     {100, "EUR"}});
    add(placed);
    orders::event::payment_started started;
    started.order = order;
    started.payment = numbered<payment_id>(static_cast<std::uint8_t>(number + 1));
    started.gateway = "PLAIN";
    started.method = "card";
    started.token = "sealed too";
    started.country = "BR";
    started.skipped = {{"OTHER", "breaker-open"}};
    started.until = begin + 50'000;
    add(started);
    orders::event::payment_settled settled;
    settled.order = order;
    settled.payment = started.payment;
    settled.outcome = orders::payment_outcome::declined;
    settled.reason = "no";
    if (number % 4 == 0)
      add(settled);
    if (number % 4 == 1) {
      settled.outcome = orders::payment_outcome::approved;
      settled.reference = "r-" + std::to_string(number);
      settled.reason.clear();
      add(settled);
      add(orders::event::order_refund_due{order, "PLAIN", settled.reference});
    }
  }
  return made;
}

std::vector<seat_id> seats_of(char row, std::size_t count) {
  std::vector<seat_id> all;
  for (std::size_t number = 1; number <= count; ++number)
    all.push_back(row + std::to_string(number));
  return all;
}

records of_block(const std::string& subject, std::uint64_t seed, int steps) {
  namespace ask = seating::command;
  std::mt19937_64 dice{seed};
  seating::state block;
  records made;
  auto now = begin;
  const auto try_it = [&](const seating::any_command& asked) {
    const auto decided = seating::decide(block, asked);
    if (const auto* events = std::get_if<std::vector<seating::any_event>>(&decided))
      for (const auto& one : *events) {
        seating::apply(block, one, now);
        made.push_back(record_of(subject, now, one));
      }
  };
  try_it(ask::plan{seats_of('a', 12), now});
  for (int step = 0; step < steps; ++step) {
    now += static_cast<time_ms>(dice() % 1'000);
    std::vector<seat_id> some{"a" + std::to_string(1 + dice() % 12),
                              "a" + std::to_string(13 - (1 + dice() % 6))};
    if (some[0] == some[1])
      some.pop_back();
    const auto hold = numbered<hold_id>(static_cast<std::uint8_t>(1 + dice() % 8));
    const auto order = numbered<order_id>(static_cast<std::uint8_t>(1 + dice() % 4));
    switch (dice() % 9) {
    case 0:
    case 1:
    case 2:
      try_it(ask::hold{hold, some, now + 4'000, now, static_cast<std::uint32_t>(1 + dice() % 3)});
      break;
    case 3:
      try_it(ask::release{{{hold, 9, some}}});
      break;
    case 4:
      try_it(ask::sell{hold, order, some, now, 9});
      break;
    case 5:
      try_it(ask::block{some, {}, "note", now});
      break;
    case 6:
      try_it(ask::unblock{some, now});
      break;
    case 7:
      for (const auto& seat : block.seats)
        if (const auto* sold = std::get_if<seating::sold>(&seat.is)) {
          try_it(ask::return_sold{sold->order, {seat.id}});
          break;
        }
      break;
    default:
      try_it(ask::plan{seats_of('a', 12 + dice() % 4), now});
    }
  }
  return made;
}

shows::description described(bool with_plan, const std::string& title) {
  shows::description what{title, "2026-12-01T20:00:00Z", "EUR", std::nullopt, {}, "https://x.org"};
  what.holds.max_seats_per_customer = 6;
  what.holds.max_life_ms = 700'000;
  what.holds.avoid_orphans = false;
  if (with_plan)
    what.plan = shows::plan{
        shows::point{1.5, -2},
        {{"c", "Category", 1'000}},
        {{"a", "c", {{"1", {{"a1", shows::point{0.25, 3}, true}}}}, 0}, {"floor", "c", {}, 40}}};
  return what;
}

/// The directory; a show with a plan has its blocks before it.
records of_directory() {
  records made;
  const auto add = [&](const shows::any_event& happened) {
    made.push_back(record_of("shows", begin, happened));
  };
  add(shows::event::show_created{0, "plain", described(false, "Plain")});
  for (shows::event::show_changed next{0, {}}; made.size() < 12;) {
    next.what = described(false, "Title " + std::to_string(made.size()));
    add(next);
  }
  return made;
}

records of_planned_show() {
  return {record_of("block/planned/a", begin,
                    seating::any_event{seating::event::block_planned{{"a1"}}}),
          record_of("block/planned/floor", begin,
                    seating::any_event{seating::event::block_planned{seats_of('f', 40)}})};
}

records of_keys_and_breakers() {
  records made;
  for (std::uint8_t number = 0; number < 9; ++number) {
    made.push_back(record_of(
        "keys", begin + number,
        access::any_event{access::event::key_created{
            "key" + std::to_string(number), static_cast<access::role>(number % 5), {number}}}));
    using payments::breaker_status;
    const std::array round{breaker_status::closed, breaker_status::open, breaker_status::half_open};
    payments::event::breaker_changed changed;
    changed.gateway = "PLAIN";
    changed.from = round[number % 3];
    changed.to = round[(number + 1) % 3];
    changed.until = changed.to == breaker_status::open ? begin + 60'000 : 0;
    changed.calls = 20;
    changed.failures = 11;
    made.push_back(record_of("gateway/PLAIN", begin + number, payments::any_event{changed}));
  }
  return made;
}

} // namespace

std::vector<storage::record> long_history(std::uint64_t seed, int steps) {
  std::vector<records> parts{of_room("queue/one", seed, steps),
                             of_room("queue/two", seed + 1, steps / 3),
                             of_block("block/one/a", seed + 2, steps / 3),
                             of_directory(),
                             of_planned_show(),
                             of_cashier(20),
                             of_keys_and_breakers()};
  for (std::uint64_t desk = 0; desk < 8; ++desk)
    parts.push_back(of_desk("desk/" + std::to_string(desk), seed + 10 + desk, 90));
  // Any order in which each part keeps its own.
  std::vector<std::size_t> turns;
  for (std::size_t part = 0; part < parts.size(); ++part)
    turns.insert(turns.end(), parts[part].size(), part);
  std::mt19937_64 dice{seed};
  std::shuffle(turns.begin(), turns.end(), dice);
  std::vector<std::size_t> next(parts.size(), 0);
  records all;
  for (const auto part : turns)
    all.push_back(std::move(parts[part][next[part]++]));
  all.push_back(record_of(
      "shows", end_of(all),
      shows::any_event{shows::event::show_created{1, "planned", described(true, "Planned")}}));
  return all;
}

time_ms end_of(const std::vector<storage::record>& history) {
  time_ms end = 0;
  for (const auto& one : history)
    end = std::max(end, one.at);
  return end;
}

} // namespace usher::test

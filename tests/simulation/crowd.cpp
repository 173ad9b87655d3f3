#include "tests/simulation/crowd.hpp"

#include "tests/simulation/violation.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace usher::simulation {

namespace {

const storage::cause by_operator{"", "operator:test"};

/// The seller's staff, or a fan.
template <class Command>
storage::cause cause_of(const Command& asked) {
  namespace command = orders::command;
  if constexpr (requires { asked.box_office; }) {
    if (asked.box_office)
      return by_operator;
  } else if constexpr (!std::is_same_v<Command, command::cancel> &&
                       !std::is_same_v<Command, command::start_payment>) {
    return by_operator;
  }
  return {"", "fan"};
}

template <class... Commands>
storage::cause cause_of(const std::variant<Commands...>& asked) {
  return std::visit([](const auto& one) { return cause_of(one); }, asked);
}

} // namespace

const std::vector<crowd::deed>& crowd::deeds() {
  static const std::vector<deed> all{
      {8, &crowd::join},
      {8, &crowd::look},
      {10, &crowd::hold_named},
      {6, &crowd::hold_unnamed},
      {4, &crowd::extend},
      {4, &crowd::add},
      {2, &crowd::release},
      {2, &crowd::release_seat},
      {8, &crowd::place_order},
      {10, &crowd::pay},
      {2, &crowd::cancel},
      {2, &crowd::leave},
      {2, &crowd::wish},
      {1, &crowd::confirm},
      {1, &crowd::sell},
      {3, &crowd::give_back},
      {3, &crowd::block_or_unblock},
      {2, &crowd::operate},
      {1, &crowd::change_show},
      {1, &crowd::admit_at_the_door},
      {1, &crowd::revoke},
      {1, &crowd::pay_without_show},
      {22, &crowd::a_while},
      {1, &crowd::long_time},
  };
  return all;
}

void crowd::act() {
  if (drawn_.many_payments && random_.one_in(4))
    return pay_without_show();
  std::size_t all = 0;
  for (const auto& one : deeds())
    all += one.weight;
  auto picked = random_.below(all);
  for (const auto& one : deeds()) {
    if (picked < one.weight)
      return (this->*one.what)();
    picked -= one.weight;
  }
}

void crowd::be_hindered() {
  if (draw(drawn_.append_fails))
    fail_next_append();
  if (draw(drawn_.power_in_append))
    cut_power_in_next_append();
  if (draw(drawn_.journal_slow))
    freeze_journal();
}

void crowd::run() {
  open_shows();
  meet_fans();
  begin_faults();
  for (std::size_t i = 0; i < drawn_.steps; ++i) {
    be_hindered();
    act();
    steps(random_.below(drawn_.haste + 1));
    if (random_.one_in(6))
      settle();
    if (random_.one_in(40))
      check_quiet();
  }
  check_quiet();
  come_to_rest();
}

// ---- the stage is set

void crowd::open_shows() {
  put_show("hamlet", 0);
  if (drawn_.second_show)
    put_show("lear", 20);
}

void crowd::put_show(const show_id& id, std::size_t first_block) {
  auto asked = std::make_shared<shows::put_call>();
  auto& what = asked->what;
  what.id = id;
  what.title = id;
  what.currency = "BRL";
  what.plan.emplace();
  what.plan->categories = {{"stalls", "Stalls", 1000}, {"balcony", "Balcony", 600}};
  for (std::size_t i = 0; i < drawn_.block_seats.size(); ++i) {
    const block_id name{static_cast<char>('A' + first_block + i)};
    shows::row row{name, {}};
    for (std::size_t seat = 1; seat <= drawn_.block_seats[i]; ++seat)
      row.seats.push_back({name + "-" + std::to_string(seat), std::nullopt, false});
    what.plan->blocks.push_back({name, i == 1 ? "balcony" : "stalls", {row}});
  }
  if (drawn_.area > 0)
    what.plan->blocks.push_back({id + "-floor", "stalls", {}, drawn_.area});
  what.holds = shows::hold_settings{.ttl_ms = drawn_.hold_ttl_ms,
                                    .payment_window_ms = drawn_.payment_window_ms,
                                    .max_seats = drawn_.seats_max,
                                    .max_life_ms = drawn_.hold_life_ms};
  auto& room = asked->room.emplace();
  room.admit_per_second_micro = drawn_.rate_micro;
  room.max_active = shows::limit{drawn_.active_max};
  room.max_per_tick = shows::limit{drawn_.per_tick_max};
  room.tick_ms = drawn_.tick_ms;
  room.admission_ttl_ms = drawn_.admission_ttl_ms;
  room.idle_timeout_ms = drawn_.idle_timeout_ms;
  room.fixed_length = drawn_.fixed_length;
  room.absent_after_ms = drawn_.absent_after_ms;
  room.claim_ttl_ms = drawn_.claim_ttl_ms;
  room.reentry_grace_ms = drawn_.reentry_grace_ms;
  if (drawn_.tiers)
    room.tiers = std::vector<std::string>{"gold", "silver"};
  if (drawn_.opens == opening::scheduled) {
    room.opens_at = now() + 8'000;
    room.prequeue_ms = 5'000;
  }
  asked->cause = by_operator;
  asked->done = later<shows::put_answer>("put " + id, {}, {});
  caf::anon_send(node_->directory(), asked);
  settle();
  shows_.push_back(id);
  if (drawn_.tiers)
    add_codes(id);
  auto opens = std::make_shared<waiting_room::operate>();
  opens->cause = by_operator;
  opens->done = later<std::optional<waiting_room::rejection>>("open", {}, {});
  if (drawn_.opens == opening::at_once)
    opens->what = waiting_room::command::open{};
  else if (drawn_.opens == opening::standby)
    opens->what = waiting_room::command::standby{};
  else
    return;
  caf::anon_send(show(id)->room, opens);
  settle();
}

void crowd::add_codes(const show_id& id) {
  for (const auto* tier : {"gold", "silver"}) {
    waiting_room::command::add_codes codes;
    codes.batch = tier;
    codes.tier = tier;
    codes.single_use = std::string_view{tier} == "gold";
    codes.codes = {random_.id<identity>()};
    auto asked = std::make_shared<waiting_room::operate>();
    asked->what = codes;
    asked->cause = by_operator;
    asked->done = later<std::optional<waiting_room::rejection>>("codes", {}, {});
    caf::anon_send(show(id)->room, asked);
    settle();
    for (int i = 0; i < 2; ++i) // two who know it
      fans_.push_back(
          {id, random_.id<identity>(), random_.id<identity>(), codes.codes.front(), {}});
  }
}

void crowd::meet_fans() {
  for (std::size_t i = 0; i < drawn_.fans; ++i) {
    fan one;
    one.show = shows_[i % shows_.size()];
    one.key = random_.id<identity>();
    if (random_.one_in(2))
      one.customer = random_.id<identity>();
    fans_.push_back(one);
  }
}

// ---- sending

void crowd::send(const show_id& at, std::string what, const keyed& key,
                 std::function<orders::any_command()> make,
                 std::function<void(const orders::answer&)> then, std::function<void()> again) {
  call made;
  made.what = std::move(what);
  made.key = key;
  made.deliver = [this, at, make = std::move(make)](const desk_done& done) {
    auto asked = std::make_shared<orders::call>();
    asked->what = make();
    asked->cause = cause_of(asked->what);
    asked->done = done;
    caf::anon_send(at.empty() ? node_->cashier() : show(at)->desk, std::move(asked));
  };
  made.then = std::move(then);
  made.again = std::move(again);
  ask(std::move(made));
}

void crowd::send_to_concierge(const show_id& at, std::string what, const keyed& key, unnamed choice,
                              std::function<concierge::purpose()> make,
                              std::function<void(const orders::answer&)> then,
                              std::function<void()> again) {
  call made;
  made.what = std::move(what);
  made.key = key;
  made.deliver = [this, at, choice, make = std::move(make)](const desk_done& done) {
    auto asked = std::make_shared<concierge::request>();
    asked->ask = choice;
    asked->wanted = make();
    asked->cause = cause_of(asked->wanted);
    asked->done = done;
    caf::anon_send(show(at)->concierge, std::move(asked));
  };
  made.then = std::move(then);
  made.again = std::move(again);
  ask(std::move(made));
}

void crowd::perhaps_twice(const std::function<void()>& ask_it) {
  ask_it();
  if (draw(drawn_.duplicate))
    ask_it();
}

// ---- what they remember

void crowd::learn_hold(const show_id& at, const orders::answer& got) {
  const auto* view = std::get_if<orders::hold_view>(&got.result);
  if (view == nullptr)
    return;
  std::erase_if(holds_, [&](const known_hold& one) { return one.id == view->id; });
  if (view->hold.status == orders::hold_status::live)
    holds_.push_back({view->id, at, view->hold.owner, view->hold.box_office, view->hold.seats});
}

void crowd::learn_order(const show_id& at, const orders::answer& got) {
  const auto* view = std::get_if<orders::order_view>(&got.result);
  if (view == nullptr)
    return;
  std::erase_if(orders_, [&](const known_order& one) { return one.id == view->id; });
  orders_.push_back({view->id, at, view->order.owner, view->order.status, view->seats,
                     view->order.total.amount_minor});
}

const crowd::known_hold* crowd::any_hold() {
  return holds_.empty() ? nullptr : &holds_[random_.below(holds_.size())];
}

const crowd::known_order* crowd::any_order() {
  // The newest more often.
  if (orders_.empty())
    return nullptr;
  return random_.one_in(2) ? &orders_.back() : &orders_[random_.below(orders_.size())];
}

crowd::keyed crowd::fresh_key() {
  return orders::idempotency{random_.id<request_key>(), random_.id<id128>()};
}

crowd::fan& crowd::a_buyer() {
  std::vector<fan*> inside;
  for (auto& one : fans_)
    if (one.ticket && model_.shows().at(one.show).room.admits(one.ticket->slot, now()))
      inside.push_back(&one);
  if (inside.empty() || random_.one_in(8))
    return any_fan();
  return *inside[random_.below(inside.size())];
}

std::optional<slot_t> crowd::slot_of(const fan& who) const {
  return who.ticket ? std::optional{who.ticket->slot} : std::nullopt;
}

std::vector<orders::seat_in_block>
crowd::places_of(const std::vector<orders::offered_seat>& seats) const {
  std::vector<orders::seat_in_block> places;
  for (const auto& seat : seats)
    places.push_back({seat.id, seat.block});
  return places;
}

std::vector<orders::offered_seat> crowd::some_seats(const show_id& at, std::size_t most) {
  const auto plan = show(at)->now();
  const auto& what = *plan->what.plan;
  std::vector<orders::offered_seat> all;
  for (const auto& block : what.blocks)
    for (const auto& id : shows::seats_of(block)) {
      const auto price = std::ranges::find(what.categories, block.category, &shows::category::id);
      all.push_back({id, block.id, block.category, price->price_minor});
    }
  std::vector<orders::offered_seat> seats;
  for (auto wanted = 1 + random_.below(most); wanted > 0 && !all.empty(); --wanted) {
    const auto picked = static_cast<std::ptrdiff_t>(random_.below(all.size()));
    seats.push_back(all[static_cast<std::size_t>(picked)]);
    all.erase(all.begin() + picked);
  }
  return seats;
}

crowd::unnamed crowd::some_choice(const show_id& at) {
  const auto quantity = static_cast<std::uint32_t>(1 + random_.below(2));
  if (drawn_.area > 0 && random_.one_in(3))
    return concierge::area_ask{at + "-floor", quantity};
  shows::best_ask best;
  best.quantity = quantity;
  best.may_split = random_.one_in(2);
  return best;
}

// ---- time

void crowd::a_while() {
  pass(500 * static_cast<duration_ms>(1 + random_.below(4)));
}

void crowd::long_time() {
  for (int i = 0; i < 10; ++i) {
    pass(random_.one_in(2) ? 1'000 : 3'000);
    settle();
  }
}

} // namespace usher::simulation

#include "tests/actors/sale_of_many.hpp"

#include <algorithm>

namespace usher::testing {

const std::vector<sale_of_many::deed> sale_of_many::deeds{
    {3, &sale_of_many::some_join},      {6, &sale_of_many::hold_named},
    {4, &sale_of_many::hold_unnamed},   {3, &sale_of_many::extend_one},
    {3, &sale_of_many::add_named},      {2, &sale_of_many::add_unnamed},
    {2, &sale_of_many::release_one},    {2, &sale_of_many::release_one_seat},
    {4, &sale_of_many::order_one},      {3, &sale_of_many::pay_one},
    {1, &sale_of_many::cancel_one},     {1, &sale_of_many::one_leaves},
    {1, &sale_of_many::confirm_one},    {1, &sale_of_many::sell_some},
    {2, &sale_of_many::give_some_back}, {2, &sale_of_many::block_some},
    {2, &sale_of_many::unblock_some},   {1, &sale_of_many::change_plan},
    {1, &sale_of_many::move_prices},    {1, &sale_of_many::open_or_close},
    {4, &sale_of_many::time_passes},    {1, &sale_of_many::all_lapses},
    {1, &sale_of_many::power_cut},
};

sale_of_many::sale_of_many(std::uint64_t seed) : world{seed} {
  auto what = described("hamlet", {{"A", 8}, {"B", 8}, {"C", 8}});
  add_area(what, 6);
  put(std::move(what), fast_room(max_active));
  settle();
  open_room();
  settle();
}

void sale_of_many::run(std::size_t how_many) {
  for (std::size_t i = 0; i < how_many; ++i) {
    act();
    if (random().one_in(3))
      steps(random().below(12)); // others act before these have come to an end
    if (random().one_in(12)) {
      settle();
      collect();
      check();
    }
  }
  settle();
  collect();
  check();
}

void sale_of_many::act() {
  std::size_t all = 0;
  for (const auto& one : deeds)
    all += one.weight;
  auto picked = random().below(all);
  for (const auto& one : deeds) {
    if (picked < one.weight)
      return (this->*one.what)();
    picked -= one.weight;
  }
}

void sale_of_many::some_join() {
  joins_.push_back(ask_join(1 + random().below(3)));
}

void sale_of_many::hold_named() {
  const auto how = some_wish();
  expect(hold(how.box_office ? std::nullopt : somebody(), some_seats(3), how).answer,
         [this](const auto& told) { collect_hold(told); });
}

void sale_of_many::hold_unnamed() {
  const auto how = some_wish();
  expect(hold(how.box_office ? std::nullopt : somebody(), some_ask(3), how).answer,
         [this](const auto& told) {
           collect_hold(told);
           seen.chosen += as_hold(told) != nullptr ? 1 : 0;
           seen.none_left += found_no_seats(told) ? 1 : 0;
         });
}

void sale_of_many::extend_one() {
  const auto* it = any_of(holds_);
  if (it == nullptr)
    return;
  auto how = some_wish();
  how.box_office = it->second.box_office;
  expect(extend(it->second.owner, it->first, how),
         [this, until = it->second.until](const auto& told) {
           collect_hold(told);
           const auto* now = as_hold(told);
           seen.extended += now != nullptr && now->hold.until > until ? 1 : 0;
         });
}

void sale_of_many::add_named() {
  const auto* it = any_of(holds_);
  if (it == nullptr)
    return;
  auto how = some_wish();
  how.box_office = it->second.box_office;
  expect(add(it->second.owner, it->first, some_seats(2), how), [this](const auto& told) {
    collect_hold(told);
    seen.added += as_hold(told) != nullptr ? 1 : 0;
  });
}

void sale_of_many::add_unnamed() {
  const auto* it = any_of(holds_);
  if (it == nullptr)
    return;
  auto how = some_wish();
  how.box_office = it->second.box_office;
  expect(add(it->second.owner, it->first, some_ask(2), how), [this](const auto& told) {
    collect_hold(told);
    seen.added += as_hold(told) != nullptr ? 1 : 0;
  });
}

void sale_of_many::release_one() {
  if (const auto* it = any_of(holds_))
    expect(release(it->second.owner, it->first, it->second.box_office),
           [this](const auto& told) { collect_hold(told); });
}

void sale_of_many::release_one_seat() {
  const auto* it = any_of(holds_);
  if (it == nullptr)
    return;
  const auto& seats = it->second.seats;
  expect(release_seat(it->second.owner, it->first, seats[random().below(seats.size())].id,
                      it->second.box_office),
         [this](const auto& told) {
           collect_hold(told);
           seen.single_released += as_hold(told) != nullptr ? 1 : 0;
         });
}

void sale_of_many::order_one() {
  if (const auto* it = any_of(holds_))
    expect(order(it->second.owner, it->first, some_wish().key, it->second.box_office).answer,
           [this](const auto& told) { collect_order(told); });
}

void sale_of_many::pay_one() {
  if (const auto* it = any_of(orders_))
    pay(it->first, some_wish().key);
}

void sale_of_many::cancel_one() {
  if (const auto* it = any_of(orders_))
    cancel(it->first);
}

void sale_of_many::one_leaves() {
  if (!places_.empty())
    leave(places_[random().below(places_.size())].slot);
}

void sale_of_many::confirm_one() {
  if (const auto* it = any_of(orders_))
    confirm(it->first);
}

void sale_of_many::sell_some() {
  const auto key = some_wish().key;
  expect((random().one_in(2) ? sell(some_seats(2), key) : sell(some_ask(2), key)).answer,
         [this](const auto& told) {
           collect_order(told);
           seen.counter_sales += has_status(told, orders::order_status::paid) ? 1 : 0;
         });
}

void sale_of_many::give_some_back() {
  std::vector<order_id> paid;
  for (const auto& [id, one] : orders_)
    if (one.status == orders::order_status::paid)
      paid.push_back(id);
  if (paid.empty())
    return;
  const auto& id = paid[random().below(paid.size())];
  std::vector<seat_id> seats;
  if (const auto its = holds_.find(orders_.at(id).hold); its != holds_.end() && random().one_in(2))
    seats.push_back(its->second.seats[random().below(its->second.seats.size())].id);
  expect(give_back(id, seats), [this](const auto& told) {
    collect_order(told);
    seen.returned += as_order(told) != nullptr ? 1 : 0;
  });
}

void sale_of_many::block_some() {
  expect(block(some_seats(3), random().one_in(2)), [this](const auto& told) {
    if (const auto* done = std::get_if<orders::seats_view>(&told.result)) {
      ++seen.blocked;
      seen.withdrawn += done->holds.size();
    }
  });
}

void sale_of_many::unblock_some() {
  std::vector<seat_id> off_sale;
  for (const auto& [id, is] : seat_map())
    if (is == seating::shown::blocked)
      off_sale.push_back(id);
  if (off_sale.empty())
    return;
  expect(unblock(random().one_in(3) ? off_sale
                                    : std::vector{off_sale[random().below(off_sale.size())]}),
         [this](const auto& told) {
           seen.unblocked += std::holds_alternative<orders::seats_view>(told.result) ? 1 : 0;
         });
}

/// Seats come and go in each block, one block may go whole, and the area grows and shrinks.
void sale_of_many::change_plan() {
  std::vector<block_size> sizes{{"A", 6 + random().below(5)}, {"B", 6 + random().below(5)}};
  if (!random().one_in(4))
    sizes.emplace_back("C", 4 + random().below(6));
  auto what = described("hamlet", sizes);
  add_area(what, static_cast<std::uint32_t>(4 + random().below(6)));
  plans_asked_.push_back(put(std::move(what)));
}

void sale_of_many::move_prices() {
  shows::command::put what;
  what.id = "hamlet";
  what.prices = {{"stalls", 500 + static_cast<std::int64_t>(random().below(1000))}};
  put(std::move(what));
}

void sale_of_many::open_or_close() {
  random().one_in(6) ? close_room() : open_room();
}

void sale_of_many::time_passes() {
  pass(100 + static_cast<duration_ms>(random().below(2000)), 250);
}

void sale_of_many::all_lapses() {
  if (random().one_in(4))
    pass(ttl_ms + 1000, 1000);
}

void sale_of_many::power_cut() {
  if (random().one_in(2))
    return;
  ++seen.crashes;
  switch (random().below(3)) {
  case 0:
    break;
  case 1:
    sluice().cut_after_next_sync();
    settle();
    break;
  default: // others go on while a sync runs, and it never returns
    sluice().during([this] {
      if (!sluice().is_cut())
        steps(random().below(10));
      sluice().cut();
    });
    settle();
  }
  collect(); // what was answered before the power went counts
  crash_and_restart();
  check();
}

std::optional<slot_t> sale_of_many::somebody() {
  std::vector<slot_t> inside;
  for (const auto& at : places_)
    if (look(at).status == waiting_room::ticket_status::admitted)
      inside.push_back(at.slot);
  if (inside.empty() || random().one_in(10))
    return random().one_in(2) ? std::nullopt : std::optional{slot_t(random().below(50))};
  return inside[random().below(inside.size())];
}

/// Of the plan as it is, or (now and then) as it may be at another time.
std::vector<seat_id> sale_of_many::some_seats(std::size_t most) {
  std::vector<seat_id> known;
  for (const auto& [id, is] : seat_map())
    known.push_back(id);
  std::vector<seat_id> seats;
  for (auto wanted = 1 + random().below(most); wanted > 0; --wanted) {
    auto seat = known[random().below(known.size())];
    if (random().one_in(20))
      seat = "C-" + std::to_string(1 + random().below(10));
    if (std::ranges::find(seats, seat) == seats.end())
      seats.push_back(std::move(seat));
  }
  return seats;
}

unnamed sale_of_many::some_ask(std::uint32_t most) {
  const auto quantity = static_cast<std::uint32_t>(1 + random().below(most));
  if (random().one_in(3))
    return concierge::area_ask{"floor", quantity};
  shows::best_ask best;
  best.quantity = quantity;
  best.may_split = random().one_in(2);
  if (random().one_in(3))
    best.block = "B";
  return best;
}

world::wish sale_of_many::some_wish() {
  wish how;
  how.ttl_ms = ttl_ms;
  if (random().one_in(2))
    how.key = fresh_key();
  how.box_office = random().one_in(8);
  return how;
}

} // namespace usher::testing

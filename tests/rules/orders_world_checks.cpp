#include "tests/rules/orders_world.hpp"

#include "actors/basics/overloaded.hpp"

#include <algorithm>

namespace usher::test {

namespace {

bool is_open(const orders::order& it) {
  return it.status == orders::order_status::pending || it.status == orders::order_status::paying;
}

/// Until its time has come, its seats are its own.
bool keeps(const orders::hold& it) {
  return it.status == orders::hold_status::live || it.status == orders::hold_status::ordered;
}

bool was_returned(const orders::hold& it, const seat_id& seat) {
  return std::ranges::find(it.returned, seat) != it.returned.end();
}

std::string fault_of_orders(const world& here) {
  for (const auto& [id, it] : here.desk.orders) {
    const auto& hold = here.desk.holds.at(it.hold);
    const bool sold = hold.status == orders::hold_status::sold;
    if (it.is_sold() ? !sold : sold && it.status != orders::order_status::refunded)
      return "a hold is sold without a PAID order, or not sold with one";
    for (const auto& seat : hold.seats) {
      const bool sold_to_it = here.state_of(seat.id) == seating::seat_state{seating::sold{id}};
      if (was_returned(hold, seat.id) && sold_to_it)
        return "a returned seat is still SOLD";
      if (sold_to_it != (sold && !was_returned(hold, seat.id)))
        return sold ? "PAID without its seats" : "a seat is SOLD to an order that is not PAID";
    }
  }
  return "";
}

/// From the desk's side: a hold in time has all its seats, nobody else has them.
std::string fault_of_holds(const world& here) {
  std::set<seat_id> held;
  for (const auto& [id, it] : here.desk.holds) {
    if (!it.box_office && here.own_until.at(id) - it.placed_at > max_life)
      return "a hold lives longer than it may";
    if (!keeps(it) || here.now >= it.until)
      continue;
    for (const auto& seat : it.seats) {
      if (!held.insert(seat.id).second)
        return "a seat is in two holds";
      const auto& is = here.state_of(seat.id);
      const auto* by = std::get_if<seating::held>(&is);
      if (by == nullptr || by->hold != id || by->until != it.until ||
          by->generation > it.generation)
        return "a hold in time does not have its seats";
    }
  }
  return "";
}

/// From the blocks' side: whoever is said to have a seat knows of it.
std::string fault_of_seats(const world& here) {
  for (const auto& id : all_seats) {
    const auto& is = here.state_of(id);
    if (const auto* by = std::get_if<seating::held>(&is)) {
      const auto found = here.desk.holds.find(by->hold);
      if (found == here.desk.holds.end() || !keeps(found->second))
        return "a seat is held by a hold that has ended";
      if (!found->second.has(id))
        return "a seat is held by a hold that gave it back";
    }
    if (const auto* to = std::get_if<seating::sold>(&is);
        to != nullptr && !here.desk.orders.contains(to->order))
      return "a seat is SOLD to nobody";
    if (std::holds_alternative<seating::blocked>(is) != here.off_sale.contains(id))
      return "a seat is BLOCKED though nobody took it off sale, or the other way round";
  }
  return "";
}

/// Every seat is one thing, and as many are held and sold as the desk says.
std::string fault_of_counts(const world& here) {
  seating::counts counted;
  for (const auto& [name, block] : here.blocks) {
    const auto its = block.count(here.now);
    if (its.available + its.held + its.sold + its.blocked != block.seats.size())
      return "seats got lost";
    counted.held += its.held;
    counted.sold += its.sold;
  }
  seating::counts told;
  for (const auto& [id, it] : here.desk.holds) {
    if (keeps(it) && here.now < it.until)
      told.held += it.seats.size();
    if (it.status == orders::hold_status::sold)
      told.sold += it.seats.size() - it.returned.size();
  }
  return counted == told ? "" : "the desk and the blocks count different seats";
}

std::string fault_of_indexes(const world& here) {
  std::set<std::pair<time_ms, hold_id>> holds;
  std::set<std::pair<time_ms, order_id>> orders_;
  for (const auto& [id, it] : here.desk.holds)
    if (keeps(it))
      holds.emplace(it.until, id);
  for (const auto& [id, it] : here.desk.orders)
    if (it.status == orders::order_status::pending)
      orders_.emplace(it.until, id);
    else if (it.status == orders::order_status::paying && it.paying_until != 0)
      orders_.emplace(it.paying_until, id);
  if (holds != here.desk.hold_deadlines || orders_ != here.desk.order_deadlines)
    return "the deadlines are not exact";
  orders::state folded;
  for (const auto& [at, happened] : here.desk_log)
    orders::apply(folded, happened, at);
  return folded == here.desk ? "" : "the fold of the events is another desk";
}

/// What keeps an admission has to be known to the room, and nothing else may keep it.
std::string fault_of_admissions(const world& here) {
  for (const auto& [slot, admission] : here.room->admissions) {
    time_ms latest = 0;         // of what keeps it
    time_ms latest_ordered = 0; // of holds whose order keeps it: its time may be shorter
    for (const auto& [id, it] : here.desk.holds)
      if (it.owner == slot && keeps(it)) {
        latest_ordered = std::max(latest_ordered, it.until);
        if (it.status == orders::hold_status::live)
          latest = std::max(latest, it.until);
      }
    for (const auto& [id, it] : here.desk.orders)
      if (it.owner == slot && is_open(it))
        latest = std::max(
            {latest, it.until, it.status == orders::order_status::paying ? it.paying_until : 0});
    if (here.now < latest && admission.deadline() < latest)
      return "an admission ends before what keeps it";
    if (admission.busy_until > std::max({here.now, latest, latest_ordered}))
      return "an admission is kept by nothing";
  }
  return "";
}

} // namespace

std::string fault_in(const world& here) {
  if (!here.fault.empty())
    return here.fault;
  for (const auto check : {fault_of_orders, fault_of_holds, fault_of_seats, fault_of_counts,
                           fault_of_indexes, fault_of_admissions, fault_of_money})
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
    if (is_open(it))
      return "an order stays open for ever";
  for (const auto& id : all_seats)
    if (std::holds_alternative<seating::held>(here.state_of(id)))
      return "a seat stays held for ever";
  settle_everything(here, how);
  if (auto fault = fault_in(here); !fault.empty())
    return fault;
  if (!here.desk.unsettled.empty())
    return "an answer of every gateway leaves something unsettled";
  for (const auto& [id, it] : here.desk.orders)
    if (it.status == orders::order_status::refund_due)
      return "money is owed for ever";
  return "";
}

std::string key_of(const world& here) {
  std::string key;
  const auto add = [&key](auto number) { key += std::to_string(number) + ','; };
  const auto left = [&](time_ms until) { add(std::max<time_ms>(until - here.now, 0)); };
  for (std::uint8_t n = 1; n <= here.holds; ++n)
    if (const auto found = here.desk.holds.find(numbered<hold_id>(n));
        found != here.desk.holds.end()) {
      const auto& it = found->second;
      add(n), add(it.owner ? int(*it.owner) : -1), add(int(it.status)), left(it.until);
      add(it.order.bytes[0]), add(it.generation), left(it.placed_at + max_life);
      for (const auto& seat : it.seats)
        key += seat.id;
      key += '/';
      for (const auto& seat : it.returned)
        key += seat;
      add(it.end ? int(*it.end) : -1), left(it.until_unpaid);
    }
  for (std::uint8_t n = 1; n <= here.orders; ++n)
    if (const auto found = here.desk.orders.find(numbered<order_id>(n));
        found != here.desk.orders.end()) {
      const auto& it = found->second;
      add(n), add(int(it.status)), left(it.until), left(it.paying_until);
      for (const auto& one : it.payments)
        add(int(one.id.is_none())), add(one.outcome ? int(*one.outcome) : -1),
            add(int(one.kept) + 2 * int(one.known)), add(one.amount_minor);
      for (const auto& one : it.refunds) {
        add(one.outcome ? int(*one.outcome) : -1), add(int(one.cause)), add(one.amount_minor);
        for (const auto& seat : one.seats)
          key += seat;
      }
      for (const auto& one : it.used)
        key += 'u' + one.seat;
    }
  for (const auto& id : all_seats)
    std::visit(overloaded{
                   [&](const seating::available&) { key += '-'; },
                   [&](const seating::held& by) {
                     add(by.hold.bytes[0]), add(by.generation), left(by.until);
                   },
                   [&](const seating::sold& to) { key += 's', add(to.order.bytes[0]); },
                   [&](const seating::blocked&) { key += 'x'; },
               },
               here.state_of(id));
  for (const auto& id : here.off_sale)
    key += '!' + id;
  for (const auto fan : fans) {
    const auto found = here.room->admissions.find(fan);
    key += '|';
    if (found != here.room->admissions.end())
      left(found->second.until), left(found->second.busy_until), add(int(found->second.spent));
  }
  return key;
}

} // namespace usher::test

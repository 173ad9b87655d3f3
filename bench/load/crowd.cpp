#include "bench/load/crowd.hpp"

#include "bench/load/map_choice.hpp"

#include <algorithm>
#include <cassert>

namespace usher::load {

namespace {

/// Where an answer names no time: as a page would that heard nothing.
constexpr int ask_again_s = 5;
/// A fan whose seats were taken by others so often gives up.
constexpr int tries_max = 10;

} // namespace

crowd::crowd(world& in, worker& of, const crowd_plan& plan)
    : joining{in, of, plan.joins}, plan_{plan} {}

void crowd::write(task& what, std::string& to) {
  const auto& who = of_.fans[what.fan];
  const auto ticket = of_.fans.ticket_of(who);
  switch (what.kind) {
  case request_kind::poll:
    what.note = in_.gate.latest_admitted();
    return in_.write.poll(to, ticket);
  case request_kind::map:
    return in_.write.map(to);
  case request_kind::hold: {
    const auto& asked = baskets_.at(what.fan).asked;
    return asked.empty() ? in_.write.hold_best(to, ticket, who.wants)
                         : in_.write.hold(to, ticket, asked);
  }
  case request_kind::order:
    return in_.write.order(to, ticket, baskets_.at(what.fan).hold, of_.number_of(what.fan));
  case request_kind::pay:
    return in_.write.pay(to, baskets_.at(what.fan).order);
  case request_kind::page:
  case request_kind::join:
  case request_kind::place:
    return joining::write(what, to);
  }
}

void crowd::answered(const task& what, const answer& got, time_ns sent, time_ns now) {
  verdict how;
  switch (what.kind) {
  case request_kind::poll:
    how = on_poll(what, got, now);
    break;
  case request_kind::map:
    how = on_map(what, got, now);
    break;
  case request_kind::hold:
    how = on_hold(what, got, now);
    break;
  case request_kind::order:
    how = on_order(what, got, now);
    break;
  case request_kind::pay:
    how = on_pay(what, got, now);
    break;
  case request_kind::page:
  case request_kind::join:
  case request_kind::place:
    return joining::answered(what, got, sent, now);
  }
  of_.runs.count(what, how, now, got.body);
  if (how.what == outcome::shed)
    come_again(what, got, now);
  else if (how.what == outcome::wrong)
    finish(what.fan, stage::gone);
}

void crowd::lost(const task& what, std::string_view why, time_ns now) {
  if (what.kind == request_kind::page || what.kind == request_kind::join)
    return joining::lost(what, why, now);
  of_.runs.count(what, verdict::wrong(std::string{why}), now, {});
  finish(what.fan, stage::gone);
}

bool crowd::over(time_ns now) const {
  if (now >= plan_.deadline)
    return true;
  if (!all_came(now) || !baskets_.empty())
    return false;
  if (plan_.ends_when_sold && (sold_out_ || in_.ledger.sold() == in_.ledger.size()))
    return true;
  return finished_ == of_.fans.size();
}

void crowd::joined(std::uint32_t who, const ticket_told& told, time_ns now) {
  auto& fan = of_.fans[who];
  fan.watches = chance() < plan_.watching;
  fan.wants = static_cast<std::uint8_t>(1 + chance() * plan_.seats_most);
  if (told.admitted)
    enter(who, now);
  else
    wait(who, told, now, true);
}

void crowd::stayed_outside(std::uint32_t who) {
  joining::stayed_outside(who);
  ++finished_;
}

void crowd::wait(std::uint32_t who, const ticket_told& told, time_ns now, bool first) {
  std::int64_t after_s = told.ask_after_s > 0 ? told.ask_after_s : ask_again_s;
  if (first && !of_.fans[who].watches && told.eta_s)
    after_s = *told.eta_s;
  of_.runs.add({.due = now + after_s * second_ns, .fan = who, .kind = request_kind::poll});
}

void crowd::enter(std::uint32_t who, time_ns now) {
  if (!plan_.buys)
    return finish(who, stage::admitted);
  baskets_[who];
  next(who, plan_.chooses == choice::map ? request_kind::map : request_kind::hold, now);
}

void crowd::next(std::uint32_t who, request_kind kind, time_ns now) {
  of_.runs.add({.due = now, .fan = who, .kind = kind});
}

void crowd::finish(std::uint32_t who, stage how) {
  of_.fans[who].stage = how;
  baskets_.erase(who);
  ++finished_;
}

verdict crowd::on_poll(const task& what, const answer& got, time_ns now) {
  ticket_told told;
  auto& who = of_.fans[what.fan];
  auto how = check_poll(got, who, of_.fans.ticket_of(who), what.note, told);
  if (how.what != outcome::fine)
    return how;
  if (told.admitted) {
    who.stage = stage::admitted;
    in_.gate.admitted(who);
    enter(what.fan, now);
    return how;
  }
  who.position = told.position;
  sold_out_ = sold_out_ || told.sold_out;
  if (!told.sold_out)
    wait(what.fan, told, now, false);
  else if (!plan_.ends_when_sold)
    finish(what.fan, stage::gone);
  return how;
}

verdict crowd::on_map(const task& what, const answer& got, time_ns now) {
  auto how = check_map(got);
  if (how.what != outcome::fine)
    return how;
  auto& its = baskets_.at(what.fan);
  its.asked = choose_on_map(got.body, of_.fans[what.fan].wants, chance());
  if (its.asked.empty())
    on_no_seat(what.fan, now);
  else
    next(what.fan, request_kind::hold, now);
  return how;
}

/// Somebody was faster, or too few are left.
void crowd::on_no_seat(std::uint32_t who, time_ns now) {
  auto& fan = of_.fans[who];
  auto& its = baskets_.at(who);
  if (plan_.chooses == choice::best && fan.wants > 1) {
    --fan.wants;
    return next(who, request_kind::hold, now);
  }
  if (plan_.chooses == choice::map && ++its.tries < tries_max) // a map is up to a second old
    return next(who, request_kind::map, now + second_ns);
  finish(who, stage::gone);
}

verdict crowd::on_hold(const task& what, const answer& got, time_ns now) {
  hold_told held;
  auto& its = baskets_.at(what.fan);
  auto how = check_hold(got, its.asked, of_.fans[what.fan].wants, held);
  if (how.what == outcome::refused)
    on_no_seat(what.fan, now);
  if (how.what != outcome::fine)
    return how;
  // Counted from when it was answered, it may end a second early: seconds are rounded.
  const auto until = now + (held.expires_in_s - 1) * second_ns;
  if (auto fault = in_.ledger.hold(of_.number_of(what.fan), held.seats, now, until))
    return verdict::wrong(std::move(*fault));
  its.hold = held.hold;
  its.held = std::move(held);
  its.held.hold = its.hold;
  next(what.fan, request_kind::order, now);
  return how;
}

verdict crowd::on_order(const task& what, const answer& got, time_ns now) {
  std::string_view order;
  auto& its = baskets_.at(what.fan);
  auto how = check_order(got, its.held, order);
  if (how.what != outcome::fine)
    return how;
  its.order = order;
  next(what.fan, request_kind::pay, now);
  return how;
}

verdict crowd::on_pay(const task& what, const answer& got, time_ns now) {
  bool pending = false;
  const auto& its = baskets_.at(what.fan);
  auto how = check_pay(got, its.order, its.held.seats, pending);
  if (how.what != outcome::fine)
    return how;
  if (pending) {
    come_again(what, got, now);
    return how;
  }
  if (auto fault = in_.ledger.sell(of_.number_of(what.fan), its.held.seats))
    return verdict::wrong(std::move(*fault));
  finish(what.fan, stage::bought);
  return how;
}

} // namespace usher::load

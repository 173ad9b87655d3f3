#include "bench/load/joining.hpp"

#include <algorithm>

namespace usher::load {

joining::joining(world& in, worker& of, const joining_plan& plan)
    : in_{in}, of_{of}, plan_{plan}, random_{plan.seed * 1'000 + of.index} {
  if (plan_.arrivals)
    arrivals_.emplace(*plan_.arrivals);
}

task joining::new_fan(time_ns due) {
  const auto who = static_cast<std::uint32_t>(of_.fans.size());
  of_.fans.resize(who + std::size_t{1});
  ++came_;
  return {
      .due = due, .fan = who, .kind = plan_.reads_page ? request_kind::page : request_kind::join};
}

std::optional<task> joining::next_arrival() {
  if (!arrivals_ || came_ >= plan_.fans)
    return std::nullopt;
  const auto due = plan_.begin + arrivals_->next();
  if (plan_.until && due >= *plan_.until)
    return std::nullopt;
  return new_fan(due);
}

std::optional<task> joining::next_at_once() {
  const auto now = of_.runs.clock().now();
  if (arrivals_ || came_ >= plan_.fans || (plan_.until && now >= *plan_.until))
    return std::nullopt;
  return new_fan(now);
}

void joining::write(task& what, std::string& to) {
  if (what.kind == request_kind::page)
    in_.write.page(to);
  else
    in_.write.join(to);
}

void joining::answered(const task& what, const answer& got, time_ns sent, time_ns now) {
  if (what.kind == request_kind::page)
    on_page(what, got, now);
  else
    on_join(what, got, sent, now);
}

void joining::on_page(const task& what, const answer& got, time_ns now) {
  const auto how = check_page(got, in_.show);
  of_.runs.count(what, how, now, got.body);
  if (how.what == outcome::shed)
    return come_again(what, got, now);
  if (how.what != outcome::fine)
    return stayed_outside(what.fan);
  of_.runs.add({.due = now, .fan = what.fan, .kind = request_kind::join});
}

void joining::on_join(const task& what, const answer& got, time_ns sent, time_ns now) {
  ticket_told told;
  const auto how = check_join(got, in_.show, told);
  of_.runs.count(what, how, now, got.body);
  if (how.what == outcome::shed && plan_.comes_again)
    return come_again(what, got, now);
  if (how.what != outcome::fine)
    return stayed_outside(what.fan);
  auto& who = of_.fans[what.fan];
  of_.fans.keep_ticket(who, told.ticket);
  who.position = told.position;
  who.join_sent = moment_of(sent);
  who.join_answered = moment_of(now);
  who.stage = told.admitted ? stage::admitted : stage::waiting;
  if (told.admitted)
    in_.gate.admitted(who);
  ++settled_;
  joined(what.fan, told, now);
}

void joining::lost(const task& what, std::string_view why, time_ns now) {
  of_.runs.count(what, verdict::wrong(std::string{why}), now, {});
  stayed_outside(what.fan);
}

bool joining::over(time_ns now) const {
  return all_came(now);
}

bool joining::all_came(time_ns now) const {
  const bool nobody_comes = came_ >= plan_.fans || (plan_.until && now >= *plan_.until);
  return nobody_comes && settled_ == came_;
}

void joining::joined(std::uint32_t /*who*/, const ticket_told& /*told*/, time_ns /*now*/) {}

void joining::stayed_outside(std::uint32_t who) {
  of_.fans[who].stage = stage::gone;
  ++settled_;
}

void joining::come_again(const task& what, const answer& got, time_ns now) {
  auto again = what;
  again.at_once = false;
  again.due = now + static_cast<time_ns>((std::max(got.retry_after_s, 0) + chance()) *
                                         static_cast<double>(second_ns));
  of_.runs.add(again);
}

double joining::chance() {
  return std::uniform_real_distribution<double>{}(random_);
}

} // namespace usher::load

#include "bench/load/asking.hpp"

#include "bench/load/answer_checks.hpp"

namespace usher::load {

outcome take_poll(world& in, worker& of, const task& what, const answer& got, time_ns now) {
  ticket_told told;
  auto& who = of.fans[what.fan];
  const auto how = check_poll(got, who, of.fans.ticket_of(who), what.note, told);
  of.runs.count(what, how, now, got.body);
  if (how.what != outcome::fine)
    return how.what;
  if (told.admitted) {
    who.stage = stage::admitted;
    in.gate.admitted(who);
  } else {
    who.position = told.position;
  }
  return how.what;
}

asking::asking(world& in, worker& of, const asking_plan& plan)
    : in_turn{in, of, plan.turns}, plan_{plan} {}

std::optional<task> asking::next_fan(time_ns due) {
  const auto count = static_cast<std::uint32_t>(of_.fans.size());
  const task asked{.due = due, .kind = plan_.each_once ? request_kind::place : request_kind::poll};
  const auto has_place = [&](std::uint32_t who) { return of_.fans[who].stage == stage::waiting; };
  if (count == 0 || (plan_.until && due >= *plan_.until))
    return std::nullopt;
  if (!plan_.each_once)
    next_ = std::uniform_int_distribution<std::uint32_t>{0, count - 1}(random_);
  const auto first = next_;
  while (next_ < count && !has_place(next_)) {
    ++next_;
    if (!plan_.each_once && next_ == count)
      next_ = 0;
    if (!plan_.each_once && next_ == first)
      return std::nullopt; // nobody waits
  }
  if (next_ >= count)
    return std::nullopt;
  auto found = asked;
  found.fan = next_++;
  return found;
}

void asking::write(task& what, std::string& to) {
  what.note = in_.gate.latest_admitted();
  in_.write.poll(to, of_.fans.ticket_of(of_.fans[what.fan]));
}

void asking::answered(const task& what, const answer& got, time_ns /*sent*/, time_ns now) {
  if (take_poll(in_, of_, what, got, now) == outcome::shed && plan_.each_once)
    ask_again(what, got, now);
}

bool asking::over(time_ns now) const {
  const bool all_asked =
      plan_.each_once ? next_ >= of_.fans.size() : plan_.until && now >= *plan_.until;
  return all_asked && of_.runs.is_idle();
}

} // namespace usher::load

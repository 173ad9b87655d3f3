#include "bench/load/overloading.hpp"

#include "bench/load/asking.hpp"

#include <utility>

namespace usher::load {

namespace {

constexpr int looks_max = 100;

} // namespace

overloading::overloading(world& in, worker& of, const overloading_plan& plan)
    : joining{in, of, plan.joins}, plan_{plan} {
  if (plan_.polls)
    polls_.emplace(*plan_.polls);
}

std::optional<task> overloading::next_poll() {
  if (!polls_ || of_.fans.size() == 0)
    return std::nullopt;
  task asked{.due = plan_.joins.begin + polls_->next(), .kind = request_kind::poll};
  if (plan_.until && asked.due >= *plan_.until)
    return std::nullopt;
  for (int looks = 0; looks < looks_max; ++looks) {
    asked.fan = static_cast<std::uint32_t>(chance() * static_cast<double>(of_.fans.size()));
    if (of_.fans[asked.fan].stage == stage::waiting)
      return asked;
  }
  return std::nullopt; // hardly anybody has a place
}

std::optional<task> overloading::next_arrival() {
  if (!std::exchange(begun_, true)) {
    join_ = joining::next_arrival();
    poll_ = next_poll();
  }
  const bool join_first = join_ && (!poll_ || join_->due <= poll_->due);
  auto& first = join_first ? join_ : poll_;
  auto told = first;
  first = join_first ? joining::next_arrival() : next_poll();
  return told;
}

void overloading::write(task& what, std::string& to) {
  if (what.kind != request_kind::poll)
    return joining::write(what, to);
  what.note = in_.gate.latest_admitted();
  in_.write.poll(to, of_.fans.ticket_of(of_.fans[what.fan]));
}

void overloading::answered(const task& what, const answer& got, time_ns sent, time_ns now) {
  if (what.kind != request_kind::poll)
    return joining::answered(what, got, sent, now);
  [[maybe_unused]] const auto how = take_poll(in_, of_, what, got, now);
}

void overloading::lost(const task& what, std::string_view why, time_ns now) {
  if (what.kind != request_kind::poll)
    return joining::lost(what, why, now);
  of_.runs.count(what, verdict::wrong(std::string{why}), now, {});
}

bool overloading::over(time_ns now) const {
  return plan_.until && now >= *plan_.until && of_.runs.is_idle();
}

} // namespace usher::load

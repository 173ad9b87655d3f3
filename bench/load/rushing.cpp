#include "bench/load/rushing.hpp"

#include "bench/load/answer_checks.hpp"

#include <array>
#include <utility>

namespace usher::load {

rushing::rushing(world& in, worker& of, const rushing_plan& plan)
    : in_turn{in, of, plan.turns}, plan_{plan} {}

std::optional<task> rushing::next_fan(time_ns due) {
  while (next_ < of_.fans.size() && of_.fans[next_].stage != stage::admitted)
    ++next_;
  if (next_ >= of_.fans.size())
    return std::nullopt;
  task found{.due = due, .fan = next_++, .kind = request_kind::hold};
  const auto seats = in_.ledger.size();
  if (plan_.wish == wish::own)
    found.note = of_.number_of(found.fan) % seats;
  else if (plan_.wish == wish::random)
    found.note = std::uniform_int_distribution<std::uint32_t>{0, seats - 1}(random_);
  return found;
}

void rushing::write(task& what, std::string& to) {
  in_.write.hold(to, of_.fans.ticket_of(of_.fans[what.fan]), std::array{what.note});
}

void rushing::answered(const task& what, const answer& got, time_ns /*sent*/, time_ns now) {
  hold_told held;
  auto how = check_hold(got, std::array{what.note}, 1, held);
  if (how.what == outcome::fine) {
    const auto until = now + (held.expires_in_s - 1) * second_ns;
    if (auto fault = in_.ledger.hold(of_.number_of(what.fan), held.seats, now, until))
      how = verdict::wrong(std::move(*fault));
  }
  if (how.what == outcome::refused)
    in_.ledger.refuse(what.note);
  of_.runs.count(what, how, now, got.body);
  if (how.what == outcome::shed)
    ask_again(what, got, now);
}

bool rushing::over(time_ns /*now*/) const {
  return next_ >= of_.fans.size() && of_.runs.is_idle();
}

} // namespace usher::load

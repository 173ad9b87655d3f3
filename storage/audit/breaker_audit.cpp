#include "storage/audit/breaker_audit.hpp"

#include "storage/audit/names.hpp"

namespace usher::storage::audit {

namespace {

using payments::event::breaker_changed;
using status = payments::breaker_status;

constexpr std::uint32_t window_calls = 10;
constexpr std::uint32_t trial_calls = 3;

std::string text(status which) {
  return std::string{to_string(which)};
}
std::string share(const breaker_changed& e) {
  return std::to_string(e.failures) + " of " + std::to_string(e.calls) + " calls failed";
}

bool follows(status from, status to) {
  return (from == status::closed && to == status::open) ||
         (from == status::open && to == status::half_open) ||
         (from == status::half_open && to != status::half_open);
}

/// What only an OPEN breaker says, and what each other change has to say.
bool says_right(const breaker_changed& e) {
  if (e.to == status::open)
    return e.why.size() <= payments::why_bytes_max;
  const std::uint32_t decided_by = e.to == status::closed ? trial_calls : 0;
  return e.until == 0 && e.why.empty() && e.calls == decided_by && e.failures == 0;
}

bool opened_rightly(const breaker_changed& e, time_ms at) {
  if (e.until <= at || e.failures > e.calls)
    return false;
  if (e.from == status::half_open)
    return e.failures > 0 && e.calls <= trial_calls;
  return e.calls == window_calls && e.failures * 2 >= e.calls;
}

} // namespace

void take(breaker& which, const std::string& name, const payments::any_event& happened,
          const spot& here) {
  const auto& e = std::get<breaker_changed>(happened);
  if (e.gateway != name || e.from != which.is || !follows(e.from, e.to) || !says_right(e))
    here.report(fault::breaker_changed_wrongly, "The breaker of " + e.gateway + " went from " +
                                                    text(e.from) + " to " + text(e.to) + ", " +
                                                    share(e) + "; it was " + text(which.is) + ".");
  else if (e.to == status::open && !opened_rightly(e, here.at()))
    here.report(fault::breaker_opened_wrongly, "It opened from " + text(e.from) + " until " +
                                                   time_text(e.until) + " when " + share(e) + ".");
  else if (e.to == status::half_open && here.at() < which.until)
    here.report(fault::breaker_tried_early, "Trials began at " + time_text(here.at()) +
                                                "; it was open until " + time_text(which.until) +
                                                ".");
  which.is = e.to;
  which.until = e.until;
}

} // namespace usher::storage::audit

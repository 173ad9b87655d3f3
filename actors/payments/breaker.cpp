#include "actors/payments/breaker.hpp"

#include "actors/basics/bug.hpp"
#include "actors/basics/overloaded.hpp"
#include "actors/payments/provider.hpp"

#include <algorithm>
#include <utility>

namespace usher::payments {

namespace {

/// At most so many bytes, and no half character at the end.
std::string shortened(std::string_view text) {
  if (text.size() <= why_bytes_max)
    return std::string{text};
  auto end = why_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return std::string{text.substr(0, end)};
}

bool is_pending(const result& answer) {
  return !answer.action_url.empty() || answer.reason.starts_with(pending_reason);
}

bool went_wrong(const result& answer) {
  switch (answer.what) {
  case outcome::approved:
  case outcome::declined:
    return false;
  case outcome::not_sent:
  case outcome::failed:
    return true;
  case outcome::unknown:
    break;
  }
  return !is_pending(answer);
}

bool goes_on(breaker_status from, breaker_status to) {
  switch (from) {
  case breaker_status::closed:
    return to == breaker_status::open;
  case breaker_status::open:
    return to == breaker_status::half_open;
  case breaker_status::half_open:
    return to != breaker_status::half_open;
  }
  return false;
}

/// A trial of this period that has not ended.
bool is_live_trial(const breaker& state, const permit& which) {
  return state.recorded.is == breaker_status::half_open &&
         std::ranges::find(state.trials, which) != state.trials.end();
}

event::breaker_changed opened(const breaker& state, const breaker_context& here,
                              const command::report& last, std::size_t calls,
                              std::size_t failures) {
  return {.gateway = here.gateway,
          .from = state.recorded.is,
          .to = breaker_status::open,
          .until = last.now + here.set.open_ms,
          .calls = static_cast<std::uint32_t>(calls),
          .failures = static_cast<std::uint32_t>(failures),
          .why = shortened(last.why)};
}

breaker_decision report_in_closed(const breaker& state, const command::report& asked,
                                  const breaker_context& here) {
  breaker_decision made{{}, {step::counted{asked.failed}}};
  auto after = state.window;
  after.add(asked.failed);
  if (after.opens())
    made.steps.emplace_back(opened(state, here, asked, after.calls(), after.failures()));
  return made;
}

breaker_decision report_of_trial(const breaker& state, const command::report& asked,
                                 const breaker_context& here) {
  const auto reported = state.good_trials + 1;
  if (asked.failed)
    return {{}, {opened(state, here, asked, reported, 1)}};
  breaker_decision made{{}, {step::trial_passed{asked.what.number}}};
  if (reported == breaker_trials)
    made.steps.emplace_back(event::breaker_changed{.gateway = here.gateway,
                                                   .from = breaker_status::half_open,
                                                   .to = breaker_status::closed,
                                                   .calls = breaker_trials});
  return made;
}

void erase_trial(breaker& state, std::uint64_t number) {
  const auto erased =
      std::erase_if(state.trials, [&](const permit& one) { return one.number == number; });
  bug_unless(erased == 1, "a breaker's trial ends that it does not have");
}

} // namespace

duration_ms default_open_ms(std::string_view gateway) {
  return gateway == "MERCADO_PAGO" ? 15'000 : breaker_settings{}.open_ms;
}

bool is_failure(const result& answer, duration_ms took, const breaker_settings& set) {
  return took > set.slow_call_ms || went_wrong(answer);
}

std::string failure_text(const result& answer, duration_ms took, const breaker_settings& set) {
  if (!went_wrong(answer) && took > set.slow_call_ms)
    return "slow: " + std::string{to_string(answer.what)} + " after " + std::to_string(took) +
           " ms";
  auto text = std::string{to_string(answer.what)};
  if (!answer.reason.empty())
    text += ": " + answer.reason;
  return shortened(text);
}

std::string no_answer_text(const breaker_settings& set) {
  return "no answer for " + std::to_string(set.permit_lease_ms) + " ms";
}

void call_window::add(bool failed) {
  if (is_full())
    failures_ -= failed_[next_] ? 1 : 0;
  else
    ++calls_;
  failed_[next_] = failed;
  failures_ += failed ? 1 : 0;
  next_ = (next_ + 1) % breaker_window;
}

std::size_t trials_left(const std::vector<permit>& trials, std::size_t good_trials, time_ms now) {
  const auto running = static_cast<std::size_t>(
      std::ranges::count_if(trials, [now](const permit& one) { return now < one.until; }));
  return breaker_trials - good_trials - running;
}

breaker_decision decide(const breaker& state, const command::ask& asked,
                        const breaker_context& here) {
  breaker_decision made;
  auto period = state.period;
  if (state.recorded.is == breaker_status::open) {
    if (asked.now < state.recorded.until)
      return made;
    ++period;
    made.steps.emplace_back(event::breaker_changed{
        .gateway = here.gateway, .from = breaker_status::open, .to = breaker_status::half_open});
  } else if (state.recorded.is == breaker_status::half_open &&
             trials_left(state.trials, state.good_trials, asked.now) == 0) {
    return made;
  }
  made.given = permit{state.permits + 1, period, asked.now + here.set.permit_lease_ms};
  made.steps.emplace_back(step::granted{*made.given, asked.now});
  return made;
}

breaker_decision decide(const breaker& state, const command::report& asked,
                        const breaker_context& here) {
  if (asked.what.period != state.period || asked.now >= asked.what.until)
    return {};
  if (state.recorded.is == breaker_status::closed)
    return report_in_closed(state, asked, here);
  if (is_live_trial(state, asked.what))
    return report_of_trial(state, asked, here);
  return {};
}

breaker_decision decide(const breaker& state, const command::give_back& asked,
                        const breaker_context&) {
  if (!is_live_trial(state, asked.what))
    return {};
  return {{}, {step::trial_ended{asked.what.number}}};
}

breaker_decision decide(const breaker& state, const command::expire& asked,
                        const breaker_context& here) {
  if (asked.what.period != state.period || asked.now < asked.what.until)
    return {};
  if (state.recorded.is == breaker_status::closed)
    return report_in_closed(state, {asked.what, true, no_answer_text(here.set), asked.now}, here);
  return decide(state, command::give_back{asked.what}, here);
}

void apply(breaker_state& state, const any_event& happened, time_ms at) {
  const auto& e = std::get<event::breaker_changed>(happened);
  bug_unless(e.from == state.is && goes_on(e.from, e.to), "a breaker changes as none can");
  state.is = e.to;
  state.until = e.until;
  state.changed_at = at;
}

void apply(breaker& state, const breaker_step& what, time_ms at) {
  std::visit(overloaded{
                 [&](const step::granted& s) {
                   state.permits = s.what.number;
                   if (state.recorded.is != breaker_status::half_open)
                     return;
                   std::erase_if(state.trials,
                                 [&](const permit& one) { return s.now >= one.until; });
                   state.trials.push_back(s.what);
                 },
                 [&](const step::counted& s) { state.window.add(s.failed); },
                 [&](const step::trial_passed& s) {
                   erase_trial(state, s.number);
                   ++state.good_trials;
                 },
                 [&](const step::trial_ended& s) { erase_trial(state, s.number); },
                 [&](const event::breaker_changed& e) {
                   apply(state.recorded, any_event{e}, at);
                   ++state.period;
                   state.window = {};
                   state.trials.clear();
                   state.good_trials = 0;
                 },
             },
             what);
}

} // namespace usher::payments

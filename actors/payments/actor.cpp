#include "actors/payments/actor.hpp"

#include "actors/runtime/entries.hpp"
#include "actors/runtime/fail_stop.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <utility>

namespace usher::payments {

namespace {

using self_ptr = actor::stateful_pointer<actor_state>;

const storage::cause by_itself{"", "usher"};

/// A void that is answered with `failed` went well: the attempt has not charged and will not.
bool is_failure_of(call_kind kind, const result& answer, duration_ms took,
                   const breaker_settings& set) {
  auto judged = answer;
  if (kind == call_kind::void_charge && answer.what == outcome::failed)
    judged.what = outcome::declined;
  return is_failure(judged, took, set);
}

class teller {
public:
  explicit teller(self_ptr self) : self_{self}, state_{self->state} {}

  void receive(const call_ptr& asked) {
    const auto now = state_.seed.clock->now();
    if (!is_full())
      return begin(asked, now);
    if (state_.line.size() >= state_.seed.in_line_max)
      return refuse_as_too_many(*asked);
    state_.line.push_back({asked, now});
    note();
  }

  void begin(const call_ptr& asked, time_ms now) {
    auto& counts = state_.activity.counts;
    const auto given = take(command::ask{now}, now);
    if (!given) {
      ++counts.refused_by_breaker;
      refuse(*asked, breaker_open_reason);
      return;
    }
    ++counts.calls;
    state_.in_flight.emplace(given->number, actor_state::running{asked, *given, now});
    note();
    arm_lease();
    call_provider(*asked, given->number);
  }

  void settle(const answered& got) {
    const auto found = state_.in_flight.find(got.permit);
    if (found == state_.in_flight.end())
      return; // its lease was over, and whoever asked was told that nothing is known
    const auto ended = std::move(found->second);
    state_.in_flight.erase(found);
    const auto now = state_.seed.clock->now();
    const auto took = got.at - ended.since;
    const auto& set = state_.seed.set;
    const bool failed = is_failure_of(ended.asked->kind, got.answer, took, set);
    const auto why = failed ? failure_text(got.answer, took, set) : std::string{};
    count(got.answer.what, took > set.slow_call_ms);
    if (failed)
      count_failure(why, now);
    take(command::report{ended.permit, failed, why, now}, now);
    note();
    ended.asked->done(got.answer);
    serve_line(now);
  }

  /// Gives back the permits of all calls whose lease is over, the oldest first.
  void end_leases() {
    state_.lease_armed = false;
    const auto now = state_.seed.clock->now();
    while (!state_.in_flight.empty() && now >= state_.in_flight.begin()->second.permit.until) {
      const auto ended = std::move(state_.in_flight.begin()->second);
      state_.in_flight.erase(state_.in_flight.begin());
      const auto why = no_answer_text(state_.seed.set);
      count(outcome::unknown, true);
      count_failure(why, now);
      take(command::expire{ended.permit, now}, now);
      note();
      ended.asked->done({.what = outcome::unknown, .reason = why});
    }
    serve_line(now);
    arm_lease();
  }

  /// The board shows from the beginning that nothing is under way.
  void note() {
    auto& now = state_.activity;
    now.in_flight = state_.in_flight.size();
    now.in_line = state_.line.size();
    now.window_calls = state_.breaker.window.calls();
    now.window_failures = state_.breaker.window.failures();
    now.good_trials = state_.breaker.good_trials;
    now.trials = state_.breaker.trials;
    state_.seed.board->note(now);
  }

private:
  /// Nobody stands in line for a breaker that lets nobody through: it refuses at once.
  [[nodiscard]] bool is_full() const {
    return state_.breaker.recorded.is == breaker_status::closed &&
           state_.in_flight.size() >= state_.seed.in_flight_max;
  }

  /// After each end of a call: the first in line begin.
  void serve_line(time_ms now) {
    while (!state_.line.empty() && !is_full()) {
      const auto next = std::move(state_.line.front());
      state_.line.pop_front();
      if (now - next.since >= in_line_limit_ms)
        refuse_as_too_many(*next.asked);
      else
        begin(next.asked, now);
    }
  }

  /// Decides, changes the breaker at once and hands its events to the journal.
  template <class Command>
  std::optional<permit> take(const Command& asked, time_ms now) {
    const auto made = decide(state_.breaker, asked, {state_.gateway, state_.seed.set});
    std::vector<any_event> events;
    for (const auto& what : made.steps) {
      apply(state_.breaker, what, now);
      if (const auto* changed = std::get_if<event::breaker_changed>(&what))
        events.emplace_back(*changed);
    }
    if (!events.empty())
      caf::anon_send(state_.seed.journal,
                     journal::make_append(runtime::entries_of(events, state_.seed.board,
                                                              state_.seed.subject, by_itself, now),
                                          {}));
    return made.given;
  }

  void call_provider(const call& asked, std::uint64_t number) const {
    const actor here{self_};
    const auto done = [here, number, clock = state_.seed.clock](result answer) {
      caf::anon_send(here, answered{number, std::move(answer), clock->now()});
    };
    switch (asked.kind) {
    case call_kind::charge:
      return state_.seed.provider->charge(asked.charge, done);
    case call_kind::void_charge:
      return state_.seed.provider->void_charge(asked.charge, done);
    case call_kind::refund:
      return state_.seed.provider->refund(asked.refund, done);
    }
  }

  void refuse_as_too_many(const call& asked) {
    ++state_.activity.counts.refused_as_too_many;
    refuse(asked, too_many_calls_reason);
  }

  void refuse(const call& asked, std::string_view why) {
    note();
    asked.done({.what = outcome::not_sent, .reason = std::string{why}});
  }

  void count(outcome what, bool slow) {
    auto& counts = state_.activity.counts;
    counts.approved += what == outcome::approved ? 1 : 0;
    counts.declined += what == outcome::declined ? 1 : 0;
    counts.slow += slow ? 1 : 0;
  }

  void count_failure(const std::string& why, time_ms now) {
    ++state_.activity.counts.failures;
    state_.activity.last_error = why;
    state_.activity.last_error_at = now;
  }

  /// One timer for the oldest call, and none while nothing is under way.
  void arm_lease() {
    if (state_.in_flight.empty() || std::exchange(state_.lease_armed, true))
      return;
    const auto due = state_.in_flight.begin()->second.permit.until;
    const auto wait = std::max<duration_ms>(due - state_.seed.clock->now(), 1);
    self_->delayed_send(self_, std::chrono::milliseconds{wait}, lease_atom::value);
  }

  self_ptr self_;
  actor_state& state_;
};

} // namespace

actor::behavior_type gateway_actor(actor::stateful_pointer<actor_state> self,
                                   std::shared_ptr<gateway_seed> seed) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.seed = std::move(*seed);
  self->state.gateway = std::string{self->state.seed.provider->name()};
  self->state.breaker = breaker{self->state.seed.recorded};
  const auto here = std::make_shared<teller>(self);
  here->note();
  return {
      [here](const call_ptr& asked) { here->receive(asked); },
      [here](const answered& got) { here->settle(got); },
      [here](lease_atom) { here->end_leases(); },
  };
}

} // namespace usher::payments

#include "actors/waiting_room/actor.hpp"

#include "actors/runtime/entries.hpp"
#include "actors/runtime/fail_stop.hpp"
#include "actors/waiting_room/rules.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <utility>

namespace usher::waiting_room {

namespace {

using self_ptr = actor::stateful_pointer<actor_state>;

time_ms now_of(actor_state& state) {
  return state.last_now = std::max(state.last_now, state.seed.clock->now());
}

/// Applies at once and gives what the journal needs.
std::vector<journal::entry> record(actor_state& state, const std::vector<any_event>& events,
                                   const storage::cause& cause, time_ms at) {
  for (const auto& happened : events)
    apply(state.seed.room, happened, at);
  return runtime::entries_of(events, state.seed.board, state.seed.subject, cause, at);
}

void arm_tick(self_ptr self) {
  auto& state = self->state;
  if (state.seed.room.status == room_status::off || std::exchange(state.ticking, true))
    return;
  self->delayed_send(self, std::chrono::milliseconds{state.seed.room.set.tick_ms},
                     tick_atom::value);
}

/// The nonce of a place that existed is on the board by then: a reply waits for what it tells of.
std::vector<join_answer> answers_of(const std::vector<join_outcome>& outcomes,
                                    const std::vector<command::joiner>& fans, const board& shown) {
  std::vector<join_answer> answers;
  answers.reserve(outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (const auto* no = std::get_if<rejection>(&outcomes[i])) {
      answers.emplace_back(*no);
      continue;
    }
    const auto& got = std::get<joined>(outcomes[i]);
    const auto nonce = got.existed ? shown.nonce_of(got.slot).value_or(0) : fans[i].nonce;
    answers.emplace_back(place{got.slot, nonce, got.existed});
  }
  return answers;
}

void join(self_ptr self, join_batch& asked) {
  auto& state = self->state;
  const auto now = now_of(state);
  command::join wanted{std::move(asked.fans), now};
  auto decided = decide(state.seed.room, wanted);
  auto entries = record(state, decided.events, asked.cause, now);
  self->send(
      state.seed.journal,
      journal::make_append(std::move(entries),
                           [done = std::move(asked.done), fans = std::move(wanted.fans),
                            outcomes = std::move(decided.outcomes), shown = state.seed.board] {
                             done(answers_of(outcomes, fans, *shown));
                           }));
}

void operate_room(self_ptr self, operate& asked) {
  auto& state = self->state;
  const auto now = now_of(state);
  const auto decided =
      std::visit([&](const auto& what) { return decide(state.seed.room, what); }, asked.what);
  // Opening an open room and closing a closed one are no events and no errors.
  auto entries = record(state, std::get<std::vector<any_event>>(decided), asked.cause, now);
  self->send(state.seed.journal, journal::make_append(std::move(entries), std::move(asked.done)));
  arm_tick(self);
}

void find(self_ptr self, const find_place& asked) {
  const auto& state = self->state;
  const auto slot = state.seed.room.place_of(asked.who);
  self->send(state.seed.journal,
             journal::make_barrier([slot, done = asked.done, shown = state.seed.board] {
               done(slot ? std::optional{place{*slot, shown->nonce_of(*slot).value_or(0), true}}
                         : std::nullopt);
             }));
}

runtime::room_command at_time(runtime::room_command what, time_ms now) {
  std::visit(
      [now](auto& asked) {
        if constexpr (requires { asked.now; })
          asked.now = now;
      },
      what);
  return what;
}

void conclude(self_ptr self, const runtime::conclude& asked) {
  auto& state = self->state;
  const auto now = now_of(state);
  const auto decided = std::visit([&](const auto& what) { return decide(state.seed.room, what); },
                                  at_time(asked.what, now));
  if (const auto* no = std::get_if<rejection>(&decided)) {
    self->send(asked.coordinator, runtime::concluded{asked.id, *no});
    return;
  }
  auto entries = record(state, std::get<std::vector<any_event>>(decided), asked.cause, now);
  for (auto& made : entries)
    asked.batch->entries.push_back(std::move(made));
  // The journal first: whoever hears of the outcome and decides on top of it comes later in the
  // log.
  self->send(state.seed.journal, asked.batch);
  self->send(asked.coordinator, runtime::concluded{asked.id, std::nullopt});
}

void tick(self_ptr self) {
  auto& state = self->state;
  state.ticking = false;
  const auto now = now_of(state);
  const auto decided = decide(state.seed.room, command::tick{now});
  const auto& events = std::get<std::vector<any_event>>(decided);
  if (!events.empty())
    self->send(state.seed.journal,
               journal::make_append(record(state, events, {"", "usher"}, now), {}));
  arm_tick(self);
}

} // namespace

actor::behavior_type room_actor(actor::stateful_pointer<actor_state> self,
                                std::shared_ptr<room_seed> seed) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.seed = std::move(*seed);
  arm_tick(self); // a recovered room may be open
  return {
      [self](const join_batch_ptr& asked) { join(self, *asked); },
      [self](const operate_ptr& asked) { operate_room(self, *asked); },
      [self](const find_place_ptr& asked) { find(self, *asked); },
      [self](const runtime::conclude& asked) { conclude(self, asked); },
      [self](tick_atom) { tick(self); },
  };
}

} // namespace usher::waiting_room

#include "actors/seating/actor.hpp"

#include "actors/runtime/entries.hpp"
#include "actors/runtime/fail_stop.hpp"
#include "actors/seating/rules.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace usher::seating {

namespace {

/// Decides with the time that never runs backwards in this block.
any_command at_time(any_command what, time_ms now) {
  std::visit(
      [now](auto& asked) {
        if constexpr (requires { asked.now; })
          asked.now = now;
      },
      what);
  return what;
}

void begin(actor_state& state, const runtime::reserve& asked) {
  state.last_now = std::max(state.last_now, asked.now);
  auto decided = decide(state.block, at_time(asked.what, state.last_now));
  if (const auto* seats = std::get_if<refusal>(&decided)) {
    caf::anon_send(asked.coordinator, runtime::refused{asked.id, *seats});
    return;
  }
  state.kept_back = std::move(std::get<std::vector<any_event>>(decided));
  state.open = asked;
  caf::anon_send(
      asked.coordinator,
      runtime::reserved{asked.id, std::make_shared<std::vector<journal::entry>>(runtime::entries_of(
                                      state.kept_back, state.board, state.subject, asked.cause,
                                      state.last_now))});
}

/// Who had to wait goes on, in order of arrival, until one has a reservation again.
void drain(actor_state& state) {
  while (!state.open && !state.waiting.empty()) {
    const auto next = std::move(state.waiting.front());
    state.waiting.pop_front();
    begin(state, next);
  }
}

} // namespace

actor::behavior_type block_actor(actor::stateful_pointer<actor_state> self,
                                 std::shared_ptr<block_seed> seed) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.subject = std::move(seed->subject);
  self->state.block = std::move(seed->block);
  self->state.board = std::move(seed->board);
  return {
      [self](const runtime::reserve& asked) {
        if (self->state.open)
          self->state.waiting.push_back(asked);
        else
          begin(self->state, asked);
      },
      [self](const runtime::commit& outcome) {
        assert(self->state.open && self->state.open->id == outcome.id);
        for (const auto& happened : self->state.kept_back)
          apply(self->state.block, happened, self->state.last_now);
        self->state.open.reset();
        drain(self->state);
      },
      [self](const runtime::release& outcome) {
        assert(self->state.open && self->state.open->id == outcome.id);
        self->state.open.reset();
        drain(self->state);
      },
  };
}

} // namespace usher::seating

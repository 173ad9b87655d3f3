#include "tests/actors/careless.hpp"

#include "actors/orders/rules.hpp"
#include "actors/runtime/entries.hpp"
#include "actors/seating/rules.hpp"

#include <caf/send.hpp>

#include <utility>

namespace usher::testing {

namespace {

void decide_at_once(careless_block_state& state, const runtime::reserve& asked) {
  auto decided = seating::decide(state.seed.block, asked.what);
  if (const auto* seats = std::get_if<seating::refusal>(&decided)) {
    caf::anon_send(asked.coordinator, runtime::refused{asked.id, *seats});
    return;
  }
  auto& events = state.open[asked.id] = std::get<std::vector<seating::any_event>>(decided);
  caf::anon_send(
      asked.coordinator,
      runtime::reserved{
          asked.id, std::make_shared<std::vector<journal::entry>>(runtime::entries_of(
                        events, state.seed.board, state.seed.subject, asked.cause, asked.now))});
}

/// What contradicts the state already is left out here: `apply` would stop the process.
void apply_what_fits(careless_block_state& state, const std::vector<seating::any_event>& events,
                     time_ms now) {
  for (const auto& happened : events)
    if (const auto* held = std::get_if<seating::event::seats_held>(&happened)) {
      const seating::command::hold again{held->hold, held->seats, held->until, now};
      if (std::holds_alternative<std::vector<seating::any_event>>(
              seating::decide(state.seed.block, again)))
        seating::apply(state.seed.block, happened, now);
    }
}

void place_hold(orders::actor::stateful_pointer<careless_desk_state> self,
                const orders::call_ptr& asked) {
  auto& state = self->state;
  const auto now = state.seed.clock->now();
  auto what = std::get<orders::command::place_hold>(asked->what);
  what.now = now;
  auto decided = orders::decide(state.seed.desk, what);
  if (const auto* no = std::get_if<orders::rejection>(&decided)) {
    asked->done({*no, false});
    return;
  }
  const auto& proposed = std::get<orders::proposal>(decided);
  runtime::undertaking plan;
  plan.cause = asked->cause;
  plan.now = now;
  for (const auto& happened : proposed.events)
    plan.entries.push_back(runtime::entry_of(happened, state.seed.subject, plan.cause, now));
  for (const auto& work : proposed.blocks)
    plan.blocks.push_back({state.seed.blocks.at(work.block), work.command});
  plan.refused = [asked](seating::refusal seats) { asked->done({std::move(seats), false}); };
  plan.denied = [asked](waiting_room::rejection no) { asked->done({no, false}); };
  plan.agreed = [self, now, events = proposed.events] {
    for (const auto& happened : events)
      orders::apply(self->state.seed.desk, happened, now);
  };
  plan.durable = [asked, self, id = what.hold] {
    asked->done({orders::hold_view{id, self->state.seed.desk.holds.at(id)}, false});
  };
  state.coordinator.begin(std::move(plan));
}

void ask_pair(runtime::coordinator& coordinator, const pair_call_ptr& asked) {
  runtime::undertaking plan;
  plan.cause = {"", "test"};
  plan.now = asked->steps.front().second.now;
  for (const auto& [block, hold] : asked->steps)
    plan.blocks.push_back({block, hold});
  plan.refused = [asked](const seating::refusal&) { asked->done(false); };
  plan.denied = [](waiting_room::rejection) {};
  plan.agreed = [] {};
  plan.durable = [asked] { asked->done(true); };
  coordinator.begin(std::move(plan));
}

} // namespace

seating::actor::behavior_type
careless_block(seating::actor::stateful_pointer<careless_block_state> self,
               std::shared_ptr<seating::block_seed> seed) {
  self->state.seed = std::move(*seed);
  return {
      [self](const runtime::reserve& asked) { decide_at_once(self->state, asked); },
      [self](const runtime::commit& outcome) {
        const auto its = self->state.open.extract(outcome.id);
        apply_what_fits(self->state, its.mapped(), 0);
      },
      [self](const runtime::release& outcome) { self->state.open.erase(outcome.id); },
  };
}

plain_coordinator::behavior_type
unsorted_coordinator(plain_coordinator::stateful_pointer<plain_coordinator_state> self,
                     journal::actor log) {
  self->state.coordinator = runtime::coordinator{plain_coordinator{self}, std::move(log)};
  return {
      [self](const runtime::reserved& message) { self->state.coordinator.handle(message); },
      [self](const runtime::refused& message) { self->state.coordinator.handle(message); },
      [self](const runtime::concluded& message) { self->state.coordinator.handle(message); },
      [self](const runtime::durable& message) { self->state.coordinator.handle(message); },
      [self](const pair_call_ptr& asked) { ask_pair(self->state.coordinator, asked); },
  };
}

orders::actor::behavior_type
careless_desk(orders::actor::stateful_pointer<careless_desk_state> self,
              std::shared_ptr<orders::desk_seed> seed) {
  self->state.seed = std::move(*seed);
  self->state.coordinator = runtime::coordinator{orders::actor{self}, self->state.seed.journal};
  return {
      [self](const runtime::reserved& message) { self->state.coordinator.handle(message); },
      [self](const runtime::refused& message) { self->state.coordinator.handle(message); },
      [self](const runtime::concluded& message) { self->state.coordinator.handle(message); },
      [self](const runtime::durable& message) { self->state.coordinator.handle(message); },
      [self](const orders::call_ptr& asked) { place_hold(self, asked); },
      [](const orders::lookup_ptr&) {},
      [](const orders::use_blocks_ptr&) {},
      [](const orders::charged&) {},
      [](const orders::refunded&) {},
      [](const orders::ask_again&) {},
      [](orders::sweep_atom) {},
  };
}

} // namespace usher::testing

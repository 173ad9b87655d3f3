#include "actors/shows/actor.hpp"

#include "actors/basics/overloaded.hpp"
#include "actors/runtime/entries.hpp"
#include "actors/runtime/fail_stop.hpp"
#include "actors/shows/rules.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <utility>

namespace usher::shows {

namespace {

using self_ptr = actor::stateful_pointer<actor_state>;

class directory {
public:
  explicit directory(self_ptr self) : state_{self->state} {}
  directory(const directory&) = delete;
  directory& operator=(const directory&) = delete;

  /// Nobody else knows of a show that is not published yet, and a desk does not end by itself.
  ~directory() {
    if (starting_)
      dismiss(*starting_);
  }

  void receive(const put_call_ptr& asked) {
    state_.waiting.push_back(asked);
    if (!state_.busy)
      next();
  }

private:
  void next() {
    state_.busy = false;
    while (!state_.busy && !state_.waiting.empty()) {
      const auto asked = std::move(state_.waiting.front());
      state_.waiting.pop_front();
      auto decided = decide(state_.seed.directory, asked->what);
      if (const auto* no = std::get_if<rejection>(&decided)) {
        tell(asked, *no);
        continue;
      }
      state_.busy = true;
      undertake(asked, std::get<proposal>(std::move(decided)));
    }
  }

  void tell(const put_call_ptr& asked, put_answer what) const {
    state_.coordinator.after_durable(
        [asked, what = std::move(what)]() mutable { asked->done(std::move(what)); });
  }

  void undertake(const put_call_ptr& asked, proposal what) {
    const auto& id = asked->what.id;
    const auto now = state_.seed.with.clock->now();
    const auto mates =
        std::make_shared<crew>(what.created ? start_crew(state_.seed.with, id, what.number, {})
                                            : state_.seed.crews.at(id));
    if (what.created)
      starting_ = mates;
    runtime::undertaking plan;
    plan.cause = asked->cause;
    plan.now = now;
    for (const auto& changed : what.changed_blocks) {
      if (!mates->blocks.contains(changed.id))
        add_block(state_.seed.with, *mates, id, changed.id, {});
      plan.blocks.push_back(
          {mates->blocks.at(changed.id), seating::command::plan{seats_of(changed), now}});
    }
    if (asked->room)
      plan.room = runtime::room_step{
          mates->room, waiting_room::command::configure{settings_for(*asked, *mates)}};
    if (what.event)
      plan.entries.push_back(entry_for(id, what, mates, asked->cause, now));
    plan.refused = [this, asked, mates, created = what.created](seating::refusal seats) {
      if (created)
        dismiss(*mates);
      starting_.reset();
      tell(asked, std::move(seats));
      next();
    };
    plan.denied = [this, asked, mates, created = what.created](waiting_room::rejection no) {
      if (created)
        dismiss(*mates);
      starting_.reset();
      tell(asked, no);
      next();
    };
    plan.agreed = [this, id, event = what.event, mates] {
      if (event)
        apply(state_.seed.directory, *event);
      state_.seed.crews[id] = *mates;
    };
    plan.durable = [this, asked, created = what.created] {
      starting_.reset();
      asked->done(put_done{created});
      next();
    };
    state_.coordinator.begin(std::move(plan));
  }

  static waiting_room::settings settings_for(const put_call& asked, const crew& mates) {
    const auto base =
        asked.room_from_defaults ? waiting_room::settings{} : mates.room_board->notices().set;
    return asked.room->over(base);
  }

  journal::entry entry_for(const show_id& id, const proposal& what,
                           const std::shared_ptr<crew>& mates, const storage::cause& cause,
                           time_ms now) {
    auto made = runtime::entry_of(*what.event, "shows", cause, now);
    const auto shown = published::of(what.what, mates->boards);
    made.publish = [where = state_.seed.with.published, id, number = what.number, shown, mates] {
      publish(*where, id, number, shown, *mates);
    };
    return made;
  }

  actor_state& state_;
  std::shared_ptr<crew> starting_; ///< of a show that is being created, until it is published
};

} // namespace

waiting_room::settings settings_patch::over(waiting_room::settings base) const {
  base.admit_per_second_micro = admit_per_second_micro.value_or(base.admit_per_second_micro);
  base.max_active = max_active.value_or(limit{base.max_active}).most;
  base.max_per_tick = max_per_tick.value_or(limit{base.max_per_tick}).most;
  base.tick_ms = tick_ms.value_or(base.tick_ms);
  base.admission_ttl_ms = admission_ttl_ms.value_or(base.admission_ttl_ms);
  base.max_queue = max_queue.value_or(base.max_queue);
  base.idle_timeout_ms = idle_timeout_ms.value_or(base.idle_timeout_ms);
  base.fixed_length = fixed_length.value_or(base.fixed_length);
  base.opens_at = opens_at.value_or(base.opens_at);
  base.prequeue_ms = prequeue_ms.value_or(base.prequeue_ms);
  base.absent_after_ms = absent_after_ms.value_or(base.absent_after_ms);
  base.claim_ttl_ms = claim_ttl_ms.value_or(base.claim_ttl_ms);
  base.reentry_grace_ms = reentry_grace_ms.value_or(base.reentry_grace_ms);
  base.proof_of_work = proof_of_work.value_or(base.proof_of_work);
  base.tiers = tiers.value_or(base.tiers);
  base.beacon = beacon.value_or(base.beacon);
  return base;
}

actor::behavior_type directory_actor(actor::stateful_pointer<actor_state> self,
                                     std::shared_ptr<directory_seed> seed) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.seed = std::move(*seed);
  self->state.coordinator = runtime::coordinator{actor{self}, self->state.seed.with.journal};
  const auto here = std::make_shared<directory>(self);
  return {
      [self](const runtime::reserved& message) { self->state.coordinator.handle(message); },
      [self](const runtime::refused& message) { self->state.coordinator.handle(message); },
      [self](const runtime::concluded& message) { self->state.coordinator.handle(message); },
      [self](const runtime::durable& message) { self->state.coordinator.handle(message); },
      [here](const put_call_ptr& asked) { here->receive(asked); },
  };
}

} // namespace usher::shows

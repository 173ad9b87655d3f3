#include "actors/orders/actor.hpp"

#include "actors/basics/overloaded.hpp"
#include "actors/orders/answers.hpp"
#include "actors/orders/rules.hpp"
#include "actors/runtime/entries.hpp"
#include "actors/runtime/fail_stop.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <utility>

namespace usher::orders {

namespace {

using self_ptr = actor::stateful_pointer<actor_state>;

/// Only these two know what to do when the seats are gone.
decision decide_call(const state& desk, const any_command& what, bool seats_lost) {
  return std::visit(
      overloaded{
          [&](const command::settle_payment& c) { return decide(desk, c, seats_lost); },
          [&](const command::confirm& c) { return decide(desk, c, seats_lost); },
          [&](const auto& c) { return decide(desk, c); },
      },
      what);
}

bool takes_lost_seats(const any_command& what) {
  return std::holds_alternative<command::settle_payment>(what) ||
         std::holds_alternative<command::confirm>(what);
}

/// The seats a block that is no longer there was asked for.
void add_unknown(seating::refusal& refusals, const block_work& work) {
  std::visit(
      [&](const auto& asked) {
        if constexpr (requires { asked.seats; })
          for (const auto& seat : asked.seats)
            refusals.push_back({seat, seating::unavailable_reason::unknown});
      },
      work.command);
}

class sales_desk {
public:
  explicit sales_desk(self_ptr self) : self_{self}, state_{self->state} {}

  void receive(const call_ptr& asked) {
    const auto locks = locks_of(state_.seed.desk, asked->what);
    if (state_.locks.free(locks))
      run(asked, locks);
    else
      state_.waiting.push_back(asked);
  }

  void read(const lookup& asked) { tell(asked.done, view_of(state_.seed.desk, asked.what, false)); }

  void sweep() {
    state_.sweeping = false;
    const auto now = state_.seed.clock->now();
    for (auto& what : expire(state_.seed.desk, now, sweep_max)) {
      const auto locks = locks_of(state_.seed.desk, what);
      if (state_.locks.free(locks)) // else somebody decides about it right now; next time
        run_expiry(std::move(what), locks, now);
    }
    arm_sweep();
  }

  /// Asks again for the outcome of every attempt that a crash left open.
  void resume_payments() {
    for (const auto& [id, order] : state_.seed.desk.orders)
      if (order.status == order_status::paying)
        for (const auto& attempt : order.payments)
          if (!attempt.outcome)
            charge(id, order, attempt);
  }

  void settle(const charged& done) {
    auto asked = std::make_shared<call>();
    if (const auto found = state_.paying.find(done.payment); found != state_.paying.end()) {
      asked->cause = found->second->cause;
      asked->done = std::move(found->second->done);
      state_.paying.erase(found);
    } else {
      asked->cause = {"", "usher"};
      asked->done = [](const answer&) {};
    }
    using outcome = payments::charge_result::outcome_t;
    if (done.result.outcome == outcome::unknown) { // stays open: it is asked for again on restart
      tell(asked->done, view_of(state_.seed.desk, done.order, false));
      return;
    }
    const auto how = done.result.outcome == outcome::approved   ? payment_outcome::approved
                     : done.result.outcome == outcome::declined ? payment_outcome::declined
                                                                : payment_outcome::failed;
    asked->what = command::settle_payment{done.order, done.payment, how, done.result.reference, 0};
    receive(asked);
  }

  void arm_sweep() {
    const auto& desk = state_.seed.desk;
    if (desk.hold_deadlines.empty() && desk.order_deadlines.empty())
      return;
    if (!std::exchange(state_.sweeping, true))
      self_->delayed_send(self_, std::chrono::milliseconds{sweep_interval_ms}, sweep_atom::value);
  }

private:
  /// A reply that tells what was decided before, perhaps by somebody else: it waits for the log.
  void tell(const std::function<void(answer)>& done, answer what) const {
    state_.coordinator.after_durable(
        [done, what = std::move(what)]() mutable { done(std::move(what)); });
  }

  void run(const call_ptr& asked, const lock_names& locks) {
    const auto now = state_.seed.clock->now();
    std::visit([now](auto& command) { command.now = now; }, asked->what);
    state_.locks.take(locks);
    propose(asked, locks, now, false);
  }

  void propose(const call_ptr& asked, const lock_names& locks, time_ms now, bool seats_lost) {
    auto decided = decide_call(state_.seed.desk, asked->what, seats_lost);
    std::visit(overloaded{
                   [&](const rejection& no) {
                     finish(asked, locks, {no, false});
                   },
                   [&](const repeated& same) {
                     auto what = view_of(state_.seed.desk, same.what, true);
                     what.payment = same.payment;
                     finish(asked, locks, std::move(what));
                   },
                   [&](proposal& what) { undertake(asked, locks, now, std::move(what)); },
               },
               decided);
  }

  /// A hold that was on its way when seats were to be taken from all who have them: it is known
  /// now.
  static bool may_lose_again(const call& asked) {
    const auto* what = std::get_if<command::block_seats>(&asked.what);
    return what != nullptr && what->force && asked.tries < withdraw_tries_max;
  }

  void try_again(const call_ptr& asked, const lock_names& locks) {
    ++asked->tries;
    state_.waiting.push_front(asked);
    unlock(locks);
  }

  void finish(const call_ptr& asked, const lock_names& locks, answer what) {
    tell(asked->done, std::move(what));
    unlock(locks);
  }

  void undertake(const call_ptr& asked, const lock_names& locks, time_ms now, proposal what) {
    seating::refusal gone;
    auto plan = plan_of(what, asked->cause, now, gone);
    const auto lost = [this, asked, locks, now](seating::refusal seats) {
      if (takes_lost_seats(asked->what))
        propose(asked, locks, now, true);
      else if (may_lose_again(*asked))
        try_again(asked, locks);
      else
        finish(asked, locks, {std::move(seats), false});
    };
    if (!gone.empty()) {
      lost(std::move(gone));
      return;
    }
    auto outcome = std::make_shared<answer>();
    plan.refused = lost;
    plan.denied = [this, asked, locks](waiting_room::rejection no) {
      finish(asked, locks, {no, false});
    };
    plan.agreed = [this, asked, locks, now, outcome, events = std::move(what.events)] {
      apply_all(events, now);
      *outcome = view_after(state_.seed.desk, asked->what, events);
      unlock(locks);
    };
    plan.durable = [this, asked, outcome] { after_durable(asked, *outcome); };
    state_.coordinator.begin(std::move(plan));
  }

  void run_expiry(proposal what, const lock_names& locks, time_ms now) {
    seating::refusal gone; // a block that vanished has nothing to give back
    auto plan = plan_of(what, {"", "usher"}, now, gone);
    state_.locks.take(locks);
    plan.refused = [this, locks](const seating::refusal&) { unlock(locks); };
    plan.denied = [this, locks](waiting_room::rejection) { unlock(locks); };
    plan.agreed = [this, locks, now, events = std::move(what.events)] {
      apply_all(events, now);
      unlock(locks);
    };
    plan.durable = [] {};
    state_.coordinator.begin(std::move(plan));
  }

  runtime::undertaking plan_of(const proposal& what, const storage::cause& cause, time_ms now,
                               seating::refusal& gone) const {
    runtime::undertaking plan;
    plan.cause = cause;
    plan.now = now;
    for (const auto& happened : what.events)
      plan.entries.push_back(runtime::entry_of(happened, state_.seed.subject, cause, now));
    for (const auto& work : what.blocks) {
      const auto found = state_.seed.blocks.find(work.block);
      if (found == state_.seed.blocks.end())
        add_unknown(gone, work);
      else
        plan.blocks.push_back({found->second, work.command});
    }
    std::visit(overloaded{
                   [](std::monostate) {},
                   [&](const auto& asked) {
                     plan.room = runtime::room_step{state_.seed.room, asked};
                   },
               },
               what.room);
    return plan;
  }

  void apply_all(const std::vector<any_event>& events, time_ms at) {
    for (const auto& happened : events)
      apply(state_.seed.desk, happened, at);
    arm_sweep();
  }

  void unlock(const lock_names& locks) {
    state_.locks.give_back(locks);
    retry_waiting();
  }

  /// Whoever waits is looked at in order of arrival; a call that still finds its lock taken stays.
  /// A call that ends at once unlocks again: the loop that runs already then goes round once more.
  void retry_waiting() {
    again_ = true;
    if (std::exchange(retrying_, true))
      return;
    while (std::exchange(again_, false))
      for (std::size_t left = state_.waiting.size(); left > 0; --left) {
        const auto next = std::move(state_.waiting.front());
        state_.waiting.pop_front();
        receive(next);
      }
    retrying_ = false;
  }

  void after_durable(const call_ptr& asked, const answer& outcome) {
    if (const auto* pay = std::get_if<command::start_payment>(&asked->what)) {
      state_.paying[pay->payment] = asked;
      const auto current = state_.seed.desk.orders.find(pay->order);
      if (current->second.status != order_status::paying) { // paid by another report meanwhile
        settle({pay->order, pay->payment, {payments::charge_result::outcome_t::failed, {}, {}}});
        return;
      }
      const auto& order = std::get<order_view>(outcome.result).order;
      const auto attempt = std::find_if(order.payments.begin(), order.payments.end(),
                                        [&](const payment& p) { return p.id == pay->payment; });
      charge(pay->order, order, *attempt);
      return;
    }
    asked->done(outcome);
  }

  /// The attempt is durable. Asking twice with the same payment id charges once.
  void charge(const order_id& id, const order& what, const payment& attempt) const {
    const auto gateway = state_.seed.gateways.find(attempt.gateway);
    const actor here{self_};
    const auto answered = [here, id, payment = attempt.id](payments::charge_result result) {
      caf::anon_send(here, charged{id, payment, std::move(result)});
    };
    if (gateway == state_.seed.gateways.end()) {
      // The edge lets only known ones in: this attempt is of a time when there was such a gateway,
      // and perhaps it charged.
      answered({payments::charge_result::outcome_t::unknown, "", "gateway not configured"});
      return;
    }
    payments::charge_request request;
    request.payment = attempt.id;
    request.amount = what.total;
    request.method = attempt.method;
    gateway->second->charge(request, answered);
  }

  self_ptr self_;
  actor_state& state_;
  bool retrying_ = false;
  bool again_ = false;
};

} // namespace

actor::behavior_type desk_actor(actor::stateful_pointer<actor_state> self,
                                std::shared_ptr<desk_seed> seed) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.seed = std::move(*seed);
  self->state.coordinator = runtime::coordinator{actor{self}, self->state.seed.journal};
  const auto here = std::make_shared<sales_desk>(self);
  here->resume_payments();
  here->arm_sweep();
  return {
      [self](const runtime::reserved& message) { self->state.coordinator.handle(message); },
      [self](const runtime::refused& message) { self->state.coordinator.handle(message); },
      [self](const runtime::concluded& message) { self->state.coordinator.handle(message); },
      [self](const runtime::durable& message) { self->state.coordinator.handle(message); },
      [here](const call_ptr& asked) { here->receive(asked); },
      [here](const lookup_ptr& asked) { here->read(*asked); },
      [self](const use_blocks_ptr& given) { self->state.seed.blocks = given->blocks; },
      [here](const charged& done) { here->settle(done); },
      [here](sweep_atom) { here->sweep(); },
  };
}

} // namespace usher::orders

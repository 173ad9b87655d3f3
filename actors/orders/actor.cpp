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

/// These know what to do when the seats are gone.
template <class Command>
constexpr bool bears_lost_seats = requires(const state& desk, const Command& c) {
  decide(desk, c, true);
};

decision decide_call(const state& desk, const any_command& what, bool seats_lost) {
  return std::visit(
      [&](const auto& c) {
        if constexpr (bears_lost_seats<std::decay_t<decltype(c)>>)
          return decide(desk, c, seats_lost);
        else
          return decide(desk, c);
      },
      what);
}

bool takes_lost_seats(const any_command& what) {
  return std::visit([](const auto& c) { return bears_lost_seats<std::decay_t<decltype(c)>>; },
                    what);
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
    if (auto* told = std::get_if<command::settle_payment>(&asked->what);
        told != nullptr && told->order.is_none())
      if (const auto found = state_.seed.desk.order_of.find(told->payment);
          found != state_.seed.desk.order_of.end())
        told->order = found->second;
    const auto locks = locks_of(state_.seed.desk, asked->what);
    if (state_.locks.free(locks))
      run(asked, locks);
    else if (const auto key = key_of(asked->what); key && !state_.locks.free({*key}))
      tell(asked->done, {rejection::key_in_use, false});
    else
      state_.waiting.push_back(asked);
  }

  void read(const lookup& asked) { tell(asked.done, look_at(asked.what)); }

  void sweep() {
    state_.sweeping = false;
    const auto now = state_.seed.clock->now();
    for (auto& what : expire(state_.seed.desk, now, sweep_max)) {
      const auto locks = locks_of(state_.seed.desk, what);
      if (state_.locks.free(locks)) // else somebody decides about it right now; next time
        run_expiry(std::move(what), locks, now);
    }
    state_.at_gateways->count(*state_.seed.board);
    arm_sweep();
  }

  /// Goes on with what a crash left open.
  void resume() {
    const auto now = state_.seed.clock->now();
    for (const auto& [id, order] : state_.seed.desk.orders)
      if (order.status == order_status::refund_due && order.refunds.empty())
        receive(of_our_own(command::begin_due_refund{id, {}, 0}));
    state_.at_gateways->resume(now);
    take_due_reports();
  }

  void settle(const charged& got) {
    const auto known = state_.at_gateways->learn(got);
    if (known.what == payments::outcome::unknown) {
      if (const auto waits = take_paying(got.payment))
        tell(waits->done, look_at(got.order));
      state_.at_gateways->wait(got);
      return;
    }
    auto asked = take_paying(got.payment);
    if (!asked)
      asked = of_our_own({});
    command::settle_payment what{.order = got.order,
                                 .payment = got.payment,
                                 .outcome = recorded(known.what, got.voiding),
                                 .reference = known.reference,
                                 .now = 0,
                                 .reason = known.reason};
    what.next = state_.at_gateways->next_after(what, state_.seed.clock->now());
    asked->what = std::move(what);
    receive(asked);
  }

  void settle(const refunded& got) {
    state_.at_gateways->learn(got);
    receive(of_our_own(command::settle_refund{got.order, got.refund, got.result.what,
                                              got.result.reference, got.result.reason, 0}));
  }

  void ask_again(const orders::ask_again& what) {
    state_.at_gateways->ring(what, state_.seed.clock->now());
  }

  void arm_sweep() {
    const auto& desk = state_.seed.desk;
    if (desk.hold_deadlines.empty() && desk.order_deadlines.empty() && desk.unsettled.empty())
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

  static call_ptr of_our_own(any_command what) {
    auto made = std::make_shared<call>();
    made->what = std::move(what);
    made->cause = {"", "usher"};
    made->done = [](const answer&) {};
    return made;
  }

  call_ptr take_paying(const payment_id& payment) {
    const auto found = state_.paying.find(payment);
    if (found == state_.paying.end())
      return nullptr;
    auto waits = std::move(found->second);
    state_.paying.erase(found);
    return waits;
  }

  [[nodiscard]] answer look_at(const std::variant<hold_id, order_id>& what) const {
    auto seen = view_of(state_.seed.desk, what, false);
    if (auto* view = std::get_if<order_view>(&seen.result))
      view->action_url = state_.at_gateways->action_url(view->order);
    return seen;
  }

  void take_due_reports() {
    if (state_.seed.desk.kept_reports.empty())
      return;
    for (auto& due : due_reports(state_.seed.desk))
      receive(of_our_own(std::move(due)));
  }

  void run(const call_ptr& asked, const lock_names& locks) {
    const auto now = state_.seed.clock->now();
    state_.at_gateways->complete(asked->what, now);
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
                     auto what = look_at(same.what);
                     what.payment = same.payment;
                     what.refund = same.refund;
                     // To whoever waits for the gateway this is the first answer.
                     what.repeated = !std::holds_alternative<command::settle_payment>(asked->what);
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
    forget_settled(*asked);
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
    plan.agreed = [this, asked, locks, now, outcome, events = what.events] {
      apply_all(events, now);
      *outcome = view_after(state_.seed.desk, asked->what, events);
      unlock(locks);
    };
    plan.durable = [this, asked, outcome, work = for_gateways(what.events)] {
      after_durable(asked, *outcome);
      go_on(work);
    };
    state_.coordinator.begin(std::move(plan));
  }

  void run_expiry(proposal what, const lock_names& locks, time_ms now) {
    seating::refusal gone; // a block that vanished has nothing to give back
    auto plan = plan_of(what, {"", "usher"}, now, gone);
    state_.locks.take(locks);
    plan.refused = [this, locks](const seating::refusal&) { unlock(locks); };
    plan.denied = [this, locks](waiting_room::rejection) { unlock(locks); };
    plan.durable = [this, work = for_gateways(what.events)] { go_on(work); };
    plan.agreed = [this, locks, now, events = std::move(what.events)] {
      apply_all(events, now);
      unlock(locks);
    };
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

  /// Until then nobody asks again about what is being settled. What settled nothing (a webhook of
  /// another gateway, for one) leaves the attempt as it is: it goes on being asked about.
  void forget_settled(const call& asked) {
    const auto* settled = std::get_if<command::settle_payment>(&asked.what);
    if (settled == nullptr)
      return;
    const auto& orders = state_.seed.desk.orders;
    const auto found = orders.find(settled->order);
    const auto* attempt = found == orders.end() ? nullptr : found->second.find(settled->payment);
    if (attempt != nullptr && attempt->outcome)
      state_.at_gateways->forget(settled->payment);
  }

  void after_durable(const call_ptr& asked, const answer& outcome) {
    forget_settled(*asked);
    if (const auto open = attempt_to_wait_for(asked->what, outcome)) {
      state_.paying[*open] = asked;
      return;
    }
    asked->done(outcome);
    if (std::holds_alternative<command::place_order>(asked->what))
      take_due_reports();
    else if (const auto* refund = std::get_if<command::settle_refund>(&asked->what))
      state_.at_gateways->recorded(refund->order, refund->refund, state_.seed.clock->now());
  }

  /// What is durable now may be asked of gateways, or is not wanted of them any more.
  void go_on(const gateway_work& work) {
    state_.at_gateways->may_ask_about(work.begun);
    for (const auto& id : work.orders)
      state_.at_gateways->go_on(id, state_.seed.clock->now(), true);
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
  self->state.at_gateways.emplace(self->state.seed.desk, self->state.seed.gateways,
                                  self->state.seed.number, self->state.seed.payment_limit_ms,
                                  actor{self}, [self](duration_ms after, const ask_again& what) {
                                    self->delayed_send(self, std::chrono::milliseconds{after},
                                                       what);
                                  });
  const auto here = std::make_shared<sales_desk>(self);
  here->resume();
  here->arm_sweep();
  return {
      [self](const runtime::reserved& message) { self->state.coordinator.handle(message); },
      [self](const runtime::refused& message) { self->state.coordinator.handle(message); },
      [self](const runtime::concluded& message) { self->state.coordinator.handle(message); },
      [self](const runtime::durable& message) { self->state.coordinator.handle(message); },
      [here](const call_ptr& asked) { here->receive(asked); },
      [here](const lookup_ptr& asked) { here->read(*asked); },
      [self](const use_blocks_ptr& given) { self->state.seed.blocks = given->blocks; },
      [here](const charged& got) { here->settle(got); },
      [here](const refunded& got) { here->settle(got); },
      [here](const ask_again& what) { here->ask_again(what); },
      [here](sweep_atom) { here->sweep(); },
  };
}

} // namespace usher::orders

#include "actors/waiting_room/actor.hpp"

#include "actors/basics/overloaded.hpp"
#include "actors/runtime/draw.hpp"
#include "actors/runtime/entries.hpp"
#include "actors/runtime/fail_stop.hpp"
#include "actors/waiting_room/rules.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <stdexcept>
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

constexpr duration_ms longest_sleep_ms = 60'000;

/// How long until there is something to do, if nobody asks for anything.
std::optional<duration_ms> idle_time(const waiting_room::state& room, time_ms now) {
  if (const auto step = next_step(room))
    return std::clamp<duration_ms>(step->at - now, 1, longest_sleep_ms);
  if (room.mode == room_mode::off)
    return std::nullopt;
  return room.set.tick_ms;
}

void arm_tick(self_ptr self) {
  auto& state = self->state;
  const auto sleep = idle_time(state.seed.room, state.last_now);
  if (!sleep || (state.alarm_at && *state.alarm_at <= state.last_now + *sleep))
    return;
  state.alarm_at = state.last_now + *sleep;
  self->delayed_send(self, std::chrono::milliseconds{*sleep}, waiting_room::tick{++state.alarm});
}

const storage::cause by_itself{"", "usher"};

bytes32 seed_of_draw(const actor_state& state, std::uint32_t number) {
  return runtime::draw_seed(state.seed.draw_key, state.seed.subject, number);
}

bool has_draw_ahead(const waiting_room::state& room) {
  return room.mode == room_mode::scheduled || room.mode == room_mode::prequeue;
}

bool is_worked_out_ahead(const waiting_room::state& room) {
  return room.joined() - room.lane_start > draw_at_once_max;
}

/// An opening takes the draw that was committed to.
command::open with_draw(actor_state& state, command::open asked) {
  const auto& room = state.seed.room;
  if (!has_draw_ahead(room))
    return asked;
  asked.seed = seed_of_draw(state, room.draws_scheduled);
  if (runtime::commitment_of(asked.seed) != room.commitment)
    throw std::runtime_error{"the secret of the draw of " + state.seed.subject +
                             " is not the one that was committed to: restore secrets/"};
  const auto participants = draw_participants(room);
  if (!is_worked_out_ahead(room)) {
    asked.order = runtime::draw_order(asked.seed, room.beacon, participants);
    return asked;
  }
  state.draw.aim(asked.seed, room.beacon, room.lane_start);
  state.draw.go_on(room.joined(), room.joined());
  asked.order = state.draw.order(participants);
  return asked;
}

/// A piece of the draw that is ahead, if it is a big one; joins that came meanwhile are served
/// between two pieces.
void work_on_draw(self_ptr self) {
  auto& state = self->state;
  const auto& room = state.seed.room;
  state.draws_on = false;
  if (!has_draw_ahead(room))
    return state.draw.rest();
  if (!is_worked_out_ahead(room))
    return;
  state.draw.aim(seed_of_draw(state, room.draws_scheduled), room.beacon, room.lane_start);
  state.draw.go_on(room.joined(), draw_piece);
  if (state.draw.ready_below() < room.joined()) {
    state.draws_on = true;
    self->send(self, waiting_room::draw_on{});
  }
}

/// The end of every message: what comes by itself.
void go_on(self_ptr self) {
  arm_tick(self);
  if (!self->state.draws_on)
    work_on_draw(self);
}

void append(self_ptr self, std::vector<journal::entry> entries, std::function<void()> then) {
  self->send(self->state.seed.journal, journal::make_append(std::move(entries), std::move(then)));
}

/// What the clock has brought since: before anybody's command, so that it finds the room as it is.
time_ms advance(self_ptr self) {
  auto& state = self->state;
  const auto now = now_of(state);
  const auto& room = state.seed.room;
  for (auto step = next_step(room); step && step->at <= now; step = next_step(room)) {
    const auto decided = step->what == step_due::kind::prequeue
                             ? decide(room, command::begin_prequeue{})
                             : decide(room, with_draw(state, {}));
    append(self, record(state, std::get<std::vector<any_event>>(decided), by_itself, now), {});
  }
  return now;
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

stock stock_of(const seats_left& seats) {
  const auto all = seats.held + seats.sold + seats.blocked; // none: a plan that is just being made
  if (!seats.counted || seats.available > 0 || all == 0)
    return stock::on_sale;
  // What is off sale may come back, but a sale does not wait for that. It waits to begin, though.
  return seats.held > 0 || seats.sold == 0 ? stock::all_taken : stock::sold_out;
}

seats_left count_seats(const actor_state& state) {
  const auto seats = state.seed.count_seats ? state.seed.count_seats() : seats_left{};
  state.seed.board->count_seats(seats);
  return seats;
}

struct open_wish {
  slot_t slot = 0;
  wish wanted;
  time_ms admitted_at = 0;
};
using open_wishes = std::vector<open_wish>;

/// The admitted ones' wishes that nobody has looked at.
open_wishes wishes_in(const waiting_room::state& room, const std::vector<slot_t>& admitted) {
  open_wishes all;
  for (const auto slot : admitted)
    if (const auto found = room.wishes.find(slot); found != room.wishes.end())
      all.push_back({slot, found->second, room.admissions.at(slot).since});
  return all;
}

/// Once their admissions are durable.
void hand_over(self_ptr self, open_wishes wishes) {
  if (wishes.empty() || !self->state.seed.take_wish)
    return;
  append(self, {}, [take = self->state.seed.take_wish, wishes = std::move(wishes)] {
    for (const auto& each : wishes)
      take(each.slot, each.wanted, each.admitted_at);
  });
}

void admit(self_ptr self, time_ms now) {
  auto& state = self->state;
  const auto& shown = *state.seed.board;
  if (state.seed.excused_until != nullptr)
    state.seed.board->excuse_everybody_until(state.seed.excused_until->load());
  command::tick asked{now, stock_of(count_seats(state)), state.seed.board->take_returned(),
                      [&shown, now](slot_t slot) { return shown.last_seen(slot, now); }};
  const auto decided = decide(state.seed.room, asked);
  const auto& events = std::get<std::vector<any_event>>(decided);
  if (events.empty())
    return;
  append(self, record(state, events, by_itself, now), {});
  for (const auto& happened : events)
    if (const auto* in = std::get_if<event::fans_admitted>(&happened))
      hand_over(self, wishes_in(state.seed.room, in->slots));
}

/// A place that was still on its way to the board when its fan came again could not be noted then.
void note_late(const std::vector<join_outcome>& outcomes, board& shown, time_ms now) {
  for (const auto& outcome : outcomes)
    if (const auto* got = std::get_if<joined>(&outcome);
        got != nullptr && got->existed && shown.last_seen(got->slot, now) < now)
      shown.heard_of(got->slot, now);
}

void join(self_ptr self, join_batch& asked) {
  auto& state = self->state;
  const auto now = advance(self);
  // Whoever came back stands before whoever comes now, also where nobody waits for the tick.
  if (state.seed.room.mode == room_mode::standby && state.seed.board->has_returned())
    admit(self, now);
  command::join wanted{std::move(asked.fans), now};
  auto decided = decide(state.seed.room, wanted);
  for (const auto& outcome : decided.outcomes)
    if (const auto* got = std::get_if<joined>(&outcome); got != nullptr && got->existed)
      state.seed.board->heard_of(got->slot, now);
  append(self, record(state, decided.events, asked.cause, now),
         [done = std::move(asked.done), fans = std::move(wanted.fans),
          outcomes = std::move(decided.outcomes), shown = state.seed.board, now] {
           note_late(outcomes, *shown, now);
           done(answers_of(outcomes, fans, *shown));
         });
  go_on(self);
}

decision decide_operation(actor_state& state, const operate& asked) {
  return std::visit(overloaded{
                        [&](const command::open& what) {
                          return decide(state.seed.room, with_draw(state, what));
                        },
                        [&](const auto& what) { return decide(state.seed.room, what); },
                    },
                    asked.what);
}

void operate_room(self_ptr self, operate& asked) {
  auto& state = self->state;
  const auto now = advance(self);
  const auto decided = decide_operation(state, asked);
  if (const auto* no = std::get_if<rejection>(&decided)) {
    append(self, {}, [done = std::move(asked.done), no = *no] { done(no); });
    return;
  }
  append(self, record(state, std::get<std::vector<any_event>>(decided), asked.cause, now),
         [done = std::move(asked.done)] { done(std::nullopt); });
  go_on(self);
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

/// With what only the room knows: its time, and the commitment of a draw that may be scheduled.
runtime::room_command completed(const actor_state& state, runtime::room_command what, time_ms now) {
  std::visit(
      [&](auto& asked) {
        if constexpr (requires { asked.now; })
          asked.now = now;
        if constexpr (requires { asked.each; })
          for (auto& one : asked.each)
            one.now = now;
        if constexpr (requires { asked.commitment; })
          asked.commitment =
              runtime::commitment_of(seed_of_draw(state, state.seed.room.draws_scheduled + 1));
      },
      what);
  return what;
}

void conclude(self_ptr self, const runtime::conclude& asked) {
  auto& state = self->state;
  const auto now = advance(self);
  const auto decided = std::visit([&](const auto& what) { return decide(state.seed.room, what); },
                                  completed(state, asked.what, now));
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
  go_on(self);
}

void on_tick(self_ptr self, const waiting_room::tick& rang) {
  auto& state = self->state;
  if (rang.alarm != state.alarm)
    return;
  state.alarm_at.reset();
  if (state.seed.accepts_writes != nullptr && !*state.seed.accepts_writes) {
    now_of(state);
    return go_on(self);
  }
  const auto now = advance(self);
  if (state.seed.room.mode == room_mode::open || state.seed.room.mode == room_mode::standby)
    admit(self, now);
  go_on(self);
}

/// A room as it was left: it may be open, a draw may be due, wishes may wait for seats.
void resume(self_ptr self) {
  auto& state = self->state;
  const auto now = now_of(state);
  state.seed.board->excuse_everybody_until(now);
  count_seats(state);
  std::vector<slot_t> admitted;
  for (const auto& [slot, held] : state.seed.room.admissions)
    admitted.push_back(slot);
  hand_over(self, wishes_in(state.seed.room, admitted));
  advance(self);
  go_on(self);
}

} // namespace

actor::behavior_type room_actor(actor::stateful_pointer<actor_state> self,
                                std::shared_ptr<room_seed> seed) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.seed = std::move(*seed);
  return {
      [self](const join_batch_ptr& asked) { join(self, *asked); },
      [self](const operate_ptr& asked) { operate_room(self, *asked); },
      [self](const find_place_ptr& asked) { find(self, *asked); },
      [self](const runtime::conclude& asked) { conclude(self, asked); },
      [self](const waiting_room::tick& rang) { on_tick(self, rang); },
      [self](const waiting_room::draw_on&) { work_on_draw(self); },
      [self](const begin&) { resume(self); },
  };
}

} // namespace usher::waiting_room

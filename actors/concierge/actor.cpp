#include "actors/concierge/actor.hpp"

#include "actors/runtime/fail_stop.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <unordered_map>
#include <utility>

namespace usher::concierge {

namespace {

using self_ptr = actor::stateful_pointer<actor_state>;

std::uint64_t name_of(std::uint32_t block, std::uint32_t seat) {
  return std::uint64_t{block} << 32 | seat;
}

const shows::seat_chart& chart_of(actor_state& state,
                                  const std::shared_ptr<const shows::published>& now) {
  if (state.charted != now) {
    state.chart = std::make_unique<const shows::seat_chart>(*now->what.plan);
    state.charted = now;
  }
  return *state.chart;
}

/// The best seats that are free as far as the boards and this actor know.
std::optional<std::vector<seat_id>> choose(actor_state& state,
                                           const std::shared_ptr<const shows::published>& now,
                                           const shows::best_ask& ask) {
  std::vector<std::shared_ptr<const seating::board::view>> views;
  views.reserve(now->boards.size());
  for (const auto& board : now->boards)
    views.push_back(board->seats());
  const auto is_free = [&](std::uint32_t block, std::uint32_t seat) {
    return seat < views[block]->ids().size() &&
           views[block]->at(seat) == seating::shown::available &&
           !state.in_flight.contains(name_of(block, seat));
  };
  return best_available(chart_of(state, now), is_free, ask);
}

/// Where in its block a seat of the plan stands.
std::uint32_t index_in_block(const shows::plan& plan, std::uint32_t block, const seat_id& id) {
  std::uint32_t at = 0;
  for (const auto& row : plan.blocks[block].rows)
    for (const auto& seat : row.seats) {
      if (seat.id == id)
        return at;
      ++at;
    }
  return at;
}

void offer(actor_state& state, request& asked, const shows::published& now,
           const std::vector<seat_id>& seats) {
  const auto& plan = *now.what.plan;
  asked.hold.seats.clear();
  asked.chosen.clear();
  for (const auto& id : seats) {
    const auto& place = now.seats.at(id);
    const auto& category = plan.categories[place.category];
    asked.hold.seats.push_back(
        {id, plan.blocks[place.block].id, category.id, category.price_minor});
    asked.chosen.emplace_back(place.block, index_in_block(plan, place.block, id));
    state.in_flight.insert(name_of(asked.chosen.back().first, asked.chosen.back().second));
  }
}

void serve(self_ptr self, const request_ptr& asked) {
  auto& state = self->state;
  const auto* const entry = state.shows->find(state.show);
  const auto now = entry == nullptr ? nullptr : entry->now();
  const auto seats = now && now->what.plan ? choose(state, now, asked->ask) : std::nullopt;
  if (!seats) {
    asked->done({seating::refusal{}, false});
    return;
  }
  ++asked->tries;
  offer(state, *asked, *now, *seats);
  auto call = std::make_shared<orders::call>();
  call->what = asked->hold;
  call->cause = asked->cause;
  call->done = [here = actor{self}, asked](orders::answer answer) {
    caf::anon_send(here, outcome{asked, std::make_shared<orders::answer>(std::move(answer))});
  };
  caf::anon_send(entry->desk, std::move(call));
}

void hear(self_ptr self, const outcome& heard) {
  auto& asked = *heard.of;
  for (const auto& [block, seat] : asked.chosen)
    self->state.in_flight.erase(name_of(block, seat));
  const bool taken = std::holds_alternative<seating::refusal>(heard.answer->result);
  if (taken && asked.tries < tries_max)
    serve(self, heard.of);
  else
    asked.done(std::move(*heard.answer));
}

} // namespace

actor::behavior_type concierge_actor(actor::stateful_pointer<actor_state> self,
                                     const shows::registry* shows, show_id show) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.shows = shows;
  self->state.show = std::move(show);
  return {
      [self](const request_ptr& asked) { serve(self, asked); },
      [self](const outcome& heard) { hear(self, heard); },
  };
}

} // namespace usher::concierge

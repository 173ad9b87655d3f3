#include "actors/concierge/actor.hpp"

#include "actors/basics/overloaded.hpp"
#include "actors/runtime/fail_stop.hpp"

#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace usher::concierge {

namespace {

using self_ptr = actor::stateful_pointer<actor_state>;
using seats_found = std::optional<std::vector<seat_id>>;

std::uint64_t name_of(std::uint32_t block, std::uint32_t seat) {
  return std::uint64_t{block} << 32 | seat;
}

/// The desk is asked for nothing new: only whether it did this before.
bool& only_repeat(purpose& wanted) {
  return std::visit([](auto& what) -> bool& { return what.only_repeat; }, wanted);
}

bool has_key(const purpose& wanted) {
  return std::visit([](const auto& what) { return what.asked.has_value(); }, wanted);
}

std::vector<orders::offered_seat>& seats_of(purpose& wanted) {
  return std::visit([](auto& what) -> std::vector<orders::offered_seat>& { return what.seats; },
                    wanted);
}

seats_found places_in(const shows::published& now, const area_ask& ask,
                      const shows::seat_is_free& is_free) {
  const auto& blocks = now.what.plan->blocks;
  const auto found = std::ranges::find(blocks, ask.area, &shows::block::id);
  if (found == blocks.end())
    return std::nullopt;
  const auto block = static_cast<std::uint32_t>(found - blocks.begin());
  std::vector<seat_id> places;
  for (std::uint32_t place = 0; place < found->capacity && places.size() < ask.quantity; ++place)
    if (is_free(block, place))
      places.push_back(found->id + ":" + std::to_string(place + 1));
  if (places.empty() || places.size() < ask.quantity)
    return std::nullopt;
  return places;
}

class concierge {
public:
  explicit concierge(self_ptr self) : self_{self}, state_{self->state} {}

  void serve(const request_ptr& asked) {
    const auto* const entry = state_.shows->find(state_.show);
    const auto now = entry == nullptr ? nullptr : entry->now();
    if (!now || !now->what.plan)
      return asked->done({seating::refusal{}, false});
    if (only_repeat(asked->wanted))
      return ask_desk(*entry, asked);
    use_chart_of(now);
    if (const auto seats = choose(asked->ask, false)) {
      offer(*asked, *seats);
      ask_desk(*entry, asked);
    } else if (!state_.in_flight.empty() && choose(asked->ask, true)) {
      state_.waiting.push_back(asked);
    } else if (has_key(asked->wanted)) {
      only_repeat(asked->wanted) = asked->none_left = true;
      ask_desk(*entry, asked);
    } else {
      asked->done({seating::refusal{}, false});
    }
  }

  void hear(const outcome& heard) {
    auto& asked = *heard.of;
    if (asked.chosen_from == state_.charted)
      for (const auto& [block, seat] : asked.chosen)
        state_.in_flight.erase(name_of(block, seat));
    asked.chosen.clear();
    if (!state_.waiting.empty() && !std::exchange(state_.looking_again, true))
      self_->send(self_, again_atom::value);
    const bool taken = std::holds_alternative<seating::refusal>(heard.answer->result);
    const auto* const no = std::get_if<orders::rejection>(&heard.answer->result);
    if (asked.none_left && no != nullptr && *no == orders::rejection::not_admitted)
      asked.done({seating::refusal{}, false}); // it was not done before, and nothing is left
    else if (taken && asked.tries < tries_max)
      serve(heard.of);
    else
      asked.done(std::move(*heard.answer));
  }

  void look_again() {
    state_.looking_again = false;
    for (const auto& asked : std::exchange(state_.waiting, {}))
      serve(asked);
  }

private:
  /// Choices from another plan are forgotten: their indexes mean nothing here, and whoever chooses
  /// the same seats again hears from the blocks that they are taken.
  void use_chart_of(const std::shared_ptr<const shows::published>& now) {
    if (state_.charted == now)
      return;
    state_.chart = std::make_unique<const shows::seat_chart>(*now->what.plan);
    state_.charted = now;
    state_.in_flight.clear();
  }

  /// Seats that are free as far as the boards and this actor know.
  [[nodiscard]] seats_found choose(const std::variant<shows::best_ask, area_ask>& ask,
                                   bool with_those_in_flight) const {
    const auto& now = *state_.charted;
    const auto time = state_.clock->now();
    std::vector<std::shared_ptr<const seating::board::view>> views;
    views.reserve(now.boards.size());
    for (const auto& board : now.boards)
      views.push_back(board->seats());
    const auto is_free = [&](std::uint32_t block, std::uint32_t seat) {
      return seat < views[block]->ids().size() && views[block]->is_free(seat, time) &&
             (with_those_in_flight || !state_.in_flight.contains(name_of(block, seat)));
    };
    return std::visit(
        overloaded{[&](const shows::best_ask& best) {
                     return best_available(*state_.chart, is_free, best);
                   },
                   [&](const area_ask& area) { return places_in(now, area, is_free); }},
        ask);
  }

  void offer(request& asked, const std::vector<seat_id>& seats) {
    const auto& now = *state_.charted;
    auto& offered = seats_of(asked.wanted);
    offered.clear();
    asked.chosen_from = state_.charted;
    ++asked.tries;
    for (const auto& id : seats) {
      const auto& place = now.seats.at(id);
      const auto& category = now.what.plan->categories[place.category];
      offered.push_back(
          {id, now.what.plan->blocks[place.block].id, category.id, category.price_minor});
      asked.chosen.emplace_back(place.block, place.index);
      state_.in_flight.insert(name_of(place.block, place.index));
    }
  }

  void ask_desk(const shows::show_entry& entry, const request_ptr& asked) {
    auto call = std::make_shared<orders::call>();
    std::visit([&](const auto& what) { call->what = what; }, asked->wanted);
    call->cause = asked->cause;
    call->done = [here = actor{self_}, asked](orders::answer answer) {
      caf::anon_send(here, outcome{asked, std::make_shared<orders::answer>(std::move(answer))});
    };
    caf::anon_send(entry.desk, std::move(call));
  }

  self_ptr self_;
  actor_state& state_;
};

} // namespace

actor::behavior_type concierge_actor(actor::stateful_pointer<actor_state> self,
                                     const shows::registry* shows, const usher::clock* clock,
                                     show_id show) {
  runtime::stop_process_on_exception(self, actor_state::name);
  self->state.shows = shows;
  self->state.clock = clock;
  self->state.show = std::move(show);
  const auto here = std::make_shared<concierge>(self);
  return {
      [here](const request_ptr& asked) { here->serve(asked); },
      [here](const outcome& heard) { here->hear(heard); },
      [here](again_atom) { here->look_again(); },
  };
}

} // namespace usher::concierge

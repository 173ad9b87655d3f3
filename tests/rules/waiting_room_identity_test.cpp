// Identities against a naive model: few customers and keys that meet in every combination, in
// batches, while tickets are admitted, end, and rooms close. The model decides one joiner at a time
// and keeps plain maps. In between, no identity ever has two live places, and the fold of the
// events is the state.
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

struct model {
  std::vector<ticket_status> tickets;
  std::map<identity, slot_t> places; ///< live or not
  std::uint32_t max_queue = 0;

  [[nodiscard]] const slot_t* place_of(const identity& who_is) const {
    const auto found = places.find(who_is);
    const bool live = found != places.end() && is_live(tickets[found->second]);
    return live && !who_is.is_none() ? &found->second : nullptr;
  }
  [[nodiscard]] auto waiting() const {
    return std::count(tickets.begin(), tickets.end(), ticket_status::waiting);
  }

  /// The slot, or nothing if the room is full.
  std::optional<slot_t> join(const command::joiner& fan) {
    const auto* const one = place_of(fan.customer);
    const auto* const other = place_of(fan.key);
    slot_t mine = 0;
    if (one == nullptr && other == nullptr) {
      if (waiting() >= max_queue)
        return std::nullopt;
      mine = static_cast<slot_t>(tickets.size());
      tickets.push_back(ticket_status::waiting);
    } else if (one == nullptr || other == nullptr || *one == *other) {
      mine = one != nullptr ? *one : *other;
    } else {
      const auto worth = [&](slot_t slot) {
        return std::pair{tickets[slot] == ticket_status::admitted ? 0 : 1, slot};
      };
      mine = worth(*one) < worth(*other) ? *one : *other;
      tickets[mine == *one ? *other : *one] = ticket_status::merged;
    }
    places[fan.customer] = places[fan.key] = mine;
    return mine;
  }
};

struct world {
  model naive;
  state room;
  std::vector<std::pair<any_event, time_ms>> history;

  void happen(const events& decided, time_ms now) {
    for (const auto& one : decided) {
      apply(room, one, now);
      history.emplace_back(one, now);
    }
  }

  void join(const std::vector<command::joiner>& batch, time_ms now) {
    const auto decided = decide(room, command::join{batch});
    for (std::size_t at = 0; at < batch.size(); ++at) {
      const auto expected = naive.join(batch[at]);
      const auto* const given = std::get_if<joined>(&decided.outcomes[at]);
      BOOST_REQUIRE_EQUAL(given != nullptr, expected.has_value());
      if (given != nullptr)
        BOOST_REQUIRE_EQUAL(given->slot, *expected);
    }
    happen(decided.events, now);
  }

  void check() const {
    BOOST_REQUIRE_EQUAL(room.joined(), naive.tickets.size());
    for (slot_t slot = 0; slot < room.joined(); ++slot)
      BOOST_REQUIRE(room.status_of(slot) == naive.tickets[slot]);
    for (const auto& [who_is, slot] : naive.places) {
      const auto* const place = naive.place_of(who_is);
      BOOST_REQUIRE(room.place_of(who_is) ==
                    (place != nullptr ? std::optional{*place} : std::nullopt));
    }
  }
};

command::joiner any_fan(std::mt19937_64& dice) {
  const auto maybe = [&](std::uint64_t base) {
    const auto number = any_of<std::uint64_t>(dice, 0, 12);
    return number < 2 ? identity{} : who(base + number);
  };
  return {dice(), maybe(100), maybe(200), {}};
}

void end_something(world& in, std::mt19937_64& dice, time_ms now) {
  const auto slot = any_of<slot_t>(dice, 0, in.room.joined());
  const auto decided = decide(in.room, command::leave{slot});
  if (const auto* const happened = std::get_if<events>(&decided)) {
    in.naive.tickets[slot] = ticket_status::left;
    in.happen(*happened, now);
  }
}

void admit_and_expire(world& in, time_ms now) {
  const auto happened = std::get<events>(decide(in.room, command::tick{now}));
  in.happen(happened, now);
  for (const auto& one : happened) {
    if (const auto* const let_in = std::get_if<event::fans_admitted>(&one))
      for (const auto slot : let_in->slots)
        in.naive.tickets[slot] = ticket_status::admitted;
    if (const auto* const over = std::get_if<event::tickets_ended>(&one))
      for (const auto slot : over->slots)
        in.naive.tickets[slot] = ticket_status::expired;
  }
}

void reopen(world& in, time_ms now) {
  in.happen({event::room_closed{}, event::room_opened{}}, now);
  for (auto& ticket : in.naive.tickets)
    ticket = is_live(ticket) ? ticket_status::closed : ticket;
}

void live_through(std::mt19937_64& dice) {
  world in;
  settings set;
  set.admit_per_second_micro = 1'000'000;
  set.max_active = 3;
  set.admission_ttl_ms = 5000;
  set.max_queue = in.naive.max_queue = any_of<std::uint32_t>(dice, 1, 12);
  in.happen({event::room_configured{set}, event::room_opened{}}, 0);
  for (time_ms now = 0; now < 300'000; now += 500) {
    const auto pick = any_of(dice, 0, 99);
    if (pick < 50) {
      std::vector<command::joiner> batch(any_of<std::size_t>(dice, 1, 8));
      std::generate(batch.begin(), batch.end(), [&] { return any_fan(dice); });
      in.join(batch, now);
    } else if (pick < 70) {
      admit_and_expire(in, now);
    } else if (pick < 98) {
      end_something(in, dice, now);
    } else {
      reopen(in, now);
    }
    in.check();
  }
  state fold;
  for (const auto& [happened, at] : in.history)
    apply(fold, happened, at);
  BOOST_REQUIRE(fold == in.room);
  // A state that differs in one thing only is another: the comparison bites.
  apply(fold, event::room_configured{settings{}}, 300'000);
  BOOST_REQUIRE(!(fold == in.room));
}

} // namespace

BOOST_AUTO_TEST_CASE(customers_and_keys_lead_to_one_place_whatever_meets) {
  std::mt19937_64 dice{seed()};
  for (int round = 0; round < 30; ++round)
    live_through(dice);
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_customers_are_found_again_after_many_have_ended) {
  state room;
  apply(room, event::room_opened{}, 0);
  constexpr std::uint64_t count = 100'000;
  for (std::uint64_t first = 1; first <= count; first += 1000) {
    command::join batch;
    for (auto number = first; number < first + 1000; ++number)
      batch.fans.push_back(a_fan(number));
    for (const auto& one : decide(room, batch).events)
      apply(room, one, 0);
    slots gone; // the even numbers leave at once, so that growing tables drop them
    for (auto number = first; number < first + 1000; ++number)
      if (number % 2 == 0)
        gone.push_back(static_cast<slot_t>(number - 1));
    apply(room, ended(end_reason::left, gone), 0);
  }
  for (std::uint64_t number = 1; number <= count; ++number)
    BOOST_REQUIRE(room.place_of(who(number)).has_value() == (number % 2 == 1));
}

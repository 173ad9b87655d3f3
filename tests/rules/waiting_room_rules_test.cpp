// The rules of the waiting room as a table: given these events, when this is asked, then these
// events or this refusal. Every accepted decision is applied too, so that the rules' own asserts
// run.
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

#include <variant>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

/// One fan a second, one place, ten seconds.
settings narrow() {
  settings set;
  set.admit_per_second_micro = 1'000'000;
  set.max_active = 1;
  set.admission_ttl_ms = 10'000;
  set.max_queue = 3;
  return set;
}

settings with(void (*change)(settings&)) {
  auto set = narrow();
  change(set);
  return set;
}

using any_command = std::variant<command::configure, command::open, command::close, command::tick,
                                 command::enter, command::settle, command::leave>;

struct scenario {
  const char* name;
  events given;
  any_command when;
  decision then;
};

state room_after(const events& given) {
  state room;
  for (const auto& happened : given)
    apply(room, happened, 0);
  return room;
}

void check(const std::vector<scenario>& table) {
  for (const auto& [name, given, when, then] : table) {
    auto room = room_after(given);
    const auto got = std::visit([&](const auto& asked) { return decide(room, asked); }, when);
    BOOST_CHECK_MESSAGE(got == then, name);
    if (const auto* const happened = std::get_if<events>(&got))
      for (const auto& one : *happened)
        apply(room, one, 100'000);
  }
}

const any_event configured = event::room_configured{narrow()};
const any_event opened = event::room_opened{};
const any_event closed = event::room_closed{};
const events two_wait = {configured, opened, fans(0, 2)};
const events one_in = {configured, opened, fans(0, 2), admitted({0}, 10'000)};

events plus(events given, const events& more) {
  given.insert(given.end(), more.begin(), more.end());
  return given;
}

command::joiner fan(std::uint64_t customer, std::uint64_t key = 0) {
  return a_fan(customer, key);
}

join_outcome got(slot_t slot, bool existed) {
  return joined{slot, existed};
}

struct join_scenario {
  const char* name;
  events given;
  std::vector<command::joiner> when;
  events then;
  std::vector<join_outcome> outcomes;
};

event::fans_joined customers(slot_t first, const std::vector<std::uint64_t>& numbers) {
  event::fans_joined made{first, {}, {}, {}};
  for (const auto number : numbers) {
    made.nonces.push_back(7);
    made.customers.push_back(who(number));
  }
  return made;
}

event::fans_joined keys(slot_t first, const std::vector<std::uint64_t>& numbers) {
  auto made = customers(first, numbers);
  std::swap(made.customers, made.keys);
  return made;
}

event::fans_joined both(slot_t first, std::uint64_t customer, std::uint64_t key) {
  return {first, {7}, {who(customer)}, {who(key)}};
}

any_event identified(slot_t slot, std::uint64_t number, bool customer = false) {
  return event::fan_identified{slot, who(number), customer};
}

const events open_room = {configured, opened};

} // namespace

BOOST_AUTO_TEST_CASE(operators_configure_open_and_close) {
  check({
      {"new settings are recorded whole, with those before",
       {},
       command::configure{narrow()},
       events{event::room_configured{narrow(), settings{}}}},
      {"the same settings change nothing", {configured}, command::configure{narrow()}, events{}},
      {"a room that is OFF opens", {}, command::open{}, events{opened}},
      {"an open room opens no second time", {opened}, command::open{}, events{}},
      {"an open room closes", {opened}, command::close{}, events{closed}},
      {"a room that is OFF closes no second time", {}, command::close{}, events{}},
      {"a closed room opens again", {opened, closed}, command::open{}, events{opened}},
  });
}

BOOST_AUTO_TEST_CASE(a_tick_admits_the_least_of_rate_capacity_ramp_and_queue) {
  const auto three_at_once = with([](settings& set) {
    set.max_active = std::nullopt;
    set.admit_per_second_micro = 3'500'000;
  });
  const auto ramp = with([](settings& set) {
    set.max_active = 9;
    set.max_per_tick = 2;
    set.admit_per_second_micro = 5'000'000;
  });
  const auto shut = with([](settings& set) { set.max_active = 0; });
  const auto stopped = with([](settings& set) { set.admit_per_second_micro = 0; });
  const auto lowered = event::room_configured{shut};
  check({
      {"the first of the queue", two_wait, command::tick{1000}, events{admitted({0}, 11'000)}},
      {"nobody before a whole fan has accrued", two_wait, command::tick{999}, events{}},
      {"nobody at the very moment of opening", two_wait, command::tick{0}, events{}},
      {"nobody while it is full", one_in, command::tick{5000}, events{}},
      {"nobody where nobody waits", open_room, command::tick{5000}, events{}},
      {"nobody while OFF", {configured}, command::tick{5000}, events{}},
      {"nobody of an earlier opening", plus(two_wait, {closed, opened}), command::tick{5000},
       events{}},
      {"as many as the rate gives, the rest stays in the bucket",
       {event::room_configured{three_at_once}, opened, fans(0, 9)},
       command::tick{1000},
       events{admitted({0, 1, 2}, 11'000, 500'000)}},
      {"no more than wait",
       {event::room_configured{three_at_once}, opened, fans(0, 2)},
       command::tick{1000},
       events{admitted({0, 1}, 11'000, 1'500'000)}},
      {"no more than the ramp",
       {event::room_configured{ramp}, opened, fans(0, 9)},
       command::tick{1000},
       events{admitted({0, 1}, 11'000, 3'000'000)}},
      {"nobody at capacity 0",
       {event::room_configured{shut}, opened, fans(0, 1)},
       command::tick{5000},
       events{}},
      {"nobody at rate 0",
       {event::room_configured{stopped}, opened, fans(0, 1)},
       command::tick{5000},
       events{}},
      {"capacity lowered below the active ends nobody and admits nobody", plus(one_in, {lowered}),
       command::tick{5000}, events{}},
      {"who left is no longer next", plus(two_wait, {ended(end_reason::left, {0})}),
       command::tick{1000}, events{admitted({1}, 11'000)}},
  });
}

BOOST_AUTO_TEST_CASE(a_tick_ends_admissions_at_their_deadline) {
  const auto full = with([](settings& set) { set.max_active = 3; });
  const events three_in = {event::room_configured{full}, opened, fans(0, 5),
                           admitted({0, 1, 2}, 10'000)};
  check({
      {"not a millisecond early", one_in, command::tick{9'999}, events{}},
      {"exactly at the deadline, and the next comes in by the same tick", one_in,
       command::tick{10'000},
       events{ended(end_reason::expired, {0}), admitted({1}, 20'000, 999'999)}},
      {"what keeps it moves the deadline", plus(one_in, {kept(0, 12'000, false)}),
       command::tick{10'000}, events{}},
      {"until that is over too", plus(one_in, {kept(0, 12'000, false)}), command::tick{12'000},
       events{ended(end_reason::expired, {0}), admitted({1}, 22'000, 999'999)}},
      {"an earlier busy time never shortens it", plus(one_in, {kept(0, 2'000, false)}),
       command::tick{9'999}, events{}},
      {"spent ones end as used, the others as expired",
       plus(three_in, {kept(1, 9'000, true), kept(2, 20'000, true)}), command::tick{10'000},
       events{ended(end_reason::used, {1}), ended(end_reason::expired, {0}),
              admitted({3}, 20'000, 999'999)}},
  });
}

BOOST_AUTO_TEST_CASE(the_gate_lets_in_who_is_admitted_now) {
  const decision no = rejection::not_admitted;
  check({
      {"anybody while OFF", {}, command::enter{std::nullopt, 0, 0}, events{}},
      {"even with a ticket that never was", {}, command::enter{9, 50, 0}, events{}},
      {"nobody without a ticket", open_room, command::enter{std::nullopt, 0, 0}, no},
      {"nobody unknown", two_wait, command::enter{2, 0, 0}, no},
      {"nobody who waits", two_wait, command::enter{0, 0, 0}, no},
      {"who is admitted", one_in, command::enter{0, 0, 9'999}, events{}},
      {"not at the deadline, though no tick has come", one_in, command::enter{0, 0, 10'000}, no},
      {"longer while something keeps it", plus(one_in, {kept(0, 15'000, false)}),
       command::enter{0, 0, 14'999}, events{}},
      {"with a hold that keeps it", one_in, command::enter{0, 15'000, 1},
       events{kept(0, 15'000, false)}},
      {"a shorter hold changes nothing", plus(one_in, {kept(0, 15'000, true)}),
       command::enter{0, 15'000, 1}, events{}},
      {"spent stays spent", plus(one_in, {kept(0, 15'000, true)}), command::enter{0, 15'001, 1},
       events{kept(0, 15'001, true)}},
      {"nobody who ended", plus(one_in, {ended(end_reason::used, {0})}), command::enter{0, 0, 1},
       no},
      {"nobody of an earlier opening", plus(one_in, {closed, opened}), command::enter{0, 0, 1}, no},
  });
}

BOOST_AUTO_TEST_CASE(an_admission_is_used_up_when_paid_and_nothing_keeps_it) {
  const auto busy = plus(one_in, {kept(0, 15'000, false)});
  const auto spent = plus(one_in, {kept(0, 15'000, true)});
  check({
      {"paid, nothing left", busy, command::settle{0, 0, true, 5'000},
       events{ended(end_reason::used, {0})}},
      {"paid, another hold is left", busy, command::settle{0, 14'000, true, 5'000},
       events{kept(0, 14'000, true)}},
      {"paid before, the rest is over", spent, command::settle{0, 5'000, false, 5'000},
       events{ended(end_reason::used, {0})}},
      {"unpaid, the hold is gone: the own deadline counts again", busy,
       command::settle{0, 0, false, 5'000}, events{kept(0, 0, false)}},
      {"nothing changed", busy, command::settle{0, 15'000, false, 5'000}, events{}},
      {"overdue and unpaid is left to the tick", one_in, command::settle{0, 0, false, 99'000},
       events{}},
      {"one that waits", one_in, command::settle{1, 5'000, true, 1}, events{}},
      {"one that ended", plus(one_in, {ended(end_reason::left, {0})}),
       command::settle{0, 0, true, 1}, events{}},
      {"one that never was", one_in, command::settle{9, 0, true, 1}, events{}},
      {"while OFF", plus(one_in, {closed}), command::settle{0, 0, true, 1}, events{}},
  });
}

BOOST_AUTO_TEST_CASE(leaving_gives_back_a_place_or_an_admission_once) {
  check({
      {"from the queue", two_wait, command::leave{1}, events{ended(end_reason::left, {1})}},
      {"from inside", one_in, command::leave{0}, events{ended(end_reason::left, {0})}},
      {"a slot never given", two_wait, command::leave{2}, rejection::unknown_ticket},
      {"twice", plus(two_wait, {ended(end_reason::left, {1})}), command::leave{1},
       rejection::already_ended},
      {"after the room closed", plus(two_wait, {closed}), command::leave{1},
       rejection::already_ended},
  });
}

BOOST_AUTO_TEST_CASE(joining_again_keeps_the_place_and_never_makes_a_second) {
  const auto c1 = plus(open_room, {customers(0, {1})});
  const auto c1_k2 = plus(open_room, {customers(0, {1}), keys(1, {2})});
  const join_outcome full = rejection::room_full;
  const auto tiered = with([](settings& set) { set.tiers = {"first"}; });
  auto first_tier = customers(2, {1});
  first_tier.tiers = {0};
  const std::vector<join_scenario> table = {
      {"OFF", {configured}, {fan(1), fan(2)}, {}, {rejection::room_off, rejection::room_off}},
      {"new customers in order",
       open_room,
       {fan(1), fan(2)},
       {customers(0, {1, 2})},
       {got(0, false), got(1, false)}},
      {"anonymous fans are never the same",
       open_room,
       {fan(0), fan(0)},
       {event::fans_joined{0, {7, 7}, {}, {}}},
       {got(0, false), got(1, false)}},
      {"the same customer again", c1, {fan(1)}, {}, {got(0, true)}},
      {"twice in one batch",
       open_room,
       {fan(1), fan(1)},
       {customers(0, {1})},
       {got(0, false), got(0, true)}},
      {"the same key again", plus(open_room, {keys(0, {2})}), {fan(0, 2)}, {}, {got(0, true)}},
      {"customer and key of one fan, then either",
       plus(open_room, {both(0, 1, 2)}),
       {fan(1), fan(0, 2), fan(1, 2)},
       {},
       {got(0, true), got(0, true), got(0, true)}},
      {"a known customer with a new key",
       c1,
       {fan(1, 2), fan(0, 2)},
       {identified(0, 2)},
       {got(0, true), got(0, true)}},
      {"a known key signs in",
       plus(open_room, {keys(0, {2})}),
       {fan(1, 2)},
       {identified(0, 1, true)},
       {got(0, true)}},
      {"two places: the earlier stays",
       c1_k2,
       {fan(1, 2)},
       {ended(end_reason::merged, {1}), identified(0, 2)},
       {got(0, true)}},
      {"two places: the admitted one stays, though it came later (it had a better tier)",
       {event::room_configured{tiered}, opened, keys(0, {9}), keys(1, {2}), first_tier,
        admitted({2}, 9'000)},
       {fan(1, 2), fan(0, 2)},
       {ended(end_reason::merged, {1}), identified(2, 2)},
       {got(2, true), got(2, true)}},
      {"two places made and merged in one batch",
       open_room,
       {fan(1), fan(0, 2), fan(1, 2), fan(0, 2)},
       {event::fans_joined{0, {7, 7}, {who(1), who(0)}, {who(0), who(2)}},
        ended(end_reason::merged, {1}), identified(0, 2)},
       {got(0, false), got(1, false), got(0, true), got(0, true)}},
      {"an identity whose place was merged away goes to the new place",
       plus(open_room, {customers(0, {1}), customers(1, {2})}),
       {fan(2, 3), fan(1, 2), fan(0, 3)},
       {keys(2, {3}), ended(end_reason::merged, {1}), identified(0, 2)},
       {got(1, true), got(0, true), got(2, false)}},
      {"full, but who is in it finds the place",
       plus(c1, {customers(1, {2, 3})}),
       {fan(4), fan(1)},
       {},
       {full, got(0, true)}},
      {"full in the middle of a batch",
       c1,
       {fan(2), fan(3), fan(4)},
       {customers(1, {2, 3})},
       {got(1, false), got(2, false), full}},
      {"a merge makes room",
       plus(c1_k2, {customers(2, {3})}),
       {fan(4), fan(1, 2), fan(4)},
       {customers(3, {4}), ended(end_reason::merged, {1}), identified(0, 2)},
       {full, got(0, true), got(3, false)}},
      {"admitted ones do not fill the queue",
       plus(open_room, {customers(0, {1, 2, 3}), admitted({0}, 9'000)}),
       {fan(4), fan(5)},
       {customers(3, {4})},
       {got(3, false), full}},
      {"who left stands at the back",
       plus(c1, {ended(end_reason::left, {0})}),
       {fan(1)},
       {customers(1, {1})},
       {got(1, false)}},
      {"a second identity of a place that ended is free again",
       plus(open_room, {both(0, 1, 2), ended(end_reason::expired, {0})}),
       {fan(0, 2), fan(1)},
       {event::fans_joined{1, {7, 7}, {who(0), who(1)}, {who(2), who(0)}}},
       {got(1, false), got(2, false)}},
      {"a new opening knows nobody",
       plus(c1, {closed, opened}),
       {fan(1)},
       {customers(1, {1})},
       {got(1, false)}},
  };
  for (const auto& [name, given, when, then, outcomes] : table) {
    auto room = room_after(given);
    const auto decided = decide(room, command::join{when});
    BOOST_CHECK_MESSAGE(decided.events == then, name << ": events");
    const auto same = [](const join_outcome& one, const join_outcome& other) {
      if (one.index() != other.index())
        return false;
      if (const auto* const refused = std::get_if<rejection>(&one))
        return *refused == std::get<rejection>(other);
      const auto& left = std::get<joined>(one);
      const auto& right = std::get<joined>(other);
      return left.slot == right.slot && left.existed == right.existed;
    };
    BOOST_CHECK_MESSAGE(std::equal(outcomes.begin(), outcomes.end(), decided.outcomes.begin(),
                                   decided.outcomes.end(), same),
                        name << ": outcomes");
    for (const auto& happened : decided.events)
      apply(room, happened, 100);
    // Whoever was given a place that is still theirs finds it again.
    for (std::size_t at = 0; at < when.size(); ++at) {
      const bool anonymous = when[at].customer.is_none() && when[at].key.is_none();
      const auto* const first = std::get_if<joined>(&decided.outcomes[at]);
      if (anonymous || first == nullptr || !is_live(room.status_of(first->slot)))
        continue;
      const auto again = decide(room, command::join{{when[at]}});
      BOOST_CHECK_MESSAGE(std::get<joined>(again.outcomes[0]).slot == first->slot,
                          name << ": again");
    }
  }
}

BOOST_AUTO_TEST_CASE(ten_thousand_joiners_in_one_batch_find_their_places_again) {
  state room;
  apply(room, event::room_opened{}, 0);
  std::vector<command::joiner> many;
  for (std::uint64_t number = 1; number <= 10'000; ++number)
    many.push_back(fan(number, 1'000'000 + number));
  for (const bool existed : {false, true}) {
    const auto decided = decide(room, command::join{many});
    for (const auto& happened : decided.events)
      apply(room, happened, 0);
    for (slot_t at = 0; at < many.size(); ++at) {
      BOOST_REQUIRE_EQUAL(std::get<joined>(decided.outcomes[at]).slot, at);
      BOOST_REQUIRE_EQUAL(std::get<joined>(decided.outcomes[at]).existed, existed);
    }
  }
  BOOST_TEST(room.waiting == 10'000U);
}

BOOST_AUTO_TEST_CASE(names_are_stable) {
  const char* const reasons[] = {"left",   "expired", "used", "closed",
                                 "merged", "absent",  "idle", "revoked"};
  for (std::uint8_t at = 0; at < std::size(reasons); ++at) {
    BOOST_TEST(to_string(static_cast<end_reason>(at)) == reasons[at]);
    BOOST_CHECK(end_reason_of(reasons[at]) == static_cast<end_reason>(at));
  }
  BOOST_CHECK(!end_reason_of("gone"));
  for (const auto left : {stock::on_sale, stock::all_taken, stock::sold_out})
    BOOST_CHECK(stock_of(to_string(left)) == left);
  BOOST_CHECK(!stock_of("some"));
  const char* const statuses[] = {"OFF",    "SCHEDULED", "PREQUEUE", "OPEN",
                                  "PAUSED", "STANDBY",   "ENDED"};
  for (std::uint8_t at = 0; at < std::size(statuses); ++at)
    BOOST_TEST(to_string(static_cast<room_status>(at)) == statuses[at]);
  BOOST_TEST(to_string(rejection::not_admitted) == "not-admitted");
  BOOST_TEST(to_string(ticket_status::waiting) == "WAITING");
}

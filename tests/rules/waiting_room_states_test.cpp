// The states of a room, all of them against everything that can be asked: one table with no cell
// left out. A cell says which events follow and what the room is then, or the refusal. The board is
// checked beside the rules, and so are the gate, joins and admitting, in every state.
//
// It bites: with `standby` let in from PAUSED, with ENDED taking joins, or with an opening from
// PREQUEUE without its draw (each tried in a copy of the rules), cells fail.
#include "tests/rules/waiting_room_world.hpp"

#include <functional>
#include <map>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr time_ms now = 5'000;

settings base() {
  settings set;
  set.beacon = beacon_source{"drand quicknet", "7"};
  return set;
}

settings changed(settings set, std::optional<time_ms> opens_at) {
  set.admit_per_second_micro = 1;
  set.opens_at = opens_at;
  return set;
}

const any_event configured = event::room_configured{base()};
const any_event timed = event::room_configured{[] {
  auto set = base();
  set.opens_at = 10'000;
  return set;
}()};
const any_event scheduled = event::room_scheduled{};
const any_event prequeue = event::prequeue_opened{};
const any_event drawn = event::places_drawn{};
const any_event opened = event::room_opened{};
const any_event standby = event::room_put_on_standby{};
const any_event paused = event::room_paused{};
const any_event taken = event::stock_changed{stock::all_taken};
const any_event sold = event::stock_changed{stock::sold_out};

const std::vector<std::pair<std::string, events>> states = {
    {"OFF", {configured}},
    {"SCHEDULED", {timed, scheduled}},
    {"PREQUEUE", {timed, scheduled, prequeue}},
    {"OPEN", {configured, opened}},
    {"OPEN, drawn", {timed, scheduled, prequeue, drawn, opened}},
    {"PAUSED", {configured, opened, paused}},
    {"PAUSED, taken", {configured, opened, taken}},
    {"PAUSED, both", {configured, opened, paused, taken}},
    {"STANDBY", {configured, standby}},
    {"STANDBY, taken", {configured, standby, taken}},
    {"STANDBY, sold", {configured, standby, sold}},
    {"ENDED", {configured, opened, sold}},
    {"ENDED, paused", {configured, opened, paused, sold}},
};

template <class Command>
auto asks(Command asked) {
  return [asked](const state& room) { return decide(room, asked); };
}

auto reconfigures(std::optional<time_ms> (*opens_at)(const state&)) {
  return [opens_at](const state& room) {
    return decide(room, command::configure{changed(room.set, opens_at(room)), {}, now});
  };
}

decision join_of(const state& room) {
  auto decided = decide(room, command::join{{a_fan(1)}, now});
  if (const auto* const no = std::get_if<rejection>(&decided.outcomes.front()))
    return *no;
  return std::move(decided.events);
}

using asking = std::function<decision(const state&)>;

const std::vector<std::pair<std::string, asking>> commands = {
    {"same settings",
     [](const state& room) {
       return decide(room, command::configure{room.set, {}, now});
     }},
    {"another rate", reconfigures([](const state& room) { return room.set.opens_at; })},
    {"opens at 20 s", reconfigures([](const state&) { return std::optional<time_ms>{20'000}; })},
    {"opens never", reconfigures([](const state&) { return std::optional<time_ms>{}; })},
    {"opens in the past", reconfigures([](const state&) { return std::optional<time_ms>{4'999}; })},
    {"begin prequeue", asks(command::begin_prequeue{})},
    {"open", asks(command::open{})},
    {"close", asks(command::close{})},
    {"pause", asks(command::pause{})},
    {"resume", asks(command::resume{})},
    {"standby", asks(command::standby{})},
    {"beacon", asks(command::give_beacon{"value"})},
    {"tick, on sale", asks(command::tick{now, stock::on_sale})},
    {"tick, all taken", asks(command::tick{now, stock::all_taken})},
    {"tick, sold out", asks(command::tick{now, stock::sold_out})},
    {"gate", asks(command::enter{std::nullopt, 0, now})},
    {"join", join_of},
};

/// By state, one cell for each command above: `events > STATE`, or `!refusal`.
const std::map<std::string, std::vector<std::string>> table = {
    {"OFF",
     {"> OFF", "configured > OFF", "configured scheduled > SCHEDULED", "configured > OFF",
      "!opens-at-past", "> OFF", "opened > OPEN", "> OFF", "!not-open", "!not-open",
      "standby > STANDBY", "!no-draw", "> OFF", "> OFF", "> OFF", "> OFF", "!room-off"}},
    {"SCHEDULED",
     {"> SCHEDULED", "configured > SCHEDULED", "configured > SCHEDULED",
      "configured unscheduled > OFF", "!opens-at-past", "prequeue > PREQUEUE",
      "drawn opened > OPEN", "closed > OFF", "!not-open", "!not-open", "!not-open",
      "beacon > SCHEDULED", "> SCHEDULED", "> SCHEDULED", "> SCHEDULED", "!not-admitted",
      "!not-yet"}},
    {"PREQUEUE",
     {"> PREQUEUE", "configured > PREQUEUE", "configured > PREQUEUE", "!room-running",
      "!opens-at-past", "> PREQUEUE", "drawn opened > OPEN", "closed > OFF", "!not-open",
      "!not-open", "!not-open", "beacon > PREQUEUE", "> PREQUEUE", "> PREQUEUE", "> PREQUEUE",
      "!not-admitted", "joined > PREQUEUE"}},
    {"OPEN",
     {"> OPEN", "configured > OPEN", "!room-running", "configured > OPEN", "!opens-at-past",
      "> OPEN", "> OPEN", "closed > OFF", "paused > PAUSED", "> OPEN", "standby > STANDBY",
      "!no-draw", "> OPEN", "stock > PAUSED", "stock > ENDED", "!not-admitted", "joined > OPEN"}},
    {"OPEN, drawn",
     {"> OPEN", "configured > OPEN", "!room-running", "configured > OPEN", "!opens-at-past",
      "> OPEN", "> OPEN", "closed > OFF", "paused > PAUSED", "> OPEN", "standby > STANDBY",
      "!no-draw", "> OPEN", "stock > PAUSED", "stock > ENDED", "!not-admitted", "joined > OPEN"}},
    {"PAUSED",
     {"> PAUSED", "configured > PAUSED", "!room-running", "configured > PAUSED", "!opens-at-past",
      "> PAUSED", "resumed > OPEN", "closed > OFF", "> PAUSED", "resumed > OPEN", "!not-open",
      "!no-draw", "> PAUSED", "stock > PAUSED", "stock > ENDED", "!not-admitted",
      "joined > PAUSED"}},
    {"PAUSED, taken",
     {"> PAUSED", "configured > PAUSED", "!room-running", "configured > PAUSED", "!opens-at-past",
      "> PAUSED", "> PAUSED", "closed > OFF", "paused > PAUSED", "> PAUSED", "!not-open",
      "!no-draw", "stock > OPEN", "> PAUSED", "stock > ENDED", "!not-admitted", "joined > PAUSED"}},
    {"PAUSED, both",
     {"> PAUSED", "configured > PAUSED", "!room-running", "configured > PAUSED", "!opens-at-past",
      "> PAUSED", "resumed > PAUSED", "closed > OFF", "> PAUSED", "resumed > PAUSED", "!not-open",
      "!no-draw", "stock > PAUSED", "> PAUSED", "stock > ENDED", "!not-admitted",
      "joined > PAUSED"}},
    {"STANDBY",
     {"> STANDBY", "configured > STANDBY", "!room-running", "configured > STANDBY",
      "!opens-at-past", "> STANDBY", "opened > OPEN", "closed > OFF", "!not-open", "!not-open",
      "> STANDBY", "!no-draw", "> STANDBY", "stock > STANDBY", "stock > STANDBY", "!not-admitted",
      "joined admitted > STANDBY"}},
    {"STANDBY, taken",
     {"> STANDBY", "configured > STANDBY", "!room-running", "configured > STANDBY",
      "!opens-at-past", "> STANDBY", "opened > PAUSED", "closed > OFF", "!not-open", "!not-open",
      "> STANDBY", "!no-draw", "stock > STANDBY", "> STANDBY", "stock > STANDBY", "!not-admitted",
      "joined > STANDBY"}},
    {"STANDBY, sold",
     {"> STANDBY", "configured > STANDBY", "!room-running", "configured > STANDBY",
      "!opens-at-past", "> STANDBY", "opened > ENDED", "closed > OFF", "!not-open", "!not-open",
      "> STANDBY", "!no-draw", "stock > STANDBY", "stock > STANDBY", "> STANDBY", "!not-admitted",
      "!sold-out"}},
    {"ENDED",
     {"> ENDED", "configured > ENDED", "!room-running", "configured > ENDED", "!opens-at-past",
      "> ENDED", "> ENDED", "closed > OFF", "!not-open", "> ENDED", "!not-open", "!no-draw",
      "stock > OPEN", "stock > PAUSED", "> ENDED", "!not-admitted", "!sold-out"}},
    {"ENDED, paused",
     {"> ENDED", "configured > ENDED", "!room-running", "configured > ENDED", "!opens-at-past",
      "> ENDED", "resumed > ENDED", "closed > OFF", "!not-open", "resumed > ENDED", "!not-open",
      "!no-draw", "stock > PAUSED", "stock > PAUSED", "> ENDED", "!not-admitted", "!sold-out"}},
};

const char* name_of(const any_event& happened) {
  static constexpr const char* names[] = {
      "configured", "scheduled", "unscheduled", "prequeue",  "beacon",   "drawn",  "opened",
      "standby",    "paused",    "resumed",     "stock",     "closed",   "joined", "identified",
      "promoted",   "passed",    "returned",    "reentered", "admitted", "kept",   "ended",
      "revoked",    "codes",     "message",     "wish",      "answered"};
  static_assert(std::size(names) == std::variant_size_v<any_event>);
  return names[happened.index()];
}

std::string follows(world& in, const asking& asked) {
  const auto decided = asked(in.room);
  if (const auto* const no = std::get_if<rejection>(&decided))
    return '!' + std::string{to_string(*no)};
  std::string text;
  for (const auto& one : std::get<events>(decided))
    text += name_of(one) + std::string{" "};
  in.happen(std::get<events>(decided));
  return text + "> " + std::string{to_string(in.room.status())};
}

world in_state(const events& given) {
  world made;
  made.happen(given);
  made.now = now;
  return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_state_answers_everything_that_can_be_asked_as_the_table_says) {
  BOOST_REQUIRE_EQUAL(table.size(), states.size());
  for (const auto& [state_name, given] : states) {
    const auto& row = table.at(state_name);
    BOOST_REQUIRE_EQUAL(row.size(), commands.size());
    for (std::size_t column = 0; column < commands.size(); ++column) {
      const auto& [command_name, asked] = commands[column];
      auto here = in_state(given);
      BOOST_REQUIRE_EQUAL(to_string(here.room.status()),
                          state_name.substr(0, state_name.find(',')));
      const auto got = follows(here, asked);
      BOOST_CHECK_MESSAGE(got == row[column], state_name << ", " << command_name << ": " << got
                                                         << ", not " << row[column]);
      here.require_consistent();
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tick_admits_in_open_and_in_standby_with_something_on_sale_and_nowhere_else) {
  for (const auto& [name, given] : states) {
    auto here = in_state(given);
    const bool may_be_in = join_of(here.room).index() == 0;
    if (!may_be_in)
      continue;
    here.left = stock::all_taken; // on standby nobody is admitted at once, so that somebody waits
    if (here.room.mode == room_mode::standby)
      here.tick();
    const auto slot = here.joins(a_fan(1));
    here.now += 1000;
    here.left = given.back() == taken ? stock::all_taken : stock::on_sale;
    const auto happened = here.tick();
    const bool admits = name == "OPEN" || name == "OPEN, drawn" || name == "STANDBY";
    BOOST_CHECK_MESSAGE(!admitted_by(happened).empty() == admits, name);
    BOOST_CHECK((here.status_of(slot) == ticket_status::admitted) == admits);
  }
}

BOOST_AUTO_TEST_CASE(closing_ends_everybody_in_every_state_and_the_fans_hear_why) {
  for (const auto& [name, given] : states) {
    auto here = in_state(given);
    slots in;
    if (join_of(here.room).index() == 0)
      in = {here.joins(a_fan(1)), here.joins(a_fan(2, 9))};
    here.does(command::close{});
    for (const auto slot : in)
      BOOST_CHECK(here.status_of(slot) == ticket_status::closed);
    BOOST_TEST(here.room.waiting == 0U);
    BOOST_TEST(here.room.active() == 0U);
    BOOST_TEST(here.turned_away(a_fan(1)) == rejection::room_off);
    BOOST_CHECK(!here.room.set.opens_at);
    here.require_consistent();
    here.does(command::open{}); // and nothing of before stays
    BOOST_CHECK(here.room.status() == room_status::open);
    BOOST_TEST(here.joins(a_fan(1)) == in.size());
    BOOST_TEST(look(*here.seen, static_cast<slot_t>(in.size())).position == 1U);
    here.require_consistent();
  }
}

BOOST_AUTO_TEST_CASE(settings_are_fixed_once_fans_may_be_in_and_only_what_would_hurt_them) {
  auto other_beacon = base();
  other_beacon.beacon->round = "8";
  auto no_beacon = base();
  no_beacon.beacon.reset();
  auto tiers = base();
  tiers.tiers = {"members"};
  for (const auto& [name, given] : states) {
    const bool fans_in = name != "OFF" && name != "SCHEDULED";
    for (auto set : {other_beacon, no_beacon, tiers}) {
      auto here = in_state(given);
      set.opens_at = here.room.set.opens_at;
      const auto decided = decide(here.room, command::configure{set, {}, now});
      BOOST_CHECK_MESSAGE((decided == decision{rejection::room_running}) == fans_in, name);
    }
    auto here = in_state(given);
    auto set = here.room.set;
    set.max_active = 0;
    set.max_queue = 1;
    set.tick_ms = 250;
    set.prequeue_ms = 1;
    here.does(command::configure{set, {}, now});
    BOOST_CHECK(here.room.set == set);
    here.require_consistent();
  }
}

BOOST_AUTO_TEST_CASE(an_opening_in_the_past_is_refused_only_where_it_changes) {
  auto here = in_state({timed, scheduled});
  auto set = here.room.set;
  set.max_queue = 1;
  here.does(command::configure{set, {}, 99'000}); // opens_at stays 10 s: it lies behind by now
  set.opens_at = 98'999;
  BOOST_TEST(here.refuses(command::configure{set, {}, 99'000}) == rejection::opens_at_past);
  set.opens_at = 99'000; // this very moment is not the past
  here.does(command::configure{set, {}, 99'000});
  BOOST_CHECK(here.room.status() == room_status::scheduled);
}

BOOST_AUTO_TEST_CASE(a_schedule_commits_to_a_seed_anew_only_if_the_beacon_changes) {
  world here;
  bytes32 first{};
  first[0] = 1;
  bytes32 second{};
  second[0] = 2;
  auto set = base();
  set.opens_at = 10'000;
  here.does(command::configure{set, first, now});
  BOOST_CHECK(here.room.commitment == first);
  BOOST_TEST(here.room.draws_scheduled == 1U);
  here.does(command::give_beacon{"value"});
  BOOST_CHECK(here.does(command::give_beacon{"value"}).empty());
  BOOST_TEST(here.refuses(command::give_beacon{"other"}) == rejection::beacon_fixed);
  BOOST_TEST(here.refuses(command::give_beacon{""}) == rejection::no_draw);

  set.opens_at = 20'000;
  here.does(command::configure{set, second, now});
  BOOST_CHECK(here.room.commitment == first);
  BOOST_TEST(here.room.beacon == "value");

  set.beacon->round = "8"; // nobody picks a source after the seed, or a seed after the value
  here.does(command::configure{set, second, now});
  BOOST_CHECK(here.room.commitment == second);
  BOOST_TEST(here.room.beacon == "");
  BOOST_TEST(here.room.draws_scheduled == 2U);
  BOOST_CHECK(here.seen->notices().draw->commitment == second);
  BOOST_TEST(here.seen->notices().draw->source->round == "8");
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_room_without_a_beacon_takes_no_value) {
  world here;
  settings set;
  set.opens_at = 10'000;
  here.does(command::configure{set, {}, now});
  BOOST_TEST(here.refuses(command::give_beacon{"value"}) == rejection::no_draw);
}

BOOST_AUTO_TEST_CASE(the_clock_brings_the_prequeue_and_the_opening) {
  world here;
  settings set;
  BOOST_CHECK(!next_step(here.room));
  set.opens_at = 10'000;
  here.does(command::configure{set, {}, now});
  BOOST_CHECK(next_step(here.room)->what == step_due::kind::open); // no prequeue
  BOOST_TEST(next_step(here.room)->at == 10'000);
  set.prequeue_ms = 4'000;
  here.does(command::configure{set, {}, now});
  BOOST_CHECK(next_step(here.room)->what == step_due::kind::prequeue);
  BOOST_TEST(next_step(here.room)->at == 6'000);
  here.does(command::begin_prequeue{});
  BOOST_CHECK(next_step(here.room)->what == step_due::kind::open);
  BOOST_TEST(next_step(here.room)->at == 10'000);
  here.does(command::open{});
  BOOST_CHECK(!next_step(here.room));
  here.does(command::close{});
  BOOST_CHECK(!next_step(here.room));
}

BOOST_AUTO_TEST_CASE(a_draw_that_will_never_be_is_shown_no_longer) {
  for (const bool begun : {false, true}) {
    auto here = in_state({timed, scheduled});
    if (begun)
      here.does(command::begin_prequeue{});
    BOOST_CHECK(here.seen->notices().draw != nullptr);
    here.does(command::close{});
    BOOST_CHECK(here.seen->notices().draw == nullptr);
  }
  auto here = in_state({timed, scheduled});
  here.does(command::configure{base(), {}, now});
  BOOST_CHECK(here.seen->notices().draw == nullptr);
  auto over = in_state({timed, scheduled, prequeue, drawn, opened});
  over.does(command::close{});
  BOOST_CHECK(over.seen->notices().draw->done); // what was drawn stays open to anybody's check
}

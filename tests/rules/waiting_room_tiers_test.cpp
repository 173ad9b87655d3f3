// Access codes and the tiers that they give: which code is refused and when, who stands where, and
// what an operator may still change. Times are part of the table: a code is good from valid_from on
// and over at valid_until.
//
// It bites: with single-use codes usable twice in one batch, with a promotion to the front of the
// tier, or with codes not given back at closing (each tried in a copy), cases fail.
#include "tests/rules/waiting_room_world.hpp"

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

// Codes by number.
constexpr std::uint64_t single = 11, other_single = 12, third_single = 13;
constexpr std::uint64_t shared = 21;
constexpr std::uint64_t later = 31, over = 41, second_tier = 51, second_shared = 52;

settings two_tiers() {
  settings set;
  set.tiers = {"first", "second"};
  set.admit_per_second_micro = 1'000'000;
  return set;
}

world with_codes(const settings& set = two_tiers()) {
  world made;
  made.does(command::configure{set, {}, 0});
  const auto add = [&](const char* tier, bool single_use, std::optional<time_ms> from,
                       std::optional<time_ms> until, std::vector<std::uint64_t> numbers) {
    command::add_codes asked{"batch", tier, single_use, from, until, {}};
    for (const auto number : numbers)
      asked.codes.push_back(who(number));
    made.does(asked);
  };
  add("first", true, std::nullopt, std::nullopt, {single, other_single, third_single});
  add("first", false, std::nullopt, std::nullopt, {shared});
  add("first", true, 10'000, std::nullopt, {later});
  add("first", true, std::nullopt, 5'000, {over});
  add("second", true, std::nullopt, std::nullopt, {second_tier});
  add("second", false, std::nullopt, std::nullopt, {second_shared});
  made.does(command::open{});
  return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_code_that_does_not_fit_refuses_the_join_and_records_nothing) {
  struct {
    const char* name;
    std::vector<command::joiner> before;
    time_ms now;
    command::joiner fan;
    std::optional<rejection> then;
  } const table[] = {
      {"no code", {}, 0, a_fan(1), {}},
      {"a single-use code", {}, 0, a_fan(1, 0, single), {}},
      {"an unknown code", {}, 0, a_fan(1, 0, 99), rejection::code_unknown},
      {"used by somebody else",
       {a_fan(1, 0, single)},
       0,
       a_fan(2, 0, single),
       rejection::code_used},
      {"used by an anonymous fan",
       {a_fan(0, 0, single)},
       0,
       a_fan(0, 0, single),
       rejection::code_used},
      {"a shared code, many times",
       {a_fan(1, 0, shared), a_fan(2, 0, shared)},
       0,
       a_fan(3, 0, shared),
       {}},
      {"a millisecond too early", {}, 9'999, a_fan(1, 0, later), rejection::code_not_yet},
      {"from its time on", {}, 10'000, a_fan(1, 0, later), {}},
      {"to the last millisecond", {}, 4'999, a_fan(1, 0, over), {}},
      {"not at the end", {}, 5'000, a_fan(1, 0, over), rejection::code_expired},
      {"a reload with the same code", {a_fan(1, 0, single)}, 0, a_fan(1, 0, single), {}},
      {"a reload after the code's time", {a_fan(1, 0, over)}, 5'000, a_fan(1, 0, over), {}},
      {"a reload without the code", {a_fan(1, 0, single)}, 0, a_fan(1), {}},
      {"a known fan with an unknown code", {a_fan(1)}, 0, a_fan(1, 0, 99), rejection::code_unknown},
      {"a known fan with somebody else's",
       {a_fan(1), a_fan(2, 0, single)},
       0,
       a_fan(1, 0, single),
       rejection::code_used},
  };
  for (const auto& [name, before, now, fan, then] : table) {
    auto here = with_codes();
    for (const auto& each : before)
      here.joins(each);
    here.now = now;
    const auto known = here.room.place_of(fan.customer);
    const auto place = known ? here.room.stands(*known) : std::nullopt;
    auto decided = decide(here.room, command::join{{fan}, now});
    const auto* const no = std::get_if<rejection>(&decided.outcomes.front());
    BOOST_CHECK_MESSAGE((no != nullptr ? std::optional{*no} : std::nullopt) == then, name);
    if (then)
      BOOST_CHECK_MESSAGE(decided.events.empty(), name);
    here.happen(decided.events);
    if (known) // nobody moves
      BOOST_CHECK_MESSAGE(here.room.stands(*known) == place, name);
    here.require_consistent();
  }
}

BOOST_AUTO_TEST_CASE(a_single_use_code_is_good_for_one_of_a_batch) {
  auto here = with_codes();
  const auto got = here.join_all({a_fan(1, 0, single), a_fan(2, 0, single), a_fan(1, 0, single),
                                  a_fan(3, 0, shared), a_fan(4, 0, shared)});
  BOOST_TEST(std::get<joined>(got[0]).slot == 0U);
  BOOST_TEST(std::get<rejection>(got[1]) == rejection::code_used);
  BOOST_TEST(std::get<joined>(got[2]).slot == 0U);
  BOOST_CHECK(std::get<joined>(got[2]).existed);
  BOOST_TEST(std::get<joined>(got[4]).slot == 2U);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(the_order_is_tier_then_arrival) {
  auto here = with_codes();
  here.joins(a_fan(1));                   // 0
  here.joins(a_fan(2, 0, second_tier));   // 1
  here.joins(a_fan(3, 0, shared));        // 2
  here.joins(a_fan(4));                   // 3
  here.joins(a_fan(5, 0, single));        // 4
  here.joins(a_fan(6, 0, second_shared)); // 5
  const slots expected = {2, 4, 1, 5, 0, 3};
  BOOST_TEST(text_of(waiting_in_order(here.room)) == text_of(expected));
  here.require_consistent();
  BOOST_TEST(look(*here.seen, 2).tier == 0);
  BOOST_TEST(look(*here.seen, 5).tier == 1);
  BOOST_TEST(look(*here.seen, 3).tier == 2);
  for (const auto next : expected) {
    here.now += 1000;
    BOOST_TEST(text_of(admitted_by(here.tick())) == text_of({next}));
  }
}

BOOST_AUTO_TEST_CASE(a_waiting_fan_with_a_better_code_moves_to_the_end_of_that_tier) {
  auto here = with_codes();
  here.joins(a_fan(1));                 // 0
  here.joins(a_fan(2));                 // 1
  here.joins(a_fan(3, 0, single));      // 2
  here.joins(a_fan(4, 0, second_tier)); // 3
  BOOST_TEST(here.joins(a_fan(2, 0, second_shared)) == 1U);
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[2 3 1 0]");
  BOOST_TEST(here.joins(a_fan(2, 0, other_single)) == 1U); // and once more
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[2 1 3 0]");
  here.require_consistent();
  // A worse tier, or the same one, changes nothing and uses no code.
  const auto before = here.history.size();
  here.joins(a_fan(2, 0, second_shared));
  here.joins(a_fan(2, 0, third_single));
  BOOST_TEST(here.history.size() == before);
  BOOST_TEST(here.joins(a_fan(5, 0, third_single)) == 4U);
  BOOST_TEST(here.turned_away(a_fan(6, 0, other_single)) == rejection::code_used);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_promotion_in_the_batch_of_the_join_and_one_of_an_admitted_fan) {
  auto here = with_codes();
  here.joins(a_fan(1));
  here.join_all({a_fan(2), a_fan(3, 0, shared), a_fan(2, 0, single), a_fan(2, 0, single)});
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[2 1 0]");
  here.require_consistent();
  here.now = 1000;
  here.tick();
  BOOST_TEST(here.status_of(2) == ticket_status::admitted);
  const auto before = here.history.size();
  here.joins(a_fan(3, 0, other_single)); // in already: the code stays good
  BOOST_TEST(here.history.size() == before);
  here.joins(a_fan(9, 0, other_single));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(an_absent_fan_who_comes_with_a_better_code_waits_there) {
  auto here = with_codes();
  here.joins(a_fan(1));
  here.joins(a_fan(2));
  here.now = 400'000;
  here.tick({{0, 0}});
  BOOST_TEST(here.status_of(0) == ticket_status::absent);
  here.joins(a_fan(3));
  here.joins(a_fan(1, 0, single));
  BOOST_TEST(here.status_of(0) == ticket_status::waiting);
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[0 2]");
  BOOST_TEST(here.room.claims.empty());
  here.require_consistent();
  here.now += 5'000'000; // the claim is gone, not only hidden
  BOOST_TEST(text_of(admitted_by(here.tick())).substr(0, 2) == "[0");
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(closing_gives_back_the_codes_of_those_who_still_waited) {
  auto set = two_tiers();
  set.max_active = 1;
  auto here = with_codes(set);
  here.joins(a_fan(1, 0, single));       // to be admitted
  here.joins(a_fan(2, 0, other_single)); // to wait
  here.joins(a_fan(3, 0, third_single)); // to be absent
  here.now = 1'000;
  here.tick();
  here.does(command::leave{0});
  here.joins(a_fan(4, 0, shared)); // 3
  here.now = 400'000;
  here.tick({{1, here.now}, {2, 0}});
  here.does(command::leave{1}); // was admitted: gives room
  here.now = 401'000;
  here.tick({{2, 0}});
  BOOST_TEST(here.status_of(2) == ticket_status::absent);
  here.joins(a_fan(5, 0, second_tier)); // 4 waits
  here.does(command::close{});
  here.does(command::open{});
  BOOST_TEST(here.turned_away(a_fan(6, 0, single)) == rejection::code_used);
  BOOST_TEST(here.turned_away(a_fan(6, 0, other_single)) == rejection::code_used);
  here.joins(a_fan(7, 0, third_single));
  here.joins(a_fan(8, 0, second_tier));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_full_room_is_full_for_codes_too_and_the_code_stays_good) {
  auto set = two_tiers();
  set.max_queue = 1;
  auto here = with_codes(set);
  here.joins(a_fan(1));
  BOOST_TEST(here.turned_away(a_fan(2, 0, single)) == rejection::room_full);
  here.does(command::leave{0});
  here.joins(a_fan(2, 0, single));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(codes_need_a_tier_of_the_room_and_are_taken_once) {
  auto here = with_codes();
  const auto upload = [](const char* tier, std::vector<identity> codes) {
    return command::add_codes{"more", tier, true, {}, {}, std::move(codes)};
  };
  BOOST_TEST(here.refuses(upload("third", {who(1)})) == rejection::tier_unknown);
  BOOST_TEST(here.refuses(upload("", {who(1)})) == rejection::tier_unknown);
  BOOST_CHECK(here.does(upload("first", {})).empty());
  BOOST_CHECK(here.does(upload("first", {who(single)})).empty()); // known already
  BOOST_TEST(here.refuses(upload("second", {who(91), who(single)})) == rejection::code_exists);
  const auto happened = here.does(upload("second", {who(91), who(91), who(92)}));
  BOOST_CHECK(find<event::codes_added>(happened)->codes == (std::vector{who(91), who(92)}));
  here.joins(a_fan(1, 0, single));
  BOOST_TEST(look(*here.seen, 0).tier == 0); // as in the first upload
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(there_are_at_most_codes_max_codes_over_all_uploads) {
  world here;
  settings set;
  set.tiers = {"first"};
  here.does(command::configure{set, {}, 0});
  command::add_codes asked{"batch", "first", true, {}, {}, {}};
  for (std::uint64_t number = 1; number <= codes_max; ++number)
    asked.codes.push_back(who(number));
  auto too_many = asked;
  too_many.codes.push_back(who(codes_max + 1));
  BOOST_TEST(here.refuses(too_many) == rejection::too_many_codes);
  here.does(asked);
  BOOST_TEST(here.room.codes.size() == codes_max);
  too_many.codes = {who(codes_max + 1)};
  BOOST_TEST(here.refuses(too_many) == rejection::too_many_codes);
  too_many.codes = {who(codes_max)};
  BOOST_CHECK(here.does(too_many).empty());
}

BOOST_AUTO_TEST_CASE(a_tier_that_codes_name_may_move_but_not_vanish) {
  auto here = with_codes();
  here.does(command::close{});
  const auto with_tiers = [&](std::vector<std::string> tiers) {
    auto set = here.room.set;
    set.tiers = std::move(tiers);
    return command::configure{set, {}, here.now};
  };
  BOOST_TEST(here.refuses(with_tiers({})) == rejection::tier_in_use);
  BOOST_TEST(here.refuses(with_tiers({"first", "press"})) == rejection::tier_in_use);
  here.does(with_tiers({"second", "press", "first"}));
  here.does(command::open{});
  here.joins(a_fan(1, 0, single));      // 0
  here.joins(a_fan(2));                 // 1
  here.joins(a_fan(3, 0, second_tier)); // 2
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[2 0 1]");
  here.require_consistent();
}

// Who a fan turns out to be: signing in after joining, what limits per customer count by, how many
// names a place can have, and what a reload that says its code again is answered.
//
// It bites: counting by the first name only, or without seconds_max (each tried in a copy), it
// fails.
#include "tests/rules/waiting_room_world.hpp"

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr std::uint64_t key = 1, customer = 2, shared = 21;

world open_room() {
  world made;
  settings set;
  set.tiers = {"gold"};
  set.reentry_grace_ms = 60'000;
  set.admission_ttl_ms = 10'000;
  made.does(command::configure{set, {}, 0});
  made.does(command::add_codes{"batch", "gold", false, std::nullopt, 5'000, {who(shared)}});
  made.does(command::open{});
  return made;
}

command::joiner with_ticket(slot_t slot) {
  auto fan = a_fan(0);
  fan.before = slot;
  return fan;
}

identity admitted_as(world& here) {
  here.now += 1000;
  const auto happened = here.tick();
  const auto* const in = find<event::fans_admitted>(happened);
  BOOST_REQUIRE(in != nullptr);
  BOOST_REQUIRE_EQUAL(in->who.size(), 1U);
  BOOST_CHECK(here.seen->who_is(in->slots[0]) == in->who[0]);
  return in->who[0];
}

} // namespace

BOOST_AUTO_TEST_CASE(who_signs_in_after_joining_counts_as_the_customer) {
  auto here = open_room();
  auto fan = a_fan(0);
  fan.key = who(key);
  const auto slot = here.joins(fan);
  fan.customer = who(customer);
  BOOST_TEST(here.joins(fan) == slot);
  BOOST_CHECK(admitted_as(here) == who(customer));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_key_counts_as_long_as_nobody_signs_in_and_no_further_key_does) {
  auto here = open_room();
  auto fan = a_fan(0);
  fan.key = who(key);
  const auto slot = here.joins(fan);
  auto again = with_ticket(slot);
  again.key = who(77);
  BOOST_TEST(here.joins(again) == slot);
  BOOST_CHECK(admitted_as(here) == who(key));
}

BOOST_AUTO_TEST_CASE(who_signs_in_once_admitted_counts_as_the_customer_from_then_on) {
  auto here = open_room();
  const auto slot = here.joins(a_fan(0));
  here.now += 1000;
  here.tick();
  BOOST_CHECK(here.seen->who_is(slot).is_none());
  auto fan = with_ticket(slot);
  fan.customer = who(customer);
  BOOST_TEST(here.joins(fan) == slot);
  BOOST_CHECK(here.seen->who_is(slot) == who(customer));
}

BOOST_AUTO_TEST_CASE(a_place_has_a_bounded_number_of_names_and_stays_the_same_place) {
  auto here = open_room();
  const auto slot = here.joins(a_fan(0));
  std::size_t recorded = 0;
  for (std::uint64_t n = 0; n < 3U * seconds_max; ++n) {
    auto fan = with_ticket(slot);
    fan.key = who(1000 + n);
    const auto before = here.history.size();
    BOOST_TEST(here.joins(fan) == slot);
    recorded += here.history.size() - before;
  }
  BOOST_TEST(recorded == std::size_t{seconds_max});
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_reload_that_says_its_code_again_keeps_its_place_also_when_the_code_is_over) {
  auto here = open_room();
  auto fan = a_fan(0);
  fan.customer = who(customer);
  fan.code = who(shared);
  const auto slot = here.joins(fan);
  here.now = 5'000;
  BOOST_TEST(here.joins(fan) == slot);
  auto other = a_fan(0);
  other.code = who(shared);
  BOOST_CHECK(here.turned_away(other) == rejection::code_expired);
  fan.code = who(99);
  BOOST_CHECK(here.turned_away(fan) == rejection::code_unknown);
}

BOOST_AUTO_TEST_CASE(coming_back_with_a_code_that_nobody_knows_is_refused) {
  auto here = open_room();
  const auto slot = here.joins(a_fan(0));
  here.now = 1000;
  here.tick();
  here.now = 20'000;
  here.tick();
  BOOST_REQUIRE(here.status_of(slot) == ticket_status::expired);
  auto fan = with_ticket(slot);
  fan.code = who(99);
  BOOST_CHECK(here.turned_away(fan) == rejection::code_unknown);
  fan.code = {};
  BOOST_TEST(here.joins(fan) == slot);
}

BOOST_AUTO_TEST_CASE(
    codes_that_are_known_with_other_terms_are_refused_and_the_same_again_change_nothing) {
  auto here = open_room();
  const auto before = here.room;
  command::add_codes again{"other name", "gold", false, std::nullopt, 5'000, {who(shared)}};
  BOOST_TEST(here.does(again).empty());
  again.valid_until = 6'000;
  again.codes.push_back(who(22));
  BOOST_CHECK(here.refuses(again) == rejection::code_exists);
  BOOST_CHECK(here.room == before);
}

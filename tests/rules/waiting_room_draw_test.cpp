// The draw at the opening: who takes part, the order that it gives, tier by tier, what it shows,
// and that it is drawn once for each opening. The orders are shuffles with a printed seed; how a
// seed gives an order is tested with the draw's own code.
//
// It bites: with the drawn order appended behind the old line instead of in its place, or with the
// board's places not moved (each tried in a copy), most of these cases fail.
#include "tests/rules/waiting_room_world.hpp"

#include <algorithm>
#include <set>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr time_ms opens_at = 100'000;

settings scheduled_room(std::vector<std::string> tiers = {}) {
  settings set;
  set.opens_at = opens_at;
  set.prequeue_ms = 60'000;
  set.tiers = std::move(tiers);
  set.admit_per_second_micro = 2'000'000;
  return set;
}

world in_prequeue(const settings& set) {
  world made;
  made.does(command::configure{set, {}, 0});
  for (std::uint8_t tier = 0; tier < set.tiers.size(); ++tier)
    for (std::uint64_t code = 0; code < 100; ++code)
      made.does(command::add_codes{
          "batch", set.tiers[tier], true, {}, {}, {who(1000U * (tier + 1U) + code)}});
  made.now = 40'000;
  made.does(command::begin_prequeue{});
  return made;
}

/// A shuffle of everybody who takes part, tier by tier.
slots any_order(const state& room, std::mt19937_64& dice) {
  slots order;
  for (auto& each : draw_participants(room)) {
    std::shuffle(each.begin(), each.end(), dice);
    order.insert(order.end(), each.begin(), each.end());
  }
  return order;
}

slots draw(world& in, std::mt19937_64& dice) {
  const auto order = any_order(in.room, dice);
  bytes32 seed{};
  seed[31] = 9;
  const auto happened = in.does(command::open{seed, order});
  BOOST_REQUIRE_EQUAL(happened.size(), 2U);
  BOOST_CHECK((std::get<event::places_drawn>(happened[0]) ==
               event::places_drawn{seed, in.room.beacon, order}));
  BOOST_CHECK(std::holds_alternative<event::room_opened>(happened[1]));
  return order;
}

/// Everybody of `order` stands in it, from the first place on, and was drawn as it says.
void require_drawn(const world& in, const slots& order) {
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    const auto view = look(*in.seen, order[at]);
    BOOST_REQUIRE_EQUAL(view.position, at + 1);
    const auto place = drawn_place(*in.seen->notices().draw, view.tier, view.place);
    BOOST_REQUIRE(place == at + 1);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(those_take_part_who_wait_in_their_tier_by_slot) {
  auto here = in_prequeue(scheduled_room({"first", "second"}));
  for (std::uint64_t customer = 1; customer <= 8; ++customer)
    here.joins(a_fan(customer));            // 0..7
  here.joins(a_fan(9, 0, 2000));            // 8: second
  here.joins(a_fan(10, 0, 1000));           // 9: first
  here.joins(a_fan(3, 0, 1001));            // 2 moves to first
  here.joins(a_fan(9, 0, 1002));            // 8 moves from second to first
  here.does(command::leave{4});             // and these take no part:
  here.does(command::leave{5, "a double"}); // revoked
  here.joins(a_fan(0, 77));                 // 10
  here.joins(a_fan(1, 77));                 // 10 is merged into 0
  const std::vector<slots> expected = {{2, 8, 9}, {}, {0, 1, 3, 6, 7}};
  BOOST_CHECK(draw_participants(here.room) == expected);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(the_order_is_tier_then_draw_then_arrival) {
  std::mt19937_64 dice{seed()};
  auto here = in_prequeue(scheduled_room({"first", "second"}));
  for (std::uint64_t customer = 1; customer <= 60; ++customer)
    here.joins(a_fan(customer, 0,
                     customer % 5 == 0   ? 1000 + customer
                     : customer % 7 == 0 ? 2000 + customer
                                         : 0));
  here.now = opens_at;
  const auto order = draw(here, dice);
  BOOST_REQUIRE_EQUAL(order.size(), 60U);
  require_drawn(here, order);
  BOOST_CHECK(waiting_in_order(here.room) == order);
  here.require_consistent();

  // Who comes later stands behind the drawn ones of the own tier, and was not drawn.
  const auto general = here.joins(a_fan(100));
  const auto second = here.joins(a_fan(101, 0, 2001));
  const auto first = here.joins(a_fan(102, 0, 1001));
  const auto promoted = here.joins(a_fan(1, 0, 1002));
  BOOST_TEST(promoted == 0U);
  auto expected = order;
  std::erase(expected, promoted);
  const auto tier_end = [&](std::uint64_t divisor, std::uint64_t but_not) {
    return static_cast<std::ptrdiff_t>(std::count_if(order.begin(), order.end(), [&](slot_t slot) {
      return (slot + 1) % divisor == 0 && (but_not == 0 || (slot + 1) % but_not != 0);
    }));
  };
  const auto first_end = tier_end(5, 0);
  expected.insert(expected.begin() + first_end + tier_end(7, 5), second);
  expected.insert(expected.begin() + first_end, {first, promoted});
  expected.push_back(general);
  BOOST_TEST(text_of(waiting_in_order(here.room)) == text_of(expected));
  for (const auto slot : {general, second, first, promoted}) {
    const auto view = look(*here.seen, slot);
    BOOST_CHECK(!drawn_place(*here.seen->notices().draw, view.tier, view.place));
  }
  here.require_consistent();

  // And in that order they are let in.
  slots let_in;
  while (here.room.waiting > 0) {
    here.now += 1000;
    for (const auto slot : admitted_by(here.tick()))
      let_in.push_back(slot);
  }
  BOOST_TEST(text_of(let_in) == text_of(expected));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(the_draw_is_shown_with_all_that_a_check_needs) {
  std::mt19937_64 dice{seed()};
  auto set = scheduled_room({"first"});
  set.beacon = beacon_source{"drand quicknet", "7"};
  auto here = in_prequeue(set);
  BOOST_CHECK(!here.seen->notices().draw->done);
  here.does(command::give_beacon{"value"});
  for (std::uint64_t customer = 1; customer <= 10; ++customer)
    here.joins(a_fan(customer, 0, customer == 4 ? 1000 : 0));
  here.does(command::leave{6});
  here.now = opens_at + 5;
  draw(here, dice);
  const auto& shown = *here.seen->notices().draw;
  BOOST_CHECK(shown.done);
  BOOST_TEST(shown.seed[31] == 9);
  BOOST_TEST(shown.beacon == "value");
  BOOST_CHECK(shown.source == set.beacon);
  BOOST_TEST(shown.drawn_at == opens_at + 5);
  BOOST_REQUIRE_EQUAL(shown.tiers.size(), 2U);
  using ranges = std::vector<std::pair<slot_t, slot_t>>;
  BOOST_TEST(shown.tiers[0].name == "first");
  BOOST_TEST(shown.tiers[0].count == 1U);
  BOOST_CHECK(shown.tiers[0].tickets == (ranges{{3, 3}}));
  BOOST_TEST(shown.tiers[1].name == "");
  BOOST_TEST(shown.tiers[1].count == 8U);
  BOOST_CHECK(shown.tiers[1].tickets == (ranges{{0, 2}, {4, 5}, {7, 9}}));
}

BOOST_AUTO_TEST_CASE(an_opening_is_drawn_once_and_the_next_one_anew) {
  std::mt19937_64 dice{seed()};
  auto here = in_prequeue(scheduled_room());
  for (std::uint64_t customer = 1; customer <= 30; ++customer)
    here.joins(a_fan(customer));
  here.now = opens_at;
  const auto order = draw(here, dice);
  BOOST_CHECK(here.does(command::open{{}, any_order(here.room, dice)}).empty());
  require_drawn(here, order);
  here.now += 2000;
  here.tick();
  here.does(command::pause{});
  BOOST_TEST(here.does(command::open{}).size() == 1U); // goes on, without a draw
  here.does(command::close{});

  auto set = scheduled_room();
  set.opens_at = 300'000;
  here.does(command::configure{set, {}, here.now});
  BOOST_TEST(here.room.draws_scheduled == 2U);
  BOOST_CHECK(!here.seen->notices().draw->done);
  here.does(command::begin_prequeue{});
  slots all;
  for (std::uint64_t customer = 5; customer <= 25; ++customer)
    all.push_back(here.joins(a_fan(customer)));
  BOOST_TEST(all.front() == 30U); // a new ticket
  here.require_consistent();
  here.now = 300'000;
  const auto second = draw(here, dice);
  require_drawn(here, second);
  auto drawn = second;
  std::sort(drawn.begin(), drawn.end());
  BOOST_CHECK(drawn == all);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(
    a_room_without_a_prequeue_or_opened_by_hand_draws_among_nobody_or_all_who_are_in) {
  world empty;
  auto set = scheduled_room();
  set.prequeue_ms = 0;
  empty.does(command::configure{set, {}, 0});
  const auto happened = empty.does(command::open{});
  BOOST_CHECK(find<event::places_drawn>(happened)->order.empty());
  BOOST_TEST(empty.joins(a_fan(1)) == 0U);
  BOOST_TEST(look(*empty.seen, 0).position == 1U);
  empty.require_consistent();

  std::mt19937_64 dice{seed()};
  auto early = in_prequeue(scheduled_room());
  for (std::uint64_t customer = 1; customer <= 5; ++customer)
    early.joins(a_fan(customer));
  early.now = 50'000; // the operator opens before opens_at
  require_drawn(early, draw(early, dice));
  early.require_consistent();
}

BOOST_AUTO_TEST_CASE(nobody_is_admitted_and_everybody_may_leave_before_the_opening) {
  auto here = in_prequeue(scheduled_room());
  for (std::uint64_t customer = 1; customer <= 3; ++customer)
    here.joins(a_fan(customer));
  for (; here.now < opens_at; here.now += 10'000)
    BOOST_CHECK(here.tick({{0, 0}, {1, 0}, {2, 0}}).empty()); // nor is anybody absent
  here.does(command::leave{0});
  BOOST_CHECK(here.status_of(0) == ticket_status::left);
  BOOST_TEST(here.room.waiting == 2U);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(who_is_absent_comes_back_to_the_drawn_place) {
  auto here = in_prequeue(scheduled_room());
  for (std::uint64_t customer = 1; customer <= 6; ++customer)
    here.joins(a_fan(customer));
  here.now = opens_at;
  here.does(command::open{{}, {4, 2, 0, 5, 1, 3}});
  here.now += 200'000;
  BOOST_TEST(text_of(admitted_by(here.tick({{4, 0}, {0, 0}}))) == "[2 5]");
  here.require_consistent();
  BOOST_TEST(look(*here.seen, 0).ahead == 0U);
  BOOST_TEST(look(*here.seen, 1).position == 1U);
  here.tick({}, {{0, here.now}}); // at the same moment: there is no credit for anybody
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[0 1 3]");
  here.tick({}, {{4, here.now}});
  BOOST_TEST(text_of(waiting_in_order(here.room)) == "[4 0 1 3]");
  BOOST_CHECK(drawn_place(*here.seen->notices().draw, 0, look(*here.seen, 4).place) == 1U);
  BOOST_CHECK(drawn_place(*here.seen->notices().draw, 0, look(*here.seen, 0).place) == 3U);
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_large_draw_is_exact_over_chunks_blocks_and_departures) {
  std::mt19937_64 dice{seed()};
  auto here = in_prequeue(scheduled_room({"first"}));
  std::vector<command::joiner> many;
  for (std::uint64_t customer = 1; customer <= 70'000; ++customer)
    many.push_back(
        a_fan(customer, 0, customer % 997 == 0 && customer < 70'000 ? 1000 + customer / 997 : 0));
  here.join_all(many);
  for (int gone = 0; gone < 3000; ++gone)
    if (const auto slot = any_of<slot_t>(dice, 0, 69'999); is_live(here.status_of(slot)))
      here.does(command::leave{slot});
  here.now = opens_at;
  const auto order = draw(here, dice);
  require_drawn(here, order);
  here.require_consistent();
}

// What fans prepare while they wait: kept until an admission, answered once, gone with the ticket.
//
// It bites: with wishes that outlive their ticket, or with an answer to somebody who waits (each
// tried in a copy), cases fail.
#include "tests/rules/waiting_room_world.hpp"

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

const wish two_stalls{"stalls", "", 2, 0, 40'000};
const wish one_seat{"", "A", 1, 1, {}};

hold_id a_hold() {
  hold_id made;
  made.bytes[0] = 5;
  return made;
}

world with_fans() {
  settings set;
  set.admit_per_second_micro = 1'000'000;
  world made;
  made.does(command::configure{set, {}, 0});
  made.does(command::open{});
  for (std::uint64_t customer = 1; customer <= 3; ++customer)
    made.joins(a_fan(customer));
  return made;
}

bool knows(const world& in, slot_t slot, const std::optional<wish>& wanted) {
  const auto found = in.room.wishes.find(slot);
  const auto held = found == in.room.wishes.end() ? std::nullopt : std::optional{found->second};
  return held == wanted && in.seen->wish_of(slot) == wanted;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_waiting_fan_sets_changes_and_takes_back_a_wish) {
  auto here = with_fans();
  BOOST_CHECK(here.does(command::set_wish{0, std::nullopt}).empty());
  BOOST_TEST(here.does(command::set_wish{0, two_stalls}).size() == 1U);
  BOOST_CHECK(knows(here, 0, two_stalls));
  BOOST_CHECK(here.does(command::set_wish{0, two_stalls}).empty()); // a repeat records nothing
  here.does(command::set_wish{0, one_seat});
  BOOST_CHECK(knows(here, 0, one_seat));
  BOOST_CHECK(knows(here, 1, std::nullopt));
  here.does(command::set_wish{0, std::nullopt});
  BOOST_CHECK(knows(here, 0, std::nullopt));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(who_does_not_wait_has_no_wish) {
  auto here = with_fans();
  BOOST_TEST(here.refuses(command::set_wish{3, one_seat}) == rejection::unknown_ticket);
  here.does(command::leave{1});
  BOOST_TEST(here.refuses(command::set_wish{1, one_seat}) == rejection::already_ended);
  here.now = 1'000;
  here.tick();
  BOOST_TEST(here.refuses(command::set_wish{0, one_seat}) == rejection::not_waiting);
  BOOST_TEST(here.refuses(command::set_wish{0, std::nullopt}) == rejection::not_waiting);
  here.does(command::close{});
  BOOST_TEST(here.refuses(command::set_wish{2, one_seat}) == rejection::already_ended);
}

BOOST_AUTO_TEST_CASE(a_wish_waits_through_a_prequeue_a_draw_an_absence_and_a_promotion) {
  world here;
  settings set;
  set.opens_at = 10'000;
  set.prequeue_ms = 5'000;
  set.tiers = {"first"};
  here.does(command::configure{set, {}, 0});
  here.does(command::add_codes{"batch", "first", true, {}, {}, {who(50)}});
  here.does(command::begin_prequeue{});
  for (std::uint64_t customer = 1; customer <= 3; ++customer)
    here.does(command::set_wish{here.joins(a_fan(customer)), two_stalls});
  here.now = 10'000;
  here.does(command::open{{}, {2, 0, 1}});
  here.joins(a_fan(2, 0, 50));
  here.now = 500'000;
  here.tick({{2, 0}});
  BOOST_TEST(here.status_of(2) == ticket_status::absent);
  here.does(command::set_wish{2, one_seat}); // the absent may, too
  BOOST_CHECK(knows(here, 2, one_seat));
  BOOST_CHECK(knows(here, 1, two_stalls));
  BOOST_TEST(here.status_of(0) == ticket_status::admitted);
  BOOST_CHECK(knows(here, 0, two_stalls));
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(an_admitted_fan_s_wish_is_answered_once) {
  auto here = with_fans();
  here.does(command::set_wish{0, two_stalls});
  here.does(command::set_wish{1, one_seat});
  BOOST_CHECK(here.does(command::answer_wish{0, a_hold(), ""}).empty()); // waits
  here.now = 1'000;
  here.tick();
  BOOST_TEST(here.does(command::answer_wish{0, a_hold(), ""}).size() == 1U);
  BOOST_CHECK(knows(here, 0, std::nullopt));
  BOOST_CHECK(here.seen->wish_outcome_of(0)->hold == a_hold());
  BOOST_CHECK(here.does(command::answer_wish{0, {}, "late"}).empty());
  BOOST_CHECK(here.does(command::answer_wish{2, {}, "none"}).empty());
  BOOST_CHECK(here.does(command::answer_wish{9, {}, "unknown"}).empty());
  here.now = 2'000;
  here.tick();
  here.does(command::answer_wish{1, {}, "nothing-left"});
  BOOST_CHECK(here.seen->wish_outcome_of(1)->hold.is_none());
  BOOST_TEST(here.seen->wish_outcome_of(1)->reason == "nothing-left");
  here.require_consistent();
}

BOOST_AUTO_TEST_CASE(a_wish_and_its_outcome_go_with_the_ticket) {
  const auto ways = std::vector<void (*)(world&)>{
      [](world& in) { in.does(command::leave{0}); },
      [](world& in) {
        in.does(command::leave{0, "a double"});
      },
      [](world& in) { in.does(command::close{}); },
      [](world& in) {
        in.joins(a_fan(0, 90));
        in.happen({ended(end_reason::merged, {0})});
      },
  };
  for (const auto way : ways) {
    for (const bool answered : {false, true}) {
      auto here = with_fans();
      here.does(command::set_wish{0, two_stalls});
      if (answered) {
        here.now = 1'000;
        here.tick();
        here.does(command::answer_wish{0, a_hold(), ""});
      }
      way(here);
      BOOST_CHECK(knows(here, 0, std::nullopt));
      BOOST_CHECK(!here.seen->wish_outcome_of(0));
      BOOST_CHECK(here.does(command::answer_wish{0, a_hold(), ""}).empty());
      here.require_consistent();
    }
  }
}

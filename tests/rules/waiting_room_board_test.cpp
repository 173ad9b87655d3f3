// The read side: what readers see of tickets and the room after each event, ranks against a naive
// count at sizes around the borders of words, blocks, chunks and superblocks, and two million
// places.
#include "actors/waiting_room/board.hpp"
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <numeric>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr time_ms start = 1'700'000'000'000;

ticket_view look(const board& seen, slot_t slot) {
  return seen.look(slot, 1000 + slot);
}

std::unique_ptr<board> open_board(slot_t fan_count) {
  auto made = std::make_unique<board>();
  made->publish(event::room_opened{}, start);
  for (slot_t first = 0; first < fan_count; first += 5000)
    made->publish(fans(first, std::min<slot_t>(5000, fan_count - first)), start);
  return made;
}

/// Every ticket's rank, and the sums, against one naive pass.
void require_naive_ranks(const board& seen, const std::vector<bool>& waits) {
  const auto waiting = static_cast<std::uint32_t>(std::count(waits.begin(), waits.end(), true));
  BOOST_REQUIRE_EQUAL(seen.room().waiting, waiting);
  std::uint32_t ahead = 0;
  for (slot_t slot = 0; slot < waits.size(); ++slot) {
    const auto view = look(seen, slot);
    if (!waits[slot]) {
      if (view.status == ticket_status::waiting)
        BOOST_FAIL("slot " << slot << " does not wait");
      continue;
    }
    if (view.status != ticket_status::waiting || view.ahead != ahead ||
        view.position != ahead + 1 || view.behind != waiting - ahead - 1)
      BOOST_FAIL("slot " << slot << ": ahead " << view.ahead << ", not " << ahead);
    ++ahead;
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_ticket_is_seen_through_its_life) {
  const auto seen = open_board(4);
  BOOST_CHECK(look(*seen, 4).status == ticket_status::unknown);
  BOOST_CHECK(look(*seen, slots_max).status == ticket_status::unknown);
  BOOST_CHECK(seen->look(1, 1002).status == ticket_status::unknown); // another's nonce
  BOOST_CHECK(seen->nonce_of(3) == 1003U);
  BOOST_CHECK(!seen->nonce_of(4));
  BOOST_TEST(look(*seen, 1).position == 2U);
  BOOST_TEST(look(*seen, 1).ahead == 1U);
  BOOST_TEST(look(*seen, 1).behind == 2U);

  seen->publish(admitted({0, 1}, start + 300'000), start + 1000);
  BOOST_CHECK(look(*seen, 0).status == ticket_status::admitted);
  BOOST_TEST(look(*seen, 0).until == start + 300'000);
  BOOST_TEST(look(*seen, 0).position == 0U);
  BOOST_TEST(look(*seen, 2).position == 1U);
  BOOST_TEST(seen->room().active == 2U);
  BOOST_TEST(seen->room().waiting == 2U);

  seen->publish(ended(end_reason::used, {0}), start + 2000);
  seen->publish(ended(end_reason::left, {2}), start + 2000);
  seen->publish(ended(end_reason::merged, {1}), start + 2000);
  BOOST_CHECK(look(*seen, 0).status == ticket_status::used);
  BOOST_CHECK(look(*seen, 1).status == ticket_status::merged);
  BOOST_CHECK(look(*seen, 2).status == ticket_status::left);
  BOOST_TEST(look(*seen, 3).position == 1U);
  BOOST_TEST(look(*seen, 3).behind == 0U);
  BOOST_TEST(seen->room().active == 0U);
}

BOOST_AUTO_TEST_CASE(a_deadline_never_shows_more_time_than_there_is) {
  const auto seen = open_board(1);
  seen->publish(admitted({0}, start + 10'099), start);
  BOOST_TEST(look(*seen, 0).until == start + 10'000);
  seen->publish(kept(0, start + 5'000, false), start); // earlier than its own: no change
  BOOST_TEST(look(*seen, 0).until == start + 10'000);
  seen->publish(kept(0, start + 20'999, false), start);
  BOOST_TEST(look(*seen, 0).until == start + 20'900);
  seen->publish(kept(0, 0, false), start); // nothing keeps it: its own deadline again
  BOOST_TEST(look(*seen, 0).until == start + 10'000);
  seen->publish(kept(0, start - 50'000'000'000'000, true), start);
  BOOST_TEST(look(*seen, 0).until == start + 10'000);
}

BOOST_AUTO_TEST_CASE(closing_ends_everybody_and_the_next_opening_counts_from_one) {
  const auto seen = open_board(10);
  seen->publish(admitted({0, 1}, start + 1000), start);
  seen->publish(ended(end_reason::left, {1, 5}), start);
  seen->publish(event::room_closed{}, start);
  for (const slot_t slot : {0U, 2U, 9U})
    BOOST_CHECK(look(*seen, slot).status == ticket_status::closed);
  BOOST_CHECK(look(*seen, 5).status == ticket_status::left);
  BOOST_CHECK(seen->room().status == room_status::off);
  BOOST_TEST(seen->room().waiting == 0U);
  BOOST_TEST(seen->room().active == 0U);
  BOOST_TEST(seen->room().joined == 10U);
  seen->publish(event::room_opened{}, start);
  seen->publish(fans(10, 3), start);
  seen->publish(ended(end_reason::left, {10}), start);
  BOOST_TEST(look(*seen, 11).position == 1U);
  BOOST_TEST(look(*seen, 12).ahead == 1U);
  BOOST_TEST(look(*seen, 11).behind == 1U);
  BOOST_TEST(seen->room().waiting == 2U);
}

BOOST_AUTO_TEST_CASE(settings_and_the_pace_can_be_read) {
  board seen;
  BOOST_CHECK(seen.notices().set == settings{});
  settings set;
  set.admit_per_second_micro = 7;
  set.max_active = std::nullopt;
  set.max_per_tick = 4'000'000'000;
  set.tick_ms = 250;
  set.admission_ttl_ms = 1;
  set.max_queue = 9;
  seen.publish(event::room_configured{set}, start);
  BOOST_CHECK(seen.notices().set == set);
  seen.publish(event::room_opened{}, start);
  BOOST_TEST(seen.admissions_per_second_micro(start + 20'000) == 7U); // as set
  seen.publish(fans(0, 100), start);
  seen.publish(admitted({0, 1, 2, 3}, start + 300'000), start + 1000);
  BOOST_TEST(seen.admissions_per_second_micro(start + 20'000) == 200'000U); // as measured
  set.max_active = 0;
  set.max_per_tick = std::nullopt;
  seen.publish(event::room_configured{set}, start);
  BOOST_CHECK(seen.notices().set == set);
}

BOOST_AUTO_TEST_CASE(a_message_is_shown_until_it_is_taken_back_and_old_notices_stay_readable) {
  using texts = std::vector<std::pair<std::string, std::string>>;
  state room;
  board seen;
  const auto& before = seen.notices();
  const auto say = [&](const texts& what) {
    const auto decided = decide(room, command::set_message{what});
    for (const auto& one : std::get<events>(decided))
      seen.publish(one, start);
  };
  say({{"en", "The show moves to nine."}, {"pt-BR", "O show passa para as nove."}});
  BOOST_TEST(seen.notices().message.size() == 2U);
  BOOST_TEST(seen.notices().message[1].first == "pt-BR");
  BOOST_CHECK(before.message.empty());
  say({});
  BOOST_CHECK(seen.notices().message.empty());
}

BOOST_AUTO_TEST_CASE(ranks_are_exact_at_every_border) {
  std::mt19937_64 dice{seed()};
  for (const slot_t size : {1U, 63U, 64U, 65U, 511U, 512U, 513U, 16'383U, 16'384U, 16'385U, 65'535U,
                            65'536U, 65'537U, 131'073U, 200'000U}) {
    const auto seen = open_board(size);
    std::vector<bool> waits(size, true);
    std::vector<slot_t> order(size);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), dice);
    for (const auto share : {size / 3, size / 2, size}) {
      slots gone;
      for (slot_t at = 0; at < share; ++at)
        if (waits[order[at]]) {
          waits[order[at]] = false;
          gone.push_back(order[at]);
        }
      if (share == size / 2)
        seen->publish(admitted(gone, start + 9000), start);
      else
        seen->publish(ended(end_reason::left, gone), start);
      require_naive_ranks(*seen, waits);
    }
  }
}

BOOST_AUTO_TEST_CASE(joins_after_departures_rank_behind_those_who_stayed) {
  std::mt19937_64 dice{seed()};
  const auto seen = open_board(0);
  std::vector<bool> waits;
  for (int round = 0; round < 60; ++round) {
    const auto count = any_of<slot_t>(dice, 1, 9000);
    seen->publish(fans(static_cast<slot_t>(waits.size()), count), start);
    waits.resize(waits.size() + count, true);
    slots gone;
    for (slot_t slot = 0; slot < waits.size(); ++slot)
      if (waits[slot] && any_of(dice, 0, 19) == 0) {
        waits[slot] = false;
        gone.push_back(slot);
      }
    seen->publish(ended(end_reason::left, gone), start);
    if (round % 6 == 5)
      require_naive_ranks(*seen, waits);
  }
}

BOOST_AUTO_TEST_CASE(the_board_shows_what_the_rules_hold) {
  std::mt19937_64 dice{seed()};
  state room;
  board seen;
  time_ms now = start;
  const auto happen = [&](const events& decided) {
    for (const auto& one : decided) {
      apply(room, one, now);
      seen.publish(one, now);
    }
  };
  settings set;
  set.max_active = 20;
  set.admission_ttl_ms = 4000;
  happen({event::room_configured{set}, event::room_opened{}});
  for (int round = 0; round < 4000; ++round) {
    now += any_of<duration_ms>(dice, 0, 300);
    const auto slot = any_of<slot_t>(dice, 0, room.joined());
    const auto pick = any_of(dice, 0, 99);
    const auto accept = [&](const decision& decided) {
      if (const auto* const accepted = std::get_if<events>(&decided))
        happen(*accepted);
    };
    if (pick < 40) {
      const auto customer = any_of<std::uint64_t>(dice, 1, 300);
      const auto key = any_of<std::uint64_t>(dice, 1001, 1300);
      auto fan = a_fan(pick % 3 == 0 ? 0 : customer, pick % 3 == 1 ? 0 : key);
      fan.nonce = 1000 + std::uint64_t{room.joined()};
      happen(decide(room, command::join{{fan}, now}).events);
    } else if (pick < 60) {
      accept(decide(room, command::tick{now}));
    } else if (pick < 75) {
      accept(decide(room, command::enter{slot, now + 3000, now}));
    } else if (pick < 85) {
      accept(
          decide(room, command::settle{slot, pick % 2 == 0 ? 0 : now + 500, pick % 3 == 0, now}));
    } else if (pick < 99) {
      accept(decide(room, command::leave{slot}));
    } else if (any_of(dice, 0, 4) == 0) {
      happen({event::room_closed{}, event::room_opened{}});
    }
    BOOST_REQUIRE_EQUAL(seen.room().waiting, room.waiting);
    BOOST_REQUIRE_EQUAL(seen.room().active, room.active());
    BOOST_REQUIRE_LE(room.active(), 20U);
    for (slot_t at = 0; round % 50 == 0 && at < room.joined(); ++at) {
      const auto view = look(seen, at);
      BOOST_REQUIRE(view.status == room.status_of(at));
      if (view.status == ticket_status::admitted) {
        BOOST_REQUIRE_LE(view.until, room.admissions.at(at).deadline());
        BOOST_REQUIRE_GT(view.until + 100, room.admissions.at(at).deadline());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(two_million_places_rank_exactly) {
  constexpr slot_t size = 2'000'000;
  std::mt19937_64 dice{seed()};
  const auto seen = open_board(size);
  std::vector<bool> waits(size, true);
  slots gone;
  for (slot_t slot = 0; slot < size; ++slot)
    if (slot < 50'000 || dice() % 16 == 0) {
      waits[slot] = false;
      gone.push_back(slot);
    }
  seen->publish(ended(end_reason::left, gone), start);
  require_naive_ranks(*seen, waits);
}

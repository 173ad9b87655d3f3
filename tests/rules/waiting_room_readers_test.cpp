// Readers beside the writer. Every event ends 16 tickets before and then 16 behind the watched
// ones, in one slice, so in any one moment `ahead - behind` of a watched ticket is what it was at
// the start; a reader that saw half an event, or a rank between two counters, would find another
// difference. Positions never rise. The same for fans who are passed over and come back, who move
// to a better tier, and who come in, expire and come back. Nothing waits for time. That both guards
// of the sequence lock are needed is shown before, without a race.
//
// It bites: with fans_returned or fan_promoted published outside of the lock (tried in a copy),
// readers see moments that never were.
#include "actors/waiting_room/board.hpp"
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

constexpr slot_t size = 400'000;
constexpr slot_t middle = size / 2;
constexpr slot_t half = 16; ///< tickets that end on either side in one event

/// Watches one ticket; says how often it saw something that never was.
std::uint64_t watch(const board& seen, slot_t slot, const std::atomic<bool>& over,
                    std::atomic<std::uint64_t>& looks) {
  const auto difference = static_cast<std::int64_t>(slot) - (size - slot - 1);
  std::uint32_t last = size;
  std::uint64_t faults = 0;
  while (!over.load()) {
    const auto view = seen.look(slot, 1000 + slot);
    const auto now = std::int64_t{view.ahead} - std::int64_t{view.behind};
    const bool fine = view.status == ticket_status::waiting && view.position == view.ahead + 1 &&
                      view.position <= last && now == difference;
    faults += fine ? 0 : 1;
    last = view.position;
    faults += seen.room().waiting % (2 * half) == 0 ? 0 : 1;
    looks.fetch_add(1);
  }
  return faults;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_look_with_a_write_in_its_middle_is_repeated) {
  sequence_lock lock;
  std::atomic<int> first{0};
  std::atomic<int> second{0};
  int looks = 0;
  const auto seen = lock.read([&] {
    const auto one = first.load(std::memory_order_acquire);
    if (++looks == 1)
      lock.write([&] {
        first.store(1, std::memory_order_release);
        second.store(1, std::memory_order_release);
      });
    return std::pair{one, second.load(std::memory_order_acquire)};
  });
  BOOST_TEST(looks == 2);
  BOOST_CHECK(seen == (std::pair{1, 1}));
}

BOOST_AUTO_TEST_CASE(nobody_looks_while_the_writer_is_at_work) {
  sequence_lock lock;
  std::atomic<bool> asks{false};
  std::atomic<bool> at_work{true};
  bool looked_at_work = false;
  std::thread reader;
  lock.write([&] {
    reader = std::thread{[&] {
      asks.store(true);
      looked_at_work = lock.read([&] { return at_work.load(std::memory_order_acquire); });
    }};
    while (!asks.load())
      std::this_thread::yield();
    for (int turn = 0; turn < 10'000; ++turn)
      std::this_thread::yield(); // a chance for a reader that would not wait; proves nothing by
                                 // itself
    at_work.store(false, std::memory_order_release);
  });
  reader.join();
  BOOST_CHECK(!looked_at_work);
}

BOOST_AUTO_TEST_CASE(readers_beside_the_writer_see_whole_moments_only) {
  const auto seen = std::make_unique<board>();
  seen->publish(event::room_opened{}, 0);
  seen->publish(fans(0, size), 0);
  std::atomic<bool> over{false};
  std::atomic<std::uint64_t> looks{0};
  std::array<std::uint64_t, 2> faults{};
  std::array<std::thread, 2> readers;
  for (std::size_t reader = 0; reader < readers.size(); ++reader)
    readers[reader] = std::thread{[&, reader] {
      faults[reader] = watch(*seen, middle + static_cast<slot_t>(reader), over, looks);
    }};

  std::mt19937_64 dice{seed()};
  slots before(middle);
  slots behind(middle - 2);
  for (slot_t slot = 0; slot < middle; ++slot)
    before[slot] = slot;
  for (slot_t slot = 0; slot < behind.size(); ++slot)
    behind[slot] = middle + 2 + slot;
  std::shuffle(before.begin(), before.end(), dice);
  std::shuffle(behind.begin(), behind.end(), dice);
  for (slot_t at = 0; at + half <= behind.size() && looks.load() < 300'000; at += half) {
    slots gone(before.begin() + at, before.begin() + at + half);
    gone.insert(gone.end(), behind.begin() + at, behind.begin() + at + half);
    seen->publish(ended(end_reason::left, std::move(gone)), 1);
  }
  over.store(true);
  for (auto& reader : readers)
    reader.join();
  BOOST_TEST(looks.load() > 0U);
  BOOST_TEST(faults[0] == 0U);
  BOOST_TEST(faults[1] == 0U);
}

BOOST_AUTO_TEST_CASE(a_ticket_is_waiting_or_admitted_in_the_middle_of_a_large_tick) {
  constexpr slot_t count = 20'000;
  const auto seen = std::make_unique<board>();
  seen->publish(event::room_opened{}, 0);
  seen->publish(fans(0, count), 0);
  std::atomic<bool> over{false};
  std::uint64_t faults = 0;
  std::thread reader{[&] {
    const slot_t slot = count - 1;
    bool inside = false;
    while (!over.load()) {
      const auto view = seen->look(slot, 1000 + slot);
      const auto room = seen->room();
      const bool now_in = view.status == ticket_status::admitted && view.until == 60'000;
      faults += now_in || (view.status == ticket_status::waiting && !inside) ? 0 : 1;
      faults += room.waiting + room.active == room.joined ? 0 : 1;
      inside = now_in;
    }
  }};
  slots next;
  for (slot_t slot = 0; slot < count; ++slot) {
    next.push_back(slot);
    if (next.size() == 500) {
      seen->publish(admitted(next, 60'000), 1000);
      next.clear();
    }
  }
  over.store(true);
  reader.join();
  BOOST_TEST(faults == 0U);
  BOOST_TEST(seen->room().active == count);
}

namespace {

/// Runs a reader beside `write` until it ends; the reader counts its own faults.
std::uint64_t faults_beside(const std::function<std::uint64_t()>& look_once,
                            const std::function<void()>& write) {
  std::atomic<bool> over{false};
  std::atomic<std::uint64_t> looks{0};
  std::uint64_t faults = 0;
  std::thread reader{[&] {
    while (!over.load()) {
      faults += look_once();
      looks.fetch_add(1);
    }
  }};
  while (looks.load() == 0)
    std::this_thread::yield();
  write();
  over.store(true);
  reader.join();
  return faults;
}

std::unique_ptr<board> open_board(slot_t count, const settings& set = {}) {
  auto made = std::make_unique<board>();
  made->publish(event::room_configured{set}, 0);
  made->publish(event::room_opened{}, 0);
  made->publish(fans(0, count), 0);
  return made;
}

} // namespace

BOOST_AUTO_TEST_CASE(who_is_passed_over_and_comes_back_is_seen_on_both_sides_at_once) {
  constexpr slot_t count = 140'000; // three superblocks
  constexpr slot_t watched = count / 2;
  const auto seen = open_board(count);
  std::mt19937_64 dice{seed()};
  const auto look_once = [&] {
    const auto view = seen->look(watched, 1000 + watched);
    const auto room = seen->room();
    const auto difference = std::int64_t{view.ahead} - std::int64_t{view.behind};
    return (view.status == ticket_status::waiting && difference == 1 ? 0U : 1U) +
           (room.waiting + room.absent == count && room.absent % (2 * half) == 0 ? 0U : 1U);
  };
  const auto faults = faults_beside(look_once, [&] {
    for (int round = 0; round < 3'000; ++round) {
      event::fans_passed_over passed;
      for (slot_t fan = 0; fan < half; ++fan) {
        passed.slots.push_back(fan * 4'000 + any_of<slot_t>(dice, 0, 3'999));
        passed.slots.push_back(watched + 1 + fan * 4'000 + any_of<slot_t>(dice, 0, 3'999));
      }
      passed.seen.resize(passed.slots.size());
      seen->publish(passed, 1);
      seen->publish(event::fans_returned{passed.slots, passed.seen}, 2);
    }
  });
  BOOST_TEST(faults == 0U);
  BOOST_TEST(seen->room().waiting == count);
}

BOOST_AUTO_TEST_CASE(who_moves_to_a_better_tier_is_never_in_both_or_neither) {
  constexpr slot_t count = 70'000;
  constexpr slot_t watched = 10'000;
  settings set;
  set.tiers = {"first"};
  const auto seen = open_board(count, set);
  std::uint32_t last = watched;
  const auto look_once = [&] {
    const auto view = seen->look(watched, 1000 + watched);
    const bool fine = view.status == ticket_status::waiting &&
                      view.ahead + view.behind + 1 == count && view.ahead >= last &&
                      seen->room().waiting == count;
    last = view.ahead;
    const auto mover = seen->look(count - 1, 1000 + count - 1); // the last of all, moves first
    const bool either = mover.tier == 1 ? mover.behind == 0 : mover.ahead == 0 && mover.tier == 0;
    return (fine ? 0U : 1U) + (either ? 0U : 1U);
  };
  const auto faults = faults_beside(look_once, [&] {
    for (auto slot = count - 1; slot > watched; --slot)
      seen->publish(event::fan_promoted{slot, 0, {}}, 1);
  });
  BOOST_TEST(faults == 0U);
  BOOST_TEST(seen->look(watched, 1000 + watched).behind == 0U);
}

BOOST_AUTO_TEST_CASE(who_comes_in_expires_and_comes_back_has_one_status_and_the_old_place) {
  constexpr slot_t count = 5'000;
  constexpr slot_t mover = 2'500;
  const auto seen = open_board(count);
  const auto look_once = [&] {
    const auto view = seen->look(mover, 1000 + mover);
    const auto room = seen->room();
    const bool there = room.active == 0 || room.active == 1;
    const bool fine = view.status == ticket_status::waiting ? view.ahead == mover
                      : view.status == ticket_status::admitted
                          ? view.until == 60'000
                          : view.status == ticket_status::expired;
    return (there ? 0U : 1U) + (fine ? 0U : 1U);
  };
  const auto faults = faults_beside(look_once, [&] {
    for (int round = 0; round < 20'000; ++round) {
      seen->publish(admitted({mover}, 60'000), 1);
      seen->publish(ended(end_reason::expired, {mover}), 1);
      seen->publish(event::fan_reentered{mover}, 1);
    }
  });
  BOOST_TEST(faults == 0U);
}

BOOST_AUTO_TEST_CASE(everybody_waits_all_through_a_draw) {
  // Positions are shown from the opening on, so while a draw is published they need not fit
  // together; but nobody is gone, and what stands afterwards is exact.
  constexpr slot_t count = 200'000;
  auto seen = std::make_unique<board>();
  settings set;
  set.opens_at = 1'000;
  seen->publish(event::room_configured{set}, 0);
  seen->publish(event::room_scheduled{}, 0);
  seen->publish(event::prequeue_opened{}, 0);
  seen->publish(fans(0, count), 0);
  event::places_drawn drawn;
  for (slot_t slot = 0; slot < count; ++slot)
    drawn.order.push_back(count - 1 - slot);
  const auto look_once = [&] {
    const auto room = seen->room();
    return (seen->look(count - 1, 1000 + count - 1).status == ticket_status::waiting &&
                    room.joined == count && room.active == 0 && room.absent == 0
                ? 0U
                : 1U);
  };
  const auto faults = faults_beside(look_once, [&] {
    seen->publish(drawn, 1'000);
    seen->publish(event::room_opened{}, 1'000);
  });
  BOOST_TEST(faults == 0U);
  BOOST_TEST(seen->room().waiting == count);
  for (slot_t slot = 0; slot < count; ++slot)
    BOOST_REQUIRE_EQUAL(seen->look(slot, 1000 + slot).position, count - slot);
}

// Readers beside the writer. Every event ends 16 tickets before and then 16 behind the watched
// ones, in one slice, so in any one moment `ahead - behind` of a watched ticket is what it was at
// the start; a reader that saw half an event, or a rank between two counters, would find another
// difference. Positions never rise. Nothing waits for time. That both guards of the sequence lock
// are needed is shown before, without a race.
#include "actors/waiting_room/board.hpp"
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
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

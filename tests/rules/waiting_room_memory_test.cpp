// Memory at two million customers: what the rules' state and the board have on the heap, as counted
// by this program's own operator new, is at most 48 bytes a fan, and bytes_used() says the same.
#include "tests/rules/waiting_room_world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

using namespace usher;
using namespace usher::waiting_room;
using namespace usher::waiting_room::test;

namespace {

std::size_t live_bytes = 0;
constexpr std::size_t header = 16; ///< room before each block for its size

} // namespace

void* operator new(std::size_t size) {
  auto* const block = static_cast<std::byte*>(std::malloc(size + header));
  if (block == nullptr)
    throw std::bad_alloc{};
  std::memcpy(block, &size, sizeof size);
  live_bytes += size;
  return block + header;
}

void operator delete(void* from) noexcept {
  if (from == nullptr)
    return;
  auto* const block = static_cast<std::byte*>(from) - header;
  std::size_t size = 0;
  std::memcpy(&size, block, sizeof size);
  live_bytes -= size;
  std::free(block);
}

void operator delete(void* from, std::size_t) noexcept {
  operator delete(from);
}

namespace {

constexpr slot_t size = 2'000'000;

/// A room and its board with two million customers, and what they take.
struct full_room {
  std::size_t before = live_bytes;
  std::unique_ptr<state> room = std::make_unique<state>();
  std::unique_ptr<board> seen = std::make_unique<board>();
  std::size_t fixed = live_bytes - before; ///< the objects themselves: some KB of tables

  void happen(const events& decided) {
    for (const auto& one : decided) {
      apply(*room, one, 0);
      seen->publish(one, 0);
    }
  }

  void fill() {
    std::mt19937_64 dice{seed()};
    while (room->joined() < size) {
      command::join batch;
      for (int fan = 0; fan < 500; ++fan) {
        const auto nonce = dice();
        batch.fans.push_back({nonce, who(dice()), {}, {}});
      }
      happen(decide(*room, batch).events);
    }
  }

  void check(const char* when) const {
    const auto counted = live_bytes - before - fixed;
    const auto said = room->bytes_used() + seen->bytes_used();
    BOOST_TEST_MESSAGE(when << ": rules " << double(room->bytes_used()) / size << ", board "
                            << double(seen->bytes_used()) / size << ", counted "
                            << double(counted) / size << " bytes a fan");
    BOOST_TEST(counted <= 48U * size);
    BOOST_TEST(room->bytes_used() <= 31U * size);
    BOOST_TEST(seen->bytes_used() <= 16U * size);
    // The estimates that are being checked (of every 64th fan, at most 65,536) are not in it.
    constexpr std::size_t estimates = 65'536 * std::size_t{64};
    BOOST_TEST(counted <= said + said / 100 + estimates);
    BOOST_TEST(said <= counted + counted / 100);
    BOOST_TEST(fixed < 100'000U);
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(two_million_customers_take_at_most_48_bytes_each) {
  full_room all;
  all.happen({event::room_opened{}});
  all.fill();
  all.check("open");
}

BOOST_AUTO_TEST_CASE(a_draw_among_two_million_takes_no_more) {
  full_room all;
  settings set;
  set.opens_at = 1;
  all.happen({event::room_configured{set}, event::room_scheduled{}, event::prequeue_opened{}});
  all.fill();
  all.check("prequeue");
  command::open asked;
  asked.order = draw_participants(*all.room).front();
  std::mt19937_64 dice{seed()};
  std::shuffle(asked.order.begin(), asked.order.end(), dice);
  all.happen(std::get<events>(decide(*all.room, asked)));
  BOOST_TEST(look(*all.seen, asked.order.front()).position == 1U);
  slots{}.swap(asked.order);
  all.check("drawn");
}

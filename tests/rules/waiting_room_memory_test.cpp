// Memory at two million customers: what the rules' state and the board have on the heap, as counted
// by this program's own operator new, is at most 48 bytes a fan, and bytes_used() says the same.
#include "actors/waiting_room/board.hpp"
#include "tests/rules/waiting_room_support.hpp"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_CASE(two_million_customers_take_at_most_48_bytes_each) {
  constexpr slot_t size = 2'000'000;
  std::mt19937_64 dice{seed()};
  const auto before = live_bytes;
  auto room = std::make_unique<state>();
  auto seen = std::make_unique<board>();
  const auto fixed = live_bytes - before; // the objects themselves: some KB of tables
  const auto happen = [&](const events& decided) {
    for (const auto& one : decided) {
      apply(*room, one, 0);
      seen->publish(one, 0);
    }
  };
  happen({event::room_opened{}});
  while (room->joined() < size) {
    command::join batch;
    for (int fan = 0; fan < 500; ++fan) {
      identity customer = who(dice());
      batch.fans.push_back({dice(), customer, {}});
    }
    happen(decide(*room, batch).events);
  }
  const auto counted = live_bytes - before - fixed;
  const auto said = room->bytes_used() + seen->bytes_used();
  BOOST_TEST_MESSAGE("rules " << double(room->bytes_used()) / size << ", board "
                              << double(seen->bytes_used()) / size << ", counted "
                              << double(counted) / size << " bytes a fan");
  BOOST_TEST(counted <= 48U * size);
  BOOST_TEST(room->bytes_used() <= 30U * size);
  BOOST_TEST(seen->bytes_used() <= 15U * size);
  BOOST_TEST(counted <= said + said / 100);
  BOOST_TEST(said <= counted + counted / 100);
  BOOST_TEST(fixed < 100'000U);
}

// When writes are refused because the disk is nearly full, and accepted again: a table of what is
// free, look by look, on a file system that the test plays; and the ballast on a real one.
#include "storage/disk_guard.hpp"
#include "tests/storage/support.hpp"

#include <atomic>
#include <chrono>
#include <thread>

using namespace usher::storage;
using namespace usher::storage::test;

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

template <class Condition>
bool eventually(Condition holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return true;
}

/// A guard over a disk that has as much free as the test says.
struct played_disk {
  explicit played_disk(std::uint64_t free_at_first, std::uint64_t floor = 80 * mib) {
    free = free_at_first;
    std::filesystem::create_directories(place.data());
    guard.emplace(disk_guard_options{
        .directory = place.data(),
        .floor_bytes = floor,
        .every = std::chrono::milliseconds{1},
        .on_change = [this](bool accepts, const disk_space&) { told = accepts ? 1 : -1; },
        .look = [this](const std::filesystem::path&) -> std::optional<disk_space> {
          ++looks;
          if (unknown)
            return std::nullopt;
          return disk_space{10'000 * mib, free};
        }});
  }
  /// From now on, and two looks later.
  void is(std::uint64_t bytes) {
    free = bytes;
    const auto before = looks.load();
    BOOST_REQUIRE(eventually([&] { return looks >= before + 2; }));
  }
  [[nodiscard]] std::filesystem::path ballast() const { return place.data() / "BALLAST"; }

  scratch place;
  std::atomic<std::uint64_t> free{0};
  std::atomic<bool> unknown{false};
  std::atomic<int> looks{0};
  std::atomic<int> told{0};
  std::optional<disk_guard> guard;
};

} // namespace

BOOST_AUTO_TEST_CASE(writes_are_refused_below_the_floor_and_accepted_an_eighth_above_it) {
  struct look {
    std::uint64_t free;
    bool accepts;
  };
  played_disk disk{100 * mib};
  BOOST_TEST(disk.guard->accepts_writes());
  BOOST_TEST(disk.told == 0);
  for (const auto& each : {look{80 * mib, true}, look{80 * mib - 1, false}, look{80 * mib, false},
                           look{90 * mib - 1, false}, look{90 * mib, true}, look{80 * mib, true},
                           look{0, false}, look{100 * mib, true}}) {
    disk.is(each.free);
    BOOST_TEST(disk.guard->accepts_writes() == each.accepts, each.free);
    BOOST_TEST(disk.guard->free_bytes() == each.free);
    if (disk.told != 0)
      BOOST_TEST((disk.told > 0) == each.accepts);
  }
}

BOOST_AUTO_TEST_CASE(a_disk_that_is_full_at_the_start_is_refused_at_once) {
  const played_disk disk{1};
  BOOST_TEST(!disk.guard->accepts_writes());
  BOOST_TEST(disk.told == -1);
}

BOOST_AUTO_TEST_CASE(what_was_last_known_stands_while_nothing_is_known) {
  played_disk disk{1};
  disk.unknown = true;
  disk.is(1'000 * mib);
  BOOST_TEST(!disk.guard->accepts_writes());
  disk.unknown = false;
  disk.is(1'000 * mib);
  BOOST_TEST(disk.guard->accepts_writes());
}

BOOST_AUTO_TEST_CASE(without_a_floor_nothing_is_refused_and_nothing_set_aside) {
  played_disk disk{0, 0};
  disk.is(1'000 * mib);
  BOOST_TEST(disk.guard->accepts_writes());
  BOOST_TEST(!std::filesystem::exists(disk.ballast()));
}

BOOST_AUTO_TEST_CASE(ballast_is_laid_in_while_there_is_much_space_and_given_up_at_a_start_without) {
  // Half the floor, and only if twice floor and ballast are free.
  played_disk disk{16 * mib, 8 * mib};
  BOOST_TEST(!std::filesystem::exists(disk.ballast()));
  disk.is(24 * mib);
  BOOST_TEST(std::filesystem::file_size(disk.ballast()) == 4 * mib);
  disk.is(1); // while it runs it is kept: whoever starts next needs it
  BOOST_TEST(std::filesystem::exists(disk.ballast()));
  disk.guard.reset();
  disk_guard next{{.directory = disk.place.data(),
                   .floor_bytes = 8 * mib,
                   .look = [](const std::filesystem::path&) -> std::optional<disk_space> {
                     return disk_space{10'000 * mib, 1};
                   }}};
  BOOST_TEST(!std::filesystem::exists(disk.ballast()));
  BOOST_TEST(!next.accepts_writes());
}

BOOST_AUTO_TEST_CASE(the_floor_that_nobody_chose_is_a_twentieth_within_bounds) {
  BOOST_TEST(automatic_floor_bytes(0) == 64 * mib);
  BOOST_TEST(automatic_floor_bytes(10'240 * mib) == 512 * mib);
  BOOST_TEST(automatic_floor_bytes(1'000'000 * mib) == 1'024 * mib);
}

BOOST_AUTO_TEST_CASE(a_real_file_system_is_asked) {
  const scratch place;
  std::filesystem::create_directories(place.data());
  const auto found = space_of(place.data());
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->total_bytes >= found->free_bytes);
  BOOST_TEST(found->total_bytes > 0U);
  BOOST_TEST(!space_of(place.data() / "nothing").has_value());
}

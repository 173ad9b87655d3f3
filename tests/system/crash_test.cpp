// The promise under the worst conditions: many clients join, hold the same seats, order, pay, leave
// at full speed, and at a random moment the server gets SIGKILL. It is started on the same data and
// compared with what the clients know: everything acknowledged is there, nothing is sold twice, and
// only what was in flight may have gone either way. Then the clients ask again for what was not
// answered, with the same keys, and go on. `usher audit verify` has to find the log sound each
// time. USHER_CRASH_ROUNDS says how many crashes; every few of them begin with new data.
//
// SIGKILL leaves the page cache alone, so this test cannot tell a log that syncs from one that does
// not: that is power_loss_test.cpp's, with a file system that loses what was not synced. That the
// comparison bites is shown here too: a server on an older copy of the data is caught by it, and
// one whose log lost its end does not start.

#include "tests/system/box_office.hpp"
#include "tests/system/crash_crowd.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <thread>

using namespace usher::test;

namespace {

constexpr int rounds_usual = 10; ///< with crash_holds_test: twenty
constexpr int rounds_of_a_world = 20;

class crash_world {
public:
  explicit crash_world(std::uint64_t seed) : crowd_{seed} {
    start();
    crowd_.open_shows(port());
  }

  void start() {
    server_.emplace(place_.data(), crash::crash_launch());
    with_snapshot += crash::began_with_snapshot(*server_) ? 1 : 0;
  }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] std::filesystem::path data() const { return place_.data(); }
  [[nodiscard]] std::filesystem::path copy_data(const std::string& name) const {
    const auto to = place_.path() / name;
    std::filesystem::copy(place_.data(), to, std::filesystem::copy_options::recursive);
    return to;
  }

  /// All clients at full speed, then SIGKILL, not before it matters and then at any moment. The
  /// server is down afterwards.
  void run_into_a_crash(int round) {
    const auto later = std::chrono::microseconds{crowd_.dice()() % 400'000};
    crowd_.run(port(), round, [&] {
      BOOST_TEST(eventually([&] { return crowd_.is_busy(50); }));
      std::this_thread::sleep_for(later);
      server_->kill9();
    });
    server_.reset();
  }

  [[nodiscard]] std::vector<std::string> compare(std::uint16_t with, int round,
                                                 bool everything) const {
    return crowd_.compare(with, round, everything);
  }
  [[nodiscard]] const crash::crowd& crowd() const { return crowd_; }

  int with_snapshot = 0; ///< starts

private:
  scratch_directory place_;
  crash::crowd crowd_;
  std::optional<server_process> server_;
};

run_result run_audit(const std::filesystem::path& data) {
  return run_usher({.arguments = {"audit", "verify", "--data", data.string()}});
}

void audit(const std::filesystem::path& data) {
  const auto got = run_audit(data);
  BOOST_TEST(got.exit_code == 0, got.out << got.err);
}

void report(const std::vector<std::string>& complaints, int round) {
  for (const auto& each : complaints)
    BOOST_ERROR("after crash " << round << ": " << each);
}

std::filesystem::path newest_wal(const std::filesystem::path& data) {
  std::filesystem::path newest;
  for (const auto& entry : std::filesystem::directory_iterator{data / "log"})
    if (entry.path().extension() == ".log" && entry.file_size() > 0 &&
        (newest.empty() || entry.path() > newest))
      newest = entry.path();
  return newest;
}

/// One server's data over so many crashes.
void crash_again_and_again(std::uint64_t seed, int rounds) {
  crash_world world{seed};
  for (int round = 1; round <= rounds; ++round) {
    const int before = world.crowd().acknowledged();
    world.run_into_a_crash(round);
    std::cerr << "USHER_SEED=" << seed << " round " << round << ": killed "
              << world.crowd().acknowledged() - before << " steps on\n";
    audit(world.data());
    world.start();
    report(world.compare(world.port(), round, round % 5 == 0), round);
    if (round == 4)
      BOOST_TEST(crash::has_snapshot(world.data())); // the next one begins with it
    if (round == rounds)
      audit(world.data()); // beside the running server
  }
  auto ends = world.crowd().tally();
  std::cerr << world.crowd().summary() << "; " << world.with_snapshot
            << " starts from a snapshot\n";
  for (const auto at : {crash::step::paid, crash::step::cancelled, crash::step::left})
    BOOST_TEST((ends[at] > 0 || rounds < 5)); // else the clients were not where it hurts
  BOOST_TEST((world.with_snapshot > 0 || rounds < 5));
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_acknowledged_is_lost_in_crashes_and_no_seat_is_sold_twice) {
  auto seed = seed_of_run(20'261'130);
  for (int left = crash::rounds_of_run(rounds_usual); left > 0; left -= rounds_of_a_world)
    crash_again_and_again(seed++, std::min(left, rounds_of_a_world));
}

// Proof that the comparison bites: a server that forgot one round.
BOOST_AUTO_TEST_CASE(a_server_on_an_older_copy_of_the_data_is_caught_by_the_comparison) {
  crash_world world{seed_of_run(20'261'131)};
  world.run_into_a_crash(1);
  const auto old = world.copy_data("old");
  world.start();
  BOOST_TEST(world.compare(world.port(), 1, true).empty());
  world.run_into_a_crash(2);
  {
    const server_process forgetful{old};
    const auto complaints = world.compare(forgetful.port(), 2, true);
    BOOST_TEST(complaints.size() > 10U);
    BOOST_TEST_MESSAGE("e.g. " << (complaints.empty() ? "" : complaints.front()));
  }
  world.start();
  BOOST_TEST(world.compare(world.port(), 2, true).empty());
}

// Acknowledged events cut off the end of the log: HEAD remembers that there were more.
BOOST_AUTO_TEST_CASE(a_log_that_lost_its_acknowledged_end_is_not_served) {
  crash_world world{seed_of_run(20'261'132)};
  world.run_into_a_crash(1);
  for (const int percent : {99, 90, 50}) {
    const auto damaged = world.copy_data("damaged-" + std::to_string(percent));
    const auto wal = newest_wal(damaged);
    BOOST_REQUIRE(!wal.empty());
    std::filesystem::resize_file(wal, std::filesystem::file_size(wal) *
                                          static_cast<unsigned>(percent) / 100);
    const auto got =
        run_usher({.arguments = {"serve", "--data", damaged.string(), "--listen", "127.0.0.1:0"}});
    BOOST_TEST(got.exit_code == 1);
    BOOST_TEST(got.err.find("were acknowledged") != std::string::npos, got.err);
    BOOST_TEST(run_audit(damaged).exit_code == 2); // cannot be read
  }
  world.start(); // the undamaged one is fine
  BOOST_TEST(world.compare(world.port(), 1, true).empty());
}

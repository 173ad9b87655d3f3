// The power goes, and with it everything that was not synced: the main proof that what was
// acknowledged is durable. A whole server runs in this process, over RocksDB on a file system that
// knows what was synced, while clients join, hold, order, pay and leave at full speed. Within a
// random operation of the disk the power goes. Of what was not synced any part is left: of each
// file a prefix, torn anywhere or followed by zeros, of each directory the first so many changes,
// of HEAD any line that stood there. Snapshots stay, also of what is gone. The server is started on
// what is left and compared with what the clients know. The power also goes while the log is opened
// or made. USHER_CRASH_ROUNDS says how often.
//
// That this bites is shown with the sync of appends off: then every cut loses something that was
// acknowledged, and either the log does not open, because HEAD knows better, or the comparison
// says what is missing.
//
// The files beside RocksDB that are synced for themselves (secrets, keys of personal data) are on
// the machine's own disk here: ext4_test.cpp has all of a server on a disk that loses.

#include "tests/system/box_office.hpp"
#include "tests/system/crash_crowd.hpp"
#include "tests/system/powered_server.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

using namespace usher;
using namespace usher::test;

namespace {

constexpr int rounds_usual = 30;
constexpr int rounds_of_a_world = 20;
constexpr std::uint64_t operations_of_opening_max = 80;
constexpr std::uint64_t operations_of_round_max = 800;

class unreliable_world {
public:
  explicit unreliable_world(std::uint64_t seed) : crowd{seed} {}

  /// Opens the log; now and then the power goes meanwhile, also several times in a row. False: it
  /// does not open, and `refusal` says why.
  bool start(bool sync, bool with_cuts) {
    while (true) {
      const bool cut = with_cuts && below(3) == 0;
      files().cut_power_within(cut ? 1 + below(operations_of_opening_max) : 0);
      heads_.begin();
      refusal.clear();
      try {
        server_ = std::make_unique<powered_server>(place_.data(), disk_, heads_, sync);
      } catch (const std::exception& trouble) {
        refusal = trouble.what();
      }
      if (files().has_power()) {
        files().cut_power_within(0);
        with_snapshot += server_ && server_->began_with_snapshot() > 0 ? 1 : 0;
        return refusal.empty();
      }
      ++cut_while_opening;
      lose(&dice());
    }
  }

  /// What happens before the power may go.
  enum class at_first { nothing, acknowledgements };

  /// All clients at full speed until the power is gone; only what is durable is left.
  void run_into_a_power_cut(int round, at_first what, bool with_luck) {
    crowd.run(server_->port(), round, [&] {
      if (what == at_first::acknowledgements)
        BOOST_TEST(eventually([&] { return crowd.is_busy(50); }));
      files().cut_power_within(1 + below(operations_of_round_max));
      BOOST_TEST(eventually([&] { return !files().has_power(); }));
      server_.reset(); // cuts all connections
    });
    bytes_lost += lose(with_luck ? &dice() : nullptr);
  }

  [[nodiscard]] std::vector<std::string> compare(int round, bool everything) const {
    try {
      return crowd.compare(server_->port(), round, everything);
    } catch (const std::exception& trouble) { // not even the shows are there
      return {trouble.what()};
    }
  }

  void stop() { server_.reset(); }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] std::filesystem::path data() const { return place_.data(); }

  crash::crowd crowd;
  std::string refusal;
  std::uint64_t bytes_lost = 0;
  int cut_while_opening = 0;
  int with_snapshot = 0; ///< starts

private:
  [[nodiscard]] std::mt19937_64& dice() { return crowd.dice(); }
  [[nodiscard]] std::uint64_t below(std::uint64_t n) { return dice()() % n; }
  storage::test::power_cut_files& files() { return *disk_.files; }

  std::uint64_t lose(std::mt19937_64* luck) {
    server_.reset();
    const auto lost = files().lose_unsynced(luck);
    heads_.restore(dice());
    return lost;
  }

  scratch_directory place_;
  storage::test::power_cut_world disk_;
  head_history heads_{place_.data() / "HEAD"};
  std::unique_ptr<powered_server> server_;
};

void audit(const std::filesystem::path& data) {
  const auto got = run_usher({.arguments = {"audit", "verify", "--data", data.string()}});
  BOOST_TEST(got.exit_code == 0, got.out << got.err);
}

using at_first = unreliable_world::at_first;

/// One disk over so many power cuts. Gives the number that came while the log was opened.
int cut_again_and_again(std::uint64_t seed, int rounds) {
  unreliable_world world{seed};
  BOOST_REQUIRE_MESSAGE(world.start(true, true), world.refusal);
  world.crowd.open_shows(world.port());
  for (int round = 1; round <= rounds; ++round) {
    const int before = world.crowd.acknowledged();
    world.run_into_a_power_cut(round, at_first::nothing, true);
    std::cerr << "USHER_SEED=" << seed << " round " << round << ": cut "
              << world.crowd.acknowledged() - before << " steps on\n";
    BOOST_REQUIRE_MESSAGE(world.start(true, true), "after cut " << round << ": " << world.refusal);
    for (const auto& each : world.compare(round, round % 5 == 0 || round == rounds))
      BOOST_ERROR("after cut " << round << ": " << each);
    if (round == 4)
      BOOST_TEST(crash::has_snapshot(world.data()));
    if (round % 5 == 0 || round == rounds)
      audit(world.data());
  }
  std::cerr << world.crowd.summary() << "; " << world.bytes_lost
            << " bytes had not been synced and are gone; " << world.cut_while_opening
            << " more cuts while the log was opened; " << world.with_snapshot
            << " starts from a snapshot\n";
  BOOST_TEST((world.with_snapshot > 0 || rounds < 5));
  return world.cut_while_opening;
}

} // namespace

BOOST_AUTO_TEST_CASE(nothing_acknowledged_is_lost_when_the_power_goes) {
  auto seed = seed_of_run(20'261'151);
  int cut_while_opening = 0;
  const int rounds = crash::rounds_of_run(rounds_usual);
  for (int left = rounds; left > 0; left -= rounds_of_a_world)
    cut_while_opening += cut_again_and_again(seed++, std::min(left, rounds_of_a_world));
  BOOST_TEST((cut_while_opening > 0 || rounds < 5));
}

// The proof that the test above can fail: the same with appends that are not synced.
BOOST_AUTO_TEST_CASE(with_sync_off_every_power_cut_loses_something_acknowledged) {
  const auto seed = seed_of_run(20'261'152);
  int refused = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    unreliable_world world{seed + i};
    BOOST_REQUIRE(world.start(true, false));
    world.crowd.open_shows(world.port());
    world.stop();
    BOOST_REQUIRE(world.start(false, false));
    world.run_into_a_power_cut(1, at_first::acknowledgements, false);
    BOOST_TEST(world.bytes_lost > 0U);
    if (!world.start(true, false)) {
      ++refused;
      BOOST_TEST(world.refusal.find("are missing") != std::string::npos, world.refusal);
      std::filesystem::remove(world.data() / "HEAD"); // and if it did not know better
      BOOST_REQUIRE_MESSAGE(world.start(true, false), world.refusal);
    }
    const auto complaints = world.compare(1, true);
    BOOST_TEST(complaints.size() > 0U);
    BOOST_TEST_MESSAGE("e.g. " << (complaints.empty() ? "" : complaints.front()));
  }
  BOOST_TEST(refused > 0); // HEAD is mostly one of the last
}

// A disk that fills up under load, on a small file system in memory. While there is a floor of free
// space, writes are refused early with 503, a reason and Retry-After, polls go on, /readyz says
// why, and when space is freed all goes on without a restart. Without a floor the disk is full in
// the middle of a write: the process stops itself, and a restart after space was freed works. In
// both cases nothing that was acknowledged is lost, and the audit finds the log sound. Is skipped
// where nothing can be mounted.

#include "tests/system/box_office.hpp"
#include "tests/system/crash_crowd.hpp"
#include "tests/system/mounted_disk.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <iostream>
#include <optional>
#include <unistd.h>

using namespace usher::test;

namespace {

constexpr std::uint64_t disk_bytes = std::uint64_t{192} << 20; // RocksDB sets space aside
constexpr std::uint64_t floor_bytes = std::uint64_t{32} << 20;

const std::string& obstacle() {
  static const std::string why = why_nothing_can_be_mounted();
  return why;
}

bool is_skipped() {
  if (!obstacle().empty())
    std::cerr << "SKIPPED: " << obstacle() << "\n";
  return !obstacle().empty();
}

class small_world {
public:
  explicit small_world(std::uint64_t seed, std::uint64_t floor) : crowd{seed}, floor_{floor} {}

  void start() { server.emplace(disk.data(), crash::crash_launch(floor_)); }

  /// Somebody else's file: leaves so much free, if there is more.
  void fill_but_for(std::uint64_t bytes) const {
    const int file = ::open(other().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    BOOST_REQUIRE(file >= 0);
    const std::string block(std::size_t{4096}, 'x');
    while (std::filesystem::space(disk.at()).available > bytes &&
           ::write(file, block.data(), block.size()) > 0) {
    }
    ::close(file);
  }
  void free_space() const { std::filesystem::remove(other()); }

  void audit() const {
    const auto got = run_usher({{"audit", "verify", "--data", disk.data().string()}});
    BOOST_TEST(got.exit_code == 0, got.out << got.err);
  }
  /// The seat map may show what was a second ago.
  void compare() const {
    std::vector<std::string> complaints;
    BOOST_TEST(eventually([&] {
      complaints = crowd.compare(server->port(), 1, true);
      return complaints.empty();
    }));
    for (const auto& each : complaints)
      BOOST_ERROR(each);
  }

private:
  [[nodiscard]] std::filesystem::path other() const { return disk.at() / "somebody-elses"; }
  scratch_directory place_;

public:
  mounted_disk disk = mounted_disk::in_memory(place_.path() / "disk", disk_bytes);
  crash::crowd crowd;
  std::optional<server_process> server;

private:
  std::uint64_t floor_;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_disk_that_fills_up_refuses_writes_and_takes_them_again_when_there_is_space) {
  if (is_skipped())
    return;
  small_world world{seed_of_run(20'261'181), floor_bytes};
  world.start();
  world.crowd.open_shows(world.server->port());
  api_client fan{world.server->port()};
  const auto known = join(fan, crash::line);
  const auto join_again = [&] {
    return fan.post("/v1/shows/" + crash::line + "/waiting-room/join", nullptr);
  };
  world.crowd.run(world.server->port(), 1, [&] {
    BOOST_TEST(eventually([&] { return world.crowd.is_busy(100); }));
    BOOST_TEST(fan.get("/readyz").status == 200);
    world.fill_but_for(floor_bytes / 2);

    BOOST_TEST(eventually([&] { return join_again().status == 503; }));
    const auto refused = join_again();
    BOOST_TEST(refused.code() == "disk-full", refused);
    BOOST_TEST(refused.header("retry-after") != "", refused);
    const auto ready = fan.get("/readyz");
    BOOST_TEST(ready.status == 503, ready);
    BOOST_TEST(ready.code() == "disk-full", ready);
    BOOST_TEST(ready.text.find("bytes are free") != std::string::npos, ready);
    BOOST_TEST(fan.get("/healthz").status == 200);
    // All clients find the door closed, and polls go on.
    BOOST_TEST(eventually([&] { return world.crowd.turned_away() > 100; }));
    for (int i = 0; i < 100; ++i)
      BOOST_TEST(fan.get(ticket_path(crash::line, known)).status == 200);
    BOOST_TEST(fan.get("/v1/shows/" + crash::sale + "/seats").status == 200);

    world.free_space();
    BOOST_TEST(eventually([&] { return fan.get("/readyz").status == 200; }));
    const int before = world.crowd.acknowledged();
    BOOST_TEST(eventually([&] { return world.crowd.acknowledged() > before + 100; }));
    BOOST_TEST(join_again().status == 202);
    world.crowd.stop();
  });
  std::cerr << world.crowd.summary() << "; " << world.crowd.turned_away() << " turned away\n";
  world.compare();
  world.server->kill9();
  world.audit();
  world.start();
  world.compare();
}

BOOST_AUTO_TEST_CASE(
    a_disk_that_is_really_full_stops_the_process_and_nothing_acknowledged_is_lost) {
  if (is_skipped())
    return;
  small_world world{seed_of_run(20'261'182), 0};
  world.start();
  world.crowd.open_shows(world.server->port());
  world.server->term();
  // Now RocksDB cannot set space aside for its log.
  world.fill_but_for(std::uint64_t{4} << 20);
  world.start();
  std::string end;
  world.crowd.run(world.server->port(), 1, [&] {
    BOOST_TEST(eventually([&] { return world.crowd.is_busy(100); }));
    world.fill_but_for(0);
    end = world.server->wait_until_it_ends();
  });
  std::cerr << "the server ended with " << end << "; " << world.crowd.summary() << "\n";
  BOOST_TEST((end == "exit code 70" || end == "signal 6"), end);
  world.server.reset();
  // Started again too early it does not come up, or goes again at once; no harm is done.
  try {
    world.start();
    world.server->kill9();
  } catch (const std::exception& trouble) {
    std::cerr << "too early: " << trouble.what() << "\n";
  }
  world.server.reset();
  world.free_space();
  world.start();
  world.compare();
  world.crowd.run(world.server->port(), 2, [&] {
    BOOST_TEST(eventually([&] { return world.crowd.is_busy(100); }));
    world.crowd.stop();
  });
  world.compare();
  world.server->kill9();
  world.audit();
}

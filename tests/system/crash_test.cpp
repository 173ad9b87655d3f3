// The promise under the worst conditions: many clients join, hold the same seats, order, pay, leave
// at full speed, and at a random moment the server gets SIGKILL. It is started on the same data and
// compared with what the clients know: everything acknowledged is there, nothing is sold twice, and
// only what was in flight may have gone either way. Then the clients ask again for what was not
// answered, with the same keys, and go on. `usher audit verify` has to find the log sound each
// time.
//
// SIGKILL leaves the page cache alone, so this test cannot tell a log that syncs from one that does
// not: that is tests/storage/recovery_test.cpp's, with a file system that loses what was not
// synced. That the comparison bites is shown here too: a server on an older copy of the data is
// caught by it, and one whose log lost its end does not start.

#include "tests/system/box_office.hpp"
#include "tests/system/crash_client.hpp"
#include "tests/system/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <memory>
#include <optional>
#include <thread>

using namespace usher::test;
using crash::journeys;

namespace {

constexpr int rounds = 20;
constexpr int sale_clients = 5;

json two_blocks() {
  auto blocks = json::array();
  for (const std::string side : {"L", "R"}) {
    auto list = json::array();
    for (int row = 0; row < crash::rows; ++row)
      list.push_back({{"id", side + std::to_string(row)}, {"count", crash::seats_per_row}});
    blocks.push_back({{"id", side}, {"category", "all"}, {"rows", list}});
  }
  return {{"categories", {{{"id", "all"}, {"price", 2500}}}}, {"blocks", blocks}};
}

class crash_world {
public:
  explicit crash_world(std::uint64_t seed) : engine_{seed} {
    for (int i = 0; i < sale_clients; ++i)
      clients_.push_back(std::make_unique<crash::client>(i, crash::sale, engine_()));
    clients_.push_back(std::make_unique<crash::client>(sale_clients, crash::line, engine_()));
    start();
    api_client as_operator{server_->port(), {{"Authorization", "Bearer " + operator_key}}};
    put_show(as_operator, crash::sale,
             {{"plan", two_blocks()},
              {"waitingRoom", wide_open_room()},
              {"holds", {{"ttl", "2h"}, {"paymentWindow", "1h"}}}});
    put_show(as_operator, crash::line,
             {{"waitingRoom", {{"admitPerSecond", 5}, {"admissionTtl", "2h"}}}});
  }

  void start() { server_.emplace(place_.data()); }
  [[nodiscard]] std::uint16_t port() const { return server_->port(); }
  [[nodiscard]] std::filesystem::path data() const { return place_.data(); }
  [[nodiscard]] std::filesystem::path copy_data(const std::string& name) const {
    const auto to = place_.path() / name;
    std::filesystem::copy(place_.data(), to, std::filesystem::copy_options::recursive);
    return to;
  }

  /// All clients at full speed, then SIGKILL. The server is down afterwards.
  void run_into_a_crash(int round) {
    const int before = acknowledged();
    std::vector<std::thread> threads;
    for (auto& each : clients_)
      threads.emplace_back([&, round] { each->run(port(), round); });
    // Not before it matters, then at any moment.
    BOOST_TEST(eventually([&] { return acknowledged() > before + 50; }));
    std::this_thread::sleep_for(std::chrono::microseconds{engine_() % 400'000});
    server_->kill9();
    for (auto& each : threads)
      each.join();
    server_.reset();
    for (const auto& each : clients_)
      for (const auto& complaint : each->complaints())
        BOOST_ERROR(complaint);
  }

  /// Everything, or what is not over and what began in the last two rounds.
  [[nodiscard]] std::vector<std::string> compare(std::uint16_t with, int round,
                                                 bool everything) const {
    journeys all;
    journeys looked_at;
    for (const auto& each : clients_)
      for (const auto& fan : each->fans()) {
        all.push_back(&fan);
        if (everything || !fan.is_over() || fan.round + 2 > round)
          looked_at.push_back(&fan);
      }
    api_client server{with};
    return crash::compare(server, crash::sale, all, looked_at);
  }

  [[nodiscard]] int acknowledged() const {
    int sum = 0;
    for (const auto& each : clients_)
      sum += each->acknowledged();
    return sum;
  }

  [[nodiscard]] std::map<crash::step, int> tally() const {
    std::map<crash::step, int> counts;
    for (const auto& each : clients_)
      for (const auto& fan : each->fans())
        ++counts[fan.at];
    return counts;
  }

  void stop() { server_.reset(); }

private:
  scratch_directory place_;
  std::mt19937_64 engine_;
  std::vector<std::unique_ptr<crash::client>> clients_;
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

} // namespace

BOOST_AUTO_TEST_CASE(nothing_acknowledged_is_lost_in_twenty_crashes_and_no_seat_is_sold_twice) {
  crash_world world{seed_of_run(20'261'130)};
  for (int round = 1; round <= rounds; ++round) {
    world.run_into_a_crash(round);
    audit(world.data());
    world.start();
    report(world.compare(world.port(), round, round % 5 == 0), round);
    if (round == rounds)
      audit(world.data()); // beside the running server
  }
  auto ends = world.tally();
  std::cerr << world.acknowledged() << " steps acknowledged; " << ends[crash::step::paid]
            << " fans paid, " << ends[crash::step::cancelled] << " cancelled, "
            << ends[crash::step::left] << " left\n";
  for (const auto at : {crash::step::paid, crash::step::cancelled, crash::step::left})
    BOOST_TEST(ends[at] > 0); // else the clients were not where it hurts
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

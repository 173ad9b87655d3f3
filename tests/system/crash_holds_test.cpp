// SIGKILL in the middle of holds over several blocks. Clients at full speed hold seats of two and
// three blocks in crossing orders, the best of a row, and places of an area; they extend, add, and
// release single seats, while an operator takes seats off sale by force. At a random moment the
// server gets SIGKILL and is started on the same data. Then every hold is there with all its seats
// or not at all, what was acknowledged is as it was (seats, time, blocked seats), and what was not,
// sent again with the same key, has one outcome. No seat is in two holds, and the map has no held
// seat that no hold explains. `usher audit verify` finds the log sound each time.
//
// That the comparison bites is shown by a server on an older copy of the data, and by holds that
// are there in part.

#include "tests/system/crash_crowd.hpp"
#include "tests/system/crash_holds_client.hpp"
#include "tests/system/killable_server.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

using namespace usher::test;
using crash_holds::client;

namespace {

constexpr int rounds_usual = 10; ///< with crash_test: twenty
constexpr int rounds_of_a_world = 10;
constexpr int clients = 6;

class crash_world : public killable_server {
public:
  explicit crash_world(std::uint64_t seed)
      : killable_server{crash::crash_launch()}, dice_{seed}, blocker_{dice_()} {
    for (int i = 0; i < clients; ++i)
      clients_.push_back(std::make_unique<client>(i, dice_()));
    put_show(as_operator, crash_holds::show,
             {{"plan", crash_holds::plan()},
              {"waitingRoom", wide_open_room()},
              {"holds", {{"ttl", "2h"}, {"maxLife", "4h"}, {"maxSeats", 8}}}});
  }

  /// All at full speed, then SIGKILL. The server is down afterwards.
  void run_into_a_crash(int round) {
    const int before = acknowledged();
    const auto port = server->port();
    std::vector<std::thread> threads;
    for (auto& each : clients_)
      threads.emplace_back([&each, port, round] { each->run(port, round); });
    threads.emplace_back([this, port, round] { blocker_.run(port, round); });
    BOOST_TEST(eventually([&] { return acknowledged() > before + 200; }));
    std::this_thread::sleep_for(std::chrono::microseconds{dice_() % 500'000});
    server->kill9();
    for (auto& each : threads)
      each.join();
    server.reset();
    for (const auto& each : clients_)
      for (const auto& complaint : each->complaints())
        BOOST_ERROR(complaint);
    for (const auto& complaint : blocker_.complaints())
      BOOST_ERROR(complaint);
  }

  crash_holds::comparison compare() {
    std::vector<crash_holds::fan*> fans;
    for (auto& each : clients_)
      for (auto& one : each->fans())
        fans.push_back(&one);
    return crash_holds::compare(fan, fans, blocker_.knows());
  }

  /// With a server that is not this one, and without learning from it.
  [[nodiscard]] crash_holds::comparison compare_with(std::uint16_t port) {
    std::deque<crash_holds::fan> copies;
    std::vector<crash_holds::fan*> fans;
    for (auto& each : clients_)
      for (auto& one : each->fans())
        fans.push_back(&copies.emplace_back(one));
    auto desk = blocker_.knows();
    api_client other{port};
    return crash_holds::compare(other, fans, desk);
  }

  [[nodiscard]] int acknowledged() const {
    int sum = blocker_.acknowledged();
    for (const auto& each : clients_)
      sum += each->acknowledged();
    return sum;
  }

private:
  std::mt19937_64 dice_;
  std::vector<std::unique_ptr<client>> clients_;
  crash_holds::blocker blocker_;
};

void report(const crash_holds::comparison& found, int round) {
  for (const auto& each : found.complaints)
    BOOST_ERROR("after crash " << round << ": " << each);
}

using crash_holds::act;
using crash_holds::as_before;
using crash_holds::as_tried;

crash_holds::holding held(crash_holds::seat_set seats, const char* until = "8 pm") {
  return {"HELD", std::move(seats), {}, until};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_hold_that_is_there_in_part_is_neither_as_before_nor_as_tried) {
  crash_holds::fan who{"fan", "ticket", 1};
  who.trying = {.what = act::place, .wanted = {"L1", "M1", "R1"}, .quantity = 3};
  BOOST_TEST(as_tried(who, held({"L1", "M1", "R1"}), {}));
  BOOST_TEST(!as_tried(who, held({"L1", "M1"}), {}));
  BOOST_TEST(!as_tried(who, held({"L1", "M1", "R2"}), {}));

  who.has = held({"L1", "M1"});
  who.trying = {.what = act::add, .wanted = {"L2", "R2"}, .quantity = 2};
  BOOST_TEST(as_before(who, held({"L1", "M1"}), {}));
  BOOST_TEST(as_tried(who, held({"L1", "M1", "L2", "R2"}), {}));
  for (const auto& half : {held({"L1", "M1", "L2"}), held({"M1", "L2", "R2"}), held({"L1"}),
                           held({"L1", "M1"}, "9 pm"), held({"L1", "M1", "L2", "R2"}, "9 pm")})
    BOOST_TEST(!(as_before(who, half, {}) || as_tried(who, half, {})));

  auto withdrawn = held({"L1"}); // the operator may take a seat, if it was the operator
  withdrawn.withdrawn = {"M1"};
  BOOST_TEST(as_before(who, withdrawn, {"M1"}));
  BOOST_TEST(!as_before(who, withdrawn, {"R1"}));

  who.trying = {.what = act::release_seat, .wanted = {"M1"}};
  BOOST_TEST(as_tried(who, held({"L1"}), {}));
  BOOST_TEST(!as_tried(who, held({"M1"}), {}));
  who.trying = {.what = act::extend};
  BOOST_TEST(as_tried(who, held({"L1", "M1"}, "9 pm"), {}));
  BOOST_TEST(!as_tried(who, held({"L1", "M1"}, "7 pm"), {}));
  BOOST_TEST(!as_tried(who, held({"L1"}, "9 pm"), {}));
}

namespace {

/// One server's data over so many crashes. Gives the calls that a crash left unanswered.
int crash_again_and_again(std::uint64_t seed, int rounds) {
  crash_world world{seed};
  int done_before = 0;
  int done_now = 0;
  for (int round = 1; round <= rounds; ++round) {
    const int before = world.acknowledged();
    world.run_into_a_crash(round);
    std::cerr << "USHER_SEED=" << seed << " round " << round << ": killed "
              << world.acknowledged() - before << " calls on\n";
    const auto verified = run_usher({{"audit", "verify", "--data", world.place.data().string()}});
    BOOST_TEST(verified.exit_code == 0, verified.out << verified.err);
    world.start();
    const auto found = world.compare();
    report(found, round);
    done_before += found.done_before;
    done_now += found.done_now;
  }
  std::cerr << world.acknowledged() << " calls acknowledged; of those that were not, "
            << done_before << " had happened and " << done_now << " had not\n";
  return done_before + done_now;
}

} // namespace

BOOST_AUTO_TEST_CASE(after_each_crash_every_hold_is_whole_or_absent) {
  auto seed = seed_of_run(20'261'141);
  int unanswered = 0;
  for (int left = crash::rounds_of_run(rounds_usual); left > 0; left -= rounds_of_a_world)
    unanswered += crash_again_and_again(seed++, std::min(left, rounds_of_a_world));
  BOOST_TEST(unanswered > 0); // else nothing was in the middle of anything
}

BOOST_AUTO_TEST_CASE(a_server_on_an_older_copy_of_the_data_is_caught_by_the_comparison) {
  crash_world world{seed_of_run(20'261'142)};
  world.run_into_a_crash(1);
  const auto old = world.place.path() / "old";
  std::filesystem::copy(world.place.data(), old, std::filesystem::copy_options::recursive);
  world.start();
  report(world.compare(), 1);
  world.run_into_a_crash(2);
  {
    const server_process forgetful{old};
    const auto complaints = world.compare_with(forgetful.port()).complaints;
    BOOST_TEST(complaints.size() > 10U);
    BOOST_TEST_MESSAGE("e.g. " << (complaints.empty() ? "" : complaints.front()));
  }
  world.start();
  report(world.compare(), 2);
}

// The journal actor by itself: what makes a batch, and the order commit, publish, tell.
// The log under it notes each append; `during` plays what arrives while a sync runs.
#include "actors/journal/actor.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace {

using namespace usher::testing;
namespace journal = usher::journal;
namespace storage = usher::storage;

storage::record record_named(const std::string& type) {
  return {1, "desk/hamlet", type, 1, {"", "usher"}, "x"};
}

struct journal_alone : stage {
  explicit journal_alone(std::uint64_t seed = seed_of_run()) : stage{seed} {
    const auto fail = [this](const storage::failure&) { notes.push_back("fail"); };
    log.during([this] {
      notes.push_back("sync");
      if (during_sync)
        std::exchange(during_sync, {})();
    });
    it = spawn(journal::journal_actor, &log, journal::on_failure{fail});
  }

  /// One record; notes when it becomes visible and when its `then` runs.
  [[nodiscard]] journal::append_ptr append_of(const std::string& name) {
    return journal::make_append(
        {{record_named(name), [this, name] { notes.push_back("publish " + name); }}},
        [this, name] { told(name); });
  }
  void append(const std::string& name) { caf::anon_send(it, append_of(name)); }
  void barrier(const std::string& name) {
    caf::anon_send(it, journal::make_barrier([this, name] { told(name); }));
  }
  void told(const std::string& name) {
    notes.push_back("tell " + name);
    durable_when_told.push_back(memory.head().position);
  }

  [[nodiscard]] std::vector<std::string> logged() const {
    std::vector<std::string> types;
    BOOST_REQUIRE(!memory.replay(1, [&](const storage::stored_record& r) {
      types.push_back(r.type);
      return true;
    }));
    return types;
  }

  storage::memory_log memory;
  sluice_log log{memory};
  journal::actor it;
  std::function<void()> during_sync;
  std::vector<std::string> notes;
  std::vector<storage::position_t> durable_when_told;
};

using names = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_SUITE(journal)

BOOST_AUTO_TEST_CASE(what_waits_becomes_one_batch_published_before_anybody_is_told) {
  journal_alone world;
  world.append("a");
  world.append("b");
  world.barrier("c");
  world.settle();
  BOOST_TEST(world.notes == (names{"sync", "publish a", "publish b", "tell a", "tell b", "tell c"}),
             boost::test_tools::per_element());
  BOOST_TEST(world.memory.head().batches == 1u);
}

BOOST_AUTO_TEST_CASE(what_arrives_during_a_sync_is_the_next_batch) {
  journal_alone world;
  world.during_sync = [&] {
    world.append("b");
    world.append("c");
    world.barrier("d");
  };
  world.append("a");
  world.settle();
  BOOST_TEST(world.notes == (names{"sync", "publish a", "tell a", "sync", "publish b", "publish c",
                                   "tell b", "tell c", "tell d"}),
             boost::test_tools::per_element());
  BOOST_TEST(world.memory.head().batches == 2u);
}

BOOST_AUTO_TEST_CASE(a_barrier_alone_writes_nothing_and_waits_for_what_came_before) {
  journal_alone world;
  world.barrier("a");
  world.settle();
  BOOST_TEST(world.notes == names{"tell a"}, boost::test_tools::per_element());
  BOOST_TEST(world.memory.head().position == 0u);
}

BOOST_AUTO_TEST_CASE(an_append_larger_than_a_batch_may_be_is_one_batch_and_the_rest_the_next) {
  journal_alone world;
  std::vector<usher::journal::entry> many;
  for (std::size_t i = 0; i < usher::journal::batch_records_max; ++i)
    many.push_back({record_named("many"), {}});
  caf::anon_send(world.it, usher::journal::make_append(std::move(many), {}));
  world.append("a");
  world.settle();
  BOOST_TEST(world.memory.head().batches == 2u);
  BOOST_TEST(world.memory.head().position == usher::journal::batch_records_max + 1);
}

BOOST_AUTO_TEST_CASE(nobody_is_told_after_the_nth_append_fails_for_every_n) {
  constexpr std::size_t appends = 8;
  for (const auto leaves :
       {storage::failed_append::nothing_written, storage::failed_append::written})
    for (std::uint64_t nth = 1; nth <= appends; ++nth) {
      journal_alone world;
      world.memory.fail_append(nth, leaves);
      for (std::size_t i = 1; i <= appends; ++i) {
        world.append(std::to_string(i));
        world.settle();
      }
      world.barrier("late");
      world.settle();
      names expected;
      for (std::uint64_t i = 1; i < nth; ++i)
        for (const auto* what : {"sync", "publish ", "tell "})
          expected.push_back(what == std::string{"sync"} ? what : what + std::to_string(i));
      expected.insert(expected.end(), {"sync", "fail"}); // once, and then the journal is gone
      BOOST_TEST(world.notes == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_failed_batch_tells_and_publishes_nothing_of_all_that_was_in_it) {
  journal_alone world;
  world.memory.fail_append(1);
  world.append("a");
  world.barrier("b");
  world.append("c");
  world.settle();
  BOOST_TEST(world.notes == (names{"sync", "fail"}), boost::test_tools::per_element());
}

// Senders take turns at random; each one's records stand in the log in its own order, and each
// `then` finds its record durable.
BOOST_AUTO_TEST_CASE(the_order_of_one_sender_is_kept_and_nobody_is_told_too_early) {
  for (std::uint64_t round = 0; round < 50; ++round) {
    journal_alone world{seed_of_run() + round};
    constexpr int senders = 4;
    constexpr int each = 20;
    for (char name = 'a'; name < 'a' + senders; ++name)
      caf::anon_send(world.spawn([&world, name](caf::event_based_actor* self) -> caf::behavior {
        return {[&world, name, self](int number) {
          self->send(world.it, world.append_of(name + std::to_string(number)));
          if (number + 1 < each)
            self->send(self, number + 1);
        }};
      }),
                     0);
    world.settle();

    const auto logged = world.logged();
    BOOST_REQUIRE(logged.size() == std::size_t{senders} * each);
    std::map<char, int> next;
    for (const auto& type : logged)
      BOOST_TEST(std::stoi(type.substr(1)) == next[type[0]]++);
    std::size_t told = 0;
    for (const auto& note : world.notes)
      if (note.starts_with("tell ")) {
        const auto at = std::find(logged.begin(), logged.end(), note.substr(5)) - logged.begin();
        BOOST_TEST(world.durable_when_told[told++] >= static_cast<std::uint64_t>(at + 1));
      }
    BOOST_TEST(world.memory.head().batches < logged.size()); // they did gather
  }
}

BOOST_AUTO_TEST_SUITE_END()

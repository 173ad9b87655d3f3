// A courier that is killed at any moment: before a delivery, after it and before the cursor is
// saved, in the middle of a round, while the sink refuses now and then. By seed (USHER_SEED), many
// runs: at the end of each everything came, in order but for repetitions.
//
// That it bites was shown by saving the cursor before the delivery (`courier::take_piece` sets it,
// and saves): then every run fails.

#include "tests/outbox/world.hpp"

#include <random>
#include <stdexcept>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::outbox;
using namespace usher::storage::outbox::test;

namespace {

struct killed : std::runtime_error {
  killed() : runtime_error{"killed"} {}
};

struct chaos {
  explicit chaos(std::uint64_t seed) : random{seed} {
    world.to.answer = [this](const delivery& what) { return answer(what); };
    world.to.settling = [this] {
      if (dice(12) == 0)
        throw killed{}; // delivered, and no cursor saved
      return std::optional<failure>{};
    };
  }

  std::size_t dice(std::size_t sides) { return random() % sides; }

  outcome answer(const delivery& what) {
    if (!calm && dice(25) == 0)
      throw killed{}; // it never got there
    if (!calm && dice(25) == 0) {
      for (const auto& each : what.events)
        world.to.took.came(what.show, each.position);
      throw killed{}; // it got there, and nobody knows
    }
    if (!calm && dice(6) == 0)
      return retry{"HTTP 503", world.now + 1'000};
    if (!calm && dice(20) == 0)
      return retry{"HTTP 500"};
    return delivered{};
  }

  void append() {
    std::vector<std::string> shows;
    for (auto left = 1 + dice(8); left > 0; --left)
      shows.push_back(dice(6) == 0 ? std::string{system_partition}
                                   : "show-" + std::to_string(dice(5)));
    happen(world.log, shows);
  }

  void live(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (dice(3) == 0)
        append();
      if (dice(4) == 0)
        world.now += static_cast<duration_ms>(dice(2'000));
      try {
        if (dice(40) == 0)
          static_cast<void>(world.its->resume());
        static_cast<void>(world.its->step());
      } catch (const killed&) {
        ++kills;
        come_back();
      }
    }
  }

  /// Starting saves the first cursors, and is killed at that, too.
  void come_back() {
    try {
      world.come_back();
    } catch (const killed&) {
      come_back();
    }
  }

  void calm_down() {
    calm = true;
    world.to.settling = [] { return std::optional<failure>{}; };
    world.come_back();
    for (int i = 0; i < 40; ++i)
      world.run_for(86'400'000);
  }

  courier_world world;
  std::mt19937_64 random;
  bool calm = false;
  int kills = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(whenever_it_is_killed_nothing_is_skipped) {
  auto seeds = seeded();
  int kills = 0;
  for (int run = 0; run < 25; ++run) {
    const auto seed = seeds();
    chaos all{seed};
    all.live(300);
    all.calm_down();
    kills += all.kills;
    const auto faults = all.world.faults();
    BOOST_TEST(faults == "", "run " << run << " with " << seed << ": " << faults);
    BOOST_TEST(all.world.its->view().cursors.least() == all.world.log.head().position);
    BOOST_TEST(all.world.its->view().cursors.own.empty());
  }
  BOOST_TEST(kills > 100);
}

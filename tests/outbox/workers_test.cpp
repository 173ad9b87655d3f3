// Several sinks on threads of their own over one log that is being written: a dead sink keeps
// nobody waiting but itself, operators' orders are carried out meanwhile, and stopping waits for
// nobody.

#include "storage/outbox/workers.hpp"

#include "tests/outbox/world.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::outbox;
using namespace usher::storage::outbox::test;
using namespace std::chrono_literals;

namespace {

time_ms wall_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// What came, from any thread; answers late, on a thread of its own, or never.
struct notes {
  std::mutex mutex;
  order_check took;

  [[nodiscard]] std::size_t distinct() {
    const std::lock_guard lock{mutex};
    return took.distinct();
  }
};

class asynchronous_sink final : public sink {
public:
  explicit asynchronous_sink(std::shared_ptr<notes> to) : to_{std::move(to)} {}
  [[nodiscard]] std::size_t events_max() const override { return 7; }
  [[nodiscard]] std::size_t at_once_max() const override { return 3; }
  void deliver(const delivery& what, on_outcome done) override {
    std::thread{[to = to_, what, done = std::move(done)] {
      {
        const std::lock_guard lock{to->mutex};
        for (const auto& each : what.events)
          to->took.came(what.show, each.position);
      }
      done(delivered{});
    }}.detach();
  }

private:
  std::shared_ptr<notes> to_;
};

class silent_sink final : public sink {
public:
  [[nodiscard]] std::size_t events_max() const override { return 100; }
  void deliver(const delivery& what, on_outcome done) override {
    const std::lock_guard lock{*mutex_};
    kept_->push_back({what.events.back().position, std::move(done)});
  }

  /// What hangs. Lives on when the sink does not.
  struct waiting {
    position_t last = 0;
    on_outcome done;
  };
  [[nodiscard]] std::function<std::vector<waiting>()> kept() const {
    return [mutex = mutex_, kept = kept_] {
      const std::lock_guard lock{*mutex};
      return *kept;
    };
  }

private:
  std::shared_ptr<std::mutex> mutex_ = std::make_shared<std::mutex>();
  std::shared_ptr<std::vector<waiting>> kept_ = std::make_shared<std::vector<waiting>>();
};

class refusing_sink final : public sink {
public:
  [[nodiscard]] std::size_t events_max() const override { return 100; }
  void deliver(const delivery&, on_outcome done) override { done(retry{"connect-refused"}); }
};

template <class Condition>
bool eventually(Condition holds) {
  for (const auto end = std::chrono::steady_clock::now() + 30s;
       std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(5ms))
    if (holds())
      return true;
  return false;
}

struct three_sinks {
  three_sinks() {
    workers::parts parts{.log = &log, .directory = place.data(), .now = wall_now, .sinks = {}};
    auto silent = std::make_unique<silent_sink>();
    hanging = silent->kept();
    parts.sinks.push_back({.name = "silent", .kind = "t", .to = std::move(silent)});
    parts.sinks.push_back(
        {.name = "refusing", .kind = "t", .to = std::make_unique<refusing_sink>()});
    parts.sinks.push_back(
        {.name = "good", .kind = "t", .to = std::make_unique<asynchronous_sink>(good)});
    its = std::make_unique<workers>(std::move(parts));
  }

  [[nodiscard]] sink_view view(const std::string& name) const {
    for (auto& each : its->look())
      if (each.name == name)
        return each;
    throw std::runtime_error{name};
  }

  /// "done", or why not.
  [[nodiscard]] std::string reset(const std::string& sink, std::optional<position_t> to) const {
    std::promise<std::string> told;
    if (!its->reset(sink, std::nullopt, to, [&](const std::optional<std::string>& refusal) {
          told.set_value(refusal.value_or("done"));
        }))
      return "no such sink";
    return told.get_future().get();
  }

  scratch place;
  memory_log log;
  std::function<std::vector<silent_sink::waiting>()> hanging; ///< what `silent` was given
  std::shared_ptr<notes> good = std::make_shared<notes>();
  std::unique_ptr<workers> its;
};

} // namespace

BOOST_AUTO_TEST_CASE(dead_sinks_delay_only_themselves) {
  three_sinks all;
  for (int i = 0; i < 300; ++i)
    happen(all.log, {"a", "b", "c", i % 2 == 0 ? "a" : "/system"});
  BOOST_TEST(eventually([&] { return all.good->distinct() == all.log.head().position; }));
  const auto faults = all.good->took.faults(positions_in(all.log));
  BOOST_TEST(faults.empty(), (faults.empty() ? "" : faults.front()));
  BOOST_TEST(eventually([&] { return all.view("good").lag_events == 0; }));
  BOOST_TEST(eventually([&] { return all.view("refusing").now.state == sink_state::retrying; }));
  BOOST_TEST(all.view("refusing").now.last_error == "connect-refused");
  BOOST_TEST(all.view("refusing").lag_events == 1200U);
  BOOST_TEST(all.view("silent").lag_events == 1200U);
  all.its->stop(); // also the one that waits for an answer that never comes
}

BOOST_AUTO_TEST_CASE(orders_are_carried_out_and_their_outcome_is_told) {
  three_sinks all;
  happen(all.log, {"a", "b"});
  BOOST_TEST(eventually([&] { return all.view("good").lag_events == 0; }));
  BOOST_TEST(all.reset("none", 0) == "no such sink");
  BOOST_TEST(says(all.reset("good", 99), "expected at most 2"));
  BOOST_TEST(all.reset("good", 0) == "done");
  BOOST_TEST(eventually([&] {
    const std::lock_guard lock{all.good->mutex};
    return all.good->took.count() == 4;
  }));
  BOOST_TEST(all.reset("refusing", std::nullopt) == "done");
  BOOST_TEST(all.view("refusing").lag_events == 0U);
}

// Were the caller kept waiting until the other side gives up, this would never end: nobody does.
BOOST_AUTO_TEST_CASE(an_order_does_not_wait_for_a_delivery_that_hangs) {
  three_sinks all;
  happen(all.log, {"a", "a"});
  BOOST_TEST(eventually([&] { return all.hanging().size() == 1; }));
  happen(all.log, {"a"});
  BOOST_TEST(all.reset("silent", 0) == "done");
  BOOST_TEST(all.reset("silent", std::nullopt) == "done");
  BOOST_TEST(all.view("silent").now.cursors.position == 3U);
  BOOST_TEST(all.reset("silent", 1) == "done");
  // The next goes out when the one before is no longer on its way, so that they stay in order.
  BOOST_TEST(all.hanging().size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_becomes_of_a_delivery_that_an_order_passed_by_does_not_count) {
  for (const outcome& late : {outcome{delivered{}}, outcome{gone{"gone"}}, outcome{retry{"no"}}}) {
    three_sinks all;
    happen(all.log, {"a", "a"});
    BOOST_TEST(eventually([&] { return all.hanging().size() == 1; }));
    BOOST_TEST(all.hanging()[0].last == 2U);
    BOOST_TEST(all.reset("silent", 0) == "done");
    all.hanging()[0].done(late);
    BOOST_TEST(eventually([&] { return all.hanging().size() == 2; })); // it is sent again
    BOOST_TEST(all.hanging()[1].last == 2U);
    const auto view = all.view("silent");
    BOOST_TEST(view.now.cursors.position == 0U);
    BOOST_TEST(view.now.delivered == 0U);
    BOOST_TEST(view.now.failures == 0U);
    BOOST_TEST((view.now.state == sink_state::running));
    all.hanging()[1].done(delivered{});
    BOOST_TEST(eventually([&] { return all.view("silent").lag_events == 0; }));
    BOOST_TEST(all.view("silent").now.delivered == 2U);
  }
}

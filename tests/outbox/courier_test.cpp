// A courier with a clock that is moved by hand and a sink that does as it is told: order and
// completeness, what waits and what goes on when deliveries fail, what an operator can do, and logs
// that are not the one before.

#include "tests/outbox/world.hpp"

#include <algorithm>
#include <set>

using namespace usher;
using namespace usher::storage;
using namespace usher::storage::outbox;
using namespace usher::storage::outbox::test;

namespace {

const auto refuse = [](const delivery&) -> outcome { return retry{"HTTP 500"}; };
const auto take = [](const delivery&) -> outcome { return delivered{}; };

/// Refuses one show.
auto refuse_only(const std::string& show) {
  return [show](const delivery& what) -> outcome {
    return what.show == show ? outcome{retry{"HTTP 422"}} : outcome{delivered{}};
  };
}

void many_events(event_log& log, int batches = 30) {
  for (int i = 0; i < batches; ++i)
    happen(log, {"a", "b", i % 3 == 0 ? "c" : "a", "/system", "b"});
}

} // namespace

BOOST_AUTO_TEST_CASE(everything_comes_once_and_in_order) {
  courier_world world;
  many_events(world.log);
  world.run();
  many_events(world.log);
  world.run_for(poll_ms);
  BOOST_TEST(world.faults() == "");
  BOOST_TEST(world.to.took.count() == world.log.head().position);
  const auto view = world.its->view();
  BOOST_TEST((view.state == sink_state::running));
  BOOST_TEST(view.cursors.least() == world.log.head().position);
  BOOST_TEST(view.delivered == world.log.head().position);
  BOOST_TEST(view.oldest_at == 0);
}

BOOST_AUTO_TEST_CASE(a_restart_goes_on_where_it_was) {
  courier_world world;
  many_events(world.log);
  world.run();
  world.come_back();
  many_events(world.log, 3);
  world.run();
  BOOST_TEST(world.faults() == "");
  BOOST_TEST(world.to.took.count() == world.log.head().position, "nothing twice");
}

BOOST_AUTO_TEST_CASE(a_show_that_is_refused_waits_by_itself) {
  courier_world world;
  world.to.answer = refuse_only("a");
  many_events(world.log);
  world.run();
  BOOST_TEST(!world.to.took.all().contains("a"));
  BOOST_TEST(world.to.took.all().at("b").size() == positions_in(world.log).at("b").size());
  const auto view = world.its->view();
  BOOST_TEST((view.state == sink_state::retrying));
  BOOST_TEST(view.last_error == "HTTP 422");
  BOOST_TEST(view.next_try_at == world.now + 5'000);
  BOOST_TEST(view.oldest_at == 1'000);
  BOOST_TEST(view.cursors.of("a") == 0U);
  BOOST_TEST(view.cursors.of("b") == world.log.head().position);
  many_events(world.log);
  world.run_for(poll_ms);
  BOOST_TEST(world.to.took.all().at("b").size() == positions_in(world.log).at("b").size());
  // Later, and over a restart, it gets all of it.
  world.come_back();
  world.to.answer = take;
  world.run();
  BOOST_TEST(world.faults() == "");
  BOOST_TEST(world.to.took.count() == world.log.head().position, "nothing twice");
  BOOST_TEST(world.its->view().cursors.own.empty());
}

BOOST_AUTO_TEST_CASE(a_sink_that_is_dead_is_asked_by_the_schedule_and_not_more) {
  courier_world world;
  world.to.answer = refuse;
  many_events(world.log);
  world.run();
  BOOST_TEST(world.to.asked == 4U, "one round of deliveries");
  for (const auto wait : {5'000, 300'000, 1'800'000}) {
    const auto asked = world.to.asked;
    world.run_for(wait - 1);
    BOOST_TEST(world.to.asked == asked, "before its time, after " << wait);
    world.run_for(1);
    BOOST_TEST(world.to.asked == asked + 1, "one try, after " << wait);
  }
  BOOST_TEST((world.its->view().state == sink_state::retrying));
  world.to.answer = take;
  world.run_for(7'200'000);
  BOOST_TEST(world.faults() == "");
  BOOST_TEST(world.to.took.count() == world.log.head().position);
  BOOST_TEST((world.its->view().state == sink_state::running));
}

BOOST_AUTO_TEST_CASE(the_other_side_may_say_when_within_bounds) {
  struct attempt {
    time_ms asks_for;
    duration_ms waits;
  };
  const attempt attempts[]{
      {1'000'000 + 90'000, 90'000}, {0, 1'000}, {1'000'000 + 1'000'000'000'000, 86'400'000}};
  for (const auto& each : attempts) {
    courier_world world;
    world.to.answer = [&](const delivery&) -> outcome { return retry{"HTTP 503", each.asks_for}; };
    happen(world.log, {"a"});
    world.run();
    BOOST_TEST(world.its->view().next_try_at == world.now + each.waits, each.asks_for);
  }
}

BOOST_AUTO_TEST_CASE(gone_stops_the_sink_until_an_operator_resumes_it) {
  courier_world world;
  world.to.answer = [](const delivery&) -> outcome { return gone{"HTTP 410: gone"}; };
  many_events(world.log);
  world.run();
  const auto asked = world.to.asked;
  world.to.answer = take;
  world.run_for(1'000'000'000);
  world.come_back();
  world.run_for(1'000'000'000);
  BOOST_TEST(world.to.asked == asked, "nothing more is sent, also after a restart");
  BOOST_TEST((world.its->view().state == sink_state::stopped));
  BOOST_TEST(world.its->view().last_error == "HTTP 410: gone");
  BOOST_TEST(!world.its->resume().has_value());
  world.run();
  BOOST_TEST(world.faults() == "");
  BOOST_TEST((world.its->view().state == sink_state::running));
}

BOOST_AUTO_TEST_CASE(resuming_tries_at_once_what_waits) {
  courier_world world;
  world.to.answer = refuse;
  many_events(world.log);
  world.run();
  world.run_for(5'000);
  world.to.answer = take;
  BOOST_TEST(!world.its->resume().has_value());
  world.run();
  BOOST_TEST(world.faults() == "");
}

BOOST_AUTO_TEST_CASE(only_the_types_that_are_wanted_come_and_the_cursor_goes_on) {
  courier_world world;
  world.wanted.types = {"room_paused"};
  world.come_back();
  must_append(world.log, {happening("a"), happening("a", "room_paused"), happening("b")});
  world.run();
  BOOST_TEST((world.to.took.all() == positions_by_show{{"a", {2}}}));
  BOOST_TEST(world.its->view().cursors.least() == 3U);
}

BOOST_AUTO_TEST_CASE(a_new_sink_may_begin_at_the_end_and_stays_there_over_a_crash) {
  courier_world world;
  many_events(world.log);
  const auto begin = world.log.head().position;
  std::filesystem::remove_all(world.place.data());
  world.from_now = true;
  world.come_back();
  happen(world.log, {"a"});
  world.come_back();
  world.run();
  BOOST_TEST((world.to.took.all() == positions_by_show{{"a", {begin + 1}}}));
}

BOOST_AUTO_TEST_CASE(a_cursor_is_set_back_and_all_behind_it_comes_again) {
  struct attempt {
    std::optional<std::string> show;
    position_t to;
  };
  for (const auto& each :
       {attempt{{}, 0}, attempt{{}, 7}, attempt{"a", 0}, attempt{"a", 9}, attempt{"/system", 3}}) {
    courier_world world;
    many_events(world.log);
    world.run();
    world.to.took = {};
    BOOST_TEST(!world.its->reset(each.show, each.to).has_value());
    world.come_back();
    world.run();
    positions_by_show wanted;
    for (const auto& [show, all] : positions_in(world.log))
      for (const auto position : all)
        if ((!each.show || *each.show == show) && position > each.to)
          wanted[show].push_back(position);
    BOOST_TEST((world.to.took.all() == wanted), each.show.value_or("all") << " to " << each.to);
    BOOST_TEST(world.its->view().cursors.own.empty());
  }
}

BOOST_AUTO_TEST_CASE(setting_all_back_leaves_a_show_that_is_further_behind) {
  courier_world world;
  world.to.answer = refuse_only("a");
  many_events(world.log);
  world.run();
  BOOST_TEST(!world.its->reset({}, 10).has_value());
  BOOST_TEST(world.its->view().cursors.of("a") == 0U);
  world.to.answer = take;
  world.run();
  BOOST_TEST(world.faults() == "");
}

BOOST_AUTO_TEST_CASE(only_now_skips) {
  courier_world world;
  world.to.answer = refuse_only("a");
  many_events(world.log);
  world.run();
  const auto end = world.log.head().position;
  BOOST_TEST(says(world.its->reset({}, end + 1).value_or(""), "expected at most"));
  BOOST_TEST(says(world.its->reset("a", 5).value_or(""), "expected at most 0"));
  BOOST_TEST(!world.its->reset("a", std::nullopt).has_value());
  world.to.answer = take;
  happen(world.log, {"a", "b"});
  world.run_for(poll_ms);
  BOOST_TEST((world.to.took.all().at("a") == std::vector<position_t>{end + 1}));
  BOOST_TEST(world.to.took.all().at("b") == positions_in(world.log).at("b"),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(now_skips_also_what_was_not_looked_at_yet) {
  courier_world world;
  many_events(world.log);
  const auto end = world.log.head().position;
  BOOST_TEST(!world.its->reset("a", std::nullopt).has_value());
  world.come_back();
  happen(world.log, {"a"});
  world.run();
  BOOST_TEST((world.to.took.all().at("a") == std::vector<position_t>{end + 1}));
  BOOST_TEST(world.to.took.all().at("c") == positions_in(world.log).at("c"),
             boost::test_tools::per_element());
  BOOST_TEST(world.its->view().cursors.own.empty());
}

BOOST_AUTO_TEST_CASE(a_log_that_ends_before_the_cursor_is_refused_and_not_waited_for) {
  courier_world world;
  many_events(world.log, 5);
  world.run();
  world.log.sync(false);
  happen(world.log, {"a", "b"});
  world.run_for(poll_ms);
  world.log.sync(true);
  const auto had = world.to.took.count();
  world.log.crash(); // what was not synced is gone
  world.come_back();
  world.run();
  const auto view = world.its->view();
  BOOST_TEST((view.state == sink_state::stopped));
  BOOST_TEST(says(view.last_error, "the log ends at position 25"), view.last_error);
  BOOST_TEST(says(world.its->resume().value_or(""), "the log ends"));
  // It grows past the cursor with other events: that is no reason to go on.
  many_events(world.log, 5);
  world.come_back();
  world.run();
  BOOST_TEST(says(world.its->view().last_error, "another one than before"));
  BOOST_TEST(world.to.took.count() == had);
  // An operator says from where.
  BOOST_TEST(says(world.its->reset("a", 1).value_or(""), "Reset all"));
  BOOST_TEST(!world.its->reset({}, 25).has_value());
  world.run();
  BOOST_TEST((world.its->view().state == sink_state::running));
  BOOST_TEST(world.to.took.count() == had + 25);
}

BOOST_AUTO_TEST_CASE(a_damaged_cursor_file_stops_the_sink_until_it_is_reset) {
  courier_world world;
  many_events(world.log, 2);
  world.run();
  std::filesystem::resize_file(world.place.data() / "s.cursors", 20);
  world.come_back();
  world.run();
  BOOST_TEST((world.its->view().state == sink_state::stopped));
  BOOST_TEST(says(world.its->view().last_error, "damaged"));
  BOOST_TEST(!world.its->reset({}, 10).has_value());
  many_events(world.log, 2);
  world.run();
  BOOST_TEST(world.faults() == "");
}

BOOST_AUTO_TEST_CASE(what_did_not_become_durable_over_there_is_given_again) {
  courier_world world;
  many_events(world.log, 2);
  world.run();
  bool fails = true;
  world.to.settling = [&]() -> std::optional<failure> {
    return fails ? std::optional{failure{"cannot sync"}} : std::nullopt;
  };
  many_events(world.log, 2);
  world.run_for(poll_ms);
  const auto had = world.to.took.count();
  BOOST_TEST(world.its->view().last_error == "cannot sync");
  BOOST_TEST(world.its->view().cursors.least() == 10U, "the last that is certain");
  fails = false;
  world.run_for(own_trouble_wait_ms);
  BOOST_TEST(world.to.took.count() > had);
  BOOST_TEST(world.faults() == "");
  BOOST_TEST(world.its->view().cursors.least() == 20U);
}

BOOST_AUTO_TEST_CASE(the_check_of_order_and_completeness_bites) {
  const positions_by_show log{{"a", {1, 2, 4}}};
  const auto faults = [&](const std::vector<position_t>& came) {
    order_check check;
    for (const auto each : came)
      check.came("a", each);
    return check.faults(log).size();
  };
  BOOST_TEST(faults({1, 2, 4}) == 0U);
  BOOST_TEST(faults({1, 2, 1, 2, 4}) == 0U, "repeated");
  BOOST_TEST(faults({1, 1, 2, 2, 4, 4}) == 0U);
  BOOST_TEST(faults({1, 4}) == 1U, "skipped");
  BOOST_TEST(faults({2, 4}) == 1U, "without the first");
  BOOST_TEST(faults({1, 2}) == 1U, "without the last");
  BOOST_TEST(faults({1, 2, 4, 1, 4}) == 1U, "skipped in a repetition");
  BOOST_TEST(faults({1, 2, 3, 4}) > 0U, "made up");
  BOOST_TEST(faults({}) == 1U);
}

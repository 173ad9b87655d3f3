// The circuit breaker: every state with every input, then what has to hold over several of them.
// Seen to fail, among others: with `>` for `>=` in call_window::opens and in the time that it is
// open, without the full window, with leases that never end, with late reports that count, and with
// permits that a cancelled call keeps.
#include "tests/rules/payments_breaker_support.hpp"

#include "actors/payments/provider.hpp"
#include "tests/rules/stops.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <vector>

using namespace usher;
using namespace usher::payments;
using namespace usher::payments::test;

namespace {

/// A state, a call under way in it, and one that began before the state did.
struct situation {
  breaker_world world;
  permit live;
  permit earlier;
};

situation closed_after(std::string_view outcomes) {
  situation made;
  made.world.calls("xxxxxxxxxx");
  made.world.now += set.open_ms;
  made.earlier = made.world.begin();
  made.world.calls("..");
  made.world.report(made.earlier, false); // closed again, with an empty window
  made.world.calls(outcomes);
  made.live = made.world.begin();
  return made;
}

situation opened() {
  situation made;
  made.live = made.earlier = made.world.begin();
  made.world.calls("xxxxxxxxxx");
  return made;
}
situation opened_until_a_moment_ago(duration_ms since) {
  auto made = opened();
  made.world.now += set.open_ms + since;
  return made;
}

/// So many good trials, and then so many that run.
situation half_open(int good, int running) {
  auto made = opened_until_a_moment_ago(0);
  for (int i = 0; i < good; ++i)
    made.world.report(made.world.begin(), false);
  for (int i = 0; i < running; ++i)
    made.live = made.world.begin();
  return made;
}

situation after_lease(situation made) {
  made.world.now = made.live.until;
  return made;
}

using input = std::function<std::string(situation&)>;
const std::vector<std::pair<std::string, input>> inputs{
    {"ask", [](auto& s) { return s.world.ask(); }},
    {"good", [](auto& s) { return s.world.report(s.live, false); }},
    {"bad", [](auto& s) { return s.world.report(s.live, true); }},
    {"good of earlier", [](auto& s) { return s.world.report(s.earlier, false); }},
    {"bad of earlier", [](auto& s) { return s.world.report(s.earlier, true); }},
    {"give back", [](auto& s) { return s.world.give_back(s.live); }},
    {"give back of earlier", [](auto& s) { return s.world.give_back(s.earlier); }},
    {"expire", [](auto& s) { return s.world.expire(s.live); }},
    {"expire of earlier", [](auto& s) { return s.world.expire(s.earlier); }},
};

struct row {
  std::string name;
  situation begins;
  std::vector<std::string> expected; ///< one for each input
};

} // namespace

BOOST_AUTO_TEST_CASE(every_state_answers_every_input) {
  const std::string changes = "open->half_open 0/0, granted";
  // Columns: ask, good, bad, good of earlier, bad of earlier, give back, of earlier, expire, of
  // earlier. In time nothing expires.
  const std::vector<row> table{
      {"closed, empty", closed_after(""), {"granted", "good", "bad", "", "", "", "", "", ""}},
      {"closed, nine calls, four failed",
       closed_after("xxxx....."),
       {"granted", "good", "bad, closed->open 5/10", "", "", "", "", "", ""}},
      {"closed, nine calls, five failed",
       closed_after("xxxxx...."),
       {"granted", "good, closed->open 5/10", "bad, closed->open 6/10", "", "", "", "", "", ""}},
      {"closed, eight calls, all failed",
       closed_after("xxxxxxxx"),
       {"granted", "good", "bad", "", "", "", "", "", ""}},
      {"closed, full, four failed, the oldest good",
       closed_after(".xxxx....."),
       {"granted", "good", "bad, closed->open 5/10", "", "", "", "", "", ""}},
      {"closed, full, four failed, the oldest bad",
       closed_after("xxxx......"),
       {"granted", "good", "bad", "", "", "", "", "", ""}},
      {"closed, the lease is over",
       after_lease(closed_after("")),
       {"granted", "", "", "", "", "", "", "bad", ""}},
      {"closed, four failed, the lease is over",
       after_lease(closed_after("xxxx.....")),
       {"granted", "", "", "", "", "", "", "bad, closed->open 5/10", ""}},
      {"open", opened(), {"refused", "", "", "", "", "", "", "", ""}},
      {"open, the last moment",
       opened_until_a_moment_ago(-1),
       {"refused", "", "", "", "", "", "", "", ""}},
      {"open, over", opened_until_a_moment_ago(0), {changes, "", "", "", "", "", "", "", ""}},
      {"open, long over",
       opened_until_a_moment_ago(86'400'000),
       {changes, "", "", "", "", "", "", "", ""}},
      {"half open, one runs",
       half_open(0, 1),
       {"granted", "passed", "half_open->open 1/1", "", "", "ended", "", "", ""}},
      {"half open, three run",
       half_open(0, 3),
       {"refused", "passed", "half_open->open 1/1", "", "", "ended", "", "", ""}},
      {"half open, one good, one runs",
       half_open(1, 1),
       {"granted", "passed", "half_open->open 1/2", "", "", "ended", "", "", ""}},
      {"half open, two good, one runs",
       half_open(2, 1),
       {"refused", "passed, half_open->closed 0/3", "half_open->open 1/3", "", "", "ended", "", "",
        ""}},
      {"half open, three run, the leases are over",
       after_lease(half_open(0, 3)),
       {"granted", "", "", "", "", "ended", "", "ended", ""}},
      {"half open, two good, the lease is over",
       after_lease(half_open(2, 1)),
       {"granted", "", "", "", "", "ended", "", "ended", ""}},
  };
  for (const auto& [name, begins, expected] : table)
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      auto fresh = begins;
      BOOST_TEST(inputs[i].second(fresh) == expected.at(i), name << ": " << inputs[i].first);
    }
}

BOOST_AUTO_TEST_CASE(it_opens_at_half_of_a_full_window_and_says_why_and_until_when) {
  breaker_world world;
  world.calls("x.x.x.x.x");
  BOOST_CHECK(world.it.recorded.is == breaker_status::closed);
  const auto last = world.begin();
  const auto made = decide(world.it, command::report{last, true, std::string(300, 'e'), world.now},
                           {gateway, set});
  const event::breaker_changed expected{
      gateway, breaker_status::closed, breaker_status::open, world.now + 20'000, 10,
      6,       std::string(200, 'e')};
  BOOST_CHECK(std::get<event::breaker_changed>(made.steps.back()) == expected);
}

BOOST_AUTO_TEST_CASE(a_permit_that_comes_back_is_given_again_and_what_comes_late_is_ignored) {
  auto cancelled = half_open(0, 3).world;
  cancelled.give_back(cancelled.last);
  BOOST_TEST(cancelled.ask() == "granted");
  BOOST_TEST(cancelled.ask() == "refused");

  auto silent = after_lease(half_open(0, 3));
  const auto late = silent.live;
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(silent.world.ask() == "granted"); // nobody had to sweep
  BOOST_TEST(silent.world.ask() == "refused");
  BOOST_TEST(silent.world.report(late, true) == "");
  BOOST_TEST(silent.world.expire(late) == "");
  BOOST_TEST(silent.world.it.trials.size() == 3U);
  BOOST_TEST(silent.world.ask() == "refused");
}

BOOST_AUTO_TEST_CASE(trials_of_an_earlier_period_count_for_nothing) {
  breaker_world world;
  world.calls("xxxxxxxxxx");
  world.now += set.open_ms;
  const auto first = world.begin();
  const auto second = world.begin();
  const auto third = world.begin();
  BOOST_TEST(world.report(first, true) == "half_open->open 1/1");
  BOOST_TEST(world.report(second, true) == ""); // does not open it for longer
  world.now += set.open_ms;
  BOOST_TEST(world.ask() == "open->half_open 0/0, granted");
  BOOST_TEST(world.report(third, false) == "");
  BOOST_TEST(world.report(third, true) == "");
  BOOST_TEST(trials_left(world.it.trials, world.it.good_trials, world.now) == 2U);
}

BOOST_AUTO_TEST_CASE(closing_begins_with_an_empty_window_without_the_calls_of_before) {
  breaker_world world;
  std::vector<permit> old;
  for (int i = 0; i < 12; ++i)
    old.push_back(world.begin());
  world.calls("xxxxxxxxxx");
  world.now += set.open_ms;
  world.calls("...");
  BOOST_CHECK(world.it.recorded.is == breaker_status::closed);
  for (const auto& which : old)
    BOOST_TEST(world.report(which, true) == "");
  BOOST_TEST(world.it.window.calls() == 0U);
  world.calls("xxxxxxxxx");
  BOOST_CHECK(world.it.recorded.is == breaker_status::closed);
  world.calls("x");
  BOOST_CHECK(world.it.recorded.is == breaker_status::open);
}

BOOST_AUTO_TEST_CASE(a_restart_goes_on_from_what_the_log_tells) {
  auto before = half_open(2, 1).world;
  breaker_world again{breaker{before.it.recorded}, before.now, {}};
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(again.ask() == "granted"); // fresh permits
  BOOST_TEST(again.ask() == "refused");

  auto open = opened_until_a_moment_ago(-1).world;
  breaker_world still{breaker{open.it.recorded}, open.now, {}};
  BOOST_TEST(still.ask() == "refused");
  ++still.now;
  BOOST_TEST(still.ask() == "open->half_open 0/0, granted");

  auto closed = closed_after("xxxxxxxxx").world;
  breaker_world empty{breaker{closed.it.recorded}, closed.now, {}};
  empty.calls("x");
  BOOST_TEST(empty.it.window.calls() == 1U);
}

BOOST_AUTO_TEST_CASE(the_state_is_the_fold_of_the_events_and_takes_none_that_does_not_follow) {
  const std::vector all{breaker_status::closed, breaker_status::open, breaker_status::half_open};
  const auto follows = [](breaker_status from, breaker_status to) {
    return from == breaker_status::half_open ? to != from
                                             : static_cast<int>(to) == static_cast<int>(from) + 1;
  };
  for (const auto is : all)
    for (const auto from : all)
      for (const auto to : all) {
        breaker_state state;
        state.is = is;
        const event::breaker_changed e{gateway, from, to, to == breaker_status::open ? 77 : 0};
        if (from != is || !follows(from, to)) {
          BOOST_TEST(usher::test::stops([&] { apply(state, any_event{e}, 5); }));
          continue;
        }
        apply(state, any_event{e}, 5);
        BOOST_CHECK(state.is == to);
        BOOST_TEST(state.until == e.until);
        BOOST_TEST(state.changed_at == 5);
      }
}

namespace {

struct answer_case {
  result answer;
  duration_ms took;
  std::string failure; ///< what is said of it; empty: it is none
};

} // namespace

BOOST_AUTO_TEST_CASE(what_is_a_failure_and_what_is_said_of_it) {
  const duration_ms slow = set.slow_call_ms;
  const std::vector<answer_case> table{
      {{outcome::approved, "pi_1"}, slow, ""},
      {{outcome::approved, "pi_1"}, slow + 1, "slow: approved after 8001 ms"},
      {{outcome::declined, "", "no funds"}, 10, ""},
      {{outcome::declined, "", "no funds"}, slow + 1, "slow: declined after 8001 ms"},
      {{outcome::not_sent, "", "refused"}, 1, "not_sent: refused"},
      {{outcome::failed, "", "500"}, 1, "failed: 500"},
      {{outcome::failed}, 1, "failed"},
      {{outcome::unknown, "", "timeout"}, slow, "unknown: timeout"},
      {{outcome::unknown, "", "timeout"}, slow + 1, "unknown: timeout"},
      {{outcome::unknown, "", "3-D Secure", "https://bank.example"}, 1, ""},
      {{outcome::unknown, "", "3-D Secure", "https://bank.example"},
       slow + 1,
       "slow: unknown after 8001 ms"},
      {{outcome::unknown, "", "pending: in_process"}, 1, ""},
      {{outcome::unknown, "", "not pending"}, 1, "unknown: not pending"},
      {{outcome::failed, "", "pending"}, 1, "failed: pending"},
  };
  for (const auto& [answer, took, failure] : table) {
    BOOST_TEST(is_failure(answer, took, set) == !failure.empty(), answer.reason << took);
    if (!failure.empty())
      BOOST_TEST(failure_text(answer, took, set) == failure);
  }
}

BOOST_AUTO_TEST_CASE(the_reason_is_cut_between_characters) {
  const std::string euros = "\xe2\x82\xac"; // three bytes
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += euros;
  const auto text = failure_text({outcome::failed, "", many}, 1, set); // "failed: " is eight
  BOOST_TEST(text == "failed: " + many.substr(0, 192));
  BOOST_TEST(failure_text({outcome::failed, "", "x" + many}, 1, set).size() == 198U);
}

BOOST_AUTO_TEST_CASE(mercado_pago_is_open_for_less_time) {
  BOOST_TEST(default_open_ms("MERCADO_PAGO") == 15'000);
  BOOST_TEST(default_open_ms("STRIPE") == 20'000);
}

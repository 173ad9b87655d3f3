// The story of every seat under real concurrency: threads of the machine, CAF's own scheduler, the
// journal on its thread. Each caller writes down when it asked, when it was answered and what it
// was told; then some order of all calls, each between its two moments, has to explain it. What the
// threads do is decided by USHER_SEED, who comes first is the machine's. A desk whose refusals do
// not wait for the log is found out here.
#include "tests/actors/crowd_of_threads.hpp"
#include "tests/actors/race_checks.hpp"
#include "tests/actors/random_source.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

namespace {

using namespace usher::testing;

using history = std::vector<seat_call>;

/// When the last that got the seat asked for it.
moment last_hold(const history& calls) {
  moment last{};
  for (const auto& one : calls)
    if (one.what == told::holds)
      last = std::max(last, one.asked);
  return last;
}

/// The first call of a kind that was answered before the last hold was asked for.
history::const_iterator first_before_last_hold(const history& calls, told what) {
  return std::ranges::find_if(calls, [&, last = last_hold(calls)](const seat_call& one) {
    return one.what == what && one.answered < last;
  });
}

using forgery = std::optional<history>; ///< none: the history has nothing to forge

/// Nobody gave the seat back before the next had it: held by two at once.
forgery without_a_release(history calls) {
  const auto out = first_before_last_hold(calls, told::gives_back);
  if (out == calls.end())
    return std::nullopt;
  calls.erase(out);
  return calls;
}

/// Another got the seat while somebody had it, and never gave it back.
forgery with_a_second_holder(history calls) {
  const auto one = first_before_last_hold(calls, told::keeps);
  if (one == calls.end())
    return std::nullopt;
  calls.push_back({told::holds, 4'000'000'000, one->asked, one->answered});
  return calls;
}

/// The money of one is taken while another holds the seat.
forgery with_a_sale_under_a_hold(history calls) {
  const auto one = first_before_last_hold(calls, told::keeps);
  if (one == calls.end())
    return std::nullopt;
  calls.push_back({told::buys, 4'000'000'000, one->asked, one->answered});
  return calls;
}

/// Somebody was told that a seat is still held after it was given back for all to see.
forgery with_a_stale_look(history calls) {
  const auto out = first_before_last_hold(calls, told::gives_back);
  if (out == calls.end())
    return std::nullopt;
  const auto just_after = out->answered + std::chrono::nanoseconds{1};
  calls.push_back({told::sees_held, out->hold, just_after, just_after});
  return calls;
}

} // namespace

BOOST_AUTO_TEST_SUITE(linearizability)

BOOST_AUTO_TEST_CASE(threads_on_the_same_seats_are_told_what_some_order_of_their_calls_explains) {
  std::map<told, std::size_t> seen;
  std::size_t forged = 0;
  for (std::uint64_t round = 0; round < 4; ++round) {
    busy_node node;
    crowd_of_threads crowd{node, seed_of_run() + 100 * round};
    crowd.run(6, 500);
    node.stop();
    check_log(node.log(), {.max_seats = 4, .max_life_ms = 7'200'000});
    for (std::size_t seat = 0; seat < busy_node::seats.size(); ++seat) {
      const auto& calls = crowd.histories()[seat];
      const auto wrong = impossible_in(calls);
      BOOST_TEST(!wrong, "seat " << busy_node::seats[seat] << " of " << calls.size()
                                 << " calls: " << wrong.value_or(seat_call{}));
      for (const auto& one : calls)
        ++seen[one.what];
      // The same history, forged, is found out.
      for (const auto& other : {without_a_release(calls), with_a_second_holder(calls),
                                with_a_sale_under_a_hold(calls), with_a_stale_look(calls)})
        if (other) {
          BOOST_TEST(impossible_in(*other).has_value());
          ++forged;
        }
    }
  }
  for (const auto what : {told::holds, told::keeps, told::gives_back, told::orders,
                          told::is_ordered, told::cancels, told::buys, told::returns,
                          told::is_not_live, told::sees_free, told::sees_held, told::sees_sold})
    BOOST_TEST(seen[what] > 20u, "too few of kind " << static_cast<int>(what));
  BOOST_TEST(forged > 40u);
}

BOOST_AUTO_TEST_SUITE_END()

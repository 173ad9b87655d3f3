// How long the desk waits before it asks a gateway again about an outcome that is not known. Seen
// to fail: with refused calls that count like asked ones (a minute between two looks at a breaker
// that is closed again after 20 s), and without their own growth (a thousand attempts, each every
// second, at a gateway that is out).
#include "actors/orders/gateway_calls.hpp"
#include "actors/payments/calls.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>
#include <vector>

namespace {

using namespace usher;
using payments::outcome;

constexpr std::string_view never_answered = "timed out";

struct waiting {
  orders::state desk;
  std::vector<duration_ms> waits;
  orders::gateway_calls calls{
      desk, nullptr,
      0,    0,
      {},   [this](duration_ms after, const orders::ask_again&) {
        waits.push_back(after); }};
  const payment_id attempt{1, 2};

  void ends(outcome what, std::string_view why) {
    const orders::charged got{{}, attempt, false, {.what = what, .reason = std::string{why}}};
    BOOST_TEST((calls.learn(got).what == outcome::unknown));
    calls.wait(got);
    calls.ring({{}, attempt}, 0);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_calls)

BOOST_FIXTURE_TEST_CASE(what_is_not_known_is_asked_for_more_and_more_rarely, waiting) {
  for (int i = 0; i < 8; ++i)
    ends(outcome::unknown, never_answered);
  BOOST_TEST(waits == (std::vector<duration_ms>{1'000, 2'000, 4'000, 8'000, 16'000, 32'000, 60'000,
                                                60'000}),
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(what_was_not_asked_waits_for_the_breaker_and_no_longer, waiting) {
  ends(outcome::unknown, never_answered);
  for (int i = 0; i < 5; ++i)
    ends(outcome::not_sent,
         i % 2 == 0 ? payments::breaker_open_reason : payments::too_many_calls_reason);
  ends(outcome::unknown, never_answered); // the fifth time that it counts
  ends(outcome::unknown, never_answered);
  ends(outcome::not_sent, payments::breaker_open_reason);
  ends(outcome::not_sent, "connection refused"); // it was asked, and does not even answer
  BOOST_TEST(waits == (std::vector<duration_ms>{1'000, 2'000, 4'000, 8'000, 8'000, 8'000, 8'000,
                                                16'000, 8'000, 32'000}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

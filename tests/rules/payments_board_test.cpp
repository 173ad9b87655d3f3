// The board of a gateway: whether it may be called, at the very edges, and what is seen of it.
#include "actors/payments/board.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher;
using namespace usher::payments;

namespace {

event::breaker_changed change(breaker_status from, breaker_status to, time_ms until = 0) {
  return {.gateway = "STRIPE", .from = from, .to = to, .until = until};
}

gateway_activity trials(std::size_t good, const std::vector<time_ms>& leases) {
  gateway_activity now;
  now.good_trials = good;
  for (const auto until : leases)
    now.trials.push_back({now.trials.size() + 1, 1, until});
  return now;
}

} // namespace

BOOST_AUTO_TEST_CASE(it_may_be_called_as_its_breaker_stands) {
  gateway_board board{"STRIPE"};
  BOOST_TEST(board.may_call(0));
  board.publish(change(breaker_status::closed, breaker_status::open, 500), 100);
  BOOST_TEST(!board.may_call(499));
  BOOST_TEST(board.may_call(500));
  board.publish(change(breaker_status::open, breaker_status::half_open), 500);
  board.note(trials(0, {900, 901}));
  BOOST_TEST(board.may_call(600));
  board.note(trials(1, {900, 901}));
  BOOST_TEST(!board.may_call(600));
  BOOST_TEST(!board.may_call(899));
  BOOST_TEST(board.may_call(900)); // the first lease is over
  board.publish(change(breaker_status::half_open, breaker_status::closed), 700);
  BOOST_TEST(board.may_call(600));
}

BOOST_AUTO_TEST_CASE(it_shows_what_the_log_told_and_what_was_noted_since) {
  breaker_state recorded;
  recorded.is = breaker_status::open;
  recorded.until = 500;
  recorded.changed_at = 70;
  gateway_board board{"PAYPAL", recorded};
  BOOST_TEST(!board.may_call(499));
  gateway_activity now;
  now.counts.calls = 7;
  now.in_flight = 2;
  now.last_error = "failed: 500";
  now.last_error_at = 60;
  board.note(now);
  const auto seen = board.snapshot();
  BOOST_TEST(seen.gateway == "PAYPAL");
  BOOST_CHECK(seen.breaker == recorded);
  BOOST_CHECK(seen.now.counts == now.counts);
  BOOST_TEST(seen.now.in_flight == 2U);
  BOOST_TEST(seen.now.last_error == "failed: 500");
  BOOST_TEST(seen.now.last_error_at == 60);
}

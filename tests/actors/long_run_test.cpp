// Thousands of random steps of many on one show: joins, holds of named and of best seats and of
// places in an area, holds that grow, shrink and last longer, orders, payments, late confirmations,
// leaves; sales over the counter, seats taken off sale (also from whoever holds them), put back and
// returned; other plans and prices; time, the room closed and opened, and power cuts at any moment,
// also between two messages. Whenever all is quiet the log, the boards and all that was
// acknowledged have to agree, and no prefix of the log loses a seat. USHER_SEED repeats a run.
#include "tests/actors/race_checks.hpp"
#include "tests/actors/sale_of_many.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher::testing;

void add(sale_of_many::tally& all, const sale_of_many::tally& one) {
  using tally = sale_of_many::tally;
  for (const auto member :
       {&tally::crashes, &tally::sales, &tally::refunds, &tally::refusals, &tally::extended,
        &tally::added, &tally::single_released, &tally::chosen, &tally::none_left, &tally::blocked,
        &tally::withdrawn, &tally::unblocked, &tally::counter_sales, &tally::returned,
        &tally::plans, &tally::plans_refused})
    all.*member += one.*member;
}

} // namespace

BOOST_AUTO_TEST_SUITE(long_run)

BOOST_AUTO_TEST_CASE(thousands_of_random_steps_and_crashes_break_no_promise) {
  sale_of_many::tally all;
  for (std::uint64_t round = 0; round < 40; ++round) {
    BOOST_TEST_CONTEXT("round " << round) {
      sale_of_many one{seed_of_run() + round};
      one.run(400);
      check_log(one.log(), sale_of_many::limits);
      add(all, one.seen);
    }
  }
  // It did go through what it is for.
  BOOST_TEST(all.crashes > 20u);
  BOOST_TEST(all.sales > 20u);
  BOOST_TEST(all.refunds > 0u);
  BOOST_TEST(all.refusals > 100u);
  BOOST_TEST(all.extended > 20u);
  BOOST_TEST(all.added > 20u);
  BOOST_TEST(all.single_released > 20u);
  BOOST_TEST(all.chosen > 100u);
  BOOST_TEST(all.none_left > 0u);
  BOOST_TEST(all.blocked > 20u);
  BOOST_TEST(all.withdrawn > 10u);
  BOOST_TEST(all.unblocked > 20u);
  BOOST_TEST(all.counter_sales > 20u);
  BOOST_TEST(all.returned > 10u);
  BOOST_TEST(all.plans > 20u);
  BOOST_TEST(all.plans_refused > 20u);
}

BOOST_AUTO_TEST_SUITE_END()

// Estimates and polling intervals, as tables.
#include "actors/waiting_room/admission_meter.hpp"
#include "actors/waiting_room/eta.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher::waiting_room;

BOOST_AUTO_TEST_CASE(the_estimate_is_position_over_rate_rounded_up) {
  struct {
    std::uint32_t position;
    std::uint64_t rate_micro;
    std::uint32_t seconds;
  } const table[] = {
      {1, 20'000'000, 1},        {20, 20'000'000, 1},
      {21, 20'000'000, 2},       {10, 500'000, 20},
      {1, 300'000, 4},           {2'000'000, 500'000'000, 4000},
      {1, 1'000'000'000'000, 1}, {5'000'000, 1, 4'294'967'295}, // saturates
  };
  for (const auto& [position, rate_micro, seconds] : table)
    BOOST_TEST(eta_seconds(position, rate_micro).value() == seconds);
}

BOOST_AUTO_TEST_CASE(there_is_no_estimate_without_a_rate) {
  BOOST_CHECK(!eta_seconds(1, 0));
  BOOST_CHECK(!eta_of(1, 0));
}

BOOST_AUTO_TEST_CASE(the_range_lies_a_quarter_around) {
  BOOST_CHECK(eta_of(100, 1'000'000) == (eta{100, 75, 125}));
  BOOST_CHECK(eta_of(1, 1'000'000) == (eta{1, 1, 2}));
  BOOST_CHECK(eta_of(5'000'000, 1)->high == 4'294'967'295U);
}

BOOST_AUTO_TEST_CASE(who_is_near_asks_often_and_nobody_waits_over_a_minute) {
  for (std::uint32_t bits = 0; bits < 1000; ++bits) {
    const auto within = [&](std::uint32_t seconds, std::uint32_t low, std::uint32_t high) {
      return seconds >= low && seconds <= high;
    };
    BOOST_REQUIRE(within(poll_after_seconds(1, std::nullopt, bits), 2, 4));
    BOOST_REQUIRE(within(poll_after_seconds(5000, 10, bits), 2, 4));
    BOOST_REQUIRE(within(poll_after_seconds(21, 11, bits), 8, 12));
    BOOST_REQUIRE(within(poll_after_seconds(1000, 100, bits), 8, 12));
    BOOST_REQUIRE(within(poll_after_seconds(1001, 100, bits), 40, 50));
    BOOST_REQUIRE(within(poll_after_seconds(2'000'000, std::nullopt, bits), 40, 50));
  }
}

BOOST_AUTO_TEST_CASE(the_jitter_uses_the_whole_range) {
  BOOST_TEST(poll_after_seconds(2000, 100, 0) == 40U);
  BOOST_TEST(poll_after_seconds(2000, 100, 10) == 50U);
}

BOOST_AUTO_TEST_CASE(the_meter_measures_the_last_minute_of_whole_seconds) {
  admission_meter meter;
  meter.start(100'500);
  BOOST_CHECK(!meter.per_second_micro(130'000)); // nobody yet
  meter.count(10, 101'000);
  meter.count(10, 101'999);
  BOOST_CHECK(!meter.per_second_micro(104'999)); // too early
  BOOST_TEST(meter.per_second_micro(105'000).value() == 4'000'000U);
  BOOST_TEST(meter.per_second_micro(110'000).value() == 2'000'000U);
  BOOST_TEST(meter.per_second_micro(161'999).value() == 20'000'000U / 60);
  BOOST_CHECK(!meter.per_second_micro(162'000)); // a minute later they are forgotten
  meter.count(6, 165'000);                       // reuses the bucket of second 101
  BOOST_TEST(meter.per_second_micro(166'000).value() == 100'000U);
  meter.start(166'000);
  BOOST_CHECK(!meter.per_second_micro(176'000));
}

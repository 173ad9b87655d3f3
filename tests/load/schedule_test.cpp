// Arrivals: the rate is kept over hours, by one thread or by several that share it. What is random
// has a seed, so that these numbers are the same at every run. Made to fail once: with a rate that
// is not divided among the parts, and with gaps that are all alike.

#include "bench/load/schedule.hpp"

#include <boost/test/unit_test.hpp>

using namespace usher::load;

namespace {

std::vector<time_ns> first(std::size_t count, const schedule::options& with) {
  schedule times{with};
  std::vector<time_ns> all(count);
  for (auto& each : all)
    each = times.next();
  return all;
}

/// How many are due before that.
std::size_t count_until(time_ns end, const schedule::options& with) {
  schedule times{with};
  std::size_t count = 0;
  while (times.next() < end)
    ++count;
  return count;
}

} // namespace

BOOST_AUTO_TEST_CASE(even_ones_are_where_the_rate_says_and_no_error_adds_up) {
  schedule times{{.per_second = 3}};
  std::size_t elsewhere = 0;
  for (int i = 0; i < 3'000'000; ++i) {
    const auto due = times.next();
    if (i % 3 == 0 && std::abs(due - i / 3 * second_ns) > 1)
      ++elsewhere;
  }
  BOOST_TEST(elsewhere == 0U);
}

BOOST_AUTO_TEST_CASE(even_parts_are_the_whole) {
  constexpr std::size_t each = 1'000;
  std::vector<time_ns> merged;
  for (std::uint32_t part = 0; part < 3; ++part) {
    const auto its = first(each, {.per_second = 55, .part = part, .parts = 3});
    merged.insert(merged.end(), its.begin(), its.end());
  }
  std::sort(merged.begin(), merged.end());
  BOOST_TEST(merged == first(3 * each, {.per_second = 55}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(random_ones_keep_the_rate) {
  constexpr double wanted = 200 * 1'000;
  const auto count =
      count_until(1'000 * second_ns, {.per_second = 200, .spacing = spacing::random, .seed = 5});
  // Of a Poisson process the deviation is the root of the number: 447.
  BOOST_TEST(std::abs(static_cast<double>(count) - wanted) < 4 * 447, count);
}

BOOST_AUTO_TEST_CASE(random_parts_keep_the_rate_together) {
  std::size_t count = 0;
  for (std::uint32_t part = 0; part < 4; ++part)
    count += count_until(
        1'000 * second_ns,
        {.per_second = 200, .spacing = spacing::random, .seed = 6, .part = part, .parts = 4});
  BOOST_TEST(std::abs(static_cast<double>(count) - 200 * 1'000.0) < 4 * 447, count);
}

BOOST_AUTO_TEST_CASE(random_gaps_are_those_of_strangers) {
  constexpr std::size_t count = 100'000;
  const auto times = first(count, {.per_second = 1'000, .spacing = spacing::random, .seed = 7});
  std::size_t long_ones = 0;
  for (std::size_t i = 1; i < count; ++i) {
    BOOST_REQUIRE_GE(times[i], times[i - 1]);
    long_ones += times[i] - times[i - 1] > millisecond_ns ? 1 : 0;
  }
  // The share of gaps that are longer than the mean is 1/e, the deviation of its count 152.
  BOOST_TEST(std::abs(static_cast<double>(long_ones) - 36'788) < 4 * 152, long_ones);
}

BOOST_AUTO_TEST_CASE(the_seed_decides) {
  const schedule::options one{.per_second = 10, .spacing = spacing::random, .seed = 1};
  auto other = one;
  other.seed = 2;
  BOOST_TEST((first(100, one) == first(100, one)));
  BOOST_TEST((first(100, one) != first(100, other)));
}

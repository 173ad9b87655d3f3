// Percentiles against a model that keeps every value and sorts them. Made to fail once: with the
// quantile's rank rounded down, with a cell that tells its lowest value, and with a merge that
// forgets the other's maximum.

#include "bench/load/histogram.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

using namespace usher::load;

namespace {

/// As latencies are: most of them short, some long, over seven powers of ten.
std::vector<std::uint64_t> random_values(std::size_t count, unsigned seed) {
  std::mt19937_64 random{seed};
  std::uniform_real_distribution<double> power{0, 7};
  std::vector<std::uint64_t> values(count);
  for (auto& each : values)
    each = static_cast<std::uint64_t>(std::pow(10.0, power(random)));
  return values;
}

histogram of(const std::vector<std::uint64_t>& values_us) {
  histogram made;
  for (const auto each : values_us)
    made.add(static_cast<time_ns>(each) * microsecond_ns);
  return made;
}

std::uint64_t exact(const std::vector<std::uint64_t>& sorted, double quantile) {
  const auto rank = std::ceil(quantile * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

void check_quantiles(const histogram& made, std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  for (const double quantile : {0.0, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1.0}) {
    const auto is = exact(values, quantile);
    const auto told = made.at_us(quantile);
    BOOST_TEST(told >= is, "at " << quantile << ": " << told << " is less than " << is);
    BOOST_TEST(told <= is + is / 1'000, "at " << quantile << ": " << told << " for " << is);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(percentiles_are_at_most_a_thousandth_too_high) {
  for (const std::size_t count : {1U, 2U, 3U, 10U, 99U, 1'000U, 20'000U}) {
    const auto values = random_values(count, static_cast<unsigned>(count));
    check_quantiles(of(values), values);
  }
}

BOOST_AUTO_TEST_CASE(count_mean_and_maximum_are_exact) {
  const auto values = random_values(5'000, 7);
  const auto made = of(values);
  double sum = 0;
  for (const auto each : values)
    sum += static_cast<double>(each);
  BOOST_TEST(made.count() == values.size());
  BOOST_TEST(made.max_us() == *std::max_element(values.begin(), values.end()));
  BOOST_TEST(made.mean_us() == sum / static_cast<double>(values.size()),
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(merged_parts_are_the_whole) {
  const auto some = random_values(3'000, 1);
  const auto others = random_values(2'000, 2);
  auto all = some;
  all.insert(all.end(), others.begin(), others.end());
  histogram merged;
  merged.merge(of(some));
  merged.merge({});
  merged.merge(of(others));
  const auto whole = of(all);
  BOOST_TEST(merged.count() == whole.count());
  BOOST_TEST(merged.max_us() == whole.max_us());
  BOOST_TEST((merged.series() == whole.series()));
  check_quantiles(merged, all);
}

BOOST_AUTO_TEST_CASE(cleared_it_is_as_new) {
  auto made = of(random_values(100, 3));
  made.clear();
  BOOST_TEST(made.count() == 0U);
  BOOST_TEST(made.at_us(0.5) == 0U);
  BOOST_TEST(made.max_us() == 0U);
  BOOST_TEST(made.series().empty());
  made.add(5 * microsecond_ns);
  BOOST_TEST(made.at_us(1) == 5U);
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_counts_at_its_end) {
  histogram made;
  made.add(-second_ns); // a clock cannot do that; a mistake must not write beside the cells
  BOOST_TEST(made.at_us(1) == 0U);
  made.add(10 * 3'600 * second_ns);
  BOOST_TEST(made.count() == 2U);
  BOOST_TEST(made.max_us() == histogram::value_max_us);
}

BOOST_AUTO_TEST_CASE(the_series_goes_up_to_the_maximum) {
  const auto made = of(random_values(10'000, 4));
  const auto series = made.series();
  BOOST_TEST_REQUIRE(series.size() > 20U);
  for (std::size_t i = 1; i < series.size(); ++i) {
    BOOST_TEST(series[i].first > series[i - 1].first);
    BOOST_TEST(series[i].second >= series[i - 1].second);
  }
  BOOST_TEST(series.back().first == 1.0);
  BOOST_TEST(series.back().second == made.max_us());
}

#pragma once

#include "bench/load/time.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace usher::load {

/// Latencies with three significant digits from a microsecond to an hour, in constant memory (an
/// HDR histogram): each power of two is cut into 1,024 equal parts, so that no value is told more
/// than a thousandth too high and none too low. Longer ones count as an hour. Not thread-safe.
class histogram {
public:
  static constexpr std::uint64_t value_max_us = 3'600'000'000;

  void add(time_ns latency);
  void merge(const histogram& other);
  void clear();

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t max_us() const { return max_us_; } ///< exact
  [[nodiscard]] double mean_us() const;

  /// The value that the share `quantile` (0 to 1) of all do not exceed; 0 if there are none.
  [[nodiscard]] std::uint64_t at_us(double quantile) const;

  /// For plots: [quantile, microseconds], ever finer towards 1, which is the last.
  [[nodiscard]] std::vector<std::pair<double, std::uint64_t>> series() const;

private:
  std::vector<std::uint64_t> cells_; ///< empty until there is something in it
  std::uint64_t count_ = 0;
  std::uint64_t sum_us_ = 0;
  std::uint64_t max_us_ = 0;
};

} // namespace usher::load

#include "bench/load/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace usher::load {

namespace {

constexpr unsigned part_bits = 10;
constexpr std::uint64_t parts = std::uint64_t{1} << part_bits;

/// Values below 2 * parts have a cell each; above, those of one power of two share `parts` cells.
std::size_t cell_of(std::uint64_t value) {
  const auto width = static_cast<unsigned>(std::bit_width(value | 1));
  const auto shift = width > part_bits + 1 ? width - part_bits - 1 : 0;
  return static_cast<std::size_t>(shift * parts + (value >> shift));
}

/// The highest value of a cell.
std::uint64_t top_of(std::size_t cell) {
  const auto shift = cell < 2 * parts ? 0 : cell / parts - 1;
  return ((cell - shift * parts + 1) << shift) - 1;
}

} // namespace

void histogram::add(time_ns latency) {
  const auto value = std::min(static_cast<std::uint64_t>(std::max<time_ns>(latency, 0)) /
                                  static_cast<std::uint64_t>(microsecond_ns),
                              value_max_us);
  if (cells_.empty())
    cells_.resize(cell_of(value_max_us) + 1);
  ++cells_[cell_of(value)];
  ++count_;
  sum_us_ += value;
  max_us_ = std::max(max_us_, value);
}

void histogram::merge(const histogram& other) {
  if (other.count_ == 0)
    return;
  if (cells_.empty())
    cells_.resize(other.cells_.size());
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    cells_[cell] += other.cells_[cell];
  count_ += other.count_;
  sum_us_ += other.sum_us_;
  max_us_ = std::max(max_us_, other.max_us_);
}

void histogram::clear() {
  std::ranges::fill(cells_, 0);
  count_ = sum_us_ = max_us_ = 0;
}

double histogram::mean_us() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_us_) / static_cast<double>(count_);
}

std::uint64_t histogram::at_us(double quantile) const {
  if (count_ == 0)
    return 0;
  const auto wanted = std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(count_))), 1, count_);
  std::uint64_t seen = 0;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    if ((seen += cells_[cell]) >= wanted)
      return std::min(top_of(cell), max_us_);
  return max_us_;
}

std::vector<std::pair<double, std::uint64_t>> histogram::series() const {
  constexpr int steps_per_halving = 5;
  std::vector<std::pair<double, std::uint64_t>> all;
  if (count_ == 0)
    return all;
  for (double left = 1; left * static_cast<double>(count_) >= 1; left /= 2)
    for (int step = 0; step < steps_per_halving; ++step) {
      const auto quantile = 1 - left + left / 2 * step / steps_per_halving;
      all.emplace_back(quantile, at_us(quantile));
    }
  all.emplace_back(1.0, max_us_);
  return all;
}

} // namespace usher::load

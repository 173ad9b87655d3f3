#pragma once

#include "bench/load/time.hpp"

#include <cstdint>
#include <random>

namespace usher::load {

enum class spacing : std::uint8_t {
  even,   ///< one after the other at the same distance
  random, ///< as strangers come: a Poisson process, which the seed decides
};

/// When things are meant to happen, fixed beforehand and whatever the server does. With several
/// threads each has a share of them: that of `part` of `parts`; together they keep the rate.
class schedule {
public:
  struct options {
    double per_second = 1; ///< more than 0
    load::spacing spacing = load::spacing::even;
    std::uint64_t seed = 1;
    std::uint32_t part = 0;
    std::uint32_t parts = 1;
  };

  explicit schedule(const options& with);

  /// When the next is due, from the beginning of the schedule; never before the last one.
  [[nodiscard]] time_ns next();

private:
  options with_;
  std::mt19937_64 random_;
  std::uint64_t told_ = 0;
  double at_ns_ = 0;
};

} // namespace usher::load

#include "bench/load/schedule.hpp"

#include <cassert>

namespace usher::load {

schedule::schedule(const options& with) : with_{with}, random_{with.seed + with.part} {
  assert(with.per_second > 0 && with.part < with.parts);
}

time_ns schedule::next() {
  const auto apart_ns = static_cast<double>(second_ns) / with_.per_second;
  if (with_.spacing == spacing::even) // computed anew each time: no error adds up
    return static_cast<time_ns>(apart_ns * static_cast<double>(told_++ * with_.parts + with_.part));
  at_ns_ += std::exponential_distribution<double>{1 / (apart_ns * with_.parts)}(random_);
  return static_cast<time_ns>(at_ns_);
}

} // namespace usher::load

#pragma once

#include "bench/load/request_kind.hpp"
#include "bench/load/time.hpp"

#include <cstdint>

namespace usher::load {

/// One request that is to be made.
struct task {
  time_ns due = 0;        ///< when it is meant to be sent; latencies count from here
  std::uint32_t fan = 0;  ///< whose, in the fan_table of the thread
  std::uint32_t note = 0; ///< for whoever writes the request, to find it again with the answer
  request_kind kind = request_kind::page;
  bool at_once = false; ///< has no time of its own: due whenever there is a connection for it
};

} // namespace usher::load

#pragma once

#include "tests/actors/conservation.hpp"
#include "tests/actors/log_check.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <vector>

// What has to hold at the end of every race.
namespace usher::testing {

/// The whole log, from the events alone and seat by seat.
inline void check_log(const storage::event_log& log, const seat_limits& limits = {}) {
  for (const auto& faults : {faults_in(log, limits), lost_seats_in(log)})
    for (const auto& each : faults)
      BOOST_ERROR(each);
}

[[nodiscard]] inline std::size_t how_many(const world& where, seating::shown what) {
  std::size_t count = 0;
  for (const auto& [id, is] : where.seat_map())
    count += is == what ? 1 : 0;
  return count;
}

} // namespace usher::testing

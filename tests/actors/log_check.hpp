#pragma once

#include "actors/basics/time.hpp"
#include "storage/event_log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace usher::testing {

struct seat_limits {
  std::size_t max_seats = 4;         ///< of one admission
  duration_ms max_life_ms = 600'000; ///< of a hold, however often it is extended
};

/// A second opinion on a whole log, from the events alone and without the rules: every sentence is
/// one promise broken. Empty: all is well.
///
/// No seat is held or sold to two, or off sale and either, or goes from the plan meanwhile; a hold
/// has all of its seats or none, its changes are in order and none makes it outlive its longest
/// life; a sold seat belongs to a PAID order and the other way round, until desk and block agree
/// that it is returned; no admission has more seats than it may, one key makes one thing, a hold
/// has one order; admissions keep to the order of arrival and to maxActive, and while the room is
/// open only the admitted hold seats, but for the box office.
[[nodiscard]] std::vector<std::string> faults_in(const storage::event_log& log,
                                                 const seat_limits& limits = {});

} // namespace usher::testing
